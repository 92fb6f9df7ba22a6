"""`dorosim video`: make a video of a recording."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def video(
    file: Annotated[Path, typer.Argument(metavar="RECORDING", help="As 'dorosim run --record FILE' wrote it.")],
    out: Annotated[Path, typer.Argument(metavar="OUT.mp4", help="The video; one that is there is replaced.")],
    camera: Annotated[
        int | None, typer.Option(metavar="N", help="Number of a camera of the run; without it, --view.")
    ] = None,
    view: Annotated[
        str | None, typer.Option(metavar="chase|top|driver", help="From behind, above or inside a vehicle; chase.")
    ] = None,
    actor: Annotated[int, typer.Option(metavar="ID", help="Vehicle that a view looks at; the ego vehicle.")] = 1,
    begin: Annotated[float | None, typer.Option("--from", metavar="S", help="Simulated time to begin at.")] = None,
    end: Annotated[float | None, typer.Option("--to", metavar="S", help="Simulated time to end at.")] = None,
    fps: Annotated[int, typer.Option(metavar="N", help="Pictures a second.")] = 30,
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Pixels; those of the camera, or 1280x720.")] = None,
    part: Annotated[int | None, typer.Option(metavar="N", help="Part of a run that was reset; the longest.")] = None,
    map_name: Annotated[
        str | None, typer.Option("--map", metavar="NAME|DIR", help="Where the map is now, if it has moved since.")
    ] = None,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Data folder.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Make a video of a recording, from a camera of the run or from one that was not there. Needs the extra `video`.

    The same recording gives the same pictures.
    """
    from dorosim.app.video.command import write_video

    write_video(file, out, camera, view, actor, begin, end, fps, size, part, map_name, data, quiet=quiet)
