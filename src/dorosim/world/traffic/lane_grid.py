"""Where lanes are, to find those that a body stands on: straight pieces of all lanes, in the cells of a grid."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray, IntArray, adjacency_from_pairs, frozen
from dorosim.world.traffic.road import FIRST_POINT, HALF_WIDTH, POINTS_PER_METRE, SLOPE_X, RoadArrays

CELL = 8.0
"""Side of a cell, and the longest piece [m]."""

_FLAT = 0.01
"""Pieces leave the course by about this at most [m]."""

WIDEST = 1.55
"""A body farther than this from the middle of a lane hinders no vehicle on it [m]: half a bus (2.5 m) and 0.3 m."""

X, Y, Z, ALONG_X, ALONG_Y, RISE, PIECE_LENGTH, START, REACH = range(9)
"""Columns of `LaneGrid.piece`: its start in map [m], its direction in the plan, metres up per metre of its way, its
length in the plan [m], arc length of its start on its link [m], and how far from its middle a body hinders vehicles
on it [m]."""


class LaneGrid(NamedTuple):
    """Pieces of the lanes for vehicles, by cell; all arrays are read-only.

    Attributes:
        origin: `(2,)` corner of the grid in map [m].
        size: `(2,)` cells along x and y.
        first: `(cells + 1,)` where the pieces of each cell begin in `item`; cell = column + columns * row.
        item: pieces that lanes cover some of a cell with, cell by cell.
        piece: `(Q, 9)`, see the names of its columns.
        link: `(Q,)` of each piece.
    """

    origin: FloatArray
    size: IntArray
    first: IntArray
    item: IntArray
    piece: FloatArray
    link: IntArray


def lane_grid_of_road(road: RoadArrays, drivable: FlagArray) -> LaneGrid:
    """The grid over all lanes that vehicles use `(L,)`."""
    piece, link = _pieces(road, drivable)
    reach = piece[:, REACH, None]
    begin = piece[:, [X, Y]]
    end = begin + piece[:, [ALONG_X, ALONG_Y]] * piece[:, PIECE_LENGTH, None]
    low, high = np.minimum(begin, end) - reach, np.maximum(begin, end) + reach
    origin = low.min(axis=0, initial=math.inf if len(low) else 0.0)
    left, right = (((side - origin) // CELL).astype(np.int64) for side in (low, high))
    size = right.max(axis=0, initial=-1) + 1
    cells, items = _cells(left, right, int(size[0]))
    lists = adjacency_from_pairs(cells, items, int(size[0] * size[1]))
    return LaneGrid(frozen(origin), frozen(size), lists.first, lists.item, frozen(piece), frozen(link))


def _pieces(road: RoadArrays, drivable: FlagArray) -> tuple[FloatArray, IntArray]:
    """The courses of lanes, cut where they bend and where they are longer than a cell."""
    first = np.append(road.lane[:, FIRST_POINT], len(road.line)).astype(np.int64)
    owner = np.repeat(np.arange(len(drivable)), np.diff(first))
    inside = np.flatnonzero((owner[1:] == owner[:-1]) & drivable[owner[:-1]])
    start, end = road.line[inside], road.line[inside + 1]
    kept = np.hypot(*(end - start)[:, :2].T) > 1e-6
    inside, start, end = inside[kept], start[kept], end[kept]
    chord = end[:, :2] - start[:, :2]
    first_bulge, last_bulge = start[:, SLOPE_X:] - chord, chord - end[:, SLOPE_X:]
    off = 0.25 * np.maximum(np.hypot(*first_bulge.T), np.hypot(*last_bulge.T))
    shares = np.ceil(np.maximum(np.hypot(*chord.T) / CELL, np.sqrt(off / _FLAT))).astype(np.int64)
    row = np.repeat(np.arange(len(inside)), shares)
    number = np.arange(len(row)) - np.repeat(np.cumsum(shares) - shares, shares)

    def point_at(share: FloatArray) -> FloatArray:
        u = share[:, None]
        bulge = (1.0 - u) * first_bulge[row] + u * last_bulge[row]
        flat = start[row, :2] + u * chord[row] + u * (1.0 - u) * bulge
        return np.column_stack((flat, start[row, 2] + share * (end[row, 2] - start[row, 2])))

    link = owner[inside[row]]
    per_cell = 1.0 / road.lane[link, POINTS_PER_METRE]
    share = number / shares[row]
    place = inside[row] - first[link] + share
    point = point_at(share)
    way = point_at((number + 1) / shares[row]) - point
    step = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    columns = (
        point,
        way[:, :2] / step[:, None],
        (way[:, 2] / step)[:, None],
        step[:, None],
        (place * per_cell)[:, None],
        np.minimum(road.rim[link, HALF_WIDTH], WIDEST)[:, None],
    )
    return np.concatenate(columns, axis=1), link


def _cells(low: IntArray, high: IntArray, columns: int) -> tuple[IntArray, IntArray]:
    """Pairs of cell and item of items that reach from cell `low` to cell `high`, `(Q, 2)` each."""
    spread = high - low + 1
    count = spread[:, 0] * spread[:, 1]
    item = np.repeat(np.arange(len(low)), count)
    number = np.arange(len(item)) - np.repeat(np.cumsum(count) - count, count)
    row, column = np.divmod(number, spread[item, 0])
    return (low[item, 1] + row) * columns + low[item, 0] + column, item
