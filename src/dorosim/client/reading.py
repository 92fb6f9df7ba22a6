"""What sensors have read, as numpy arrays with the moment and the place at which it was read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dorosim.client.drawing import cloud_png, html_table, picture_png
from dorosim.client.quantity import Triple

Floats = NDArray[np.float64]
MAX_BRIEF = 4
"""Most numbers of an array that are written out."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class SensorReading:
    """What all readings have.

    Attributes:
        sensor: id of the sensor.
        time: simulated time of the moment that it shows [s]; of a turn of a lidar: its end.
        stamp: the same as wall time, as packets are stamped [ns since 1970].
        position: of the sensor in the map [m]. rotation: its roll, pitch, yaw in the map [rad].
    """

    sensor: str
    time: float
    stamp: int
    position: Triple
    rotation: Triple

    def __repr__(self) -> str:
        """Kind, sensor, moment, and what it holds: numbers, and the shapes of arrays."""
        own = [one.name for one in fields(self) if one.name not in _COMMON]
        held = ", ".join(f"{name} {_brief(getattr(self, name))}" for name in own)
        return f"<{type(self).__name__} of sensor {self.sensor} at {self.time:.3f} s: {held}>"

    @property
    def pose(self) -> Floats:
        """`(4, 4)` map_from_sensor: it turns points of the sensor's frame (x forward, y left, z up) into the map's."""
        (cr, cp, cy), (sr, sp, sy) = np.cos(self.rotation), np.sin(self.rotation)
        found = np.eye(4)
        found[0, :3] = cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr
        found[1, :3] = sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr
        found[2, :3] = -sp, cp * sr, cp * cr
        found[:3, 3] = self.position
        return found

    def in_map(self, points: NDArray[Any]) -> Floats:
        """`(N, 3)` points of the sensor's frame, in the map [m]."""
        pose = self.pose
        return np.asarray(points, np.float64) @ pose[:3, :3].T + pose[:3, 3]


_COMMON = frozenset(one.name for one in fields(SensorReading))


