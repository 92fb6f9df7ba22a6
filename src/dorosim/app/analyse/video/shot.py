"""Makes a video of a recording, by running it again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from dorosim.app.analyse.sky import AS_IT_WAS, ShownSky
from dorosim.app.analyse.trace.recorded import Recorded, Watch
from dorosim.app.analyse.trace.trace import check_times
from dorosim.app.analyse.video.encoder import VideoWriter, check_size
from dorosim.app.analyse.video.eye import CameraEye, Eye, Size, Turning, ViewEye
from dorosim.app.store.scene import sensor_scene
from dorosim.endpoint.sensor.pool import ThreadPool
from dorosim.ground.cores import usable_cores
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.snapshot import EGO, Snapshot

USUAL_SIZE = (1280, 720)
"""Of views that are no camera of the run [pixels]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoShot:
    """What a video shows.

    Attributes:
        camera: number of a camera of the run, None for a view.
        view: one of `dorosim.app.analyse.video.eye.VIEWS`; counts where there is no camera. actor: id of its vehicle.
        begin, end: simulated time from and up to which [s], None: all.
        fps: pictures a second of simulated time, and of the video.
        size: width and height [pixels]; None: that of the camera, or 1280x720.
        sky: weather and time of day of the pictures; as in the recording where it is empty.
        samples: rays per pixel of a view, 1, or 4 for smooth edges.
    """

    camera: int | None = None
    view: str = "chase"
    actor: int = EGO
    begin: float | None = None
    end: float | None = None
    fps: int = 30
    size: Size | None = None
    sky: ShownSky = AS_IT_WAS
    samples: int = 1


@dataclass(frozen=True, slots=True)
class ShotResult:
    """A video that was made: pictures, their size, and why it ended early, or an empty string."""

    count: int
    size: Size
    problem: str = ""


def size_from_text(text: str) -> Size:
    """`1280x720`.

    Raises:
        InputError: it is not a valid size, or one that no video has.
    """
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise InputError("--size", "", f"{text!r} is not a valid size", "write it as --size 1280x720") from None
    check_size("--size", width, height)
    return width, height


def make_video(
    recorded: Recorded,
    path: Path,
    shot: VideoShot,
    watch: Watch = lambda snapshots, _: snapshots,
) -> ShotResult:
    """Run a recording again, take pictures and write them.

    The pictures depend on the recording and the shot alone. A picture shows the first tick at or after its moment.

    Args:
        recorded: the recording.
        path: .mp4 file.
        shot: what it shows.
        watch: is given the snapshots and how many there are, and hands them on: a progress bar.

    Raises:
        InputError: there is no such time, camera, view or vehicle, or the file cannot be written.
    """
    check_times(recorded, shot.begin, shot.end)
    begin = recorded.start if shot.begin is None else max(shot.begin, recorded.start)
    end = math.inf if shot.end is None else shot.end
    stage = sensor_scene(recorded.ready)
    turning = Turning(shot.actor)
    eye: Eye | None = None
    writer: VideoWriter | None = None
    problem = ""
    with closing(ThreadPool(usable_cores())) as pool, ExitStack() as files:
        for before, now in _pairs(map(shot.sky.over, watch(recorded.snapshots(), len(recorded.ticks) + 1))):
            time = now.time * 1e-9
            if time > end + 1e-9:
                break
            # traffic and sensors that a run begins with are there from its first tick on
            if now.tick == recorded.ready.first.tick:
                continue
            if shot.camera is None and shot.view == "chase":
                turning.follow(before, now)  # from the first tick on, so that it looks alike wherever the video begins
            if eye is None or writer is None:
                if time < begin - 1e-9:
                    continue
                eye = _eye(recorded, shot, stage, pool, now, turning)
                writer = files.enter_context(VideoWriter(path, *eye.size, shot.fps))
            if time < begin + writer.count / shot.fps - 1e-9:
                continue
            image = eye.picture(before, now)
            if image is None and not writer.count:
                raise InputError("--camera", "", f"no vehicle has it at {time:.2f} s", "give another time with --from")
            if image is None:
                problem = f"ends at {time:.2f} s, when what it is seen from was taken away"
                break
            # a tick may be longer than the time between two pictures
            while time >= begin + writer.count / shot.fps - 1e-9:
                writer.add(image)
        if eye is None or writer is None or not writer.count:
            raise InputError("--from", "", "the recording has no tick then", "give an earlier time")
    return ShotResult(writer.count, eye.size, problem)


def _eye(
    recorded: Recorded, shot: VideoShot, stage: SensorScene, pool: ThreadPool, first: Snapshot, turning: Turning
) -> Eye:
    scene, noise = recorded.ready.scene, Noise(recorded.header.seed)
    eye: Eye
    if shot.camera is None:
        eye = ViewEye(scene, stage, pool, shot.view, shot.actor, shot.size or USUAL_SIZE, first, turning, shot.samples)
    else:
        eye = CameraEye(scene, noise, stage, pool, shot.camera, first, shot.size)
    check_size("camera" if shot.size is None else "--size", *eye.size)
    return eye


def _pairs(snapshots: Iterator[Snapshot]) -> Iterator[tuple[Snapshot, Snapshot]]:
    """Each snapshot with the one before; the first with itself."""
    before: Snapshot | None = None
    for now in snapshots:
        yield now if before is None else before, now
        before = now
