"""Single places on roads from their analytic lines, as kernels; see `dorosim.road.opendrive.course_tables`.

The same figures as of `dorosim.road.opendrive.lane_line`, which takes many places at once. Python asks
`dorosim.road.opendrive.road_course`, which calls these, so that both have the same bits.
"""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.opendrive.course_tables import (
    GEOMETRY_ENTRIES,
    LANE_ENTRIES,
    ROAD_ENTRIES,
    SECTION_ENTRIES,
    CourseEntry,
    CourseGeometryEntry,
    CourseLaneEntry,
    CourseSectionEntry,
    CurveKind,
)

_SPIRAL_NODES, _SPIRAL_WEIGHTS = np.polynomial.legendre.leggauss(12)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)
"""Of a piece of a polynomial, a 64th of it: exact to rounding."""
_MAX_STEPS = 6
_CLOSE = 1e-13
_MIN_CHANGE = 1e-12
_STRAIGHT = 1e-9
"""A turn less than this is that of a straight line [rad]."""
_MIN_SCALE = 1e-3
"""Where a place lies near the centre of a curve, the length per s is taken to be this."""
_MAX_SLOPE = 1.5
"""A road that stands steeper than this [rad] is taken to be so steep, since its tangent has to stay finite."""
_CURVE = 6
"""So many floats of a geometry come before those of its curve."""

Quad = tuple[float, float, float, float]


@inner_kernel
def piece_at(floats: FloatArray, at: int, count: int, value: float) -> int:
    """Index of the last of `count` rising numbers from `at` on that is not above a value; 0 if all are."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if value < floats[at + middle]:
            high = middle
        else:
            low = middle + 1
    return max(low - 1, 0)


@inner_kernel
def profile_at(floats: FloatArray, ints: IntArray, entry: int, s: float) -> tuple[float, float]:
    """Value and derivative of a profile at a place [m]; the first piece counts before its start too, and none is 0.

    Args:
        floats: of `CourseTables`.
        ints: the same.
        entry: of the profile among the ints.
        s: along the road [m].
    """
    at, count = ints[entry], ints[entry + 1]
    if count == 0:
        return 0.0, 0.0
    piece = piece_at(floats, at, count, s)
    ds, first = s - floats[at + piece], at + count + 4 * piece
    a, b, c, d = floats[first], floats[first + 1], floats[first + 2], floats[first + 3]
    return a + ds * (b + ds * (c + ds * d)), b + ds * (2.0 * c + ds * 3.0 * d)


@inner_kernel
def _arc(floats: FloatArray, at: int, ds: float) -> Quad:
    """u, v [m], turn from the first heading [rad] and curvature [1/m] of a line or an arc."""
    curvature = floats[at]
    turn = ds * curvature
    if abs(turn) < _STRAIGHT:
        return ds, ds * turn / 2.0, turn, curvature
    return math.sin(turn) / curvature, (1.0 - math.cos(turn)) / curvature, turn, curvature


@inner_kernel
def _spiral(floats: FloatArray, at: int, pieces: int, ds: float) -> Quad:
    """The same of a spiral: sums at the ends of its pieces, and an integral from there on."""
    start, rate, ends = floats[at], floats[at + 1], at + 2
    sums = ends + pieces + 1
    ds = min(max(ds, 0.0), floats[ends + pieces])
    piece = min(piece_at(floats, ends, pieces + 1, ds), pieces - 1)
    low = floats[ends + piece]
    half = (ds - low) / 2.0
    u, v = floats[sums + 2 * piece], floats[sums + 2 * piece + 1]
    for index in range(len(_SPIRAL_NODES)):
        along = low + half * (_SPIRAL_NODES[index] + 1.0)
        heading = along * (start + along * (rate / 2.0))
        u += half * _SPIRAL_WEIGHTS[index] * math.cos(heading)
        v += half * _SPIRAL_WEIGHTS[index] * math.sin(heading)
    return u, v, ds * (start + ds * (rate / 2.0)), start + rate * ds


@inner_kernel
def _length_per_p(floats: FloatArray, at: int, p: float) -> float:
    """Length of a polynomial per its parameter; u's coefficients are at `at`, v's after them."""
    du = floats[at + 1] + p * (2.0 * floats[at + 2] + 3.0 * p * floats[at + 3])
    dv = floats[at + 5] + p * (2.0 * floats[at + 6] + 3.0 * p * floats[at + 7])
    return math.sqrt(du * du + dv * dv)


@outlined_kernel
def _polynomial(floats: FloatArray, at: int, pieces: int, ds: float) -> Quad:
    """The same of a curve of cubics, whose parameter is found by its length: Newton's method in a piece."""
    values, ends = at + 1, at + 9
    sums = ends + pieces + 1
    target = min(max(ds * floats[at], 0.0), floats[sums + pieces])
    piece = min(piece_at(floats, sums, pieces + 1, target), pieces - 1)
    low, high, before = floats[ends + piece], floats[ends + piece + 1], floats[sums + piece]
    rest = target - before
    p = low + (high - low) * rest / max(floats[sums + piece + 1] - before, _MIN_CHANGE)
    for _ in range(_MAX_STEPS):
        half = (p - low) / 2.0
        length = 0.0
        for index in range(len(_NODES)):
            length += _WEIGHTS[index] * _length_per_p(floats, values, low + half * (_NODES[index] + 1.0))
        change = (half * length - rest) / max(_length_per_p(floats, values, p), _MIN_CHANGE)
        p = min(max(p - change, low), high)
        if abs(change) < _CLOSE * high:
            break
    a, b, c, d = floats[values], floats[values + 1], floats[values + 2], floats[values + 3]
    e, f, g, h = floats[values + 4], floats[values + 5], floats[values + 6], floats[values + 7]
    du, dv = b + p * (2.0 * c + 3.0 * p * d), f + p * (2.0 * g + 3.0 * p * h)
    ddu, ddv = 2.0 * c + 6.0 * p * d, 2.0 * g + 6.0 * p * h
    speed = math.sqrt(du * du + dv * dv)
    curvature = (du * ddv - dv * ddu) / (speed * speed * speed) if speed > _MIN_CHANGE else 0.0
    return a + p * (b + p * (c + p * d)), e + p * (f + p * (g + p * h)), math.atan2(dv, du), curvature


