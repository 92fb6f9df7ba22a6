"""Pictures of what sensors see: a camera's shot in four parts, a lidar's turn from above and as a range image."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from dorosim.app.run.build import Build, build
from dorosim.app.run.initial_commands import environment_commands
from dorosim.app.serve.sensor.store import plan_sensors
from dorosim.app.setting.settings import SensorRow, Settings
from dorosim.app.store.folder import data_folder
from dorosim.app.store.scene import sensor_scene
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.world.mount.setting import CameraImage, CameraSettings, SensorKind
from dorosim.world.mount.state import Mount, Mounts
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step

if TYPE_CHECKING:
    from dorosim.sensor.lidar.reading import LidarReading
    from dorosim.sensor.reading import CameraReading, Reading
    from dorosim.sensor.scene.view import SensorScene

Rgb = NDArray[np.uint8]
USUAL: dict[SensorKind, SensorRow] = {
    SensorKind.CAMERA: SensorRow(
        kind="camera", position=(1.5, 0.0, 1.4), settings={"width": 1280, "height": 720, "samples": 4}
    ),
    SensorKind.LIDAR_3D: SensorRow(kind="lidar_3d", position=(1.2, 0.0, 1.9), settings={"model": 1}),
}
"""Sensors to look through where no sensor set is given."""
IMAGES = {"depth": CameraImage.DEPTH, "semantic": CameraImage.SEMANTIC, "instance": CameraImage.INSTANCE}
"""Parts of a shot besides colours, with and without boxes."""
PICTURES = (".png", ".jpg", ".jpeg")
MAX_TIME_BEFORE_SHOT = 3600.0
"""Simulated time before a shot [s]."""


class SensorSession:
    """A world that stands still, and what sensors see of it. If it has no room for all wanted actors, fewer come.

    Args:
        settings: map, ego vehicle, traffic and sensors.
        after: simulated time that goes by before [s].

    Raises:
        InputError: a setting is wrong.
    """

    def __init__(self, settings: Settings, after: float) -> None:
        if not 0.0 <= after <= MAX_TIME_BEFORE_SHOT:
            raise InputError("--after", "", f"{after:g} s", f"give 0 to {MAX_TIME_BEFORE_SHOT:g}")
        self.settings = settings
        self._data = data_folder(settings.data)
        self.ready: Build = build(settings, self._data)
        self._noise = Noise(settings.seed)
        self.before, self.now = self._world(after)
        self._stage: SensorScene | None = None

    def _world(self, after: float) -> tuple[Snapshot, Snapshot]:
        scene, first, noise = self.ready.scene, self.ready.first, self._noise
        crowd = self.settings.traffic
        commands: list[Any] = list(plan_sensors(self.settings, self._data, first).commands)
        commands += environment_commands(self.settings.environment)
        if crowd.vehicles or crowd.pedestrians:
            commands += population(
                scene, first, noise, crowd.vehicles, crowd.pedestrians, fewer=True, mistakes=crowd.mistakes
            )
        before, now = first, step(scene, first, commands, noise)
        for _ in range(round(after * 1e9 / scene.tick)):
            before, now = now, step(scene, now, (), noise)
        return before, now

    def stage(self) -> SensorScene:
        """The geometry, made once."""
        if self._stage is None:
            self._stage = sensor_scene(self.ready)
        return self._stage

    def only(self, mount: Mount) -> Mounts:
        """The sensors with all others taken away."""
        return self.now.mounts.without([one.id for one in self.now.mounts.all() if one.id != mount.id])

    def look(self, now: Snapshot) -> list[Reading]:
        """What every sensor of a snapshot sees."""
        from dorosim.endpoint.sensor.pool import ThreadPool
        from dorosim.ground.cores import usable_cores
        from dorosim.sensor.rig import Rig

        pool = ThreadPool(self.settings.sensor_threads or usable_cores())
        rig = Rig(self.ready.scene, self._noise, self.stage, pool)
        readings = rig.read_now(self.before, now)
        pool.close()
        if rig.problems:
            raise InputError("sensor", "", rig.problems[0])
        return readings


def studio_with(sensor: str, wanted: SensorKind, settings: Settings, after: float) -> tuple[SensorSession, Mount]:
    """A world with a sensor in it, and the mount of the sensor, which is named by its kind or its number.

    Args:
        sensor: its number, or its kind for the first one.
        wanted: the kind that it must be of.
        settings: of the world; one of the wanted kind is mounted where they have no sensors.
        after: simulated time that goes by before [s].

    Raises:
        InputError: there is none.
    """
    kind, any_of_it = wanted.name.lower(), {"lidar": "lidar_3d"}.get(sensor, sensor)
    if settings.sensors is None and not settings.sensor:
        if any_of_it != kind:
            raise InputError(
                "--sensor", "", f"{sensor!r} is no {kind}", f"give {kind}, or a number with --sensors FILE"
            )
        settings = msgspec.structs.replace(settings, sensor=(USUAL[wanted],))
    studio = SensorSession(settings, after)
    mounts = [mount for mount in studio.now.mounts.all() if mount.kind is wanted]
    for mount in mounts:
        if any_of_it in (str(mount.id), kind):
            return studio, mount
    known = f"of that kind there are {', '.join(str(mount.id) for mount in mounts)}" if mounts else "there is none"
    raise InputError("--sensor", "", f"no {kind} is sensor {sensor!r}", known)


def shoot(sensor: str, settings: Settings, after: float, part: str) -> Rgb:
    """What a camera sees: its colours with boxes, depth, classes and instances.

    Args:
        sensor: its number, or "camera" for the first one.
        settings: of the world.
        after: simulated time that goes by before [s].
        part: rgb, depth, semantic, instance, boxes, or all for four of them side by side.

    Returns:
        `(H, W, 3)`.

    Raises:
        InputError: there is no such camera or part.
    """
    if part not in ("all", "rgb", "boxes", *IMAGES):
        raise InputError("--part", "", f"there is no {part!r}", f"give rgb, boxes, {', '.join(IMAGES)} or all")
    studio, mount = studio_with(sensor, SensorKind.CAMERA, settings, after)
    assert isinstance(mount.settings, CameraSettings)
    parts = ("boxes", *IMAGES) if part == "all" else (part,)
    pictures = [_part(studio, mount, mount.settings, one) for one in parts]
    if len(pictures) == 1:
        return pictures[0]
    top, bottom = np.hstack(pictures[:2]), np.hstack(pictures[2:])
    return np.ascontiguousarray(np.vstack((top, bottom)))


def _part(studio: SensorSession, mount: Mount, settings: CameraSettings, part: str) -> Rgb:
    wanted = msgspec.structs.replace(settings, image=IMAGES.get(part, CameraImage.RGB), boxes=part == "boxes")
    reading = _alone(studio, mount, wanted)
    return with_boxes(reading, settings) if part == "boxes" else reading.image


def _alone(studio: SensorSession, mount: Mount, settings: CameraSettings) -> CameraReading:
    """The reading of one camera, as if it were set otherwise and were the only sensor."""
    from dorosim.world.mount.command import SetSensor
    from dorosim.world.mount.effect import change_mounts

    mounts, problem = change_mounts(studio.only(mount), SetSensor(mount.id, settings), studio.now.time)
    if problem:
        raise InputError("sensor", str(mount.id), problem)
    (reading,) = studio.look(replace(studio.now, mounts=mounts))
    return reading  # type: ignore[return-value]


def with_boxes(reading: CameraReading, settings: CameraSettings) -> Rgb:
    """A picture with the boxes of actors drawn into it, in the colours of their classes."""
    from dorosim.sensor.camera.box import EDGES
    from dorosim.sensor.camera.mounted import camera_setting
    from dorosim.sensor.scene.semantic import COLOUR

    image: Rgb = reading.image.copy()
    boxes = reading.boxes
    if boxes is None:
        return image
    fx, fy, cx, cy = camera_setting(settings).intrinsics
    for row in range(len(boxes.actor)):
        corners = boxes.corners[row]
        colour = COLOUR[boxes.label[row]]
        if (corners[:, 2] < 0.1).any():
            continue
        pixel = corners[:, :2] / corners[:, 2:] * (fx, fy) + (cx, cy)
        for first, last in EDGES.tolist():
            _draw(image, pixel[first], pixel[last], colour)
    return image


def _draw(image: Rgb, first: NDArray[np.float64], last: NDArray[np.float64], colour: NDArray[np.uint8]) -> None:
    """A line of two pixels' width."""
    height, width = image.shape[:2]
    steps = int(min(max(abs(last - first).max(), 1.0), 20_000.0)) * 2
    points = first + np.linspace(0.0, 1.0, steps)[:, None] * (last - first)
    for shift in ((0, 0), (1, 0), (0, 1)):
        column, row = (np.floor(points).astype(np.int64) + shift).T
        inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
        image[row[inside], column[inside]] = colour


