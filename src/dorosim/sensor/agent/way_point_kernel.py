"""Writes the points of an agent's way along links; see `dorosim.sensor.agent.way`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.search_kernel import row_of_item
from dorosim.road.polyline_kernel import direction_at

_X, _Y, _CURVATURE, _LEFT, _RIGHT, _LIMIT, _LINE, _LINK, _LIGHT = 0, 1, 3, 4, 5, 6, 7, 0, 1
"""Rows of the blocks of `AgentWay`, whose table calls this module."""
_COLUMNS, _INT_COLUMNS, _NO_LIGHT = 8, 2, -1


class WayLanes(NamedTuple):
    """What a way is made of, as `find_way` takes it."""

    points: FloatArray
    tangent: FloatArray
    curvature: FloatArray
    arc: FloatArray
    run: FloatArray
    first: IntArray
    left: FloatArray
    right: FloatArray
    limit: FloatArray


@inner_kernel
def between(values: FloatArray, segment: int, fraction: float) -> float:
    """A value at a place on a segment, of those at its ends."""
    rest = 1.0 - fraction
    return float(rest * values[segment] + fraction * values[segment + 1])


@inner_kernel
def write_stop_lines(
    stop_line: FloatArray,
    governed: IntArray,
    links: IntArray,
    ends: FloatArray,
    start: float,
    step: float,
    made: FloatArray,
    ints: IntArray,
) -> None:
    """Write where along a way stop lines with lights are, and whose light counts there, at the point after each.

    A light stands before the link that it governs, at the line of the link before; a governed link with a line of its
    own has it there (`dorosim.world.signal.permission`).
    """
    for number in range(links.shape[0]):
        if row_of_item(governed, links[number]) < 0:
            continue
        begin = ends[number - 1] if number > 0 else -start
        at = begin + stop_line[links[number]]
        if not math.isfinite(stop_line[links[number]]):
            if number == 0:
                continue
            before, first = stop_line[links[number - 1]], ends[number - 2] if number > 1 else -start
            at = first + before if math.isfinite(before) else ends[number - 1]
        point = math.floor(at / step) + 1
        if 0 < point < made.shape[1]:
            ints[_LIGHT, point], made[_LINE, point] = links[number], at


@inner_kernel
def write_points(
    lanes: WayLanes,
    links: IntArray,
    ends: FloatArray,
    start: float,
    step: float,
    floats: FloatArray,
    ints: IntArray,
    ahead: FloatArray,
) -> None:
    """Write where each point of a way is, and what the lane is like there; the places on the lanes ascend."""
    part = segment = 0
    for k in range(floats.shape[1]):
        along = k * step
        while part < links.shape[0] - 1 and ends[part] <= along:
            part += 1
        link, since = links[part], ends[part - 1] if part > 0 else -start
        low, last = lanes.first[link], lanes.first[link + 1] - 1
        inside = min(max(along - since, 0.0), lanes.arc[last])
        wanted, segment = lanes.run[low] + inside, segment if low <= segment < last else low
        while segment < last - 1 and lanes.run[segment + 1] <= wanted:
            segment += 1
        span = lanes.arc[segment + 1] - lanes.arc[segment]
        share = (inside - lanes.arc[segment]) / span if span > 0.0 else 0.0
        share = min(max(share, 0.0), 1.0)
        ahead[0, k], ahead[1, k] = direction_at(lanes.tangent, segment, share)
        rest = 1.0 - share
        floats[_X, k] = rest * lanes.points[segment, 0] + share * lanes.points[segment + 1, 0]
        floats[_Y, k] = rest * lanes.points[segment, 1] + share * lanes.points[segment + 1, 1]
        floats[_CURVATURE, k] = between(lanes.curvature, segment, share)
        floats[_LEFT, k] = between(lanes.left, segment, share)
        floats[_RIGHT, k] = between(lanes.right, segment, share)
        floats[_LIMIT, k], ints[_LINK, k], ints[_LIGHT, k] = lanes.limit[link], link, _NO_LIGHT


@kernel
def find_way(
    points: FloatArray,
    tangent: FloatArray,
    curvature: FloatArray,
    arc: FloatArray,
    run: FloatArray,
    first: IntArray,
    left: FloatArray,
    right: FloatArray,
    limit: FloatArray,
    stop_line: FloatArray,
    governed: IntArray,
    links: IntArray,
    ends: FloatArray,
    start: float,
    step: float,
    count: int,
) -> tuple[FloatArray, IntArray, FloatArray]:
    """The points of a way, but for their headings, whose angles Python works out.

    Args:
        points: of `Polylines`.
        tangent: likewise.
        curvature: likewise.
        arc: likewise.
        run: likewise.
        first: likewise.
        left: `(P,)` from the middle of the lane to its left boundary at each of those points [m].
        right: `(P,)` the same to the right.
        limit: `(L,)` speed limit of each link [m/s].
        stop_line: `(L,)` where on each link its stop line is [m], not finite for none.
        governed: `(K,)` rows of links that a traffic light governs, ascending.
        links: `(n,)` rows of the links of the way.
        ends: `(n,)` where along the way each ends [m].
        start: arc length on the first of them at which the way begins [m].
        step: between two points [m], a power of 2.
        count: how many points there are, N.

    Returns:
        float block of `AgentWay` `(columns, N)` without headings, its int block, and `(2, N)` directions of the lane
        in map.
    """
    made, ints = np.zeros((_COLUMNS, count)), np.zeros((_INT_COLUMNS, count), np.int64)
    ahead, way, bounds = np.empty((2, count)), bare(links), bare(ends)
    of_lines = bare(points), bare(tangent), bare(curvature), bare(arc), bare(run), bare(first)
    lanes = WayLanes(*of_lines, bare(left), bare(right), bare(limit))
    floats, numbers = bare(made), bare(ints)
    write_points(lanes, way, bounds, start, step, floats, numbers, bare(ahead))
    write_stop_lines(bare(stop_line), bare(governed), way, bounds, start, step, floats, numbers)
    return made, ints, ahead