@outlined_kernel
def line_at(floats: FloatArray, ints: IntArray, road: int, s: float) -> Quad:
    """x, y in map [m], heading [rad] and curvature [1/m] of a road's reference line at a place [m]."""
    entry = road * ROAD_ENTRIES
    number = piece_at(floats, ints[entry + CourseEntry.GEOMETRY_STARTS], ints[entry + CourseEntry.GEOMETRY_COUNT], s)
    geometry = ints[entry + CourseEntry.GEOMETRIES] + number * GEOMETRY_ENTRIES
    at, pieces = ints[geometry + CourseGeometryEntry.FLOATS], ints[geometry + CourseGeometryEntry.PIECES]
    kind, ds = ints[geometry + CourseGeometryEntry.KIND], s - floats[at]
    if kind == CurveKind.ARC:
        u, v, turn, curvature = _arc(floats, at + _CURVE, ds)
    elif kind == CurveKind.SPIRAL:
        u, v, turn, curvature = _spiral(floats, at + _CURVE, pieces, ds)
    else:
        u, v, turn, curvature = _polynomial(floats, at + _CURVE, pieces, ds)
    x, y, heading, cosine, sine = floats[at + 1], floats[at + 2], floats[at + 3], floats[at + 4], floats[at + 5]
    return x + u * cosine - v * sine, y + u * sine + v * cosine, heading + turn, curvature


@inner_kernel
def scale_at(curvature: float, t: float) -> float:
    """Length along a line at t per length along the reference line."""
    return max(1.0 - curvature * t, _MIN_SCALE)


