"""A spinning lidar: what it measures between two times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from statistics import NormalDist
from typing import TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.noise import Noise
from dorosim.sensor.aerosol import NO_VOLUMES
from dorosim.sensor.lidar.aim_kernel import Sweep
from dorosim.sensor.lidar.firing import AZIMUTHS, Firing, firing_between
from dorosim.sensor.lidar.intensity import intensity_values
from dorosim.sensor.lidar.model import LidarSpec
from dorosim.sensor.lidar.motion import SweepMotion
from dorosim.sensor.lidar.reading import LidarReading
from dorosim.sensor.lidar.scan_kernel import Optics, Surface, scan
from dorosim.sensor.lidar.setting import Intensity, LidarSetting, ReturnMode
from dorosim.sensor.lidar.weather import CLEAR_WEATHER, NO_ECHOES, LidarWeather
from dorosim.sensor.pool import Pool
from dorosim.sensor.scene.embree_kernel import SIMD_WIDTH
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.material import Material
from dorosim.world.environment.grip_kernel import COVERING_SNOW

W = TypeVar("W", np.uint16, np.uint8)
WET_FILM = 0.2e-3
"""Water that covers a road's texture [m]: less leaves dry places."""
_TASK = 2 * SIMD_WIDTH
"""Sequences that one task of a pool fires."""


