"""Readings of sensors: one frozen class a kind, those of lidars in `sensor/lidar`. All values in SI and radians.

A reading says which sensor made it and which moment it shows. What a fault of the data makes of it is said by the range
of each of its signals (`SIGNALS`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.mount.setting import SensorKind

if TYPE_CHECKING:
    from dorosim.sensor.camera.box import BoundingBoxes

Range = tuple[float, float]
ImageArray = NDArray[np.uint8]
"""`(height, width, 3)` red, green, blue, row 0 at the top."""
DepthArray = NDArray[np.float32]
FIX_SPAN = 100.0
"""Errors of a fix are shares of it [m]: a receiver with a fault reports a place some metres away, as by echoes of
houses or wrong corrections, and none on another continent."""
EARTH_RADIUS = 6.371e6
"""[m]"""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reading:
    """What one sensor measures at one moment.

    Attributes:
        sensor: number of the sensor. time: the moment [ns]; for a spinning sensor the end of its slice.
    """

    KIND: ClassVar[SensorKind]
    """The kind of sensor that makes such readings."""
    SIGNALS: ClassVar[Mapping[str, Range]] = MappingProxyType({})
    """Attributes that are signals, each with the ends of its range."""
    SPANS: ClassVar[Mapping[str, float]] = MappingProxyType({})
    """Signals whose range says nothing of their errors, each with the span of which offset and drift are shares."""

    sensor: int
    time: int

    def restamped(self, time: int) -> Self:
        """The same reading as if it had been made at another time [ns]."""
        return replace(self, time=time)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CameraReading(Reading):
    """A picture. What the camera is not set to make is None.

    Attributes:
        image: as it is to be sent: colours, or depth, classes or instances in colours.
        depth: `(height, width)` along the optical axis [m], inf where there is nothing.
        semantic: `(height, width)` class of each pixel. instance: `(height, width)` actor id, 0 for the static world.
        boxes: of actors in the picture.
        quality: of the JPEG that is to be sent.
    """

    KIND: ClassVar[SensorKind] = SensorKind.CAMERA
    SIGNALS: ClassVar[Mapping[str, Range]] = MappingProxyType({"image": (0.0, 255.0)})

    image: ImageArray
    depth: DepthArray | None = None
    semantic: NDArray[np.uint8] | None = None
    instance: NDArray[np.int32] | None = None
    boxes: BoundingBoxes | None = None
    quality: int = 90


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GpsReading(Reading):
    """A fix, or none where satellites are hidden.

    Attributes:
        denied: whether there is none; then all else is 0.
        latitude, longitude: WGS84 [rad]. altitude: above the map's zero, which the product reports as the geoid [m].
        speed: over ground [m/s]. course: over ground, clockwise from north [rad].
        east, north: in the map's projection [m].
    """

    KIND: ClassVar[SensorKind] = SensorKind.GPS
    SIGNALS: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {"latitude": (-1.5707963267948966, 1.5707963267948966), "longitude": (-np.pi, np.pi), "altitude": (-1e3, 1e4)}
    )
    SPANS: ClassVar[Mapping[str, float]] = MappingProxyType(
        {"latitude": FIX_SPAN / EARTH_RADIUS, "longitude": FIX_SPAN / EARTH_RADIUS, "altitude": FIX_SPAN}
    )

    denied: bool = False
    latitude: float = 0.0
    longitude: float = 0.0
    altitude: float = 0.0
    speed: float = 0.0
    course: float = 0.0
    east: float = 0.0
    north: float = 0.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ImuReading(Reading):
    """Attitude, rates and specific force.

    Attributes:
        orientation: w, x, y, z of map_from_sensor.
        angular_velocity: `(3,)` in the sensor's frame [rad/s].
        acceleration: `(3,)` specific force in the sensor's frame: +9.81 upwards at rest [m/s^2].
    """

    KIND: ClassVar[SensorKind] = SensorKind.IMU
    SIGNALS: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {"angular_velocity": (-35.0, 35.0), "acceleration": (-160.0, 160.0)}
    )

    orientation: tuple[float, float, float, float]
    angular_velocity: FloatArray
    acceleration: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RadarReading(Reading):
    """Detections, one row each.

    Attributes:
        point: `(N, 3)` in the sensor's frame [m].
        distance: `(N,)` [m]. azimuth: `(N,)` left positive [rad]. elevation: `(N,)` up positive [rad].
        range_rate: `(N,)` positive when it goes away [m/s].
        cross_section: `(N,)` radar cross-section [dBsm]. amplitude: `(N,)` signal over noise [dB].
        actor: `(N,)` id of what was detected, 0 for the static world, -1 for clutter.
    """

    KIND: ClassVar[SensorKind] = SensorKind.RADAR
    SIGNALS: ClassVar[Mapping[str, Range]] = MappingProxyType(
        {"distance": (0.0, 300.0), "azimuth": (-1.6, 1.6), "range_rate": (-100.0, 100.0)}
    )

    point: FloatArray
    distance: FloatArray
    azimuth: FloatArray
    elevation: FloatArray
    range_rate: FloatArray
    cross_section: FloatArray
    amplitude: FloatArray
    actor: IntArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class UltrasonicReading(Reading):
    """The distance to the nearest thing.

    Attributes:
        distance: [m], inf for none.
    """

    KIND: ClassVar[SensorKind] = SensorKind.ULTRASONIC
    SIGNALS: ClassVar[Mapping[str, Range]] = MappingProxyType({"distance": (0.0, 10.0)})

    distance: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TruthReading(Reading):
    """What is really there, one row an object, the nearest first (Standard API, GroundTruth).

    Attributes:
        actor: `(N,)` id. kind: `(N,)` GTObstacleObjType. name: of each model.
        heading: `(N,)` in the map [rad].
        position: `(N, 3)` in the map [m]. velocity, acceleration: `(N, 3)` in the map [m/s], [m/s^2].
        size: `(N, 3)` length, width, height [m].
        heading_in_sensor: `(N,)` of the nose in the sensor's xy plane, left positive [rad].
        position_in_sensor: `(N, 3)` in the sensor's frame [m]. velocity_in_sensor, acceleration_in_sensor: the vectors
            of the map, turned into it.
    """

    KIND: ClassVar[SensorKind] = SensorKind.GROUND_TRUTH
    actor: IntArray
    kind: IntArray
    name: tuple[str, ...]
    heading: FloatArray
    position: FloatArray
    velocity: FloatArray
    acceleration: FloatArray
    size: FloatArray
    heading_in_sensor: FloatArray
    position_in_sensor: FloatArray
    velocity_in_sensor: FloatArray
    acceleration_in_sensor: FloatArray
