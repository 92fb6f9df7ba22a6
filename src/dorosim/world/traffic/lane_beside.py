"""What lies beside each lane: lanes that lead the same way, lanes for oncoming traffic, or nothing to drive on."""

from __future__ import annotations

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray, frozen, rows_and_numbers
from dorosim.road.conflict import Conflicts
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.world.traffic.lane_grid import MAX_HINDRANCE_OFFSET
from dorosim.world.traffic.road import BESIDE, BesideLane

STATION_STEP = 5.0
"""Stations of a lane are at most this far apart [m]."""

IN_JUNCTION = -2.0
"""In place of a lane beside: the station is where other lanes cross."""

_PROBE = 1.4
"""The lane beside is looked for this far beyond a lane's own edge [m]: within the half of the narrowest lane."""

_MAX_EDGE_OFFSET = 0.4
"""The place that is looked at may be this far outside the lane found [m], as in a bend."""

_ZONE_MARGIN = 1.0
"""A place this near to a zone of conflict is in it [m]."""

_PARALLEL = np.cos(np.radians(20.0))
_MAX_STEP_UP = 1.0
"""Lanes with more height than this between them are not beside each other [m]."""

_OWN_MARGIN, _FAR_MARGIN = 0.1, 0.2
"""A body stays this far inside its own lane, and inside the lane beside [m]."""


def stations_beside(network: RoadNetwork, conflicts: Conflicts) -> tuple[IntArray, FloatArray]:
    """The stations of lanes and what lies beside them: `RoadArrays.station_first` and `RoadArrays.beside`.

    In the zones of conflicts nothing counts as lying beside a lane.

    Args:
        network: the roads.
        conflicts: where lanes get in each other's way.
    """
    counts = np.where(network.link_drivable, np.ceil(network.link_length / STATION_STEP).astype(np.int64) + 1, 0)
    link, number = rows_and_numbers(counts)
    s = network.link_length[link] * (number / np.maximum(counts[link] - 1, 1))
    free = _Free(conflicts, network.link_count)
    found = np.empty((len(link), 2, BesideLane.float_width))
    for side in range(2):
        found[:, side] = _on_one_side(network, free, link, s, side)
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    return frozen(first), frozen(found.reshape(-1, BesideLane.float_width))


class _Free:
    """Where lanes are outside the zones of conflicts: before the first and beyond the last of them."""

    def __init__(self, conflicts: Conflicts, links: int) -> None:
        self.first, self.last = np.full(links, np.inf), np.full(links, -np.inf)
        wide = ~conflicts.long
        np.minimum.at(self.first, conflicts.link[wide], conflicts.start[wide])
        np.maximum.at(self.last, conflicts.link[wide], conflicts.end[wide])

    def at(self, link: IntArray, s: FloatArray) -> FlagArray:
        """Whether places `(N,)` on links `(N,)` are free of conflicts."""
        found: FlagArray = (s < self.first[link] - _ZONE_MARGIN) | (s > self.last[link] + _ZONE_MARGIN)
        return found


def _on_one_side(network: RoadNetwork, free: _Free, link: IntArray, s: FloatArray, side: int) -> FloatArray:
    """`(S, 7)` of `BesideLane` for stations, on the left (0) or the right (1)."""
    found = np.zeros((len(link), BesideLane.float_width))
    found[:, BESIDE.link] = np.where(free.at(link, s), -1.0, IN_JUNCTION)
    if not len(link):
        return found
    sign = 1.0 - 2.0 * side
    width = network.boundary_distances(link, s)[side]
    crossable = (network.right_crossable if side else network.left_crossable)[link]
    own = width - _OWN_MARGIN
    if side != (1 if network.left_hand_traffic else 0):
        # what stands at the edge of the road is known as far as it hinders vehicles on the lane
        own = np.minimum(own, MAX_HINDRANCE_OFFSET)
    place = network.pose_at(link, s, sign * (width + _PROBE))
    there = locate(network, place.point, drivable_only=True, reach=4.0)
    other, at = np.maximum(there.link, 0), np.nan_to_num(there.s)
    far_place = network.pose_at(other, at)
    along = np.cos(far_place.heading - place.heading)
    lateral = np.nan_to_num(there.lateral)
    edges = network.boundary_distances(other, at)
    inside = (lateral < edges[0] + _MAX_EDGE_OFFSET) & (lateral > -edges[1] - _MAX_EDGE_OFFSET)
    level = np.abs(far_place.point[:, 2] - place.point[:, 2]) < _MAX_STEP_UP
    beside = np.abs(np.abs(lateral) - np.nan_to_num(there.distance)) < 0.1
    good = (
        (there.link >= 0)
        & (other != link)
        & free.at(link, s)
        & free.at(other, at)
        & inside
        & level
        & beside
        & (np.abs(along) > _PARALLEL)
    )
    direction = np.sign(along)
    distance = width + _PROBE - sign * direction * lateral
    far = np.where((direction > 0.0) == (side == 0), edges[0], edges[1])
    found[:, BESIDE.own_room] = found[:, BESIDE.room] = own
    found[:, BESIDE.crossable] = crossable
    rows = np.flatnonzero(good)
    found[rows, BESIDE.link], found[rows, BESIDE.place] = other[rows], at[rows]
    found[rows, BESIDE.distance], found[rows, BESIDE.direction] = distance[rows], direction[rows]
    found[rows, BESIDE.room] = (distance + far - _FAR_MARGIN)[rows]
    return found
