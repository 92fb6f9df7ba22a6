"""`dorosim plot`: draw what a recording tells of a vehicle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def plot(
    file: Annotated[Path, typer.Argument(metavar="RECORDING", help="As 'dorosim run --record FILE' wrote it.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="A .png, .svg or .html file; the recording's name with .png."),
    ] = None,
    actor: Annotated[int, typer.Option(metavar="ID", help="Vehicle of any kind; the ego vehicle.")] = 1,
    reference: Annotated[
        str, typer.Option(metavar="FILE.csv|auto", help="Line for the cross-track error; auto: trajectory or lane.")
    ] = "auto",
    only: Annotated[
        str | None, typer.Option(metavar="NAME,...", help="Draw these only; a wrong name lists the right ones.")
    ] = None,
    begin: Annotated[float | None, typer.Option("--from", metavar="S", help="Simulated time to begin at.")] = None,
    end: Annotated[float | None, typer.Option("--to", metavar="S", help="Simulated time to end at.")] = None,
    part: Annotated[int | None, typer.Option(metavar="N", help="Part of a run that was reset; the longest.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON; draw only with --out.")] = False,
    map_name: Annotated[
        str | None, typer.Option("--map", metavar="NAME|DIR", help="Where the map is now, if it has moved since.")
    ] = None,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Data folder.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Draw path, speed, pedals, accelerations, distances and more of a recording, and sum them up.

    Needs the extra `plot`. An .html file is one page on its own, to zoom in and read values off.
    """
    from dorosim.app.plot.command import plot_recording

    plot_recording(file, out, actor, reference, only, begin, end, part, map_name, data, json=json, quiet=quiet)
