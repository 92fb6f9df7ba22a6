"""What the live page shows of sensors: points in the map, pictures with boxes, figures. No page, no socket."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import Enum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.unit import DEGREE
from dorosim.sensor.lidar.planar import PlanarReading
from dorosim.sensor.lidar.reading import LidarReading
from dorosim.sensor.pose import Pose, hanging_pose, motion_of
from dorosim.sensor.reading import CameraReading, Reading
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.instance import Placement
from dorosim.sensor.scene.semantic import COLOUR, INTENSITY, Semantic
from dorosim.world.mount.setting import GroundTruthSettings, TruthShape
from dorosim.world.snapshot import Snapshot

Points = NDArray[np.float32]
"""`(N, 3)` [m]."""
Colours = NDArray[np.uint8]
"""`(N, 3)` red, green, blue."""

MAX_PAGE_PICTURE_WIDTH = 400
"""Pictures that are sent to a page are not wider than this [pixels]."""
MAX_SHOWN_POINTS = 15_000
"""Points of one lidar that are shown at a time."""
_NO_ACTOR, _MARGIN = 120, 0.12
"""Grey of points in no actor's box; by how much boxes are larger than actors, which move between two pictures [m]."""
LOW, HIGH = -3.0, 7.0
"""Heights beside the sensor between which colours of height change [m]."""
_RAMP = np.array(
    [(48, 18, 140), (40, 110, 240), (20, 200, 190), (110, 240, 80), (240, 210, 50), (250, 110, 30), (180, 20, 20)],
    np.float64,
)
"""From low to high: a rainbow without dark places."""


class PointColour(Enum):
    """By what the points of lidars are coloured."""

    USUAL = "height, or what it tells"
    HEIGHT = "height"
    INTENSITY = "intensity"
    CLASS = "class"


