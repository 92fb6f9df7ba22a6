"""Boxes of entities in plan: corners, overlap, gaps; formulas for all callers.

A box is given by its middle from the origin, length and width [m]; corners go round from the front left.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.world.storyboard.vector_kernel import planar_length

CORNERS = 4


@inner_kernel
def corner_of(
    x: float, y: float, heading: float, box: tuple[float, float, float, float], number: int
) -> tuple[float, float]:
    """A corner of a box in the map [m]."""
    along = 1.0 if number in (0, 3) else -1.0
    across = 1.0 if number < 2 else -1.0
    u, v = box[0] + along * box[2] / 2.0, box[1] + across * box[3] / 2.0
    cosine, sine = math.cos(heading), math.sin(heading)
    return x + u * cosine - v * sine, y + u * sine + v * cosine


@inner_kernel
def box_corners(x: float, y: float, heading: float, box: tuple[float, float, float, float]) -> FloatArray:
    """The corners `(4, 2)` of a box in the map [m]."""
    found = np.empty((CORNERS, 2))
    for number in range(CORNERS):
        found[number, 0], found[number, 1] = corner_of(x, y, heading, box, number)
    return found


@inner_kernel
def interval_gap(low: float, high: float, other_low: float, other_high: float) -> float:
    """The gap between two intervals, negative where the other one lies before, 0 where they meet."""
    if other_low > high:
        return other_low - high
    if other_high < low:
        return other_high - low
    return 0.0


@outlined_kernel
def do_overlap(one: FloatArray, other: FloatArray) -> bool:
    """Whether two rectangles `(4, 2)` overlap, by the axes of their sides."""
    for outline in (one, other):
        for at in range(CORNERS):
            after = (at + 1) % CORNERS
            nx, ny = outline[after, 1] - outline[at, 1], outline[at, 0] - outline[after, 0]
            low, high, other_low, other_high = math.inf, -math.inf, math.inf, -math.inf
            for corner in range(CORNERS):
                mine = one[corner, 0] * nx + one[corner, 1] * ny
                theirs = other[corner, 0] * nx + other[corner, 1] * ny
                low, high = min(low, mine), max(high, mine)
                other_low, other_high = min(other_low, theirs), max(other_high, theirs)
            if high < other_low or other_high < low:
                return False
    return True


@inner_kernel
def length_to_edge(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The distance from a point to a straight edge from a to b [m]."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    share = 0.0 if length == 0.0 else ((x - ax) * dx + (y - ay) * dy) / length
    share = min(max(share, 0.0), 1.0)
    return planar_length(x - ax - share * dx, y - ay - share * dy)


@outlined_kernel
def outline_gap(one: FloatArray, other: FloatArray) -> float:
    """The distance between two rectangles `(4, 2)` [m], 0 where they overlap."""
    if do_overlap(one, other):
        return 0.0
    least = math.inf
    for points, edges in ((one, other), (other, one)):
        for point in range(CORNERS):
            for at in range(CORNERS):
                after = (at + 1) % CORNERS
                away = length_to_edge(
                    points[point, 0], points[point, 1], edges[at, 0], edges[at, 1], edges[after, 0], edges[after, 1]
                )
                least = min(least, away)
    return least
