"""The 2D lidar: 360 rays in its plane, all at one time.

Source: documents/sensor-protocols-en.txt, "2D LiDAR"; facts/udp-wire.md, 5.3. Its client takes exactly 10 m for no
return. That is the farthest range unless another is set, and rays that hit nothing report it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.lidar.intensity import DIFFUSE, intensity_values
from dorosim.sensor.lidar.setting import Intensity
from dorosim.sensor.reading import Range, Reading
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.instance import View
from dorosim.world.mount.setting import SensorKind

RAYS = 360
_MOST_MM = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanarSetting:
    """A 2D lidar as it is set.

    Attributes:
        rate: scans a second.
        intensity: as of `LidarSetting`.
        noise: standard deviation of the range [m].
        nearest, farthest: range [m]; a ray that hits nothing reports `farthest`.
    """

    rate: float = 10.0
    intensity: Intensity = "reflectivity"
    noise: float = 0.01
    nearest: float = 0.1
    farthest: float = 10.0

    def __post_init__(self) -> None:
        """Check what was set.

        Raises:
            InputError: a value cannot be used.
        """
        if self.intensity not in get_args(Intensity):
            raise InputError("2D lidar", "intensity", f"{self.intensity!r} is none of {', '.join(get_args(Intensity))}")
        if not 0.0 < self.rate <= 100.0:
            raise InputError("2D lidar", "rate", f"{self.rate:g} Hz is not above 0 and at most 100")
        if not 0.0 <= self.nearest < self.farthest <= 0.001 * _MOST_MM:
            raise InputError("2D lidar", "farthest", f"{self.nearest:g} to {self.farthest:g} m is no range up to 65 m")
        if not 0.0 <= self.noise <= 10.0:
            raise InputError("2D lidar", "noise", f"{self.noise:g} m is not between 0 and 10")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlanarReading(Reading):
    """A scan.

    Attributes:
        sensor: id of the mount. time: of the scan [ns].
        distance_mm: (360,) at each degree to the left of forward.
        intensity: (360,), 0 to 255.
        place: x and y of the sensor in the map [m] and its heading [rad], as it is mounted, faults apart.
    """

    KIND: ClassVar[SensorKind] = SensorKind.LIDAR_2D
    SIGNALS: ClassVar[Mapping[str, Range]] = MappingProxyType({"distance_mm": (0.0, 65_535.0)})

    distance_mm: NDArray[np.uint16]
    intensity: NDArray[np.uint8]
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)


class PlanarLidar:
    """A 2D lidar, made ready for one setting; it stores nothing of a run.

    Args:
        sensor: id of the mount.
        setting: what the user set.
        noise: of the run; its stream is `sensor/<mount>/range`.
    """

    def __init__(self, sensor: int, setting: PlanarSetting, noise: Noise) -> None:
        self.sensor = sensor
        self.setting = setting
        self._noise = noise

    def read(
        self, view: View, position: NDArray[np.float64], rotation: NDArray[np.float64], time: int, own: int = 0
    ) -> PlanarReading:
        """One scan.

        Args:
            view: of the scene.
            position: (3,) of the sensor in map [m].
            rotation: (3, 3) map-from-sensor.
            time: ns.
            own: number of the actor that carries the sensor: its body is not seen; 0 for none.
        """
        angle = np.radians(np.arange(RAYS, dtype=np.float64))
        direction = np.stack((np.cos(angle), np.sin(angle), np.zeros(RAYS)), axis=1) @ rotation.T
        near, far = self.setting.nearest, self.setting.farthest
        origin = position + near * direction
        distance, normal, row, material = cast_rays(view, origin, direction, np.full(RAYS, far - near), own)
        hit = row >= 0
        byte = np.zeros(RAYS)
        row_value, material_value = intensity_values(view, self.setting.intensity)
        cosine = np.abs(np.sum(normal[hit] * direction[hit], axis=1))
        plain = np.rint(DIFFUSE * view.reflectivity[material[hit]] * cosine)
        kind = np.where(row_value[row[hit]] >= 0, row_value[row[hit]], material_value[material[hit]])
        byte[hit] = np.where(kind >= 0, kind, plain)
        error = self.setting.noise * self._noise.stream(f"sensor/{self.sensor}/range", time).normal(size=RAYS)
        metres = np.where(hit, np.clip(near + distance + error, near, far), far)
        return PlanarReading(
            sensor=self.sensor,
            time=time,
            distance_mm=np.rint(1000.0 * metres).astype(np.uint16),
            intensity=np.minimum(byte, 255.0).astype(np.uint8),
        )
