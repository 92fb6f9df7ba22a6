"""The ground as kernels see it: lane segments with their heights, and a grid to find the nearest one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import Adjacency, FlagArray, FloatArray, IntArray, adjacency_from_pairs, frozen
from dorosim.road.polyline import Polylines

_SMALLEST_CELL, _LARGEST_CELL = 4.0, 64.0
"""Bounds of the side of a grid cell [m]."""

_MAX_CELLS = 4_000_000
"""The grid grows coarser rather than larger than this."""


class SurfaceArrays(NamedTuple):
    """Lanes as kernels see them; all arrays are read-only.

    Attributes:
        station: `(P, 6)` x, y, z in map [m], tangent x, y (length 1), grade; at each point of each link.
        link: `(P,)` link of the segment that starts at each point.
        first: `(L + 1,)` first point of each link.
        drivable: `(L,)` whether vehicles may use the link.
        next_first, next_link: links that follow each link (see `Adjacency`).
        before_first, before_link: links that lead to each link.
        grid_origin: `(3,)` x and y of the grid's corner in map [m], side of a cell [m].
        grid_size: `(2,)` number of cells along x and y.
        cell_first, cell_segment: segments that may pass through each cell; cell = column + columns * row.
    """

    station: FloatArray
    link: IntArray
    first: IntArray
    drivable: FlagArray
    next_first: IntArray
    next_link: IntArray
    before_first: IntArray
    before_link: IntArray
    grid_origin: FloatArray
    grid_size: IntArray
    cell_first: IntArray
    cell_segment: IntArray


def surface_from_lines(
    lines: Polylines, drivable: FlagArray, successors: Adjacency, predecessors: Adjacency
) -> SurfaceArrays:
    """Lay the grid over the segments of all links.

    Args:
        lines: centre lines of the links.
        drivable: `(L,)` whether vehicles may use the link.
        successors: links that follow each link.
        predecessors: links that lead to each link.
    """
    station = np.column_stack((lines.points, lines.tangent, lines.grade))
    origin, size, cells = _grid(lines)
    return SurfaceArrays(
        station=frozen(np.ascontiguousarray(station)),
        link=lines.line,
        first=lines.first,
        drivable=drivable,
        next_first=successors.first,
        next_link=successors.item,
        before_first=predecessors.first,
        before_link=predecessors.item,
        grid_origin=frozen(origin),
        grid_size=frozen(size),
        cell_first=cells.first,
        cell_segment=cells.item,
    )


def _grid(lines: Polylines) -> tuple[FloatArray, IntArray, Adjacency]:
    """Origin and cell side `(3,)`, size `(2,)`, and the segments of each cell."""
    segment = np.flatnonzero(lines.line[1:] == lines.line[:-1])
    if not len(segment):
        empty = adjacency_from_pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), 0)
        return np.array([0.0, 0.0, _SMALLEST_CELL]), np.zeros(2, np.int64), empty
    low = lines.points[:, :2].min(axis=0)
    extent = lines.points[:, :2].max(axis=0) - low
    side = math.sqrt(float(extent[0] * extent[1]) / (2 * len(segment)))
    side = min(max(side, _SMALLEST_CELL), _LARGEST_CELL)
    while float(np.prod(extent / side + 1)) > _MAX_CELLS:
        side *= 2
    size = (extent / side).astype(np.int64) + 1
    row, item = _cells_of_segments(lines.points[:, :2] - low, segment, side, size)
    return np.array([low[0], low[1], side]), size, adjacency_from_pairs(row, item, int(size[0] * size[1]))


def _cells_of_segments(points: FloatArray, segment: IntArray, side: float, size: IntArray) -> tuple[IntArray, IntArray]:
    """Pairs of cell and segment, ordered, each once.

    A segment is cut into pieces no longer than a cell, so a piece touches at most two columns and two rows; the up
    to four cells that these span are taken, a few more than the piece passes through.

    Args:
        points: `(P, 2)` from the corner of the grid [m].
        segment: `(S,)` index of the first point of each segment.
        side: of a cell [m].
        size: `(2,)` cells along x and y.
    """
    start, way = points[segment], points[segment + 1] - points[segment]
    pieces = np.ceil(np.hypot(way[:, 0], way[:, 1]) / side).astype(np.int64).clip(min=1)
    owner = np.repeat(np.arange(len(segment)), pieces)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    share = pieces[owner]
    low = _cell_of(start[owner] + way[owner] * (number / share)[:, None], side, size)
    high = _cell_of(start[owner] + way[owner] * ((number + 1) / share)[:, None], side, size)
    cells = [x + int(size[0]) * y for x in (low[:, 0], high[:, 0]) for y in (low[:, 1], high[:, 1])]
    count = len(points)
    pairs = np.sort(np.concatenate(cells) * count + np.tile(segment[owner], 4))
    pairs = pairs[np.diff(pairs, prepend=-1) != 0]
    return pairs // count, pairs % count


def _cell_of(points: FloatArray, side: float, size: IntArray) -> IntArray:
    """Column and row `(N, 2)` of points `(N, 2)` from the corner of the grid [m]."""
    return np.clip((points / side).astype(np.int64), 0, size - 1)
