"""Segments of lanes and of their boundaries, with lists of those near each place, made once for all worlds on a map."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray, read_only
from dorosim.road.network import RoadNetwork
from dorosim.sensor.agent.kinematic.segment_kernel import SEGMENT_REACH, list_segments
from dorosim.sensor.agent.kinematic.state import LaneTables, MapPoint, SegmentKind, SegmentTables
from dorosim.sensor.agent.kinematic.world_kernel import find_on_road
from dorosim.sensor.agent.observation_kernel import LENGTH_SCALE, WIDTH_SCALE

SEGMENT_CELL = 8.0
"""Side of the cells that have lists [m], where these are not larger than `MAX_LIST_NUMBERS`."""
MAX_LIST_NUMBERS = 50_000_000
SEGMENT_POINTS = 6
"""A segment goes over so many points of its lane at the most, twelve metres."""
SEGMENT_TURN = 0.12
"""It turns by about so much at the most [rad]."""
EDGE_LOOK = 0.8
"""Where no lane is so far beyond a boundary, it is an edge of the road [m]."""
_COARSE, _AROUND = 32.0, 2


def segment_tables(network: RoadNetwork, lanes: LaneTables, most: int) -> SegmentTables:
    """The segments of a map.

    Args:
        network: the road network.
        lanes: its lanes.
        most: of the list of a cell.
    """
    begin, end = _ends(lanes)
    if not len(begin) or most == 0:
        return no_segments()
    inside = np.array([name != "" for name in network.link_movements], np.bool_)[lanes.link[begin]]
    tables = [_segments(lanes.point, begin, end, 0.0 * lanes.point[:, 0], SegmentKind.LANE)]
    for sign, column in ((1.0, MapPoint.LEFT), (-1.0, MapPoint.RIGHT)):
        aside = sign * lanes.point[:, column]
        beyond = _segments(lanes.point, begin, end, aside + sign * EDGE_LOOK, SegmentKind.EDGE)
        on = np.zeros(len(begin), np.bool_)
        find_on_road(lanes, beyond[:, :3].astype(np.float64), on)
        line = on & ~inside
        tables.append(_segments(lanes.point, begin[~on], end[~on], aside, SegmentKind.EDGE))
        tables.append(_segments(lanes.point, begin[line], end[line], aside, SegmentKind.LINE))
    segment = np.concatenate(tables)
    return _with_lists(lanes, segment, most)


def no_segments() -> SegmentTables:
    """Those of agents that perceive none."""
    return SegmentTables(
        read_only(np.zeros((0, 8), np.float32)),
        read_only(np.array([0.0, 0.0, SEGMENT_CELL])),
        read_only(np.zeros(2, np.int64)),
        read_only(np.zeros(1, np.int64)),
        read_only(np.zeros(0, np.int32)),
    )


def _ends(lanes: LaneTables) -> tuple[IntArray, IntArray]:
    """The first and the last point of each segment: they are shorter on links that bend more."""
    count = len(lanes.length)
    points = np.diff(lanes.first)
    owner = np.repeat(np.arange(count), points)
    bend = np.zeros(count)
    np.maximum.at(bend, owner, np.abs(lanes.point[:, MapPoint.CURVATURE]))
    turn = np.maximum(bend * lanes.step, 1e-9)
    each = np.clip(np.floor(SEGMENT_TURN / turn), 1, SEGMENT_POINTS).astype(np.int64)
    place = np.arange(len(owner)) - lanes.first[owner]
    begin = np.flatnonzero((place % each[owner] == 0) & (lanes.link >= 0))
    last = lanes.first[owner[begin] + 1] - 1
    return begin, np.minimum(begin + each[owner[begin]], last)


def _segments(
    point: FloatArray, begin: IntArray, end: IntArray, aside: FloatArray, kind: SegmentKind
) -> NDArray[np.float32]:
    """`(S, 8)` segments beside the middle of lanes by `aside` of each point, left positive [m]."""
    x = point[:, MapPoint.X] - aside * point[:, MapPoint.TANGENT_Y]
    y = point[:, MapPoint.Y] + aside * point[:, MapPoint.TANGENT_X]
    table = np.zeros((len(begin), 8), np.float32)
    dx, dy = x[end] - x[begin], y[end] - y[begin]
    length = np.hypot(dx, dy)
    table[:, 0], table[:, 1] = 0.5 * (x[begin] + x[end]), 0.5 * (y[begin] + y[end])
    table[:, 2] = 0.5 * (point[begin, MapPoint.Z] + point[end, MapPoint.Z])
    # on the inside of a narrow bend a boundary may be a point
    there = length > 1e-6
    tangent_x, tangent_y = point[begin, MapPoint.TANGENT_X], point[begin, MapPoint.TANGENT_Y]
    table[:, 3] = np.where(there, dx / np.maximum(length, 1e-6), tangent_x)
    table[:, 4] = np.where(there, dy / np.maximum(length, 1e-6), tangent_y)
    table[:, 5] = np.minimum(length / LENGTH_SCALE, 1.0)
    width = point[begin, MapPoint.LEFT] + point[begin, MapPoint.RIGHT]
    table[:, 6] = np.clip(width / WIDTH_SCALE, 0.0, 1.0) if kind is SegmentKind.LANE else 0.0
    table[:, 7] = kind / len(SegmentKind)
    return table


def _with_lists(lanes: LaneTables, segment: NDArray[np.float32], most: int) -> SegmentTables:
    """The segments with lists of those near each cell of a grid that is on or beside a lane."""
    middle = segment[:, :2].astype(np.float64)
    low, high = lanes.point[:, :2].min(axis=0), lanes.point[:, :2].max(axis=0)
    side = SEGMENT_CELL
    while True:
        origin = low - (_AROUND + 0.5) * side
        size = np.ceil((high - origin) / side + _AROUND + 0.5).astype(np.int64)
        if np.prod(size.astype(np.float64)) <= MAX_LIST_NUMBERS:
            near = _cells_near(lanes, origin, side, size)
            if len(near) * most <= MAX_LIST_NUMBERS:
                break
        side *= 2.0
    centre = origin + side * (np.stack([near % size[0], near // size[0]], axis=1) + 0.5)
    coarse = np.array([*middle.min(axis=0), _COARSE])
    coarse_size = ((middle.max(axis=0) - coarse[:2]) / _COARSE).astype(np.int64) + 1
    cell = ((middle - coarse[:2]) / _COARSE).astype(np.int64)
    number = cell[:, 0] + coarse_size[0] * cell[:, 1]
    order = np.argsort(number, kind="stable")
    first = np.concatenate(([0], np.cumsum(np.bincount(number, minlength=int(np.prod(coarse_size))))))
    found, counts = np.zeros((len(near), most), np.int32), np.zeros(len(near), np.int64)
    reach = SEGMENT_REACH - 0.75 * side
    list_segments(middle, coarse, coarse_size, first, order, centre, reach, most, found, counts)
    each = np.zeros(int(np.prod(size)), np.int64)
    each[near] = counts
    kept = np.arange(most)[None, :] < counts[:, None]
    return SegmentTables(
        read_only(segment),
        read_only(np.array([*origin, side])),
        read_only(size),
        read_only(np.concatenate(([0], np.cumsum(each)))),
        read_only(found[kept]),
    )


def _cells_near(lanes: LaneTables, origin: FloatArray, side: float, size: IntArray) -> IntArray:
    """The cells in which, or next but one to which, a point of a lane lies; ascending."""
    marked = np.zeros((int(size[1]), int(size[0])), np.bool_)
    cell = ((lanes.point[:, :2] - origin) / side).astype(np.int64)
    for row in range(-_AROUND, _AROUND + 1):
        for column in range(-_AROUND, _AROUND + 1):
            marked[cell[:, 1] + row, cell[:, 0] + column] = True
    return np.flatnonzero(marked.reshape(-1))
