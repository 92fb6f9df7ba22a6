"""How lanes turn, for all conflicts at once; see `dorosim.world.traffic.right_of_way`.

What is found is right but for rounding, which is not that of numpy.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.jit import inner_kernel, kernel, outlined_kernel
from dorosim.road.adjacency import FlagArray, FloatArray, IntArray
from dorosim.road.polyline_kernel import direction_at, segment_at

TURN_PARTS = 8
"""A turn is summed up over so many parts of a lane, since that of a ring may be more than half a circle."""

_ABOUT_FACE = math.pi - 1e-6
"""Where a lane turns more than this in one part, the side to which it does is in doubt [rad]."""


_GENTLE = 3.0
"""Where a lane turns by no more than this to both sides together, no part of it turns by half a circle [rad]."""


_ALIKE_TURNS = 1e-9
"""Turns that differ by less than this may be either way about after rounding [rad]."""


class _LineTurns(NamedTuple):
    """How polylines turn.

    Attributes:
        turned: `(P,)` by how much a line has turned up to each of its points, left positive [rad].
        is_gentle: `(L,)` 1 for lines of which that is enough to know.
        heading: `(L,)` at the start of gentle ones [rad].
    """

    turned: FloatArray
    is_gentle: IntArray
    heading: FloatArray


@inner_kernel
def angle_between(x: float, y: float, u: float, v: float) -> float:
    """The angle from one direction to another, -pi to pi [rad]."""
    across, along = x * v - y * u, x * u + y * v
    return 0.0 if across == 0.0 and along > 0.0 else math.atan2(across, along)


@outlined_kernel
def turns_of_lines(tangent: FloatArray, arc: FloatArray, first: IntArray) -> _LineTurns:
    """How all polylines turn."""
    lines = first.shape[0] - 1
    turned, is_gentle, heading = np.zeros(tangent.shape[0]), np.zeros(lines, np.int64), np.zeros(lines)
    for line in range(lines):
        start, last, total = first[line], first[line + 1] - 1, 0.0
        for at in range(start, last):
            one = angle_between(tangent[at, 0], tangent[at, 1], tangent[at + 1, 0], tangent[at + 1, 1])
            turned[at + 1], total = turned[at] + one, total + abs(one)
        # a first or last segment without length has no direction of its own beyond the point that it is
        if total < _GENTLE and arc[start + 1] > 0.0 and arc[last] > arc[last - 1]:
            is_gentle[line], heading[line] = 1, math.atan2(tangent[start, 1], tangent[start, 0])
    return _LineTurns(turned, is_gentle, heading)


@outlined_kernel
def turn_by_parts(
    tangent: FloatArray, arc: FloatArray, run: FloatArray, start: int, last: int, begin: float
) -> tuple[float, float, bool]:
    """Heading at a place on a line, the turn from there to its end, as the sum over parts, and whether it is in doubt.

    Args:
        tangent: of `Polylines`.
        arc: likewise.
        run: likewise.
        start: the line's first point.
        last: its last point.
        begin: the place [m].
    """
    segment, fraction = segment_at(arc, run, start, last, begin)
    x, y = direction_at(tangent, segment, fraction)
    heading, total, doubtful = math.atan2(y, x), 0.0, False
    for part in range(1, TURN_PARTS + 1):
        s = begin + (arc[last] - begin) * part / TURN_PARTS
        while segment < last - 1 and arc[segment + 1] <= s:
            segment += 1
        span = arc[segment + 1] - arc[segment]
        fraction = min(max((s - arc[segment]) / span, 0.0), 1.0) if span > 0.0 else 0.0
        u, v = direction_at(tangent, segment, fraction)
        one = angle_between(x, y, u, v)
        total, doubtful = total + one, doubtful or abs(one) > _ABOUT_FACE
        x, y = u, v
    return heading, total, doubtful


@kernel
def find_turns(
    tangent: FloatArray, arc: FloatArray, run: FloatArray, first: IntArray, link: IntArray, begin: FloatArray
) -> tuple[FloatArray, FloatArray, FlagArray]:
    """Headings at places on links, the turns from there to their ends `(N,)` [rad], and which are in doubt.

    Args:
        tangent: of `Polylines`.
        arc: likewise.
        run: likewise.
        first: likewise.
        link: `(N,)` the links.
        begin: `(N,)` the places [m].
    """
    count = link.shape[0]
    heading, turn, doubtful = np.empty(count), np.empty(count), np.zeros(count, np.bool_)
    tangent, arc, run, first = bare(tangent), bare(arc), bare(run), bare(first)
    made = turns_of_lines(tangent, arc, first)
    lines = bare(made)
    for i in range(count):
        line = link[i]
        start, last = first[line], first[line + 1] - 1
        if lines.is_gentle[line] == 0:
            heading[i], turn[i], doubtful[i] = turn_by_parts(tangent, arc, run, start, last, begin[i])
        elif begin[i] <= 0.0:
            heading[i], turn[i] = lines.heading[line], lines.turned[last]
        else:
            segment, fraction = segment_at(arc, run, start, last, begin[i])
            x, y = direction_at(tangent, segment, fraction)
            rest = angle_between(x, y, tangent[segment + 1, 0], tangent[segment + 1, 1])
            heading[i], turn[i] = math.atan2(y, x), rest + lines.turned[last] - lines.turned[segment + 1]
    hold(made)
    return heading, turn, doubtful


@kernel
def find_sharp_steps(
    tangent: FloatArray, arc: FloatArray, run: FloatArray, first: IntArray, steps: IntArray, least: float
) -> tuple[IntArray, IntArray]:
    """Links and numbers `(N,)` of the even steps along them in which they may turn most.

    Links that turn by less than so much for each metre in all their steps have none.

    Args:
        tangent: of `Polylines`.
        arc: likewise.
        run: likewise.
        first: likewise.
        steps: `(L,)` how many steps there are along each link.
        least: half of this does not count [rad/m].
    """
    most = 0
    for link in range(steps.shape[0]):
        most = max(most, steps[link])
    scratch, links, numbers, used = np.empty(most), np.empty(256, np.int64), np.empty(256, np.int64), 0
    tangent, arc, run, first, turned = bare(tangent), bare(arc), bare(run), bare(first), bare(scratch)
    for link in range(steps.shape[0]):
        segment, last, sharpest = first[link], first[link + 1] - 1, 0.0
        spacing = arc[last] / steps[link]
        x, y = tangent[segment, 0], tangent[segment, 1]
        for number in range(-1, steps[link]):
            s = (number + 1) * spacing
            while segment < last - 1 and run[segment + 1] <= run[first[link]] + s:
                segment += 1
            span = arc[segment + 1] - arc[segment]
            fraction = min(max((s - arc[segment]) / span, 0.0), 1.0) if span > 0.0 else 0.0
            u, v = direction_at(tangent, segment, fraction)
            if number >= 0:
                turned[number] = turn_measure(x, y, u, v)
                sharpest = max(sharpest, turned[number])
            x, y = u, v
        if sharpest < 0.25 * least * spacing:
            continue
        if used + steps[link] > links.shape[0]:
            links, numbers = grown(links, used, steps[link]), grown(numbers, used, steps[link])
        for number in range(steps[link]):
            if turned[number] > sharpest - _ALIKE_TURNS:
                links[used], numbers[used] = link, number
                used += 1
    hold(scratch)
    return links[:used].copy(), numbers[:used].copy()


@outlined_kernel
def grown(rows: IntArray, used: int, more: int) -> IntArray:
    """A copy of the used rows with room for more of them, and then some."""
    larger = np.empty(2 * (used + more), np.int64)
    larger[:used] = rows[:used]
    return larger


@inner_kernel
def turn_measure(x: float, y: float, u: float, v: float) -> float:
    """What grows with the angle between two directions, by half as much at least and by no more: 0 to 2."""
    side, ahead = abs(x * v - y * u), x * u + y * v
    share = side / (side + abs(ahead))
    return share if ahead >= 0.0 else 2.0 - share
