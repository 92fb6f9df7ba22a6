"""Finds the time until a vehicle is at a crosswalk."""

from __future__ import annotations

import math

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel

STANDING = 0.3
"""A vehicle slower than this [m/s] stands: it lets people cross."""
STOPPING, REACTION = 3.5, 1.0
"""A vehicle that can stop before the crosswalk with this deceleration [m/s²], after this time [s], lets people cross
too: its driver must (Road Traffic Act of Korea, article 27). A pedestrian still looks, and stops before a vehicle that
does not stop."""
SLOW = 5.0
"""A vehicle slower than this [m/s] is taken to be stopping, and needs no time to react."""


@inner_kernel
def way_to_area(
    first: IntArray, corner: FloatArray, k: int, x: float, y: float, way_x: float, way_y: float
) -> tuple[float, float]:
    """Where a straight way ahead comes into an area and leaves it [m]; infinite and minus infinite if it passes by."""
    begin, end = math.inf, -math.inf
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
def find_gaps(
    first: IntArray,
    corner: FloatArray,
    circle: FloatArray,
    x: FloatArray,
    y: FloatArray,
    velocity_x: FloatArray,
    velocity_y: FloatArray,
    half_length: FloatArray,
    gap: FloatArray,
) -> None:
    """Lower `gap` to the time until the next vehicle is on a crosswalk, or near it, on a straight way ahead.

    Args:
        first: `(K + 1,)` first corner of each area, read-only.
        corner: `(P, 3)` corners of the areas in map [m], read-only.
        circle: `(K, 3)` x, y and radius of a circle around each, in map [m], read-only.
        x: `(V,)` middles of vehicles in map [m], writable as all that follow.
        y: likewise.
        velocity_x: `(V,)` in map [m/s].
        velocity_y: likewise.
        half_length: `(V,)` from their middles to their bumpers [m].
        gap: `(K,)` in and out [s].
    """
    first, corner, circle, gap = bare(first), bare(corner), bare(circle), bare(gap)
    for v in range(x.shape[0]):
        speed = math.hypot(velocity_x[v], velocity_y[v])
        if not speed > STANDING:
            continue
        way_x, way_y = velocity_x[v] / speed, velocity_y[v] / speed
        for k in range(circle.shape[0]):
            gap_x, gap_y, radius = circle[k, 0] - x[v], circle[k, 1] - y[v], circle[k, 2]
            along = gap_x * way_x + gap_y * way_y
            if abs(gap_x * way_y - gap_y * way_x) >= radius or along <= -radius:
                continue
            begin, end = way_to_area(first, corner, k, x[v], y[v], way_x, way_y)
            if begin == math.inf:
                # it passes by the corner, but may turn
                begin, end = along - radius, along + radius
            left = max(begin - half_length[v], 0.0)
            delay = 0.0 if speed < SLOW else REACTION
            yields = speed * speed <= 2.0 * STOPPING * (left - delay * speed)
            if end + half_length[v] > 0.0 and not yields:
                gap[k] = min(gap[k], left / speed)
