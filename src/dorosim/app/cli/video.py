"""`dorosim video`: make a video of a recording."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.option import (
    BeginOption,
    DataOption,
    EndOption,
    MovedMapOption,
    PartOption,
    QuietOption,
    RainOption,
    TimeOfDayOption,
    VisibilityOption,
    WeatherOption,
)
from dorosim.app.cli.setting_origin import SKY, naming_origin

CameraOption = Annotated[
    int | None, typer.Option(metavar="N", help="Number of a camera of the run; without it, --view.")
]
ViewOption = Annotated[
    str | None, typer.Option(metavar="chase|top|driver", help="From behind, above or inside a vehicle; chase.")
]
SmoothOption = Annotated[
    bool, typer.Option("--smooth", help="Smooth edges in views: four rays a pixel, and some three times the time.")
]


def video(
    file: Annotated[Path, typer.Argument(metavar="RECORDING", help="As 'dorosim run --record FILE' wrote it.")],
    out: Annotated[Path, typer.Argument(metavar="OUT.mp4", help="The video; one that is there is replaced.")],
    camera: CameraOption = None,
    view: ViewOption = None,
    actor: Annotated[int, typer.Option(metavar="ID", help="Vehicle that a view looks at; the ego vehicle.")] = 1,
    begin: BeginOption = None,
    end: EndOption = None,
    fps: Annotated[int, typer.Option(metavar="N", help="Pictures a second.")] = 30,
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Pixels; those of the camera, or 1280x720.")] = None,
    smooth: SmoothOption = False,
    part: PartOption = None,
    weather: WeatherOption = None,
    time_of_day: TimeOfDayOption = None,
    rain: RainOption = None,
    visibility: VisibilityOption = None,
    map_name: MovedMapOption = None,
    data: DataOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make a video of a recording, from a camera of the run or from one that was not there. Needs the extra `video`.

    The same recording gives the same pictures. Weather, time of day, rain and visibility change the picture only: the
    vehicles drive as they did in the recording.
    """
    from dorosim.app.analyse.trace.recorded import open_recording, watched
    from dorosim.app.analyse.video.encoder import check_video
    from dorosim.app.run.report.console import LastingConsole, print_line, print_notices

    check_video(out, fps)
    _check_views(camera, view, smooth=smooth)
    from dorosim.app.analyse.sky import sky_of
    from dorosim.app.analyse.video.shot import VideoShot, make_video, size_from_text
    from dorosim.app.run.kernel_warmup import FIRST_SENSORS
    from dorosim.ground.jit import SENSOR_FLOORS, is_complete

    wanted = None if size is None else size_from_text(size)
    with naming_origin(SKY):
        sky = sky_of(weather, time_of_day, rain, visibility)
    console = LastingConsole(stderr=True, highlight=False, quiet=quiet)
    recorded = open_recording(file, map_name, data, part)
    shot = VideoShot(
        camera=camera,
        view=view or "chase",
        actor=actor,
        begin=begin,
        end=end,
        fps=fps,
        size=wanted,
        sky=sky,
        samples=4 if smooth else 1,
    )
    if not is_complete(SENSOR_FLOORS):
        console.print(f"{FIRST_SENSORS}, please wait")
    made = make_video(recorded, out, shot, watched(recorded, "making the video", end, quiet=quiet))
    if made.problem:
        recorded.notes.append(f"the video {made.problem}")
    print_notices(console, recorded.notes)
    if not quiet:
        width, height = made.size
        line = f"{out}: {made.count:,} pictures of {width} x {height}, {made.count / fps:.2f} s"
        print_line(LastingConsole(highlight=False), line)


def _check_views(camera: int | None, view: str | None, *, smooth: bool) -> None:
    """Refuse a view that there is not, and what contradicts itself, by an `InputError`."""
    from dorosim.app.analyse.video.eye import VIEWS
    from dorosim.ground.error import InputError

    if camera is not None and view is not None:
        raise InputError("video", "", "both --camera and --view are given", "give one of them")
    if view is not None and view not in VIEWS:
        raise InputError("--view", "", f"there is no {view!r}", f"use {', '.join(VIEWS)}")
    if smooth and camera is not None:
        raise InputError("--smooth", "", "counts for views", "give the camera samples = 4 in its settings")
