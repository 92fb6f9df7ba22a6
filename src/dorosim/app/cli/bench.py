"""`dorosim bench`: print the figures that the project promises."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dorosim.app.cli import completion
from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import JsonOption, completed_argument
from dorosim.app.run.report.json_output import print_json
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from tools.bench.figure import Figure, FigureTable

SUBJECTS = (
    "codec",
    "roads",
    "world",
    "status",
    "solid",
    "living",
    "traffic",
    "motorway",
    "scenario",
    "sensor",
    "camera",
    "lidar",
    "rig",
    "competition",
    "udp",
    "flood",
    "grpc",
    "picture",
    "ros",
    "rosbridge",
    "page",
    "recording",
    "process",
    "tcp_step",
    "gym",
    "sweep",
)


def bench(
    subjects: Annotated[
        list[str] | None,
        completed_argument(completion.words(*SUBJECTS), "[SUBJECT]...", f"{', '.join(SUBJECTS)}; all."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure speed against floors in the same run, and print each figure with its target.

    Run it on a machine that does nothing else. Exit status 1 if a target is missed. As JSON, a line for each figure:
    {subject, name, value, unit, target, at_most, detail}, or {subject, title, head, rows} for a table.
    """
    import dataclasses

    from rich.console import Console

    from dorosim.app.run.report.progress import waited

    _find_tools()
    from tools.bench.figure import Figure

    console = Console(highlight=False)
    missed = 0
    for subject in subjects or SUBJECTS:
        if subject not in SUBJECTS:
            raise InputError("bench", "", f"there is no subject {subject!r}", f"use {', '.join(SUBJECTS)}")
        for figure in waited(_figures_of(subject), f"measuring {subject}"):
            if isinstance(figure, Figure):
                missed += not figure.reached
            if json:
                print_json({"subject": subject, **dataclasses.asdict(figure)})
            elif isinstance(figure, Figure):
                _print_figure(console, figure)
            else:
                _print_table(console, figure)
    raise typer.Exit(ExitCode.FOUND if missed else ExitCode.OK)


def _figures_of(subject: str) -> Iterator[Figure | FigureTable]:
    """The figures of a subject; one without a value where it needs what is not installed here."""
    import importlib

    from tools.bench.figure import Figure

    try:
        module = importlib.import_module(f"tools.bench.{subject}")
    except ImportError as error:
        if (error.name or "").startswith(("dorosim", "tools")):
            raise
        yield Figure(subject, None, "", detail=str(error))
        return
    yield from module.figures()


def _find_tools() -> None:
    """Let this program and those that it starts import `tools`, which stands beside `src` and is not installed.

    Raises:
        InputError: this is no checkout.
    """
    root = Path(__file__).parents[4]
    if not (root / "tools" / "bench").is_dir():
        raise InputError(
            "bench", "", "measures in a checkout of dorosim alone", "clone its repository, and run it there"
        )
    sys.path.insert(0, str(root))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))


def _print_figure(console: Console, figure: Figure) -> None:
    from rich.markup import escape

    bound = "" if figure.target is None else f" ({'≤' if figure.at_most else '≥'} {figure.target:g})"
    mark = "  " if figure.target is None else "ok" if figure.reached else "[red]no[/]"
    value = "not measured" if figure.value is None else f"[bold]{figure.value:.4g}[/] {figure.unit}{bound}"
    console.print(f"{mark} {figure.name}: {value}  [dim]{escape(figure.detail)}[/]")


def _print_table(console: Console, figures: FigureTable) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Column, Table

    head = (Column(name, justify="right", no_wrap=True) for name in figures.head)
    table = Table(*head, title=figures.title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 0), pad_edge=False)
    for row in figures.rows:
        table.add_row(*row)
    console.print(table)
