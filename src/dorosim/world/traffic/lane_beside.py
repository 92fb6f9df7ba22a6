"""What lies beside each lane: lanes that lead the same way, lanes for oncoming traffic, or nothing to drive on."""

from __future__ import annotations

import math

import numpy as np

from dorosim.road.adjacency import FloatArray, IntArray, frozen, rows_and_numbers
from dorosim.road.conflict import Conflicts
from dorosim.road.network import RoadNetwork
from dorosim.world.traffic.lane_grid import MAX_HINDRANCE_OFFSET
from dorosim.world.traffic.road import BESIDE, BesideLane
from dorosim.world.traffic.station_kernel import PARALLEL_COSINE, PROBE_BEYOND, StationLanes, find_beside

STATION_STEP = 5.0
"""Stations of a lane are at most this far apart [m]."""


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
    found = np.empty((2 * len(link), BesideLane.float_width))
    doubtful = np.zeros(2 * len(link), np.bool_)
    # what stands at the edge of the road is known as far as it hinders vehicles on the lane
    most = np.full(2, MAX_HINDRANCE_OFFSET)
    most[1 if network.left_hand_traffic else 0] = math.inf
    # kernels read flags of bare arrays as numbers
    surface = network.surface._replace(drivable=network.surface.drivable.view(np.uint8))
    find_beside(_lanes(network, conflicts), surface, link, s, most, found, doubtful)
    _settle(network, np.flatnonzero(doubtful), link, s, found)
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    return frozen(first), frozen(found)


def _lanes(network: RoadNetwork, conflicts: Conflicts) -> StationLanes:
    """The lanes, with where they are outside the zones of conflicts: before the first and beyond the last of them."""
    before, beyond = np.full(network.link_count, np.inf), np.full(network.link_count, -np.inf)
    wide = ~conflicts.long
    np.minimum.at(before, conflicts.link[wide], conflicts.start[wide])
    np.maximum.at(beyond, conflicts.link[wide], conflicts.end[wide])
    lines = network.lines
    return StationLanes(
        first=lines.first,
        points=lines.points,
        arc=lines.arc,
        run=lines.run,
        tangent=lines.tangent,
        left=network.left_width,
        right=network.right_width,
        left_crossable=network.left_crossable,
        right_crossable=network.right_crossable,
        clear_before=before,
        clear_beyond=beyond,
    )


def _settle(network: RoadNetwork, rows: IntArray, link: IntArray, s: FloatArray, found: FloatArray) -> None:
    """Take lanes out of rows of `found` again that are not parallel by their headings."""
    own, place = link[rows // 2], s[rows // 2]
    side = rows % 2
    left, right = network.boundary_distances(own, place)
    offset = (1.0 - 2.0 * side) * (np.where(side == 0, left, right) + PROBE_BEYOND)
    here = network.pose_at(own, place, offset).heading
    there = network.pose_at(found[rows, BESIDE.link].astype(np.int64), found[rows, BESIDE.place]).heading
    apart = rows[~(np.abs(np.cos(there - here)) > PARALLEL_COSINE)]
    found[apart, BESIDE.link] = -1.0
    found[apart, BESIDE.place] = found[apart, BESIDE.distance] = found[apart, BESIDE.direction] = 0.0
    found[apart, BESIDE.room] = found[apart, BESIDE.own_room]
