"""A generator for every command about sensors, of all kinds and settings."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dorosim.world.command import Command
from dorosim.world.mount.command import NEW_SENSOR, AddSensor, MoveSensor, RemoveAllSensors, RemoveSensor, SetSensor
from dorosim.world.mount.setting import (
    MAX_FOV,
    MIN_FOV,
    MIN_LIDAR_RANGE,
    AnySettings,
    CameraImage,
    CameraSettings,
    DeniedCircle,
    GpsSettings,
    GroundTruthSettings,
    ImuSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    LidarModel,
    RadarSettings,
    TruthShape,
    UltrasonicSettings,
)
from tests.system.chooser import Chooser

Vector = tuple[float, float, float]


def _deviations(c: Chooser) -> Vector:
    return c.number(0.0, 5.0), c.number(0.0, 5.0), c.number(0.0, 5.0)


def _camera(c: Chooser) -> AnySettings:
    centre = c.maybe((c.number(0.0, 64.0), c.number(0.0, 48.0)))
    return CameraSettings(
        width=c.whole(1, 64),
        height=c.whole(1, 48),
        fov=c.number(MIN_FOV, MAX_FOV),
        principal_point=centre,
        distortion=(c.number(-0.3, 0.3), 0.0, 0.0),
        image=c.code(CameraImage),
        boxes=c.happens(),
        quality=c.whole(1, 100),
    )


def _gps(c: Chooser) -> AnySettings:
    x, y, _ = c.place()
    denied = (DeniedCircle(centre=(x, y), radius=c.number(1.0, 1e5)),) if c.happens() else ()
    return GpsSettings(white=_deviations(c), drift=_deviations(c), drift_time=c.number(1.0, 1e6), denied=denied)


def _imu(c: Chooser) -> AnySettings:
    return ImuSettings(
        acceleration_white=_deviations(c),
        rate_walk=_deviations(c),
        rate_bias=_deviations(c),
        bias_time=c.number(1, 1e6),
    )


def _truth(c: Chooser) -> AnySettings:
    near = c.number(0.0, 100.0)
    return GroundTruthSettings(
        shape=c.code(TruthShape), range_min=near, range_max=near + c.number(1.0, 900.0), most=c.whole(0, 20)
    )


KINDS: tuple[Callable[[Chooser], AnySettings], ...] = (
    _camera,
    _gps,
    _imu,
    _truth,
    lambda c: Lidar3dSettings(model=c.code(LidarModel), range_noise=c.number(0.0, 1.0)),
    lambda c: Lidar2dSettings(range=c.number(MIN_LIDAR_RANGE, 1e5)),
    lambda c: RadarSettings(clutter=c.number(0.0, 20.0), most=c.whole(0, 64)),
    lambda c: UltrasonicSettings(range=c.number(0.1, 10.0)),
)
"""How settings of each kind are made."""


def _pose(c: Chooser) -> tuple[Vector, Vector]:
    return (c.number(-10.0, 10.0), c.number(-10.0, 10.0), c.number(-100.0, 100.0)), c.rotation(math.pi)


def _period(c: Chooser, shortest: int, longest: int) -> int | None:
    return c.maybe(c.whole(shortest, longest))


def _add(c: Chooser) -> Command:
    settings = c.one_of(KINDS)(c)
    spins = isinstance(settings, Lidar3dSettings)
    position, rotation = _pose(c)
    return AddSensor(
        c.anybody(),
        settings=settings,
        sensor=c.one_of((NEW_SENSOR, NEW_SENSOR, c.whole(1, 12))),
        position=position,
        rotation=rotation,
        period=_period(c, 50_000_000, 200_000_000) if spins else _period(c, 1_000_000, 10**12),
        phase=c.whole(-(10**9), 10**9),
        enabled=c.happens(0.8),
    )


def _move(c: Chooser) -> Command:
    position, rotation = _pose(c)
    return MoveSensor(c.sensor(), c.maybe(position), c.maybe(rotation))


def _set(c: Chooser) -> Command:
    return SetSensor(
        c.sensor(),
        settings=c.maybe(c.one_of(KINDS)(c)),
        period=_period(c, 50_000_000, 200_000_000),
        enabled=c.maybe(c.happens()),
        captured=c.maybe(c.happens()),
    )


SENSORS: dict[type[Any], Callable[[Chooser], Command]] = {
    AddSensor: _add,
    RemoveSensor: lambda c: RemoveSensor(c.sensor()),
    RemoveAllSensors: lambda c: RemoveAllSensors(c.one_of((0, c.anybody()))),
    MoveSensor: _move,
    SetSensor: _set,
}
"""How each of them is made."""
