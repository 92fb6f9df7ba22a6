"""What the live page shows of a reading: points and lines in the map, and its values in a few words.

Points of lidars and tracks of receivers, which gather over time, are drawn by `endpoint/view/stage/sensor.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.unit import DEGREE, KMH

if TYPE_CHECKING:
    from dorosim.sensor.pose import Pose
    from dorosim.sensor.reading import (
        CameraReading,
        GpsReading,
        ImuReading,
        RadarReading,
        Reading,
        TruthReading,
        UltrasonicReading,
    )

Colours = NDArray[np.uint8]
"""`(N, 3)` red, green, blue."""
EDGES = np.array([(a, a | bit) for a in range(8) for bit in (1, 2, 4) if not a & bit])
"""`(12, 2)` edges of a box with corners numbered by the bits of their signs."""
SIGNS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (0, 2)], float)


@dataclass(frozen=True, slots=True, eq=False)
class Dots:
    """Points to draw.

    Attributes:
        points: `(N, 3)` in the map [m]. colours: `(N, 3)` red, green, blue.
        size: diameter [m].
    """

    points: NDArray[np.float64]
    colours: Colours
    size: float


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines to draw.

    Attributes:
        ends: `(N, 2, 3)` in the map [m]. colours: `(N, 2, 3)` red, green, blue.
        thickness: [m].
    """

    ends: NDArray[np.float64]
    colours: Colours
    thickness: float


Shapes = Sequence[Dots | Lines]
"""Two at most."""


def no_shapes(_reading: Reading, _pose: Pose) -> Shapes:
    """Nothing is drawn of a reading."""
    return ()


def plain_lines(ends: NDArray[np.float64], colour: tuple[int, int, int], thickness: float) -> Lines:
    """Lines of one colour."""
    return Lines(ends, np.full(ends.shape, colour, np.uint8), thickness)


def radar_shapes(reading: RadarReading, pose: Pose) -> Shapes:
    """Detections, and where each gets along the line of sight within a second."""
    colours = rate_colours(reading.range_rate)
    ends = in_map(radar_edges(reading).reshape(-1, 3), pose).reshape(-1, 2, 3)
    return Dots(ends[:, 0], colours, 0.5), Lines(ends, np.repeat(colours[:, None], 2, axis=1), 0.12)


def ultrasonic_shapes(reading: UltrasonicReading, pose: Pose) -> Shapes:
    """A line as long as the distance."""
    distance = reading.distance if math.isfinite(reading.distance) else 0.0
    return (plain_lines(in_map(np.array([[0.0, 0.0, 0.0], [distance, 0.0, 0.0]]), pose)[None], (230, 40, 160), 0.05),)


def truth_shapes(reading: TruthReading, _pose: Pose) -> Shapes:
    """The boxes of true objects."""
    return (plain_lines(truth_edges(reading), (255, 140, 0), 0.06),)


def in_map(points: NDArray[np.floating], pose: Pose) -> NDArray[np.float64]:
    """Points `(N, 3)` of a sensor's frame in the map [m]."""
    placed: NDArray[np.float64] = points.astype(np.float64) @ pose.rotation.T + pose.position
    return placed


def truth_edges(reading: TruthReading) -> NDArray[np.float64]:
    """Edges `(12 N, 2, 3)` of the boxes of ground truth in the map [m]; a position is at the ground's height."""
    corners = SIGNS[None] * reading.size[:, None] / 2.0
    cosine, sine = np.cos(reading.heading)[:, None], np.sin(reading.heading)[:, None]
    x, y, z = (corners[..., axis] for axis in range(3))
    turned = np.stack([x * cosine - y * sine, x * sine + y * cosine, z], axis=2) + reading.position[:, None]
    edges: NDArray[np.float64] = turned[:, EDGES].reshape(-1, 2, 3)
    return edges


def radar_edges(reading: RadarReading, seconds: float = 1.0) -> NDArray[np.float64]:
    """Strokes `(N, 2, 3)` in the sensor's frame [m]: from each detection, where it gets along the line of sight."""
    away = reading.point / np.maximum(np.linalg.norm(reading.point, axis=1), 1e-6)[:, None]
    strokes: NDArray[np.float64] = np.stack(
        [reading.point, reading.point + seconds * away * reading.range_rate[:, None]], axis=1
    )
    return strokes


def rate_colours(rates: NDArray[np.floating]) -> Colours:
    """Colours of range rates [m/s]: red comes nearer, blue goes away, white neither."""
    share = np.clip(rates / 15.0, -1.0, 1.0)
    red, blue = np.where(share > 0, 1.0 - share, 1.0), np.where(share < 0, 1.0 + share, 1.0)
    colours: Colours = (255 * np.stack([red, 1.0 - 0.75 * np.abs(share), blue], axis=1)).astype(np.uint8)
    return colours


def camera_text(reading: CameraReading) -> str:
    """How many boxes there are; "" where the camera makes none."""
    return "" if reading.boxes is None else f"{len(reading.boxes.actor)} boxes"


def gps_text(reading: GpsReading) -> str:
    """Place and speed."""
    if reading.denied:
        return "no fix"
    place = f"{reading.latitude / DEGREE.factor:.6f}°, {reading.longitude / DEGREE.factor:.6f}°"
    return f"{place}, {reading.altitude:.1f} m; {reading.speed / KMH.factor:.1f} km/h"


def imu_text(reading: ImuReading) -> str:
    """Specific force and rates."""
    return f"{_triple(reading.acceleration)} m/s²; {_triple(reading.angular_velocity / DEGREE.factor)} °/s"


def ultrasonic_text(reading: UltrasonicReading) -> str:
    """The distance."""
    return f"{reading.distance:.2f} m" if math.isfinite(reading.distance) else "nothing"


def no_text(_reading: Reading) -> str:
    """No words, where counts of points stand in their place."""
    return ""


def _triple(values: Sequence[float] | NDArray[np.floating]) -> str:
    return " ".join(f"{value:+.2f}" for value in values)
