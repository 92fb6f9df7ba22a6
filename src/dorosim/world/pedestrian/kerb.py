"""Where people wait at crosswalks: so far from the edge that no vehicle on its lane comes near them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.road.adjacency import frozen, rows_and_numbers
from dorosim.road.network import RoadNetwork

MIN_KERB_DISTANCE, MAX_KERB_DISTANCE = 0.5, 2.0
"""People wait at least and at most this far before the edge of the crosswalk [m]."""
KERB_STEP = 0.1
"""Places that are tried lie this far apart [m]."""
LANE_SAMPLE_SPACING = 1.0
"""Distance between the places on lanes that are looked at [m]."""
MAX_LANE_DISTANCE_TO_CROSSWALK = 30.0
"""Lanes farther than this from the middle of a crosswalk do not come to its ends [m]."""
BUS_LENGTH, BUS_WIDTH = 12.0, 2.5
"""The longest and widest vehicle that there is room for [m]."""
MAX_BUS_CURVATURE = 0.15
"""Sharper bends than this [1/m] are corners of the line; no bus turns on less than 6.7 m."""
KERB_GAP_TOLERANCE = 0.2
"""Where no place has room enough, the nearest one counts whose room is less than the largest by less than this [m]."""
WAITING_BODY_ROOM = 0.5
"""Room for the pedestrian that waits [m]."""


def waiting_distances(network: RoadNetwork) -> FloatArray:
    """`(K,)` how far before the edge of each crosswalk people wait [m], read-only.

    A map's crosswalks end where the road does, but vehicles that turn cut the corner, and the ends of long ones swing
    out of their lane: by L² / (16 R) for a body of length L whose quarter points follow a bend of radius R.
    """
    crosswalks = network.crosswalks
    distances = np.full(len(crosswalks), MIN_KERB_DISTANCE)
    place, envelope = _swept_lanes(network)
    for area in range(len(crosswalks)):
        rows = np.flatnonzero(crosswalks.area == area)
        if not len(rows):
            continue
        link, middle = int(crosswalks.link[rows[0]]), 0.5 * (crosswalks.begin[rows[0]] + crosswalks.end[rows[0]])
        heading = float(network.heading_at(link, middle)[0])
        ahead = np.array((np.cos(heading), np.sin(heading)))
        distances[area] = _distance(crosswalks.of(area)[:, :2], ahead, place, envelope)
    return frozen(distances)


def _swept_lanes(network: RoadNetwork) -> tuple[FloatArray, FloatArray]:
    """`(P, 2)` places on all lanes in map [m], and `(P,)` how far from each a bus reaches there [m]."""
    lanes = np.flatnonzero(network.link_drivable)
    counts = np.ceil(network.link_length[lanes] / LANE_SAMPLE_SPACING).astype(np.int64) + 1
    row, number = rows_and_numbers(counts)
    link, s = lanes[row], number * (network.link_length[lanes] / (counts - 1))[row]
    bend = np.minimum(np.abs(network.curvature_at(link, s)), MAX_BUS_CURVATURE)
    return network.point_at(link, s)[:, :2], 0.5 * BUS_WIDTH + BUS_LENGTH**2 * bend / 16.0


def _distance(corners: FloatArray, ahead: FloatArray, place: FloatArray, envelope: FloatArray) -> float:
    """How far from the ends of an area `(n, 2)` a pedestrian is out of the way [m]; `ahead`: direction of its lanes."""
    across = np.array((-ahead[1], ahead[0]))
    centre = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    near = np.hypot(*(place - centre).T) < MAX_LANE_DISTANCE_TO_CROSSWALK
    place, envelope = place[near] - centre, envelope[near]
    along, beside = (corners - centre) @ ahead, (corners - centre) @ across
    abreast = np.linspace(along.min(), along.max(), 5)
    out = np.arange(MIN_KERB_DISTANCE, MAX_KERB_DISTANCE + 0.5 * KERB_STEP, KERB_STEP)
    needed = MIN_KERB_DISTANCE
    for end in (beside.min(), beside.max()):
        grid = abreast[:, None, None] * ahead + (end + np.sign(end) * out)[None, :, None] * across
        gap = np.hypot(*np.moveaxis(grid[:, :, None, :] - place, -1, 0)) - envelope - WAITING_BODY_ROOM
        needed = max(needed, float(out[_first_free(gap.min(axis=(0, 2), initial=np.inf))]))
    return needed


def _first_free(gap: NDArray[np.float64]) -> int:
    """The first place whose gap `(n,)` to all vehicles is positive, or the first with about the most room."""
    most = float(gap.max())
    return int(np.flatnonzero(gap > (0.0 if most > 0.0 else most - KERB_GAP_TOLERANCE))[0])
