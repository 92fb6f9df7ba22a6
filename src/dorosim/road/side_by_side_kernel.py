"""Feet of places on one lane on the lane beside, for many pairs of lanes; see `dorosim.road.side_by_side`."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FloatArray, IntArray

MAX_LANE_SPACING = 8.0
"""Lanes whose middles are farther apart than this are not side by side [m]: two of the widest, and a painted island."""

_LEVELS = 3.0
"""Lanes with more height than this between them are on different levels [m]."""

_ALIKE = math.cos(math.radians(45.0))
"""Cosine of the angle between lanes up to which they run the same way."""

_MIN_RATE, _MAX_RATE = 0.4, 2.5
"""Way on the one lane for each metre on the other: outside of this they do not run side by side."""

_ROUNDING = 1e-6
"""A foot may lie this far beyond the end of a lane [m]."""


@inner_kernel
def foot_in_cell(
    points: FloatArray, tangent: FloatArray, place: FloatArray, row: int, cell: int, u: float
) -> tuple[float, float]:
    """The fraction of a segment at which its tangent is square to the way to a place, and how far off that is [m].

    Infinitely far where the lane does not run beside the place there. `u`: where the search begins.
    """
    j = cell + 1
    chord_x, chord_y = points[j, 0] - points[cell, 0], points[j, 1] - points[cell, 1]
    turn_x, turn_y = tangent[j, 0] - tangent[cell, 0], tangent[j, 1] - tangent[cell, 1]
    away_x, away_y = place[0, row] - points[cell, 0], place[1, row] - points[cell, 1]
    for _ in range(3):
        left_x, left_y = away_x - u * chord_x, away_y - u * chord_y
        x, y = tangent[cell, 0] + u * turn_x, tangent[cell, 1] + u * turn_y
        slope = (left_x * turn_x + left_y * turn_y) - (chord_x * x + chord_y * y)
        miss = left_x * x + left_y * y
        u = min(max(u - (miss / slope if slope < 0.0 else 0.0), 0.0), 1.0)
    left_x, left_y = away_x - u * chord_x, away_y - u * chord_y
    left_z = (place[2, row] - points[cell, 2]) - u * (points[j, 2] - points[cell, 2])
    x, y = tangent[cell, 0] + u * turn_x, tangent[cell, 1] + u * turn_y
    along = (x * place[3, row] + y * place[4, row]) / max(math.hypot(x, y), 1e-12)
    aside = math.hypot(left_x, left_y)
    good = along >= _ALIKE and aside <= MAX_LANE_SPACING and abs(left_z) <= _LEVELS
    return u, (aside if good else math.inf)


@kernel
def find_feet(
    points: FloatArray,
    tangent: FloatArray,
    arc: FloatArray,
    first: IntArray,
    lane: IntArray,
    at_first: IntArray,
    place: FloatArray,
    product_first: IntArray,
    product: FloatArray,
    foot: FloatArray,
) -> None:
    """Write the feet of places on lanes as arc lengths [m]; NaN where the lane is not beside the place.

    Args:
        points: of `Polylines`.
        tangent: likewise.
        arc: likewise.
        first: likewise.
        lane: `(R,)` lanes on which feet are wanted.
        at_first: `(R + 1,)` where the places of each begin in `place`.
        place: `(6, N)` as of `find_poses`.
        product_first: `(R,)` where the products of each begin in `product`.
        product: places times the tangents at the points of their lane, place by place.
        foot: `(N,)` written.
    """
    points, tangent, arc, place, product = bare(points), bare(tangent), bare(arc), bare(place), bare(product)
    for request in range(lane.shape[0]):
        start, end = first[lane[request]], first[lane[request] + 1]
        count, base = end - start, product_first[request]
        corner = np.empty(count)
        for i in range(count):
            corner[i] = points[start + i, 0] * tangent[start + i, 0] + points[start + i, 1] * tangent[start + i, 1]
        for row in range(at_first[request], at_first[request + 1]):
            at = base + (row - at_first[request]) * count
            nearest, foot[row] = math.inf, math.nan
            for i in range(count - 1):
                ahead, beyond = product[at + i] - corner[i], product[at + i + 1] - corner[i + 1]
                if not (ahead >= -_ROUNDING and beyond <= _ROUNDING):
                    continue
                span = ahead - beyond
                u = min(max(ahead / (span if span > 0.0 else 1.0), 0.0), 1.0)
                u, aside = foot_in_cell(points, tangent, place, row, start + i, u)
                if aside <= nearest and aside < math.inf:
                    nearest = aside
                    foot[row] = arc[start + i] + u * (arc[start + i + 1] - arc[start + i])


@kernel
def find_longest_runs(at_first: IntArray, at: FloatArray, foot: FloatArray) -> IntArray:
    """`(2, R)` first and last of the longest run of places whose feet advance as the places do; equal for none.

    Args:
        at_first: `(R + 1,)` where the places of each request begin in `at`.
        at: `(N,)` arc lengths, ascending in each request [m].
        foot: `(N,)` feet [m].
    """
    requests = at_first.shape[0] - 1
    found = np.zeros((2, requests), np.int64)
    for request in range(requests):
        base = at_first[request]
        begin, longest = 0, 0
        for i in range(at_first[request + 1] - base - 1):
            j = base + i
            rate = (foot[j + 1] - foot[j]) / max(at[j + 1] - at[j], 1e-12)
            if not (rate >= _MIN_RATE and rate <= _MAX_RATE):
                begin = i + 1
            elif i + 1 - begin > longest:
                longest = i + 1 - begin
                found[0, request], found[1, request] = begin, i + 1
    return found
