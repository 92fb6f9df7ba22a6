"""Points at even steps on all lanes, and how far long bodies swing out of their lanes there.

The headings of lanes are calculated here but for rounding, so what room bodies need is known between bounds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FloatArray, IntArray
from dorosim.road.polyline_kernel import segment_at

CONFLICT_DISTANCE = 2.8
"""Centre lines closer than this conflict [m]: the width of a bus (2.5 m) and a margin, less than two lanes side by
side are apart (3.0 m)."""

SWING = 9.0
"""How far a long body swings out of its lane in a curve, times the radius [m²]: 12^2 / 16 for a bus of 12 m that is led
as evenly as possible (see `GUIDE` in `dorosim.world.traffic.move_kernel`)."""

MAX_SWING = 2.0
"""It does not swing out farther than this [m]."""

CHORD_HALF = 2.5
"""A lane's curvature is that of a chord of twice this [m]."""

ALONG_BODY = (-4.0, -2.0, 0.0, 2.0, 4.0)
"""A body swings out as the bends this far before and behind make it [m], since it is stiff."""

NEGLIGIBLE_SWING = 0.25
"""Lanes are straight as far as bodies swing out by less than this in them [m]."""

_WINDOW = 6.5
"""Bends farther than this from a point do not matter to it [m]: half a chord beyond the end of a body."""

_SMALL_TURN = 0.5
"""A tangent that turns by less than this from point to point does so nearly evenly [rad]."""

_UNEVEN = 1.05
"""It turns no faster than this times the mean."""

_UNKNOWN = 1e-9
"""Swings are known to this at least, where they are not calculated in the very order that counts [m]."""


class LaneSamples(NamedTuple):
    """Points on all lanes for vehicles, lane by lane.

    Attributes:
        first: `(L + 1,)` where those of each link begin.
        link: `(P,)` of each.
        s: `(P,)` arc lengths, ascending on each link [m].
        point: `(P, 3)` in map [m].
        low, high: `(P,)` least and greatest half of the room that bodies may need there [m].
    """

    first: IntArray
    link: IntArray
    s: FloatArray
    point: FloatArray
    low: FloatArray
    high: FloatArray


@inner_kernel
def toward_near(
    tangent: FloatArray, arc: FloatArray, run: FloatArray, start: int, last: int, s: float
) -> tuple[float, float]:
    """The direction of a line at an arc length, of any length, but for rounding; of almost none where it turns back."""
    segment, fraction = segment_at(arc, run, start, last, s)
    x = (1.0 - fraction) * tangent[segment, 0] + fraction * tangent[segment + 1, 0]
    y = (1.0 - fraction) * tangent[segment, 1] + fraction * tangent[segment + 1, 1]
    return x, y


@inner_kernel
def turn_between(x: float, y: float, u: float, v: float) -> float:
    """The angle from one direction to another, but for rounding, -pi to pi [rad]."""
    across, along = x * v - y * u, x * u + y * v
    return 0.0 if across == 0.0 and along > 0.0 else math.atan2(across, along)


@inner_kernel
def turn_within(
    bend: FloatArray, arc: FloatArray, start: int, last: int, segment: int, low: float, high: float
) -> float:
    """By how much a line turns at most from one arc length to another, between which a segment lies [rad].

    Args:
        bend: `(P,)` by how much it turns from each of its points to the next [rad].
        arc: of `Polylines`.
        start: its first point.
        last: its last point.
        segment: the segment.
        low: from here [m].
        high: to here [m].
    """
    while segment > start and arc[segment] >= low:
        segment -= 1
    turn = 0.0
    while segment < last and arc[segment] <= high:
        a, b = segment, segment + 1
        whole, span = bend[a], arc[b] - arc[a]
        part = min(arc[b], high) - max(arc[a], low)
        if span > 0.0 and whole < _SMALL_TURN:
            whole *= min(_UNEVEN * max(part, 0.0) / span, 1.0)
        turn += whole
        segment += 1
    return turn


@inner_kernel
def swing_near(
    tangent: FloatArray, arc: FloatArray, run: FloatArray, start: int, last: int, s: float
) -> tuple[float, float]:
    """How far a long body may swing out at a place on a line at least and at most [m]."""
    bend = 0.0
    for i in range(len(ALONG_BODY)):
        place = min(max(s + ALONG_BODY[i], 0.0), arc[last])
        x, y = toward_near(tangent, arc, run, start, last, place - CHORD_HALF)
        u, v = toward_near(tangent, arc, run, start, last, place + CHORD_HALF)
        if not (x * x + y * y > 1e-6 and u * u + v * v > 1e-6):
            return 0.0, MAX_SWING
        bend = max(bend, abs(turn_between(x, y, u, v)) / (2.0 * CHORD_HALF))
    swing = SWING * bend
    return min(max(swing - _UNKNOWN, 0.0), MAX_SWING), min(swing + _UNKNOWN, MAX_SWING)


@kernel
def sample_lanes(
    points: FloatArray,
    tangent: FloatArray,
    arc: FloatArray,
    run: FloatArray,
    first: IntArray,
    counts: IntArray,
) -> LaneSamples:
    """Points at even steps on lanes, and what room bodies need there.

    Args:
        points: of `Polylines`.
        tangent: likewise.
        arc: likewise.
        run: likewise.
        first: likewise.
        counts: `(L,)` how many there are on each lane, 0 for none.
    """
    begin = np.zeros(counts.shape[0] + 1, np.int64)
    for lane in range(counts.shape[0]):
        begin[lane + 1] = begin[lane] + counts[lane]
    total = begin[counts.shape[0]]
    link, s, point = np.empty(total, np.int64), np.empty(total), np.empty((total, 3))
    low, high = np.empty(total), np.empty(total)
    half = 0.5 * CONFLICT_DISTANCE
    points, tangent, arc, run, first = bare(points), bare(tangent), bare(arc), bare(run), bare(first)
    bends = np.empty(arc.shape[0])
    bend = bare(bends)
    for lane in range(counts.shape[0]):
        start, last = first[lane], first[lane + 1] - 1
        for at in range(start, last):
            bend[at] = abs(turn_between(tangent[at, 0], tangent[at, 1], tangent[at + 1, 0], tangent[at + 1, 1]))
        for number in range(counts[lane]):
            i = begin[lane] + number
            link[i], s[i] = lane, arc[last] * number / max(counts[lane] - 1, 1)
            segment, fraction = segment_at(arc, run, start, last, s[i])
            for axis in range(3):
                point[i, axis] = (1.0 - fraction) * points[segment, axis] + fraction * points[segment + 1, axis]
            turn = turn_within(bend, arc, start, last, segment, s[i] - _WINDOW, s[i] + _WINDOW)
            least, most = 0.0, min(SWING * turn / (2.0 * CHORD_HALF) + _UNKNOWN, MAX_SWING)
            if most > 0.01:
                least, most = swing_near(tangent, arc, run, start, last, s[i])
            low[i], high[i] = half + least, half + most
    hold(bends)
    return LaneSamples(begin, link, s, point, low, high)
