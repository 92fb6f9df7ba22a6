"""Options that commands on recordings have in common, and others too."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

MovedMapOption = Annotated[
    str | None, typer.Option("--map", metavar="NAME|DIR", help="Where the map is now, if it has moved since.")
]
DataOption = Annotated[Path | None, typer.Option(metavar="DIR", help="Data folder.")]
BeginOption = Annotated[float | None, typer.Option("--from", metavar="S", help="Simulated time to begin at.")]
EndOption = Annotated[float | None, typer.Option("--to", metavar="S", help="Simulated time to end at.")]
PartOption = Annotated[int | None, typer.Option(metavar="N", help="Part of a run that was reset; the longest.")]
