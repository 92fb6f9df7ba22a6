"""The way that an agent is to drive: points along the lanes, close together, with what the road is like there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import Columns, FloatArray, float64, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, PER_METRE, RADIAN
from dorosim.road.adjacency import IntArray
from dorosim.road.network import RoadNetwork
from dorosim.sensor.agent.way_point_kernel import find_way

WAY_STEP = 2.0
"""Points of a way are this far apart [m]."""
_NO_LINK = -1


class AgentWay(Columns):
    """One row per point of a way, in driving order."""

    x = float64(METRE, "of the middle of the lane, east", frame="map")
    y = float64(METRE, "of the middle of the lane, north", frame="map")
    heading = float64(RADIAN, "of the lane, counter-clockwise from east, without jumps", frame="map")
    curvature = float64(PER_METRE, "of the lane, left positive")
    left = float64(METRE, "from the middle to the left boundary of the lane")
    right = float64(METRE, "from the middle to the right boundary of the lane")
    limit = float64(METRE_PER_SECOND, "speed limit")
    line = float64(METRE, "along the way, of the stop line that one passes on the way to this point; 0 for none")
    link = int64("row of the link, -1 off the lanes")
    light = int64("row of the link whose light one passes on the way to this point, -1 for none")
    key = ("link",)


def way_along_links(
    network: RoadNetwork, governed: IntArray, links: Sequence[int], start: float, length: float
) -> AgentWay:
    """The way along links, each of which follows the one before.

    Args:
        network: the road network.
        governed: `(K,)` rows of links that a traffic light governs, ascending.
        links: rows of the links, one at least.
        start: arc length on the first of them at which the way begins [m].
        length: of the way [m]; it ends with the last link at the latest.

    Returns:
        A read-only table of two points or more.
    """
    row, lines = np.array(links, np.int64), network.lines
    ends = np.cumsum(network.link_length[row]) - start
    reach = max(min(length, float(ends[-1])), WAY_STEP)
    floats, ints, ahead = find_way(
        lines.points,
        lines.tangent,
        lines.curvature,
        lines.arc,
        lines.run,
        lines.first,
        network.left_width,
        network.right_width,
        network.link_speed_limit,
        network.signals.stop_line,
        governed,
        row,
        ends,
        float(start),
        WAY_STEP,
        math.ceil((reach + 0.5 * WAY_STEP) / WAY_STEP),
    )
    table = AgentWay(floats, ints)
    table.heading[:] = _without_jumps(np.arctan2(ahead[1], ahead[0]))
    return table.freeze()


def _without_jumps(heading: FloatArray) -> FloatArray:
    """Headings `(N,)` as `np.unwrap` has them, which takes long where there is nothing to do."""
    if len(heading) and np.abs(np.diff(heading)).max(initial=0.0) < math.pi:
        heading[1:] += 0.0  # it makes 0 of -0
        return heading
    return np.unwrap(heading)


def straight_way(start: tuple[float, float], end: tuple[float, float], half_width: float, limit: float) -> AgentWay:
    """A straight way between two places off the lanes, in map [m].

    Args:
        start: where it begins.
        end: where it ends, at another place.
        half_width: from its middle to either side [m].
        limit: speed limit [m/s].
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(float(np.hypot(dx, dy)), WAY_STEP)
    share = np.append(np.arange(0.0, length, WAY_STEP), length)[:, None] / length
    table = AgentWay.zeros(len(share))
    table.x[:], table.y[:] = start[0] + share[:, 0] * dx, start[1] + share[:, 0] * dy
    table.heading[:] = np.arctan2(dy, dx)
    table.left[:] = table.right[:] = half_width
    table.limit[:], table.link[:], table.light[:] = limit, _NO_LINK, _NO_LINK
    return table.freeze()


def choose_links(
    network: RoadNetwork, link: int, s: float, length: float, stream: np.random.Generator
) -> tuple[int, ...]:
    """Links from a place on, at every fork one by chance, until the way is long enough or the lane ends.

    Args:
        network: the road network.
        link: row of the first link.
        s: the place on it [m].
        length: of the way [m].
        stream: the chance.
    """
    found, left = [link], length - (float(network.link_length[link]) - s)
    while left > 0.0:
        after = [row for row in network.successors.of(found[-1]).tolist() if network.link_drivable[row]]
        if not after:
            break
        found.append(after[int(stream.integers(len(after)))])
        left -= float(network.link_length[found[-1]])
    return tuple(found)
