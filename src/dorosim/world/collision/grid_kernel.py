"""A hashed uniform grid over rectangles in the plane: which ones may touch, at a cost that grows with their number.

Every rectangle is entered in each cell that it covers; the cells are buckets of a hash table (M. Teschner et al.,
"Optimized spatial hashing for collision detection of deformable objects", VMV 2003), filled by counting, so that
the members of a cell stand in the order of their rows.
"""

from __future__ import annotations

from math import floor
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel

MAX_CELLS_ALONG = 32
"""Cells that the largest rectangle covers along an axis: one huge wall makes cells larger, not the table."""
MAX_GRID_COORDINATE = 1e9
"""Coordinates beyond it are no place, and a rectangle there is in no cell [m]."""


class Grid(NamedTuple):
    """Rectangles by cell.

    Attributes:
        cell: side of a cell [m].
        cover: `(4, N)` lowest x, lowest y, highest x and highest y of the cells that each rectangle covers.
        start: `(buckets + 1,)` first entry of each bucket; the number of buckets is a power of 2.
        member, cell_x, cell_y: `(entries,)` rectangle and cell of each entry.
    """

    cell: float
    cover: IntArray
    start: IntArray
    member: IntArray
    cell_x: IntArray
    cell_y: IntArray


@inner_kernel
def cell_of(coordinate: float, cell: float) -> int:
    """Number of the cell that holds a coordinate."""
    return floor(coordinate / cell)


@inner_kernel
def bucket_of(cell_x: int, cell_y: int, buckets: int) -> int:
    """Bucket of a cell."""
    return ((cell_x * 73856093) ^ (cell_y * 19349663)) & (buckets - 1)


@inner_kernel
def is_place(low_x: float, low_y: float, high_x: float, high_y: float) -> bool:
    """Whether a rectangle is finite, ordered and not too far to be a place."""
    if not (high_x >= low_x and high_y >= low_y):
        return False
    farthest: float = max(abs(low_x), abs(low_y), abs(high_x), abs(high_y))
    return farthest < MAX_GRID_COORDINATE


@inner_kernel
def cover_of(box: FloatArray, cell: float) -> tuple[IntArray, int]:
    """The cells that each rectangle covers (as in `Grid`, none for one that is no place), and how many in all."""
    count, entries = box.shape[1], 0
    cover = np.empty((4, count), np.int64)
    for i in range(count):
        if is_place(box[0, i], box[1, i], box[2, i], box[3, i]):
            for k in range(4):
                cover[k, i] = cell_of(box[k, i], cell)
        else:
            cover[0, i], cover[1, i], cover[2, i], cover[3, i] = 1, 1, 0, 0
        entries += (cover[2, i] - cover[0, i] + 1) * (cover[3, i] - cover[1, i] + 1)
    return cover, entries


@inner_kernel
def grid_over(box: FloatArray, least_cell: float) -> Grid:
    """The grid of `(4, N)` rectangles: low x, low y, high x, high y [m], with cells of at least a size [m]."""
    count, largest = box.shape[1], 0.0
    for i in range(count):
        if is_place(box[0, i], box[1, i], box[2, i], box[3, i]):
            largest = max(largest, box[2, i] - box[0, i], box[3, i] - box[1, i])
    cell = max(least_cell, largest / MAX_CELLS_ALONG)
    cover, entries = cover_of(box, cell)
    buckets = 16
    while buckets < entries:
        buckets *= 2
    start = np.zeros(buckets + 1, np.int64)
    member, cell_x, cell_y = np.empty(entries, np.int64), np.empty(entries, np.int64), np.empty(entries, np.int64)
    # count, sum up to the ends of the buckets, then fill each from its end, the last row first
    for i in range(count):
        for ix in range(cover[0, i], cover[2, i] + 1):
            for iy in range(cover[1, i], cover[3, i] + 1):
                start[bucket_of(ix, iy, buckets)] += 1
    total = 0
    for bucket in range(buckets + 1):
        total += start[bucket]
        start[bucket] = total
    for i in range(count - 1, -1, -1):
        for ix in range(cover[0, i], cover[2, i] + 1):
            for iy in range(cover[1, i], cover[3, i] + 1):
                bucket = bucket_of(ix, iy, buckets)
                start[bucket] -= 1
                entry = start[bucket]
                member[entry], cell_x[entry], cell_y[entry] = i, ix, iy
    return Grid(cell, cover, start, member, cell_x, cell_y)
