"""Finds the points of the courses of all lanes; see `dorosim.world.traffic.course`."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel, outlined_kernel
from dorosim.ground.search_kernel import first_beyond

FLAT = 0.01
"""The course leaves the map's line by at most this [m]."""

FINEST = 0.25
"""Points of a course are at least this far apart [m]."""

CORNER = 2.0
"""A segment that does not point where the tangents at its ends do turns to them over at most this far [m]."""

MAX_HERMITE_OFFSET = 4.0 / 27.0
"""How far a Hermite curve leaves its chord at most, over its length times the slope at one end against the chord."""


@inner_kernel
def cell_of(knot: FloatArray, count: int, at: float) -> int:
    """The last of the first `count` ascending knots that is not beyond a place; one that another follows."""
    return min(max(first_beyond(knot, 0, count, at) - 1, 0), count - 2)


@outlined_kernel
def interpolated(at: float, knot: FloatArray, value: FloatArray, count: int) -> float:
    """As `np.interp` of one place, to the bit."""
    if at >= knot[count - 1]:
        return float(value[count - 1])
    if at <= knot[0]:
        return float(value[0])
    i = cell_of(knot, count, at)
    if knot[i] == at:
        return float(value[i])
    slope = (value[i + 1] - value[i]) / (knot[i + 1] - knot[i])
    return float(slope * (at - knot[i]) + value[i])


@outlined_kernel
def hermite(at: float, knot: FloatArray, curve: FloatArray, count: int) -> tuple[float, float, float, float]:
    """Point and slope at a place of the cubic Hermite curve through points with slopes at ascending knots.

    `curve` is `(n, 4)` x, y and their slopes.
    """
    i = cell_of(knot, count, at)
    span = knot[i + 1] - knot[i]
    u = (at - knot[i]) / span
    rest = 1.0 - u
    chord_x, chord_y = curve[i + 1, 0] - curve[i, 0], curve[i + 1, 1] - curve[i, 1]
    first_x, first_y = curve[i, 2] * span - chord_x, curve[i, 3] * span - chord_y
    last_x, last_y = chord_x - curve[i + 1, 2] * span, chord_y - curve[i + 1, 3] * span
    bulge_x, bulge_y = rest * first_x + u * last_x, rest * first_y + u * last_y
    share, lean = u * rest, 1.0 - 2.0 * u
    return (
        curve[i, 0] + u * chord_x + share * bulge_x,
        curve[i, 1] + u * chord_y + share * bulge_y,
        (chord_x + lean * bulge_x + share * (last_x - first_x)) / span,
        (chord_y + lean * bulge_y + share * (last_y - first_y)) / span,
    )


@outlined_kernel
def parts_of_segment(points: FloatArray, arc: FloatArray, slope: FloatArray, i: int) -> int:
    """Into how many parts a segment is cut, so that it stays straight but for its ends; 0 for one without length."""
    span = arc[i + 1] - arc[i]
    if not span > 0.0:
        return 0
    along_x, along_y = (points[i + 1, 0] - points[i, 0]) / span, (points[i + 1, 1] - points[i, 1]) / span
    x, y = slope[i, 0] - along_x, slope[i, 1] - along_y
    u, v = slope[i + 1, 0] - along_x, slope[i + 1, 1] - along_y
    off = math.sqrt(x * x + y * y) + math.sqrt(u * u + v * v)
    return math.ceil(span / CORNER) if MAX_HERMITE_OFFSET * off * span > FLAT else 1


@outlined_kernel
def straightened(
    points: FloatArray, arc: FloatArray, slope: FloatArray, first: int, end: int
) -> tuple[FloatArray, FloatArray, int]:
    """Arc lengths and `(n, 4)` points with slopes of a polyline whose long segments stay straight but for their ends.

    Where a long straight segment meets a bend, the tangent that they share would bend all of it.
    """
    count = 1
    for i in range(first, end - 1):
        count += parts_of_segment(points, arc, slope, i)
    knot, curve = np.empty(count), np.empty((count, 4))
    at = 0
    for i in range(first, end - 1):
        parts = parts_of_segment(points, arc, slope, i)
        span = arc[i + 1] - arc[i]
        for part in range(parts):
            along_x, along_y = (points[i + 1, 0] - points[i, 0]) / span, (points[i + 1, 1] - points[i, 1]) / span
            way = span * (part / parts)
            knot[at] = arc[i] + way
            curve[at, 0], curve[at, 1] = points[i, 0] + way * along_x, points[i, 1] + way * along_y
            curve[at, 2] = slope[i, 0] if part == 0 else along_x
            curve[at, 3] = slope[i, 1] if part == 0 else along_y
            at += 1
    knot[at] = arc[end - 1]
    curve[at, 0], curve[at, 1] = points[end - 1, 0], points[end - 1, 1]
    curve[at, 2], curve[at, 3] = slope[end - 1, 0], slope[end - 1, 1]
    return knot, curve, count


