"""Lidars on mounts: from the mount's settings to readings."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

from dorosim.ground.noise import Noise
from dorosim.sensor.gnss import make_gnss
from dorosim.sensor.lidar.lidar import Lidar
from dorosim.sensor.lidar.motion import SweepMotion
from dorosim.sensor.lidar.planar import PlanarLidar, PlanarReading, PlanarSetting
from dorosim.sensor.lidar.reading import LidarReading
from dorosim.sensor.lidar.setting import LidarSetting
from dorosim.sensor.lidar.weather import haze_of
from dorosim.sensor.pose import body_from_sensor
from dorosim.sensor.reading import GpsReading
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.mount.setting import (
    GpsSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    LidarIntensity,
    LidarModel,
    LidarReturn,
)
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene

MAX_LIDAR_RANGE, MAX_LIDAR_2D_RANGE = 131.0, 65.0
"""What the 16 bits of a packet have room for, of spinning and 2D lidars [m]; files of the product ask for more."""
_MODELS = {LidarModel.VLP_16: "VLP-16", LidarModel.HDL_32E: "HDL-32E", LidarModel.HDL_64E: "HDL-64E"}
_RETURNS: dict[LidarReturn, Literal["strongest", "last", "dual"]] = {
    LidarReturn.STRONGEST: "strongest",
    LidarReturn.LAST: "last",
    LidarReturn.DUAL: "dual",
}
_INTENSITY: dict[LidarIntensity, Literal["reflectivity", "semantic", "instance"]] = {
    LidarIntensity.REFLECTIVITY: "reflectivity",
    LidarIntensity.SEMANTIC: "semantic",
    LidarIntensity.INSTANCE: "instance",
}


class MountedLidar:
    """A spinning lidar on a mount; it turns since it was mounted.

    Args:
        mount: with its settings.
        scene: gives the projection for position packets.

    Raises:
        InputError: no lidar can be so.
    """

    def __init__(self, mount: Mount, scene: Scene) -> None:
        assert isinstance(mount.settings, Lidar3dSettings)
        self._sensor = mount.id
        self._begin = max(mount.since, mount.phase)
        self._setting = lidar_setting(mount.settings, mount.period)
        self._noise: Noise | None = None
        self._lidar: Lidar | None = None
        rate = 0.0 if self._setting.kind.banks else mount.settings.position_rate
        self._fix_period = round(1e9 / rate) if rate > 0.0 else 0
        self._receiver = make_gnss(mount._replace(settings=GpsSettings()), scene) if self._fix_period else None

    def read(self, inputs: SensorInput) -> LidarReading:
        """The packets that became full since the last snapshot."""
        inner, before = inputs.body_from_sensor, inputs.before.time
        first, last = inputs.motion_before.pose @ inner, inputs.motion.pose @ inner
        until = inputs.now.time
        motion = SweepMotion.between((first.position, first.rotation), (last.position, last.rotation), before, until)
        lidar = self._fitted(inputs.noise)
        reading = lidar.read(
            inputs.view(),
            motion,
            max(before, self._begin),
            until,
            pool=inputs.pool,
            own=inputs.own,
            haze=haze_of(inputs.now.environment),
        )
        fixes = self._fixes(inputs)
        return replace(reading, fixes=fixes) if fixes else reading

    def _fixes(self, inputs: SensorInput) -> tuple[GpsReading, ...]:
        """Returns the fixes of the wired receiver in a tick: the place at its end, stamped with each time due in it."""
        if self._receiver is None:
            return ()
        since, until = (max(time - self._begin, 0) for time in (inputs.before.time, inputs.now.time))
        due = range(since // self._fix_period + 1, until // self._fix_period + 1)
        fix = self._receiver.read(inputs) if due else None
        return tuple(fix.restamped(self._begin + k * self._fix_period) for k in due) if fix else ()

    def read_turn(self, inputs: SensorInput) -> LidarReading:
        """A whole turn up to now, as if vehicle and surroundings had stood still."""
        pose, until = inputs.map_from_sensor, inputs.now.time
        since = until - round(1e9 / self._setting.rate)
        motion = SweepMotion.at_rest(pose.position, pose.rotation, since, until)
        return self._fitted(inputs.noise, min(self._begin, since)).read(
            inputs.view(),
            motion,
            since,
            until,
            pool=inputs.pool,
            own=inputs.own,
            haze=haze_of(inputs.now.environment),
        )

    def _fitted(self, noise: Noise, begin: int | None = None) -> Lidar:
        """The lidar, which draws its noise from a run's; one that began earlier is made for the occasion."""
        if begin is not None and begin != self._begin:
            return Lidar(self._sensor, self._setting, noise, begin)
        if self._lidar is None or self._noise is not noise:
            self._noise = noise
            self._lidar = Lidar(self._sensor, self._setting, noise, self._begin)
        return self._lidar


class MountedPlanarLidar:
    """A 2D lidar on a mount.

    Args:
        mount: with its settings.

    Raises:
        InputError: no lidar can be so.
    """

    def __init__(self, mount: Mount) -> None:
        assert isinstance(mount.settings, Lidar2dSettings)
        self._sensor = mount.id
        self._setting = PlanarSetting(
            rate=min(1e9 / mount.period, 100.0),
            intensity=_INTENSITY[mount.settings.intensity],
            noise=mount.settings.range_noise,
            farthest=min(mount.settings.range, MAX_LIDAR_2D_RANGE),
        )

    def read(self, inputs: SensorInput) -> PlanarReading:
        """A scan."""
        pose = inputs.map_from_sensor
        lidar = PlanarLidar(self._sensor, self._setting, inputs.noise)
        scan = lidar.read(inputs.view(), pose.position, pose.rotation, inputs.now.time, inputs.own)
        told = inputs.motion.pose @ body_from_sensor(inputs.mount)
        x, y, _ = told.position.tolist()
        return replace(scan, place=(x, y, math.atan2(told.rotation[1, 0], told.rotation[0, 0])))


def lidar_setting(settings: Lidar3dSettings, period: int) -> LidarSetting:
    """What a lidar needs to know of its mount's settings, and of the time of a turn [ns].

    Raises:
        InputError: no lidar can be so.
    """
    return LidarSetting(
        model=_MODELS[settings.model],
        rate=round(60e9 / period) / 60.0,
        return_mode=_RETURNS[settings.returns],
        intensity=_INTENSITY[settings.intensity],
        noise=0.0 if settings.ideal else settings.range_noise,
        drop_out=settings.drop_out and not settings.ideal,
        farthest=None if settings.range is None else min(settings.range, MAX_LIDAR_RANGE),
        focus=settings.focus,
    )


def make_lidar_3d(mount: Mount, scene: Scene) -> MountedLidar:
    """The lidar of a mount.

    Raises:
        InputError: no lidar can be so.
    """
    return MountedLidar(mount, scene)


def make_lidar_2d(mount: Mount, _: Scene) -> MountedPlanarLidar:
    """The 2D lidar of a mount.

    Raises:
        InputError: no lidar can be so.
    """
    return MountedPlanarLidar(mount)
