"""Points at even steps on all lanes, and how far long bodies swing out of their lanes there.

The headings of lanes are calculated here but for rounding, so what room bodies need is known between bounds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.jit import inner_kernel, kernel, outlined_kernel
from dorosim.road.adjacency import FloatArray, IntArray

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

_LITTLE_SWING = 0.01
"""Where a body swings out by no more than this, it does not matter by how much exactly [m]."""

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
def segment_beyond(run: FloatArray, segment: int, last: int, wanted: float) -> int:
    """The segment of a line for a place in `Polylines.run`, which is not before a segment of it."""
    while segment < last - 1 and run[segment + 1] <= wanted:
        segment += 1
    return segment


@inner_kernel
def share_of_segment(arc: FloatArray, segment: int, s: float) -> float:
    """How much of a segment lies behind an arc length, 0 to 1."""
    span = arc[segment + 1] - arc[segment]
    return min(max((s - arc[segment]) / span, 0.0), 1.0) if span > 0.0 else 0.0


@inner_kernel
def turn_between(x: float, y: float, u: float, v: float) -> float:
    """The angle from one direction to another, but for rounding, -pi to pi [rad]."""
    across, along = x * v - y * u, x * u + y * v
    return 0.0 if across == 0.0 and along > 0.0 else math.atan2(across, along)


@inner_kernel
def most_swing(turn: float) -> float:
    """How far a body swings out at most where its lane turns by no more than an angle [m]."""
    return min(SWING * turn / (2.0 * CHORD_HALF) + _UNKNOWN, MAX_SWING)


@inner_kernel
def turn_in_segment(turned: FloatArray, arc: FloatArray, segment: int, length: float) -> float:
    """By how much a line turns at most along so much of a segment [rad]."""
    turn: float = turned[segment + 1] - turned[segment]
    span = arc[segment + 1] - arc[segment]
    if span > 0.0 and turn < _SMALL_TURN:
        turn *= min(_UNEVEN * max(length, 0.0) / span, 1.0)
    return turn


@inner_kernel
def turn_around(
    turned: FloatArray, arc: FloatArray, run: FloatArray, start: int, last: int, s: float, segment: IntArray
) -> float:
    """By how much a line turns at most as far around a place as matters to a body there [rad]; places must ascend.

    Args:
        turned: `(P + 1,)` by how much it turns up to each of its points [rad].
        arc: of `Polylines`.
        run: likewise.
        start: its first point.
        last: its last point.
        s: the place [m].
        segment: `(10,)` in and out, the first and the last: segments of the ends of the stretch.
    """
    low, high, end = max(s - _WINDOW, 0.0), min(s + _WINDOW, arc[last]), segment.shape[0] - 1
    segment[0] = segment_beyond(run, segment[0], last, run[start] + low)
    segment[end] = segment_beyond(run, segment[end], last, run[start] + high)
    a, b = segment[0], segment[end]
    if a == b:
        return turn_in_segment(turned, arc, a, high - low)
    part = turn_in_segment(turned, arc, a, arc[a + 1] - low) + turn_in_segment(turned, arc, b, high - arc[b])
    return float(part + turned[b] - turned[a + 1])


@inner_kernel
def follow_body(
    arc: FloatArray, run: FloatArray, start: int, last: int, s: float, place: FloatArray, segment: IntArray
) -> None:
    """Find the ends of the chords that decide how far a long body at a place swings out; places must ascend.

    Args:
        arc: of `Polylines`.
        run: likewise.
        start: the line's first point.
        last: its last point.
        s: the place [m].
        place: `(10,)` out: arc lengths of both ends of each chord, as of `ALONG_BODY` [m].
        segment: `(10,)` in and out: their segments.
    """
    for i in range(len(ALONG_BODY)):
        middle = min(max(s + ALONG_BODY[i], 0.0), arc[last])
        for end in range(2):
            k = 2 * i + end
            place[k] = min(max(middle + (2.0 * end - 1.0) * CHORD_HALF, 0.0), arc[last])
            segment[k] = segment_beyond(run, segment[k], last, run[start] + place[k])


@inner_kernel
def swing_near(tangent: FloatArray, arc: FloatArray, place: FloatArray, segment: IntArray) -> tuple[float, float]:
    """How far a long body may swing out at least and at most [m], by the ends of its chords.

    Of the chords the one with the greatest turn is found by what grows with the turn and needs no arc tangent.
    """
    across, along, greatest = 0.0, 1.0, 0.0
    for i in range(len(ALONG_BODY)):
        a, b = segment[2 * i], segment[2 * i + 1]
        there, share = share_of_segment(arc, a, place[2 * i]), share_of_segment(arc, b, place[2 * i + 1])
        x = (1.0 - there) * tangent[a, 0] + there * tangent[a + 1, 0]
        y = (1.0 - there) * tangent[a, 1] + there * tangent[a + 1, 1]
        u = (1.0 - share) * tangent[b, 0] + share * tangent[b + 1, 0]
        v = (1.0 - share) * tangent[b, 1] + share * tangent[b + 1, 1]
        if not (x * x + y * y > 1e-6 and u * u + v * v > 1e-6):
            return 0.0, MAX_SWING
        side, ahead = abs(x * v - y * u), x * u + y * v
        turn = side / (side + abs(ahead))
        if ahead < 0.0:
            turn = 2.0 - turn
        if turn > greatest:
            across, along, greatest = side, ahead, turn
    swing = SWING * math.atan2(across, along) / (2.0 * CHORD_HALF)
    return min(max(swing - _UNKNOWN, 0.0), MAX_SWING), min(swing + _UNKNOWN, MAX_SWING)


@outlined_kernel
def place_points(
    points: FloatArray, arc: FloatArray, run: FloatArray, start: int, last: int, samples: LaneSamples, lane: int
) -> None:
    """Place the points of one lane at even steps.

    Args:
        points: of `Polylines`.
        arc: likewise.
        run: likewise.
        start: the lane's first point.
        last: its last point.
        samples: out.
        lane: the lane.
    """
    begin, end, segment = samples.first[lane], samples.first[lane + 1], start
    for i in range(begin, end):
        s = arc[last] * (i - begin) / max(end - begin - 1, 1)
        segment = segment_beyond(run, segment, last, run[start] + s)
        share = share_of_segment(arc, segment, s)
        samples.link[i], samples.s[i] = lane, s
        for axis in range(3):
            here, there = points[segment, axis], points[segment + 1, axis]
            samples.point[i, axis] = (1.0 - share) * here + share * there


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
    half, parts = 0.5 * CONFLICT_DISTANCE, 2 * len(ALONG_BODY)
    made = LaneSamples(
        begin, np.empty(total, np.int64), np.empty(total), np.empty((total, 3)), np.empty(total), np.empty(total)
    )
    room, ends, behind = np.empty(arc.shape[0] + 1), np.empty(parts), np.empty(parts, np.int64)
    points, tangent, arc, run, first = bare(points), bare(tangent), bare(arc), bare(run), bare(first)
    samples, turned, place, chord = bare(made), bare(room), bare(ends), bare(behind)
    for lane in range(counts.shape[0]):
        start, last = first[lane], first[lane + 1] - 1
        if counts[lane] == 0:
            continue
        place_points(points, arc, run, start, last, samples, lane)
        turned[start] = 0.0
        for at in range(start, last):
            bend = abs(turn_between(tangent[at, 0], tangent[at, 1], tangent[at + 1, 0], tangent[at + 1, 1]))
            turned[at + 1] = turned[at] + bend
        of_lane = turned[last]
        if last == start + 1:
            of_lane = turn_in_segment(turned, arc, start, 2.0 * _WINDOW)
        for k in range(parts):
            chord[k] = start
        for i in range(begin[lane], begin[lane + 1]):
            least, most = 0.0, most_swing(of_lane)
            if most > _LITTLE_SWING:
                most = most_swing(turn_around(turned, arc, run, start, last, samples.s[i], chord))
            if most > _LITTLE_SWING:
                follow_body(arc, run, start, last, samples.s[i], place, chord)
                least, most = swing_near(tangent, arc, place, chord)
            samples.low[i], samples.high[i] = half + least, half + most
    hold(room)
    hold(ends)
    hold(behind)
    return made