def _brief(value: Any) -> str:
    """A value, or the size of one that is long."""
    if isinstance(value, np.ndarray):
        return str(np.round(value, 3)) if value.size <= MAX_BRIEF else " x ".join(map(str, value.shape))
    if isinstance(value, tuple):
        return str(value) if len(value) <= MAX_BRIEF else str(len(value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SeenBoxes:
    """Boxes of the actors in a picture, the nearest first.

    Attributes:
        actor: id or name of each. label: `(N,)` class, as in semantic pictures.
        corners: `(N, 8, 3)` in the optical frame (x right, y down, z forward) [m].
        bounds: `(N, 4)` left, top, right, bottom in the picture [pixels].
        visible: `(N,)` pixels that show it. covered: `(N,)` that would if nothing stood in front.
    """

    actor: tuple[str, ...]
    label: NDArray[np.uint8]
    corners: Floats
    bounds: Floats
    visible: NDArray[np.int64]
    covered: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class CameraPicture(SensorReading):
    """A picture of a camera. In a notebook it shows itself.

    Attributes:
        image: `(height, width, 3)` red, green, blue; depth, classes and instances in colours.
        depth: `(height, width)` along the optical axis [m], inf where there is nothing; of depth cameras.
        semantic: `(height, width)` class of each pixel; of semantic cameras.
        instance: `(height, width)` number of the actor, 0 for what always stands; of instance cameras.
        boxes: of what is seen, where the camera makes them.
    """

    image: NDArray[np.uint8]
    depth: NDArray[np.float32] | None = None
    semantic: NDArray[np.uint8] | None = None
    instance: NDArray[np.int32] | None = None
    boxes: SeenBoxes | None = None

    def __repr__(self) -> str:
        """Size, and when it was taken."""
        height, width = self.image.shape[:2]
        return f"<CameraPicture {width} x {height} of sensor {self.sensor} at {self.time:.3f} s>"

    def _repr_png_(self) -> bytes:
        return picture_png(self.image)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class PointCloud(SensorReading):
    """A turn of a spinning lidar, or what it has read at a moment. In a notebook it shows itself from above.

    Attributes:
        points: `(N,)` structured: x, y, z in the sensor's frame [m], intensity 0 to 255, ring from below, and time
            after `start` [s].
        start: simulated time of its first shot [s].
    """

    points: NDArray[np.void]
    start: float

    @property
    def xyz(self) -> NDArray[np.float32]:
        """`(N, 3)` in the sensor's frame [m]; a copy."""
        return np.stack([self.points[axis] for axis in "xyz"], axis=1)

    @property
    def intensity(self) -> NDArray[np.float32]:
        """`(N,)` 0 to 255."""
        return self._column("intensity")

    @property
    def ring(self) -> NDArray[np.uint16]:
        """`(N,)` number of the laser, from below."""
        return self._column("ring")

    @property
    def times(self) -> NDArray[np.float32]:
        """`(N,)` after `start` [s]."""
        return self._column("time")

    def _column(self, name: str) -> NDArray[Any]:
        return self.points[name]

    def __len__(self) -> int:
        """How many points."""
        return len(self.points)

    def __repr__(self) -> str:
        """How many points, and when."""
        return f"<PointCloud of {len(self)} points of sensor {self.sensor} at {self.time:.3f} s>"

    def _repr_png_(self) -> bytes:
        return cloud_png(self.xyz, self.intensity)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class PlanarScan(SensorReading):
    """A scan of a 2D lidar.

    Attributes:
        distance: `(360,)` at each degree to the left of forward [m]; the range of the sensor for none.
        intensity: `(360,)` 0 to 255.
    """

    distance: NDArray[np.float32]
    intensity: NDArray[np.uint8]

    @property
    def xy(self) -> Floats:
        """`(360, 2)` in the sensor's frame [m]."""
        angle = np.radians(np.arange(len(self.distance)))
        return np.stack([np.cos(angle), np.sin(angle)], axis=1) * self.distance[:, None]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class GpsFix(SensorReading):
    """A fix of satellite navigation.

    Attributes:
        valid: whether there is reception; else all is 0.
        latitude, longitude: north and east positive [rad]. altitude: over the geoid [m].
        speed: over ground [m/s]. course: clockwise from north [rad]. east, north: in the map's projection [m].
    """

    valid: bool
    latitude: float
    longitude: float
    altitude: float
    speed: float
    course: float
    east: float
    north: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class ImuSample(SensorReading):
    """A measurement of an IMU, in its own frame: x forward, y left, z up.

    Attributes:
        orientation: quaternion w, x, y, z that turns the sensor's frame into the map's.
        angular_velocity: `(3,)` [rad/s]. acceleration: `(3,)` specific force, 9.81 along z at rest [m/s²].
    """

    orientation: Floats
    angular_velocity: Floats
    acceleration: Floats


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class RadarDetections(SensorReading):
    """Detections of a radar, one row each.

    Attributes:
        point: `(N, 3)` in the sensor's frame [m].
        distance: `(N,)` [m]. azimuth, elevation: `(N,)` left and up positive [rad].
        range_rate: `(N,)` positive when it goes away [m/s].
        cross_section: `(N,)` [dBsm]. amplitude: `(N,)` signal over noise [dB].
        actor: id or name of what was detected, "" for what always stands, and for clutter.
    """

    point: Floats
    distance: Floats
    azimuth: Floats
    elevation: Floats
    range_rate: Floats
    cross_section: Floats
    amplitude: Floats
    actor: tuple[str, ...]

    def __len__(self) -> int:
        """How many detections."""
        return len(self.distance)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class UltrasonicEcho(SensorReading):
    """A measurement of an ultrasonic sensor.

    Attributes:
        distance: to the nearest thing [m], inf for none.
    """

    distance: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class SeenObjects(SensorReading):
    """What a ground truth sensor reports, one row an object, the nearest first.

    Attributes:
        actor: id or name of each. kind: vehicle, pedestrian, ego, obstacle. model: its name.
        heading: `(N,)` in the map [rad]. position_in_map, velocity, acceleration: `(N, 3)` in the map [m], [m/s],
            [m/s²]. size: `(N, 3)` length, width, height [m].
        heading_in_sensor: `(N,)` [rad]. position_in_sensor, velocity_in_sensor: `(N, 3)` in the sensor's frame.
    """

    actor: tuple[str, ...]
    kind: tuple[str, ...]
    model: tuple[str, ...]
    heading: Floats
    position_in_map: Floats
    velocity: Floats
    acceleration: Floats
    size: Floats
    heading_in_sensor: Floats
    position_in_sensor: Floats
    velocity_in_sensor: Floats

    def __len__(self) -> int:
        """How many objects."""
        return len(self.actor)

    def _repr_html_(self) -> str:
        distance = np.linalg.norm(self.position_in_sensor, axis=1)
        speed = np.linalg.norm(self.velocity, axis=1)
        rows = zip(self.actor, self.kind, self.model, distance, speed, strict=True)
        head = ("actor", "kind", "model", "distance [m]", "speed [m/s]")
        return html_table(head, [(a, b, c, f"{d:.1f}", f"{e:.1f}") for a, b, c, d, e in rows])
