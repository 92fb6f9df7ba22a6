"""The lanes of a map at even points, made once for all worlds on it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray, read_only
from dorosim.road.adjacency import adjacency_from_pairs
from dorosim.road.network import RoadNetwork
from dorosim.sensor.agent.kinematic.state import LaneTables, MapPoint

POINT_SPACING = 2.0
"""Points of a lane are at most this far apart [m]."""
LANE_CELL = 8.0
"""Side of the cells in which segments are looked up [m], where the map is not so large that there would be more than
`MAX_LANE_CELLS` of them."""
MAX_LANE_CELLS = 4_000_000


@lru_cache(maxsize=8)
def lane_tables(network: RoadNetwork, governed: tuple[int, ...]) -> LaneTables:
    """The lanes of a map.

    Args:
        network: the road network.
        governed: rows of the links that a traffic light governs.
    """
    count = network.link_count
    used = network.link_drivable & (network.link_length > 0.0)
    segments = np.where(used, np.maximum(np.ceil(network.link_length / POINT_SPACING), 1), 0).astype(np.int64)
    points = np.where(used, segments + 1, 0)
    first = np.concatenate(([0], np.cumsum(points)))
    step = network.link_length / np.maximum(segments, 1)
    link = np.repeat(np.arange(count), points)
    place = np.arange(len(link)) - first[link]
    point = _points(network, link, place * step[link])
    owner = np.where(place < segments[link], link, -1)
    origin, size, cell_first, cell_point = lane_grid(point, np.flatnonzero(owner >= 0))
    lit = np.zeros(count, np.int64)
    lit[list(governed)] = 1
    line = network.signals.stop_line
    next_first, next_link = _successors(network, used)
    return LaneTables(
        point=read_only(point),
        link=read_only(owner),
        first=read_only(first),
        step=read_only(step),
        length=read_only(network.link_length.copy()),
        limit=read_only(network.link_speed_limit.copy()),
        line=read_only(np.where(np.isfinite(line), line, np.inf)),
        lit=read_only(lit),
        next_first=read_only(next_first),
        next_link=read_only(next_link),
        grid=read_only(origin),
        grid_size=read_only(size),
        cell_first=read_only(cell_first),
        cell_point=read_only(cell_point),
    )


def _points(network: RoadNetwork, link: IntArray, arc: FloatArray) -> FloatArray:
    """`(P, 8)` `MapPoint` at places on lanes."""
    table = np.zeros((len(link), len(MapPoint)))
    if not len(link):
        return table
    pose = network.pose_at(link, arc)
    table[:, :3] = pose.point
    table[:, MapPoint.TANGENT_X], table[:, MapPoint.TANGENT_Y] = np.cos(pose.heading), np.sin(pose.heading)
    table[:, MapPoint.CURVATURE] = network.curvature_at(link, arc)
    table[:, MapPoint.LEFT], table[:, MapPoint.RIGHT] = network.boundary_distances(link, arc)
    return table


def _successors(network: RoadNetwork, used: NDArray[np.bool_]) -> tuple[IntArray, IntArray]:
    """Links that follow each link, and that vehicles use."""
    first, item = network.successors.first, network.successors.item
    before = np.repeat(np.arange(network.link_count), np.diff(first))
    kept = used[item] & used[before] if len(item) else np.zeros(0, np.bool_)
    found = adjacency_from_pairs(before[kept], item[kept], network.link_count)
    return found.first.copy(), found.item.copy()


def lane_grid(point: FloatArray, segment: IntArray) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """Corner and side of a grid, its size, and the segments that begin in each cell."""
    if not len(segment):
        return np.array([0.0, 0.0, LANE_CELL]), np.zeros(2, np.int64), np.zeros(1, np.int64), np.zeros(0, np.int64)
    low, high = point[:, :2].min(axis=0), point[:, :2].max(axis=0)
    side = LANE_CELL
    while np.prod((high - low) / side + 1.0) > MAX_LANE_CELLS:
        side *= 2.0
    size = ((high - low) / side).astype(np.int64) + 1
    cell = ((point[segment, :2] - low) / side).astype(np.int64)
    number = cell[:, 0] + size[0] * cell[:, 1]
    order = np.argsort(number, kind="stable")
    first = np.concatenate(([0], np.cumsum(np.bincount(number, minlength=int(size[0] * size[1])))))
    return np.array([*low, side]), size, first.astype(np.int64), segment[order]
