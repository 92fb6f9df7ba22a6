"""`dorosim replay`: run a recording again and compare every tick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DIVERGED = 1
"""Exit status of a replay that differs from its recording."""


def replay(
    file: Annotated[Path, typer.Argument(help="A recording, as 'dorosim run --record FILE' wrote it.")],
    map_name: Annotated[
        str | None, typer.Option("--map", metavar="NAME|DIR", help="Where the map is now, if it has moved since.")
    ] = None,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Data folder.")] = None,
) -> None:
    """Run a recording again, as fast as possible, and hold every tick against it.

    Exit status 0: every snapshot is equal, bit for bit. 1: they differ, and the first tick that does is named.
    """
    from dorosim.app.replay import replay_file

    raise typer.Exit(0 if replay_file(file, map_name, data) else DIVERGED)
