"""`dorosim state`: what is in snapshot files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

state_app = typer.Typer(
    help="Show and compare snapshots, as 'dorosim run --save-snapshot' saves them.", no_args_is_help=True
)
DIFFERENT = 1
"""Exit status of `state diff` for snapshots that differ."""


@state_app.command("show")
def show(
    file: Annotated[Path, typer.Argument(help="A snapshot file.")],
    most: Annotated[int, typer.Option(metavar="N", min=0, help="List at most so many actors.")] = 40,
) -> None:
    """The run that a snapshot is of, its time, how much of what there is, and every actor."""
    from dorosim.app.state_file import show_state

    show_state(file, most)


@state_app.command("diff")
def diff(
    left: Annotated[Path, typer.Argument(metavar="A", help="A snapshot file.")],
    right: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    most: Annotated[int, typer.Option(metavar="N", min=0, help="List at most so many differences.")] = 40,
) -> None:
    """What differs between two snapshots, by actor and column.

    Exit status 0: they are equal, bit for bit, and so are map, seed and tick of their runs. 1: they differ.
    """
    from dorosim.app.state_file import compare_states

    raise typer.Exit(0 if compare_states(left, right, most) else DIFFERENT)