@inner_kernel
def length_of(floats: FloatArray, ints: IntArray, road: int) -> float:
    """Length of a road [m]."""
    return float(floats[ints[road * ROAD_ENTRIES + CourseEntry.LENGTH]])


@inner_kernel
def section_at(floats: FloatArray, ints: IntArray, road: int, s: float) -> int:
    """Index of the lane section at a place [m]; that which starts there, at a border of two."""
    entry = road * ROAD_ENTRIES
    return piece_at(floats, ints[entry + CourseEntry.SECTION_STARTS], ints[entry + CourseEntry.SECTION_COUNT], s)


@inner_kernel
def _section(floats: FloatArray, ints: IntArray, road: int, s: float) -> int:
    """The entries of the lane section at a place."""
    return int(ints[road * ROAD_ENTRIES + CourseEntry.SECTIONS]) + section_at(floats, ints, road, s) * SECTION_ENTRIES


@inner_kernel
def edge_at(floats: FloatArray, ints: IntArray, lane: int, s: float, inner: float, slope: float) -> tuple[float, float]:
    """The outer border of a lane and its change by s, from the inner one; `lane` is its place among the ints."""
    side = 1.0 if ints[lane + CourseLaneEntry.ID] > 0 else -1.0
    if ints[lane + CourseLaneEntry.WIDTH + 1] or not ints[lane + CourseLaneEntry.BORDER + 1]:
        width, change = profile_at(floats, ints, lane + CourseLaneEntry.WIDTH, s)
        return inner + side * width, slope + side * change
    border, change = profile_at(floats, ints, lane + CourseLaneEntry.BORDER, s)
    sign = -side if border < 0.0 else side
    return sign * border, sign * change


@outlined_kernel
def middle_at(floats: FloatArray, ints: IntArray, road: int, s: float, lane: int) -> tuple[bool, float, float, float]:
    """The middle of a lane: whether it is there, t [m], its change by s, and its width [m].

    That of lane 0 is the line between left and right.
    """
    entry = road * ROAD_ENTRIES
    if ints[entry + CourseEntry.SECTION_COUNT] == 0:
        return False, 0.0, 0.0, 0.0
    inner, slope = profile_at(floats, ints, entry + CourseEntry.LANE_OFFSET, s)
    if lane == 0:
        return True, inner, slope, 0.0
    side = _section(floats, ints, road, s) + (CourseSectionEntry.LEFT if lane > 0 else CourseSectionEntry.RIGHT)
    for number in range(ints[side + 1]):
        one = ints[side] + number * LANE_ENTRIES
        outer, change = edge_at(floats, ints, one, s, inner, slope)
        if ints[one + CourseLaneEntry.ID] == lane:
            return True, (inner + outer) / 2.0, (slope + change) / 2.0, abs(outer - inner)
        inner, slope = outer, change
    return False, 0.0, 0.0, 0.0


@outlined_kernel
def edges_at(floats: FloatArray, ints: IntArray, road: int, s: float) -> tuple[float, float]:
    """The right and the left edge of a road at a place, to the left of the reference line [m]."""
    section = _section(floats, ints, road, s)
    right, slope = profile_at(floats, ints, road * ROAD_ENTRIES + CourseEntry.LANE_OFFSET, s)
    left, change = right, slope
    for number in range(ints[section + CourseSectionEntry.RIGHT_COUNT]):
        right, slope = edge_at(
            floats, ints, ints[section + CourseSectionEntry.RIGHT] + number * LANE_ENTRIES, s, right, slope
        )
    for number in range(ints[section + CourseSectionEntry.LEFT_COUNT]):
        left, change = edge_at(
            floats, ints, ints[section + CourseSectionEntry.LEFT] + number * LANE_ENTRIES, s, left, change
        )
    return right, left


