"""Finds the time until a vehicle is at a crosswalk."""

from __future__ import annotations

import math
from typing import NamedTuple

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.collision.body import BodyTable

_BODY = BodyTable.at

MIN_MOVING_SPEED = 0.3
"""A vehicle slower than this [m/s] stands: it lets people cross."""
DRIVER_DECELERATION, DRIVER_REACTION_TIME = 3.5, 1.0
"""A vehicle that can stop before the crosswalk with this deceleration [m/s²], after this time [s], lets people cross
too: its driver must (Road Traffic Act of Korea, article 27). A pedestrian still looks, and stops before a vehicle that
does not stop."""
STOPPING_VEHICLE_SPEED = 5.0
"""A vehicle slower than this [m/s] is taken to be stopping, and needs no time to react."""


class CrosswalkArrays(NamedTuple):
    """Crosswalks as the kernels see them; all arrays are read-only.

    Attributes:
        first: `(K + 1,)` first corner of each area.
        corner: `(P, 3)` corners in order around each area, in map [m].
        circle: `(K, 3)` x, y and radius of a circle around each area, in map [m].
    """

    first: IntArray
    corner: FloatArray
    circle: FloatArray


@inner_kernel
def way_to_area(
    crosswalks: CrosswalkArrays, k: int, x: float, y: float, way_x: float, way_y: float
) -> tuple[float, float]:
    """Where a straight way ahead comes into an area and leaves it [m]; infinite and minus infinite if it passes by."""
    begin, end = math.inf, -math.inf
    first, corner = crosswalks.first, crosswalks.corner
    last = first[k + 1] - 1
    for c in range(first[k], last + 1):
        d = first[k] if c == last else c + 1
        from_x, from_y = corner[c, 0] - x, corner[c, 1] - y
        to_x, to_y = corner[d, 0] - x, corner[d, 1] - y
        side_from, side_to = way_x * from_y - way_y * from_x, way_x * to_y - way_y * to_x
        if (side_from > 0.0) == (side_to > 0.0):
            continue
        share = side_from / (side_from - side_to)
        place = (from_x + share * (to_x - from_x)) * way_x + (from_y + share * (to_y - from_y)) * way_y
        begin, end = min(begin, place), max(end, place)
    return begin, end


@kernel
def find_gaps(crosswalks: CrosswalkArrays, body: FloatArray, vehicles: int, gap: FloatArray) -> None:
    """Lower `gap` to the time until the next vehicle is on a crosswalk, or near it, on a straight way ahead.

    Args:
        crosswalks: the areas.
        body: `BodyTable.floats`, writable; it is only read.
        vehicles: how many of its first rows are vehicles.
        gap: `(K,)` in and out [s].
    """
    crosswalks, body, gap = bare(crosswalks), bare(body), bare(gap)
    circle = crosswalks.circle
    for v in range(vehicles):
        x, y, half_length = body[_BODY.x, v], body[_BODY.y, v], body[_BODY.half_length, v]
        speed = math.hypot(body[_BODY.velocity_x, v], body[_BODY.velocity_y, v])
        if not speed > MIN_MOVING_SPEED:
            continue
        way_x, way_y = body[_BODY.velocity_x, v] / speed, body[_BODY.velocity_y, v] / speed
        for k in range(circle.shape[0]):
            gap_x, gap_y, radius = circle[k, 0] - x, circle[k, 1] - y, circle[k, 2]
            along = gap_x * way_x + gap_y * way_y
            if abs(gap_x * way_y - gap_y * way_x) >= radius or along <= -radius:
                continue
            begin, end = way_to_area(crosswalks, k, x, y, way_x, way_y)
            if begin == math.inf:
                # it passes by the corner, but may turn
                begin, end = along - radius, along + radius
            left = max(begin - half_length, 0.0)
            delay = 0.0 if speed < STOPPING_VEHICLE_SPEED else DRIVER_REACTION_TIME
            yields = speed * speed <= 2.0 * DRIVER_DECELERATION * (left - delay * speed)
            if end + half_length > 0.0 and not yields:
                gap[k] = min(gap[k], left / speed)