@inner_kernel
def fits(
    knot: FloatArray,
    curve: FloatArray,
    count: int,
    at: FloatArray,
    even: FloatArray,
    cells: int,
) -> bool:
    """Whether the curve through even points keeps within `FLAT` of another, at its knots and between them."""
    for i in range(2 * count - 1):
        probe = knot[i // 2] if i % 2 == 0 else 0.5 * (knot[i // 2 + 1] + knot[i // 2])
        x, y, _, _ = hermite(probe, knot, curve, count)
        u, v, _, _ = hermite(probe, at, even, cells + 1)
        if not (abs(u - x) < FLAT and abs(v - y) < FLAT):
            return False
    return True


@inner_kernel
def fill(
    arc: FloatArray,
    level: FloatArray,
    knot: FloatArray,
    curve: FloatArray,
    count: int,
    at: FloatArray,
    even: FloatArray,
    height: FloatArray,
    cells: int,
) -> None:
    """Write arc lengths, points with slopes, and heights of the course of one lane with so many cells."""
    length = arc[arc.shape[0] - 1]
    step = length / cells
    for i in range(cells + 1):
        at[i] = length if i == cells else i * step
        even[i, 0], even[i, 1], even[i, 2], even[i, 3] = hermite(at[i], knot, curve, count)
        height[i] = interpolated(at[i], arc, level, arc.shape[0])


@inner_kernel
def keeps_height(arc: FloatArray, level: FloatArray, at: FloatArray, height: FloatArray, cells: int) -> bool:
    """Whether heights interpolated between even points keep within `FLAT` of those of the map's points."""
    for i in range(arc.shape[0]):  # noqa: SIM110 - numba knows no generators
        if not abs(interpolated(arc[i], at, height, cells + 1) - level[i]) < FLAT:
            return False
    return True


@kernel
def find_courses(
    points: FloatArray, arc: FloatArray, slope: FloatArray, first: IntArray, counts: IntArray
) -> FloatArray:
    """The courses of all lanes, end to end: `(P, 5)` of `CoursePoint`.

    Args:
        points: `(N, 3)` of the map's lines [m].
        arc: `(N,)` arc lengths of these on their lane [m].
        slope: `(N, 2)` how far x and y get for each metre of the way there.
        first: `(L + 1,)` first point of each lane.
        counts: `(L,)` written: how many points its course has.
    """
    found, used = np.empty((4 * max(counts.shape[0], 1), 5)), 0
    for lane in range(counts.shape[0]):
        begin, end = first[lane], first[lane + 1]
        length = arc[end - 1]
        flat = not length > 0.0
        own, level = arc[begin:end].copy(), points[begin:end, 2].copy()
        knot, curve, count = straightened(points, arc, slope, begin, end)
        most, cells = max(int(length / FINEST), 1), 1
        at, even, height = np.empty(2), np.zeros((2, 4)), np.empty(2)
        while not flat:
            at, even, height = np.empty(cells + 1), np.empty((cells + 1, 4)), np.empty(cells + 1)
            fill(own, level, knot, curve, count, at, even, height, cells)
            if cells >= most:
                break
            if fits(knot, curve, count, at, even, cells) and keeps_height(own, level, at, height, cells):
                break
            cells *= 2
        if flat:
            for i, row in enumerate((begin, end - 1)):
                even[i, 0], even[i, 1], height[i] = points[row, 0], points[row, 1], points[row, 2]
        while used + cells + 1 > found.shape[0]:
            grown = np.empty((2 * found.shape[0], 5))
            grown[:used] = found[:used]
            found = grown
        step = length / cells
        for i in range(cells + 1):
            found[used, 0], found[used, 1], found[used, 2] = even[i, 0], even[i, 1], height[i]
            found[used, 3], found[used, 4] = (0.0, 0.0) if flat else (even[i, 2] * step, even[i, 3] * step)
            used += 1
        counts[lane] = cells + 1
    return found[:used].copy()
