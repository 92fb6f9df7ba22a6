"""The lanes along a way: where some begin or end together, that which was driven, not whichever is a little nearer."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dorosim.app.analyse.trace.line import offsets_from_line
from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork

_MAX_LANE_DISTANCE = 10.0
"""An actor that is farther than this from every lane is on none [m]."""
_ALIKE = 0.5
"""Where centre lines are as near as that to one another [m], the lane driven before or after decides between them."""


class LanesAlong(NamedTuple):
    """Lanes along a way; each array is `(N,)`.

    Attributes:
        link: row of the lane, -1 for none.
        error: how far the point is to the left of its centre line [m], NaN for none.
        limit: its speed limit [m/s], NaN for none.
    """

    link: IntArray
    error: FloatArray
    limit: FloatArray


def lanes_along(network: RoadNetwork, points: FloatArray, heading: FloatArray) -> LanesAlong:
    """The lanes along a way.

    Args:
        network: the road network.
        points: `(N, 3)` of the way in map [m], one after the other; NaN where the actor is not there.
        heading: `(N,)` [rad].
    """
    there = np.isfinite(points).all(axis=1)
    link, error, limit = np.full(len(points), -1), np.full(len(points), np.nan), np.full(len(points), np.nan)
    found = locate(network, points[there], heading[there], drivable_only=True, reach=_MAX_LANE_DISTANCE)
    link[there], error[there] = found.link, found.lateral
    for node, order in ((network.link_from_node, -1), (network.link_to_node, 1)):
        _settle(network, node, order, points, heading, link, error)
    known = link >= 0
    limit[known] = network.link_speed_limit[link[known]]
    return LanesAlong(link, error, limit)


def _settle(
    network: RoadNetwork,
    node: IntArray,
    order: int,
    points: FloatArray,
    heading: FloatArray,
    link: IntArray,
    error: FloatArray,
) -> None:
    """Give points on a lane to the lane driven before or after it, if both have a common node and are about as near.

    Args:
        network: the road network.
        node: `(links,)` of their starts, to look from the end of the way back; of their ends, to look onward.
        order: -1 back, 1 onward.
        points: `(N, 3)` of the way in map [m].
        heading: `(N,)` [rad].
        link: `(N,)`, changed.
        error: `(N,)` [m], changed.
    """
    edges = [0, *(np.flatnonzero(np.diff(link)) + 1).tolist(), len(link)]
    visits = [slice(a, b) for a, b in pairwise(edges) if b > a][::order]
    for driven, doubtful in pairwise(visits):
        right, wrong = int(link[driven.start]), int(link[doubtful.start])
        if min(right, wrong) < 0 or node[right] != node[wrong]:
            continue
        beside = offsets_from_line(points[doubtful, :2], heading[doubtful], network.points_of(right)[:, :2])
        beside = np.where(np.isnan(beside), error[doubtful], beside)  # by a hair beyond the end of the line
        if (np.abs(beside) <= np.abs(error[doubtful]) + _ALIKE).all():
            link[doubtful], error[doubtful] = right, beside
