"""`dorosim plot`: draw the data of a vehicle in a recording."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.recording import BeginOption, DataOption, EndOption, MovedMapOption, PartOption


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
    begin: BeginOption = None,
    end: EndOption = None,
    part: PartOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON; draw only with --out.")] = False,
    map_name: MovedMapOption = None,
    data: DataOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Draw path, speed, pedals, accelerations, distances and more of a recording, and sum them up.

    Needs the extra `plot`. An .html file is one page on its own, to zoom in and read values off.
    """
    from dorosim.app.analyse.plot.command import plot_recording

    plot_recording(file, out, actor, reference, only, begin, end, part, map_name, data, json=json, quiet=quiet)
