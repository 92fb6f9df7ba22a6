"""`dorosim bench`: print the figures that the project promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dorosim.app import completion
from dorosim.app.exit_code import ExitCode
from dorosim.app.machine import JsonOption

if TYPE_CHECKING:
    from rich.console import Console

    from dorosim.app.bench.figure import Figure, FigureTable

SUBJECTS = (
    "codec",
    "world",
    "living",
    "traffic",
    "sensor",
    "camera",
    "lidar",
    "rig",
    "competition",
    "udp",
    "flood",
    "grpc",
    "ros",
    "rosbridge",
    "page",
    "process",
)


def bench(
    subjects: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SUBJECT]...",
            help=f"{', '.join(SUBJECTS)}; all.",
            autocompletion=completion.words(*SUBJECTS),
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure speed against floors in the same run, and print each figure with its target.

    Run it on a machine that does nothing else. Exit status 1 if a target is missed. As JSON, a line for each figure:
    {subject, name, value, unit, target, at_most, detail}, or {subject, title, head, rows} for a table.
    """
    import dataclasses
    import importlib

    from rich.console import Console

    from dorosim.app.bench.figure import Figure
    from dorosim.app.machine import print_json
    from dorosim.app.progress import waited
    from dorosim.ground.error import InputError

    console = Console(highlight=False)
    missed = 0
    for subject in subjects or SUBJECTS:
        if subject not in SUBJECTS:
            raise InputError("bench", "", f"there is no subject {subject!r}", f"use {', '.join(SUBJECTS)}")
        module = importlib.import_module(f"dorosim.app.bench.{subject}")
        for figure in waited(module.figures(), f"measuring {subject}"):
            if isinstance(figure, Figure):
                missed += not figure.reached
            if json:
                print_json({"subject": subject, **dataclasses.asdict(figure)})
            elif isinstance(figure, Figure):
                _print_figure(console, figure)
            else:
                _print_table(console, figure)
    raise typer.Exit(ExitCode.FOUND if missed else ExitCode.OK)


def _print_figure(console: Console, figure: Figure) -> None:
    from rich.markup import escape

    bound = "" if figure.target is None else f" ({'≤' if figure.at_most else '≥'} {figure.target:g})"
    mark = "  " if figure.target is None else "ok" if figure.reached else "[red]no[/]"
    value = "not measured" if figure.value is None else f"[bold]{figure.value:.4g}[/] {figure.unit}{bound}"
    console.print(f"{mark} {figure.name}: {value}  [dim]{escape(figure.detail)}[/]")


def _print_table(console: Console, figures: FigureTable) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=figures.title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 0), pad_edge=False)
    for name in figures.head:
        table.add_column(name, justify="right", no_wrap=True)
    for row in figures.rows:
        table.add_row(*row)
    console.print(table)