class Lidar:
    """A spinning lidar, made ready for one setting.

    It stores nothing of a run: which lasers fire when is worked out of the time.

    Args:
        sensor: id of the mount.
        setting: what the user set.
        noise: of the run; its stream is `sensor/<mount>/range`.
        begin: time at which the sensor starts to turn [ns].
    """

    def __init__(self, sensor: int, setting: LidarSetting, noise: Noise, begin: int = 0) -> None:
        self.sensor = sensor
        self.setting = setting
        self.begin = begin
        kind = setting.kind
        nearest, farthest = setting.range
        key = noise.stream(f"sensor/{sensor}/range").integers(2**64, dtype=np.uint64)
        firing = firing_between(setting, 0, 0, 0)
        self._optics = Optics(
            beam=kind.beam(focus=setting.focus),
            lag=np.ascontiguousarray(firing.lag.reshape(-1, kind.lasers).T),
            span=firing.span,
            whole=firing.whole,
            circle=_circle(),
            quantile=_quantile(),
            return_mode=get_args(ReturnMode).index(setting.return_mode),
            nearest=np.float32(nearest),
            farthest=np.float32(farthest),
            noise=np.float32(kind.noise if setting.noise is None else setting.noise),
            detection=np.float32(kind.detection if setting.drop_out else 0.0),
            divergence=np.float32(kind.divergence),
            key=np.uint64(key),
            fades=np.array([setting.intensity == "reflectivity"], np.int32),
        )

    def read(
        self,
        view: View,
        motion: SweepMotion,
        since: int,
        until: int,
        pool: Pool | None = None,
        *,
        own: int = 0,
        weather: LidarWeather = CLEAR_WEATHER,
        volume: NDArray[np.float64] = NO_VOLUMES,
        cover: tuple[float, float] = (0.0, 0.0),
    ) -> LidarReading:
        """Fire what completes packets after `since` and not after `until`.

        A packet that began before `since` is fired whole, along the motion as it goes on backwards.

        Args:
            view: of the scene; the actors stand as in it.
            motion: of the sensor.
            since: times [ns].
            until: the same.
            pool: runs tasks on several threads; the result is the same.
            own: number of the actor that carries the sensor: its body is not seen; 0 for none.
            weather: what is in the air everywhere (`lidar_weather`).
            volume: (V, 10) places of smoke and spray in map (`dorosim.sensor.aerosol`).
            cover: depths of water and of snow on the ground [m].
        """
        firing = firing_between(self.setting, self.begin, since, until)
        sweep = self._sweep(firing, motion, view, own, weather, volume)
        surface = _surface(view, self.setting.intensity, *cover)
        lasers, returns = self.setting.kind.lasers, self.setting.returns
        shape = (returns, sweep.rows, lasers)
        distance, intensity = np.empty(shape, np.uint16), np.empty(shape, np.uint8)

        def fire(first: int, last: int) -> None:
            scan(surface, self._optics, sweep, first, last, distance, intensity)

        if pool is None:
            fire(0, sweep.rows)
        else:
            pool.map(lambda first: fire(first, first + _TASK), range(0, sweep.rows, _TASK))
        return LidarReading(
            sensor=self.sensor,
            time=until,
            setting=self.setting,
            number=firing.number,
            start=firing.start,
            due=firing.due,
            azimuth=np.repeat(firing.azimuth, 12 // firing.azimuth.shape[1], axis=1).astype(np.uint16),
            distance=_blocks(distance, self.setting.kind),
            intensity=_blocks(intensity, self.setting.kind),
            firing=firing,
        )

    def _sweep(
        self,
        firing: Firing,
        motion: SweepMotion,
        view: View,
        own: int,
        weather: LidarWeather,
        volume: NDArray[np.float64],
    ) -> Sweep:
        """The firings."""
        near = volume.copy()
        near[:, :3] -= view.origin
        slots, packets = self._optics.lag.shape[1], len(firing.number)
        span = motion.until - motion.since
        return Sweep(
            rows=slots * packets,
            slots=slots,
            sequence=self.setting.kind.sequence,
            azimuth=firing.azimuth.astype(np.float32),
            turning=firing.turning,
            begin=firing.start,
            since=motion.since,
            span=max(span, 0),
            path=motion.path(view.origin),
            angle=motion.angle,
            drift=(np.concatenate((motion.step, motion.turn)) / max(span, 1)).astype(np.float32),
            first=int(firing.number[0]) * slots if packets else 0,
            own=own,
            haze=np.float32(weather.haze),
            spread=np.float32(weather.spread),
            chance=weather.chance,
            strength=weather.strength,
            volume=near,
        )


def _surface(view: View, intensity: Intensity, water: float, snow: float) -> Surface:
    """What the kernel needs of a view, with some water and snow on the ground [m]."""
    row_value, material_value = intensity_values(view, intensity)
    return Surface(
        static=view.static,
        top=view.top,
        arguments=view.arguments,
        normal=view.normal,
        first_face=view.first_face,
        material=view.material,
        reflectivity=view.reflectivity,
        row_value=row_value,
        material_value=material_value,
        wet=_wet_materials(len(view.reflectivity)) * np.float32(min(water / WET_FILM, 1.0)) if water else NO_ECHOES,
        snow=np.float32(min(snow / COVERING_SNOW, 1.0)),
    )


@lru_cache(maxsize=8)
def _wet_materials(count: int) -> NDArray[np.float32]:
    """(M,) 1 for each material of a scene that a film of water covers, else 0."""
    wet = np.zeros(count, np.float32)
    wet[: len(Material)] = [stuff.properties.wet for stuff in Material][:count]
    return wet


def _blocks(returns: NDArray[W], kind: LidarSpec) -> NDArray[W]:
    """(P, 12, 32) of (E, S, L): with two returns, those of a group follow each other."""
    echoes = len(returns)
    grouped = returns.reshape(echoes, -1, kind.group).swapaxes(0, 1)
    return np.ascontiguousarray(grouped).reshape(-1, 12, 32)


@cache
def _circle() -> NDArray[np.float32]:
    """(72000,) cosine and sine of each azimuth step in turns."""
    angle = np.arange(AZIMUTHS) * (2.0 * np.pi / AZIMUTHS)
    return np.stack((np.cos(angle), np.sin(angle)), axis=1).astype(np.float32).ravel()


@cache
def _quantile() -> NDArray[np.float32]:
    """(4097,) of the normal distribution; the ends, which are infinite, are those of half a step."""
    inverse = NormalDist().inv_cdf
    steps: Sequence[float] = [0.5, *range(1, 4096), 4095.5]
    return np.array([inverse(step / 4096.0) for step in steps], np.float32)
