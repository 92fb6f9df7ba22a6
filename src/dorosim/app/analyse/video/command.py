"""What `dorosim video` does."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.analyse.trace.progress import watched
from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.analyse.video.encoder import check_video
from dorosim.app.run.report.console import LastingConsole
from dorosim.ground.error import InputError, one_line


def write_video(
    file: Path,
    out: Path,
    camera: int | None,
    view: str | None,
    actor: int,
    begin: float | None,
    end: float | None,
    fps: int,
    size: str | None,
    part: int | None,
    map_name: str | None,
    data: Path | None,
    *,
    quiet: bool,
) -> None:
    """Make a video and print what was written; arguments as of the command.

    Raises:
        InputError: an argument or a file cannot be used, or the extra `video` is missing.
    """
    check_video(out, fps)
    if camera is not None and view is not None:
        raise InputError("video", "", "both --camera and --view are given", "give one of them")
    from dorosim.app.analyse.video.eye import VIEWS
    from dorosim.app.analyse.video.shot import VideoShot, make_video, size_from_text
    from dorosim.app.run.kernel_warmup import FIRST_SENSORS
    from dorosim.ground.jit import SENSOR_FLOORS, is_complete

    if view is not None and view not in VIEWS:
        raise InputError("--view", "", f"there is no {view!r}", f"use {', '.join(VIEWS)}")
    wanted = None if size is None else size_from_text(size)
    console = LastingConsole(stderr=True, highlight=False, quiet=quiet)
    recorded = open_recording(file, map_name, data, part)
    shot = VideoShot(camera=camera, view=view or "chase", actor=actor, begin=begin, end=end, fps=fps, size=wanted)
    if not is_complete(SENSOR_FLOORS):
        console.print(f"{FIRST_SENSORS}, please wait")
    made = make_video(recorded, out, shot, watched(recorded, "making the video", end, quiet=quiet))
    if made.problem:
        recorded.notes.append(f"the video {made.problem}")
    for note in recorded.notes:
        console.print(one_line(f"notice: {note}"), style="yellow", markup=False, soft_wrap=True)
    if not quiet:
        width, height = made.size
        line = f"{out}: {made.count:,} pictures of {width} x {height}, {made.count / fps:.2f} s"
        LastingConsole(highlight=False).print(one_line(line), markup=False, soft_wrap=True)
