"""Lidars on mounts: from the mount's settings to readings."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from dorosim.ground.noise import Noise
from dorosim.sensor.aerosol import volumes_near
from dorosim.sensor.gnss import make_gnss
from dorosim.sensor.lidar.lidar import Lidar
from dorosim.sensor.lidar.motion import SweepMotion
from dorosim.sensor.lidar.reading import LidarReading
from dorosim.sensor.lidar.setting import LidarSetting, ReturnMode, intensity_name
from dorosim.sensor.lidar.weather import lidar_weather
from dorosim.sensor.reading import GpsReading
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.mount.setting import GpsSettings, Lidar3dSettings
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene

MAX_LIDAR_RANGE = 131.0
"""What the 16 bits of a packet have room for [m]; files of the product ask for more."""


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
        self._sees_own = mount.settings.own_vehicle
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
        reading = self._sweep(inputs, self._fitted(inputs.noise), motion, max(before, self._begin))
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
        return self._sweep(inputs, self._fitted(inputs.noise, min(self._begin, since)), motion, since)

    def _sweep(self, inputs: SensorInput, lidar: Lidar, motion: SweepMotion, since: int) -> LidarReading:
        """What a lidar reads from a time [ns] up to now."""
        environment = inputs.now.environment
        return lidar.read(
            inputs.view(),
            motion,
            since,
            inputs.now.time,
            pool=inputs.pool,
            own=0 if self._sees_own else inputs.own,
            weather=lidar_weather(environment, self._setting.kind),
            volume=volumes_near(inputs.scene, inputs.now, inputs.map_from_sensor.position, self._setting.range[1]),
            cover=(float(environment.water_depth[0]), float(environment.snow_depth[0])),
        )

    def _fitted(self, noise: Noise, begin: int | None = None) -> Lidar:
        """The lidar, which draws its noise from a run's; one that began earlier is made for the occasion."""
        if begin is not None and begin != self._begin:
            return Lidar(self._sensor, self._setting, noise, begin)
        if self._lidar is None or self._noise is not noise:
            self._noise = noise
            self._lidar = Lidar(self._sensor, self._setting, noise, self._begin)
        return self._lidar


def lidar_setting(settings: Lidar3dSettings, period: int) -> LidarSetting:
    """What a lidar needs to know of its mount's settings, and of the time of a turn [ns].

    Raises:
        InputError: no lidar can be so.
    """
    return LidarSetting(
        model=settings.model.name.replace("_", "-"),
        rate=round(60e9 / period) / 60.0,
        return_mode=cast(ReturnMode, settings.returns.name.lower()),
        intensity=intensity_name(settings.intensity),
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
