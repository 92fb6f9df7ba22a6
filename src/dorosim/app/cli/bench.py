"""`dorosim bench`: print the figures that the project promises."""

from __future__ import annotations

from typing import Annotated

import typer

MISSED = 1
"""Exit status when a figure misses its target."""
SUBJECTS = ("codec", "world", "udp", "process")


def bench(
    subjects: Annotated[
        list[str] | None, typer.Argument(metavar="[SUBJECT]...", help=f"{', '.join(SUBJECTS)}; all.")
    ] = None,
) -> None:
    """Measure speed against floors in the same run, and print each figure with its target.

    Run it on a machine that does nothing else. Exit status 1 if a target is missed.
    """
    import importlib

    from rich.console import Console

    from dorosim.ground.error import InputError

    console = Console(highlight=False)
    missed = 0
    for subject in subjects or SUBJECTS:
        if subject not in SUBJECTS:
            raise InputError("bench", "", f"there is no subject {subject!r}", f"use {', '.join(SUBJECTS)}")
        module = importlib.import_module(f"dorosim.app.bench.{subject}")
        for figure in module.figures():
            bound = "" if figure.target is None else f" ({'≤' if figure.at_most else '≥'} {figure.target:g})"
            mark = "  " if figure.target is None else "ok" if figure.reached else "[red]no[/]"
            console.print(
                f"{mark} {figure.name}: [bold]{figure.value:.4g}[/] {figure.unit}{bound}  [dim]{figure.detail}[/]"
            )
            missed += not figure.reached
    raise typer.Exit(MISSED if missed else 0)