def small_reading(reading: Reading) -> Reading:
    """A reading with what a page shows of it: pictures are made smaller, and lose what is not seen."""
    if not isinstance(reading, CameraReading):
        return reading
    every = -(-reading.image.shape[1] // MAX_PAGE_PICTURE_WIDTH)
    boxes = reading.boxes
    if boxes is not None:
        boxes = replace(boxes, bounds=boxes.bounds / every)
    return replace(reading, image=shrunk(reading.image, every), depth=None, semantic=None, instance=None, boxes=boxes)


def shrunk(image: NDArray[np.uint8], every: int) -> NDArray[np.uint8]:
    """A picture of the means of `every` by `every` pixels `(H, W, 3)`; what is left over is cut off."""
    if every <= 1:
        return image
    height, width = image.shape[0] // every * every, image.shape[1] // every * every
    total = np.zeros((height // every, width // every, image.shape[2]), np.uint32)
    for row in range(every):
        for column in range(every):
            total += image[row:height:every, column:width:every]
    return (total // every**2).astype(np.uint8)


def sensor_pose(now: Snapshot, sensor: int) -> Pose | None:
    """map_from_sensor of a sensor, where its faults have moved it to; None if it is not there."""
    row = now.mounts.row_of(sensor)
    if row < 0:
        return None
    mount = now.mounts.mount(row)
    motion = motion_of(now, mount.actor)
    return None if motion is None else motion.pose @ hanging_pose(now, mount)


def lidar_points(reading: Reading, share: float = 1.0) -> tuple[Points, NDArray[np.float32]]:
    """Returns of a lidar in its frame, and their intensity, 0 to 255.

    Args:
        reading: of a lidar of any kind.
        share: of the returns, about, evenly over the turn.
    """
    if isinstance(reading, LidarReading):
        every = max(1, round(1.0 / share))
        if every > 1:
            distance = np.zeros_like(reading.distance)
            flat, kept = reading.distance.reshape(-1), distance.reshape(-1)
            # a stride that has no divisor in common with the lasers of a block, so that all of them are kept
            stride = every if every % 2 else every + 1
            kept[::stride] = flat[::stride]
            reading = replace(reading, distance=distance)
        found = reading.points()
        return np.stack([found["x"], found["y"], found["z"]], axis=1), found["intensity"].astype(np.float32)
    assert isinstance(reading, PlanarReading)
    angle = np.arange(len(reading.distance_mm)) * DEGREE.factor
    metres = reading.distance_mm * 1e-3
    points = np.stack([metres * np.cos(angle), metres * np.sin(angle), np.zeros_like(metres)], axis=1)
    return points.astype(np.float32), reading.intensity.astype(np.float32)


def ramp_colours(values: NDArray[np.floating], low: float, high: float) -> Colours:
    """Colours `(N, 3)` of values between two ends."""
    place = np.clip((values - low) / (high - low), 0.0, 1.0) * (len(_RAMP) - 1)
    first = np.minimum(place.astype(np.int64), len(_RAMP) - 2)
    part = (place - first)[:, None]
    colours: Colours = (_RAMP[first] * (1.0 - part) + _RAMP[first + 1] * part).astype(np.uint8)
    return colours


@cache
def _classes() -> NDArray[np.uint8]:
    """`(256, 3)` the colour of the class that a lidar of semantic intensity reports as each intensity."""
    levels = INTENSITY.astype(np.int64)
    levels[Semantic.SKY] = -256  # no lidar meets it
    classes: Colours = COLOUR[np.abs(np.arange(256)[:, None] - levels[None]).argmin(axis=1)]
    return classes


def class_colours(intensity: NDArray[np.floating]) -> Colours:
    """Colours `(N, 3)` of the classes that semantic intensities `(N,)` stand for."""
    colours: Colours = _classes()[np.clip(intensity, 0, 255).astype(np.int64)]
    return colours


def actor_colours(intensity: NDArray[np.floating]) -> Colours:
    """Colours `(N, 3)` of the actors that instance intensities `(N,)` stand for; the static world is grey."""
    number = intensity.astype(np.int64)
    hue = number * 0.61803398875 % 1.0
    colours = 55.0 + 200.0 * (0.5 + 0.5 * np.cos(math.tau * (hue[:, None] + np.array([0.0, 1 / 3, 2 / 3]))))
    colours[number == 0] = 110.0
    found: Colours = colours.astype(np.uint8)
    return found


def box_rows(points: NDArray[np.floating], placed: Placement, models: ActorModels) -> NDArray[np.int64]:
    """The row `(N,)` of the actor in whose box each point lies; -1 for none. The ground below one is not part of it.

    Args:
        points: `(N, 3)` in map [m].
        placed: where all actors are.
        models: of all actors.
    """
    rows = np.full(len(points), -1, np.int64)
    if not len(points) or not len(placed.model):
        return rows
    middle, half = models.centre[placed.model], models.half_size[placed.model] + _MARGIN
    place = placed.pose[:, :, 3]
    reach = np.linalg.norm(np.abs(middle) + half, axis=1) * np.linalg.norm(placed.pose[:, :, 0], axis=1)
    low, high = points.min(axis=0), points.max(axis=0)
    near = ((place + reach[:, None] > low) & (place - reach[:, None] < high)).all(axis=1)
    for row in np.flatnonzero(near).tolist():
        close = np.flatnonzero((np.abs(points - place[row]) < reach[row]).all(axis=1))
        if not len(close):
            continue
        inside = (points[close] - place[row]) @ np.linalg.inv(placed.pose[row, :, :3]).T - middle[row]
        within = (np.abs(inside) < half[row]).all(axis=1) & (inside[:, 2] > 2.0 * _MARGIN - half[row, 2])
        rows[close[within]] = row
    return rows


def box_colours(points: NDArray[np.floating], placed: Placement, models: ActorModels) -> Colours:
    """Colours `(N, 3)` of the classes of the actors in whose boxes points lie; all others are grey.

    For lidars whose intensity is no class. Arguments as of `box_rows`.
    """
    rows = box_rows(points, placed, models)
    colours = np.full((len(points), 3), _NO_ACTOR, np.uint8)
    colours[rows >= 0] = COLOUR[models.label[placed.model[rows[rows >= 0]]]]
    return colours


def with_boxes(reading: CameraReading) -> NDArray[np.uint8]:
    """The picture with the boxes of what it shows, each in the colour of its class."""
    image = reading.image
    if reading.boxes is None or not len(reading.boxes.actor):
        return image
    image = image.copy()
    height, width = image.shape[:2]
    for bounds, label in zip(reading.boxes.bounds[::-1].tolist(), reading.boxes.label[::-1].tolist(), strict=True):
        left, top, right, bottom = (round(value) for value in bounds)
        left, right = (min(max(x, 0), width - 1) for x in (left, right))
        top, bottom = (min(max(y, 0), height - 1) for y in (top, bottom))
        colour = np.maximum(COLOUR[label], 90)
        image[top, left : right + 1] = image[bottom, left : right + 1] = colour
        image[top : bottom + 1, left] = image[top : bottom + 1, right] = colour
    return image


def volume_edges(settings: GroundTruthSettings) -> NDArray[np.float64]:
    """Edges `(N, 2, 3)` of the volume of a ground truth sensor in its frame [m] (gRPC page, viz_range).

    A cylinder has a top and a bottom circle as high and deep as its vertical angle is wide at its reach, and a cone is
    drawn by arcs along both angles at each step between near and far. `dorosim.sensor.truth.is_within` is what counts.
    """
    lines: list[NDArray[np.float64]] = []
    tall, count = 0.5 * settings.vertical_fov, settings.segments
    if settings.shape == TruthShape.CYLINDER:
        around, reach = np.linspace(-math.pi, math.pi, count + 1), settings.range_max
        # from the axis on, where the angle is a right one, there is no end of it
        height = reach * min(math.tan(min(tall, 0.5 * math.pi - 1e-3)), _TALLEST)
        rings = [_line(reach * np.cos(around), reach * np.sin(around), level) for level in (-height, height)]
        lines += [_strokes(ring) for ring in rings] + [np.stack(rings, axis=1)[:-1]]
        axis = np.zeros((count, 3))
        lines += [np.stack([axis, ring[:-1]], axis=1) for ring in rings]
        return np.concatenate(lines)
    wide = 0.5 * settings.fov
    across, upright = np.linspace(-wide, wide, count + 1), np.linspace(-tall, tall, count + 1)
    steps = np.linspace(settings.range_min, settings.range_max, settings.resolution + 1)
    for reach in steps[steps > 0.0].tolist():
        for up in (-tall, 0.0, tall):
            lines.append(_strokes(_ray(reach, across, np.full_like(across, up))))
        for side in (-wide, 0.0, wide):
            lines.append(_strokes(_ray(reach, np.full_like(upright, side), upright)))
    corners = [(side, up) for side in (-wide, wide) for up in (-tall, tall)]
    turn, lift = (np.array([corner[n] for corner in corners]) for n in (0, 1))
    ends = [_ray(reach, turn, lift) for reach in (settings.range_min, settings.range_max)]
    lines.append(np.stack(ends, axis=1))
    return np.concatenate(lines)


_TALLEST = 1.0
"""Height over reach up to which a cylinder is drawn."""


def _line(x: NDArray[np.float64], y: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    return np.column_stack((x, y, np.full_like(x, z)))


def _ray(reach: float, turn: NDArray[np.float64], lift: NDArray[np.float64]) -> NDArray[np.float64]:
    """`(N, 3)` points so far away, by their angles to the left and up."""
    flat = reach * np.cos(lift)
    return np.column_stack((flat * np.cos(turn), flat * np.sin(turn), reach * np.sin(lift)))


def _strokes(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Edges `(N - 1, 2, 3)` of a line through points `(N, 3)`."""
    return np.stack([points[:-1], points[1:]], axis=1)
