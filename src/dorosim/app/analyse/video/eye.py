"""From where a video is seen: a camera of the run, or one that looks at a vehicle and is not in the run."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from dorosim.app.analyse.trace.trace import heading_of, known_vehicles
from dorosim.ground.column import FloatArray
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.ground.rotation import rotation_from_angles
from dorosim.sensor.camera.camera import Camera
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.pool import Pool
from dorosim.sensor.pose import BodyMotion, motion_of
from dorosim.sensor.ray import cast_ray
from dorosim.sensor.reading import CameraReading
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.mount.command import SetSensor
from dorosim.world.mount.effect import change_mounts
from dorosim.world.mount.setting import CameraSettings, SensorKind
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.sun import set_sun
from dorosim.world.storyboard.visibility import HiddenFrom

VIEWS = ("chase", "top", "driver")
FIELD = math.radians(70.0)
"""Horizontal field of view of a camera that is not in the run [rad]."""
BEHIND, _ABOVE, LOOK_AHEAD = 7.5, 3.2, 4.0
"""Chase: so far behind and above the middle of the vehicle, aimed so far ahead of it, of a car [m]."""
LAG = 0.35
"""Time in which the chase camera turns after the vehicle [s]."""
NEAREST = 2.0
"""The chase camera comes no nearer, whatever is between [m]."""
_HEIGHT = 45.0
"""Top: so far above the ground [m]."""
CAR_LENGTH = 4.5
"""The chase camera stands back from longer vehicles in proportion [m]."""

Rgb = NDArray[np.uint8]
Size = tuple[int, int]


class Eye(Protocol):
    """Takes the pictures of a video."""

    @property
    def size(self) -> Size:
        """Width and height [pixels]."""

    def picture(self, before: Snapshot, now: Snapshot) -> Rgb | None:
        """A picture `(H, W, 3)` at a snapshot; None if there is nothing to see it from."""


class CameraEye:
    """A camera of the run, with its place, lens and the faults of its mount.

    It looks whenever it is asked, due or not, and also while the run has it switched off.

    Args:
        scene: of the run. noise: its randomness. stage: its geometry. pool: threads.
        sensor: number of the camera.
        first: a snapshot that has it.
        size: of the pictures, None for its own.

    Raises:
        InputError: there is no such camera.
    """

    def __init__(
        self,
        scene: Scene,
        noise: Noise,
        stage: SensorScene,
        pool: Pool,
        sensor: int,
        first: Snapshot,
        size: Size | None,
    ) -> None:
        self._rig = Rig(scene, noise, lambda: stage, pool)
        self._sensor = sensor
        self._wanted = size
        mounts = {one.id: one for one in first.mounts.all() if one.kind is SensorKind.CAMERA}
        if sensor not in mounts:
            known = ", ".join(map(str, mounts))
            problem = f"no camera is sensor {sensor} at {first.time * 1e-9:.2f} s"
            raise InputError("--camera", "", problem, f"there are {known}" if known else "use --view; there is none")
        settings = mounts[sensor].settings
        assert isinstance(settings, CameraSettings)
        self.size = size or (settings.width, settings.height)

    def picture(self, before: Snapshot, now: Snapshot) -> Rgb | None:
        """What it sees."""
        row = np.flatnonzero(now.mounts.table.id == self._sensor)
        if not len(row):
            return None
        mount = now.mounts.mount(int(row[0]))
        settings = mount.settings
        fits = isinstance(settings, CameraSettings) and self.size == (settings.width, settings.height)
        if isinstance(settings, CameraSettings) and not (fits and mount.enabled):
            wanted = SetSensor(self._sensor, None if fits else resized(settings, self.size), enabled=True)
            mounts, problem = change_mounts(now.mounts, wanted, now.time)
            if problem:
                raise InputError("--size", "", problem)
            now = replace(now, mounts=mounts)
        readings = self._rig.read_now(before, now, only={self._sensor})
        if self._rig.problems:
            raise InputError("--camera", "", self._rig.problems[0])
        if not readings:
            return None
        (reading,) = readings
        assert isinstance(reading, CameraReading)
        return reading.image


def resized(settings: CameraSettings, size: Size) -> CameraSettings:
    """A camera that sees the same across with another number of pixels."""
    across = size[0] / settings.width
    focal, middle = settings.focal_length, settings.principal_point
    return msgspec.structs.replace(
        settings,
        width=size[0],
        height=size[1],
        focal_length=None if focal is None else (focal[0] * across, focal[1] * across),
        principal_point=None if middle is None else (middle[0] * across, middle[1] * size[1] / settings.height),
    )


class Turning:
    """The heading of the chase camera, which turns after a vehicle. The caller gives it every tick from the start on.

    Args:
        actor: id of the vehicle.

    Attributes:
        heading: [rad]; None until the vehicle is there.
    """

    def __init__(self, actor: int) -> None:
        self._actor = actor
        self.heading: float | None = None

    def follow(self, before: Snapshot, now: Snapshot) -> None:
        """A tick goes by, with or without a picture."""
        motion = motion_of(now, self._actor)
        if motion is None:
            return
        heading = heading_of(motion)
        if self.heading is None:
            self.heading = heading
        step = (now.time - before.time) * 1e-9
        change = math.remainder(heading - self.heading, math.tau)
        self.heading += change * (1.0 - math.exp(-max(step, 0.0) / LAG))


class ViewEye:
    """A camera that looks at a vehicle and is in no run.

    Args:
        scene: of the run. stage: its geometry. pool: threads.
        view: one of `VIEWS`. actor: id of the vehicle.
        size: of the pictures.
        first: a snapshot that has the vehicle.
        turning: heading of the chase camera.
        samples: rays per pixel, 1, or 4 for smooth edges.

    Raises:
        InputError: there is no such view or vehicle.
    """

    def __init__(
        self,
        scene: Scene,
        stage: SensorScene,
        pool: Pool,
        view: str,
        actor: int,
        size: Size,
        first: Snapshot,
        turning: Turning,
        samples: int = 1,
    ) -> None:
        if view not in VIEWS:
            raise InputError("--view", "", f"there is no {view!r}", f"use {', '.join(VIEWS)}")
        self._stage, self._pool, self._view, self._actor = stage, pool, view, actor
        self._camera = Camera(
            CameraModel(width=size[0], height=size[1], field_of_view=FIELD, samples=samples), lean=True
        )
        self.size = size
        self._turning = turning
        self._number = 0
        self._length, self._wide, self._high, self._wheelbase = _body(scene, first, actor)

    def picture(self, before: Snapshot, now: Snapshot) -> Rgb | None:  # noqa: ARG002 - it needs no motion
        """What it sees."""
        motion = motion_of(now, self._actor)
        if motion is None:
            return None
        seen = self._stage.update(now, HiddenFrom.GRAPHICS)
        self._number = now.number.number_of(self._actor)
        position, rotation = self._pose(motion, seen)
        own = self._number if self._view == "driver" else 0
        return self._camera.shoot(
            seen, position, rotation, light_of(now.environment, 0.0, set_sun(now.storyboard)), own, self._pool
        ).rgb

    def _pose(self, motion: BodyMotion, seen: View) -> tuple[FloatArray, FloatArray]:
        """Place in map [m] and `(3, 3)` map-from-mount."""
        pose = motion.pose
        middle = 0.5 * self._wheelbase
        if self._view == "driver":
            # a little behind the windscreen, on the left seat
            eye = np.array((0.55 * self._wheelbase, 0.2 * self._wide, 0.8 * self._high))
            return pose.position + pose.rotation @ eye, pose.rotation
        if self._view == "top":
            # aimed downwards, the top of the picture to the north
            centre = pose.position + pose.rotation @ np.array((middle, 0.0, 0.0))
            return centre + _up(_HEIGHT), rotation_from_angles(0.0, math.pi / 2, math.pi / 2)
        return self._chase(motion, seen)

    def _chase(self, motion: BodyMotion, seen: View) -> tuple[FloatArray, FloatArray]:
        heading = heading_of(motion) if self._turning.heading is None else self._turning.heading
        size = max(self._length / CAR_LENGTH, 0.5)
        forward = np.array((math.cos(heading), math.sin(heading), 0.0))
        pose = motion.pose
        centre = pose.position + pose.rotation @ np.array((0.5 * self._wheelbase, 0.0, 0.0))
        target = centre + LOOK_AHEAD * size * forward + _up(0.6 * self._high)
        eye = centre - BEHIND * size * forward + _up(max(_ABOVE * size, self._high + 1.2))
        # what is between the vehicle's roof and the eye would hide the vehicle
        roof = centre + _up(self._high + 0.3)
        away = eye - roof
        distance = float(np.linalg.norm(away))
        hit = cast_ray(seen, _point(roof), _point(eye), distance + 0.5, through=self._number)
        if hit is not None:
            eye = roof + away * (max(hit.distance - 0.5, NEAREST) / distance)
        direction = target - eye
        pitch = -math.atan2(direction[2], math.hypot(direction[0], direction[1]))
        return eye, rotation_from_angles(0.0, pitch, math.atan2(direction[1], direction[0]))


def _body(scene: Scene, now: Snapshot, actor: int) -> tuple[float, float, float, float]:
    """Length, width, height and wheelbase of a vehicle [m].

    Raises:
        InputError: there is none of this id.
    """
    row = now.row_of(actor)
    table = now.vehicle if row >= 0 else now.traffic if now.traffic.row_of(actor) >= 0 else now.ghost
    if row < 0:
        row = table.row_of(actor)
    if row < 0 or motion_of(now, actor) is None:
        problem = f"no vehicle has the id {actor} at {now.time * 1e-9:.2f} s"
        raise InputError("--actor", "", problem, known_vehicles(now))
    model = scene.models[int(table.model[row])]
    return model.length, model.width, model.height, model.wheelbase


def _up(height: float) -> FloatArray:
    return np.array((0.0, 0.0, height))


def _point(place: FloatArray) -> tuple[float, float, float]:
    x, y, z = place.tolist()
    return x, y, z
