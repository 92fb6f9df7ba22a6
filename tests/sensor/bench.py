"""Sensors for tests: a mount and what it sees, without a run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.sensor.motion import SensorMotion, sensor_motion
from dorosim.sensor.pool import SerialPool
from dorosim.sensor.pose import BodyMotion, Pose, pose_from_angles
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.environment.gnss_denied_area import ShadeTable
from dorosim.world.mount.setting import AnySettings
from dorosim.world.mount.state import NOISE_COLUMNS, Mount

STILL = (0.0, 0.0, 0.0)
TICK = 10_000_000


def mount_of(settings: AnySettings, *, sensor: int = 1, actor: int = 1, period: int = TICK, drift=()) -> Mount:
    """A sensor of some settings, with slow errors if told."""
    noise = np.zeros(NOISE_COLUMNS)
    noise[: len(drift)] = drift
    noise.flags.writeable = False
    return Mount(sensor, actor, settings.KIND, STILL, STILL, period, 0, True, 0, settings, noise)


def body(position=STILL, angles=STILL, velocity=STILL, rate=STILL, acceleration=STILL) -> BodyMotion:
    """A body that moves."""
    vectors = (np.array(vector, np.float64) for vector in (velocity, rate, acceleration))
    return BodyMotion(pose_from_angles(position, angles), *vectors)


def sensor_at(position=STILL, angles=STILL, **motion) -> SensorMotion:
    """A sensor in the origin of a body that moves."""
    return sensor_motion(body(position, angles, **motion), Pose(np.zeros(3), np.eye(3)))


def sensor_input(
    mount: Mount,
    moving: BodyMotion | None = None,
    *,
    place=STILL,
    angles=STILL,
    before: BodyMotion | None = None,
    tick: int = 1,
    noise: Noise | None = None,
    view: Any = None,
    scene: Any = None,
    now: Any = None,
    shade: ShadeTable | None = None,
) -> SensorInput:
    """What a sensor reads from when its body moves so; a world only where one is given."""
    moving = moving or body()
    time = SimpleNamespace(tick=tick, time=tick * TICK, shade=shade or ShadeTable.zeros(0))
    earlier = SimpleNamespace(tick=tick - 1, time=(tick - 1) * TICK)
    return SensorInput(
        scene=scene,
        before=earlier,
        now=now or time,
        mount=mount,
        body_from_sensor=pose_from_angles(place, angles),
        motion=moving,
        motion_before=before or moving,
        view=lambda: view,
        noise=noise or Noise(0),
        pool=SerialPool(),
    )
