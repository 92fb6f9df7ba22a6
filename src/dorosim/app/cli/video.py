"""`dorosim video`: make a video of a recording."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.recording import BeginOption, DataOption, EndOption, MovedMapOption, PartOption


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
    begin: BeginOption = None,
    end: EndOption = None,
    fps: Annotated[int, typer.Option(metavar="N", help="Pictures a second.")] = 30,
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Pixels; those of the camera, or 1280x720.")] = None,
    part: PartOption = None,
    map_name: MovedMapOption = None,
    data: DataOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
) -> None:
    """Make a video of a recording, from a camera of the run or from one that was not there. Needs the extra `video`.

    The same recording gives the same pictures.
    """
    from dorosim.app.analyse.video.command import write_video

    write_video(file, out, camera, view, actor, begin, end, fps, size, part, map_name, data, quiet=quiet)