@outlined_kernel
def lane_at(floats: FloatArray, ints: IntArray, road: int, s: float, t: float) -> int:
    """Id of the lane at a place; 0 if the road has no lane.

    Borders and kerbs are no lanes to be on: there, and beyond the edge of the road, it is the lane whose middle is
    nearest.
    """
    best, nearest = 0, math.inf
    first, change = profile_at(floats, ints, road * ROAD_ENTRIES + CourseEntry.LANE_OFFSET, s)
    section = _section(floats, ints, road, s)
    for side in range(section, section + SECTION_ENTRIES, 2):
        inner, slope = first, change
        for number in range(ints[side + 1]):
            one = ints[side] + number * LANE_ENTRIES
            outer, slope = edge_at(floats, ints, one, s, inner, slope)
            if ints[one + CourseLaneEntry.IS_LANE] and outer != inner:
                if min(inner, outer) <= t <= max(inner, outer):
                    return int(ints[one + CourseLaneEntry.ID])
                away = abs(t - (inner + outer) / 2.0)
                if away < nearest:
                    best, nearest = ints[one + CourseLaneEntry.ID], away
            inner = outer
    return best


@outlined_kernel
def lift_at(floats: FloatArray, ints: IntArray, road: int, s: float, t: float) -> float:
    """How far the lane at a place lies over the road [m]."""
    lane = lane_at(floats, ints, road, s, t)
    side = _section(floats, ints, road, s) + (CourseSectionEntry.LEFT if lane > 0 else CourseSectionEntry.RIGHT)
    inner, slope = profile_at(floats, ints, road * ROAD_ENTRIES + CourseEntry.LANE_OFFSET, s)
    for number in range(ints[side + 1]):
        one = ints[side] + number * LANE_ENTRIES
        outer, change = edge_at(floats, ints, one, s, inner, slope)
        if ints[one + CourseLaneEntry.ID] == lane:
            low, _ = profile_at(floats, ints, one + CourseLaneEntry.INNER_HEIGHT, s)
            high, _ = profile_at(floats, ints, one + CourseLaneEntry.OUTER_HEIGHT, s)
            share = (t - inner) / (outer - inner) if outer != inner else 0.5
            return low + (high - low) * min(max(share, 0.0), 1.0)
        inner, slope = outer, change
    return 0.0


@outlined_kernel
def surface_at(floats: FloatArray, ints: IntArray, road: int, s: float, t: float) -> tuple[float, float, float]:
    """Height [m], pitch and roll [rad] of a road beside its reference line, by its profiles alone.

    A road with shapes or strips (`CourseEntry.IS_SHAPED`) has a further height.
    """
    entry = road * ROAD_ENTRIES
    z, grade = profile_at(floats, ints, entry + CourseEntry.ELEVATION, s)
    roll, height = 0.0, 0.0
    if ints[entry + CourseEntry.SUPERELEVATION + 1]:
        roll, _ = profile_at(floats, ints, entry + CourseEntry.SUPERELEVATION, s)
        roll = min(max(roll, -_MAX_SLOPE), _MAX_SLOPE)
        height = math.tan(roll) * t
    fall = entry + (CourseEntry.LEFT_CROSSFALL if t > 0.0 else CourseEntry.RIGHT_CROSSFALL)
    if ints[fall + 1]:
        slope, _ = profile_at(floats, ints, fall, s)
        height -= math.tan(min(max(slope, -_MAX_SLOPE), _MAX_SLOPE)) * abs(t)
    z += height
    if ints[entry + CourseEntry.IS_RAISED]:
        z += lift_at(floats, ints, road, s, t)
    return z, -math.atan(grade), roll


@inner_kernel
def pose_at(
    floats: FloatArray, ints: IntArray, road: int, s: float, t: float
) -> tuple[float, float, float, float, float, float]:
    """A place beside the reference line, on the road: x, y, z in map [m], heading, pitch, roll [rad]."""
    x, y, heading, _ = line_at(floats, ints, road, s)
    z, pitch, roll = surface_at(floats, ints, road, s, t)
    return x - t * math.sin(heading), y + t * math.cos(heading), z, heading, pitch, roll