def turn_of(sensor: str, settings: Settings, after: float) -> LidarReading:
    """A turn of a spinning lidar; arguments as of `shoot`.

    Raises:
        InputError: there is no such lidar.
    """
    studio, mount = studio_with(sensor, SensorKind.LIDAR_3D, settings, after)
    (reading,) = studio.look(replace(studio.now, mounts=studio.only(mount)))
    return reading  # type: ignore[return-value]


def range_image(reading: LidarReading, columns: int = 1800) -> NDArray[np.float32]:
    """`(rings, columns)` distance of a turn [m], highest ring first, from behind over the left side; NaN for none."""
    points = reading.points()
    rings = reading.setting.kind.lasers
    angle = np.arctan2(points["y"], points["x"])
    column = np.floor((math.pi - angle) / math.tau * columns).astype(np.int64) % columns
    image = np.full((rings, columns), np.nan, np.float32)
    distance = np.sqrt(points["x"] ** 2 + points["y"] ** 2 + points["z"] ** 2)
    image[rings - 1 - points["ring"].astype(np.int64), column] = distance
    return image


def write_picture(path: Path, image: Rgb) -> None:
    """Write a picture as PNG or, by its suffix, JPEG, whole or not at all.

    Raises:
        InputError: the suffix is another, or the file cannot be written.
    """
    from dorosim.app.store.picture_file import check_picture
    from dorosim.recording.whole_file import write_file
    from dorosim.sensor.camera.camera import jpeg_of
    from dorosim.wire.device.png import png_bytes

    check_picture(path, *PICTURES)
    write_file(path, png_bytes(image) if path.suffix == ".png" else jpeg_of(image, 92), "write it elsewhere")
