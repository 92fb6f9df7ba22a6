"""The 2D lidar: 360 rays in its plane, all at one time.

Source: documents/sensor-protocols-en.txt, "2D LiDAR"; facts/udp-wire.md, 5.3. Its client takes exactly 10 m for no
return. That is the farthest range unless another is set, and rays that hit nothing report it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.sensor.aerosol import NO_VOLUMES, volumes_near
from dorosim.sensor.lidar.air_echo_kernel import MAX_AIR_INTENSITY
from dorosim.sensor.lidar.intensity import DIFFUSE, intensity_values
from dorosim.sensor.lidar.planar_air import scan_through_air
from dorosim.sensor.lidar.setting import intensity_name
from dorosim.sensor.lidar.weather import CLEAR_WEATHER, LidarWeather, PlanarSpec, lidar_weather
from dorosim.sensor.pose import body_from_sensor
from dorosim.sensor.reading import Range, Reading
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.instance import View
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.mount.setting import Lidar2dSettings, LidarIntensity, SensorKind
from dorosim.world.mount.state import Mount
from dorosim.world.scene import Scene

RAYS = 360
MIN_LIDAR_2D_RANGE, MAX_LIDAR_2D_RANGE = 0.1, 65.0
"""Nearest and farthest range [m]; files of the product ask for more than the 16 bits of a packet have room for."""


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
    """A 2D lidar; it draws from the streams "sensor/<number>/range" and, in weather, "sensor/<number>/air".

    Args:
        sensor: id of the mount.
        settings: of the mount; a ray that hits nothing reports their range.
    """

    def __init__(self, sensor: int, settings: Lidar2dSettings) -> None:
        self.sensor = sensor
        self.settings = settings
        self.farthest = min(settings.range, MAX_LIDAR_2D_RANGE)
        self.spec = PlanarSpec(self.farthest, nearest=MIN_LIDAR_2D_RANGE)

    def read(self, inputs: SensorInput) -> PlanarReading:
        """A scan."""
        pose = inputs.map_from_sensor
        scan = self.scan(
            inputs.view(),
            pose.position,
            pose.rotation,
            inputs.now.time,
            inputs.noise,
            inputs.own,
            lidar_weather(inputs.now.environment, self.spec),
            volumes_near(inputs.scene, inputs.now, pose.position, self.farthest),
        )
        mounted = inputs.motion.pose @ body_from_sensor(inputs.mount)
        x, y, _ = mounted.position.tolist()
        return replace(scan, place=(x, y, math.atan2(mounted.rotation[1, 0], mounted.rotation[0, 0])))

    def scan(
        self,
        view: View,
        position: NDArray[np.float64],
        rotation: NDArray[np.float64],
        time: int,
        noise: Noise,
        own: int = 0,
        weather: LidarWeather = CLEAR_WEATHER,
        volume: FloatArray = NO_VOLUMES,
    ) -> PlanarReading:
        """One scan from a place.

        Args:
            view: of the scene.
            position: (3,) of the sensor in map [m].
            rotation: (3, 3) map-from-sensor.
            time: ns.
            noise: of the run.
            own: number of the actor that carries the sensor: its body is not seen; 0 for none.
            weather: what is in the air everywhere.
            volume: `(V, 10)` smoke and spray, as of `volumes_near`.
        """
        angle = np.radians(np.arange(RAYS, dtype=np.float64))
        direction = np.stack((np.cos(angle), np.sin(angle), np.zeros(RAYS)), axis=1) @ rotation.T
        near, far = MIN_LIDAR_2D_RANGE, self.farthest
        origin = position + near * direction
        distance, normal, row, material = cast_rays(view, origin, direction, np.full(RAYS, far - near), own)
        hit = row >= 0
        byte, bright = np.zeros(RAYS), np.zeros(RAYS)
        row_value, material_value = intensity_values(view, intensity_name(self.settings.intensity))
        bright[hit] = view.reflectivity[material[hit]] * np.abs(np.sum(normal[hit] * direction[hit], axis=1))
        metres, share = np.where(hit, near + distance, np.inf), np.ones(RAYS)
        in_air, strength, spread = np.zeros(RAYS, bool), np.zeros(RAYS), weather.spread
        if weather is not CLEAR_WEATHER or len(volume):
            draw = 1.0 - noise.stream(f"sensor/{self.sensor}/air", time).random((1 + len(volume), RAYS))
            found = scan_through_air(position, direction, metres, bright, weather, volume, self.spec, draw)
            metres, share, in_air, strength = found
        hit = np.isfinite(metres) & ~in_air
        plain = np.rint(DIFFUSE * bright[hit] * share[hit])
        kind = np.where(row_value[row[hit]] >= 0, row_value[row[hit]], material_value[material[hit]])
        byte[hit] = np.where(kind >= 0, kind, plain)
        if self.settings.intensity == LidarIntensity.REFLECTIVITY:
            byte[in_air] = np.minimum(strength[in_air], MAX_AIR_INTENSITY)
        error = noise.stream(f"sensor/{self.sensor}/range", time).normal(size=RAYS)
        error *= np.hypot(self.settings.range_noise, spread * np.where(hit, metres, 0.0))
        metres = np.where(np.isfinite(metres), np.clip(metres + error, near, far), far)
        return PlanarReading(
            sensor=self.sensor,
            time=time,
            distance_mm=np.rint(1000.0 * metres).astype(np.uint16),
            intensity=np.minimum(byte, 255.0).astype(np.uint8),
        )


def make_lidar_2d(mount: Mount, _: Scene) -> PlanarLidar:
    """The 2D lidar of a mount."""
    assert isinstance(mount.settings, Lidar2dSettings)
    return PlanarLidar(mount.id, mount.settings)
