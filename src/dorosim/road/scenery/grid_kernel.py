"""Solid parts by place: a uniform grid, in which those near a body are found however many the map has."""

from __future__ import annotations

from math import cos, hypot, isfinite, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel

MAX_CLEARANCE = 8.0
"""Distances to the nearest part that are greater than this are not told apart [m]."""
_MAX_SQUARES = 1 << 26
_NO_SQUARES = np.zeros((0, 0), np.uint8)
CELL = 8.0
"""Side of a cell [m]: a car covers one to four."""
_X, _Y, _Z, _YAW, _LENGTH, _WIDTH, _HEIGHT = range(7)
"""Rows of the float block of `PartTable`."""


class PartGrid(NamedTuple):
    """Boxes around parts by cell.

    Attributes:
        corner: `(2,)` lowest east and north of all parts [m].
        cells: `(2,)` how many there are from west to east and from south to north; zeros where there is no part.
        first: `(cells + 1,)` where the list of each cell begins in `part`, cells from west to east fastest.
        part: rows of the parts that reach into each cell, ascending.
        bounds: `(6, P)` lowest east, north, up and highest east, north, up of each part [m].
        clear: `(columns, rows)` of squares of 1 m from `corner` - `MAX_CLEARANCE` on: no part is nearer to any place in
            one than so many decimetres, seen from above.
        level: `(columns, 16 * rows)` the same in four levels for tiles of 8 x 8 squares, with two bits for a square and
            16 bytes for a tile: where many bodies are looked at, fetching from `clear` is most of the time.
    """

    corner: FloatArray
    cells: IntArray
    first: IntArray
    part: IntArray
    bounds: FloatArray
    clear: NDArray[np.uint8]
    level: NDArray[np.uint8]


def part_bounds(parts: FloatArray) -> FloatArray:
    """`(6, P)` lowest and highest east, north and up of parts, the float block of `PartTable` [m]."""
    c, s = np.abs(np.cos(parts[_YAW])), np.abs(np.sin(parts[_YAW]))
    reach = np.stack((c * parts[_LENGTH] + s * parts[_WIDTH], s * parts[_LENGTH] + c * parts[_WIDTH], parts[_HEIGHT]))
    return np.concatenate((parts[_X : _Z + 1] - reach, parts[_X : _Z + 1] + reach))


def grid_of_parts(parts: FloatArray) -> PartGrid:
    """The grid of parts, the float block of `PartTable`."""
    bounds = part_bounds(parts)
    if not bounds.shape[1]:
        none = np.zeros(0, np.int64)
        lists, squares = (np.zeros(2, np.int64), np.zeros(1, np.int64), none), (_NO_SQUARES.copy(), _NO_SQUARES.copy())
        return _read_only(PartGrid(np.zeros(2), *lists, bounds, *squares))
    corner = bounds[:2].min(axis=1)
    low = ((bounds[:2] - corner[:, None]) // CELL).astype(np.int64)
    high = ((bounds[3:5] - corner[:, None]) // CELL).astype(np.int64)
    count = high.max(axis=1) + 1
    # each part is in the cells of a rectangle, which are counted from west to east, then from south to north
    width, height = high - low + 1
    part = np.repeat(np.arange(bounds.shape[1]), width * height)
    number = np.arange(len(part)) - np.repeat(np.cumsum(width * height) - width * height, width * height)
    cell = (low[1, part] + number // width[part]) * count[0] + low[0, part] + number % width[part]
    order = np.argsort(cell, kind="stable")
    first = np.searchsorted(cell[order], np.arange(count[0] * count[1] + 1))
    clear = _clearance(bounds, corner)
    level = np.zeros((-(-clear.shape[0] // 8), -(-clear.shape[1] // 8) * 16), np.uint8)
    write_levels(clear, level)
    return _read_only(PartGrid(corner, count, first.astype(np.int64), part[order], bounds, clear, level))


def _clearance(bounds: FloatArray, corner: FloatArray) -> NDArray[np.uint8]:
    extent = np.ceil(bounds[3:5].max(axis=1) - corner + 2.0 * MAX_CLEARANCE).astype(np.int64) + 1
    if extent.prod() > _MAX_SQUARES:
        return _NO_SQUARES.copy()
    clear = np.full(tuple(extent.tolist()), np.uint8(10.0 * MAX_CLEARANCE))
    fill_clearance(bounds, corner[0] - MAX_CLEARANCE, corner[1] - MAX_CLEARANCE, clear)
    return clear


def _read_only(grid: PartGrid) -> PartGrid:
    for array in grid:
        array.flags.writeable = False
    return grid


@inner_kernel
def cells_within(grid: PartGrid, low_x: float, low_y: float, high_x: float, high_y: float) -> tuple[int, int, int, int]:
    """First and last column, first and last row of the cells that a rectangle covers; none where it is no place."""
    if grid.cells[0] == 0 or not (isfinite(low_x) and isfinite(low_y) and isfinite(high_x) and isfinite(high_y)):
        return 0, -1, 0, -1
    west, south = grid.corner[0], grid.corner[1]
    last_column, last_row = grid.cells[0] - 1, grid.cells[1] - 1
    if high_x < west or high_y < south or low_x > west + CELL * grid.cells[0] or low_y > south + CELL * grid.cells[1]:
        return 0, -1, 0, -1
    return (
        int(max((low_x - west) // CELL, 0.0)),
        int(min((high_x - west) // CELL, last_column)),
        int(max((low_y - south) // CELL, 0.0)),
        int(min((high_y - south) // CELL, last_row)),
    )


@kernel
def fill_clearance(bounds: FloatArray, west: float, south: float, clear: NDArray[np.uint8]) -> None:
    """Lower the clearances of the squares about each part; arguments as of `PartGrid`, and the corner of `clear`."""
    half = 0.5 * 2.0**0.5
    for p in range(bounds.shape[1]):
        first_column, last_column = int(bounds[0, p] - MAX_CLEARANCE - west), int(bounds[3, p] + MAX_CLEARANCE - west)
        first_row, last_row = int(bounds[1, p] - MAX_CLEARANCE - south), int(bounds[4, p] + MAX_CLEARANCE - south)
        for column in range(max(first_column, 0), min(last_column + 1, clear.shape[0])):
            x = west + column + 0.5
            dx = max(bounds[0, p] - x, x - bounds[3, p], 0.0)
            for row in range(max(first_row, 0), min(last_row + 1, clear.shape[1])):
                y = south + row + 0.5
                away = hypot(dx, max(bounds[1, p] - y, y - bounds[4, p], 0.0)) - half
                clear[column, row] = min(clear[column, row], np.uint8(10.0 * min(max(away, 0.0), MAX_CLEARANCE)))


@inner_kernel
def is_clear(clear: NDArray[np.uint8], corner: FloatArray, x: float, y: float, reach: float) -> bool:
    """Whether no part is within reach of a place [m], seen from above; where that is not known, it is not so."""
    column, row = x - corner[0] + MAX_CLEARANCE, y - corner[1] + MAX_CLEARANCE
    if not (0.0 <= column < clear.shape[0] and 0.0 <= row < clear.shape[1]):
        return False
    return bool(10.0 * reach < clear[int(column), int(row)])


@kernel
def write_levels(clear: NDArray[np.uint8], level: NDArray[np.uint8]) -> None:
    """Write the level of each square, as in `PartGrid`: 0, or 1, 2, 3 where nothing is within 0.5, 1.5, 3 m."""
    for column in range(clear.shape[0]):
        for row in range(clear.shape[1]):
            away = clear[column, row]
            found = (away >= 5) + (away >= 15) + (away >= 30)
            place = (row >> 3) * 16 + (column & 7) * 2 + ((row >> 2) & 1)
            level[column >> 3, place] |= np.uint8(found << (2 * (row & 3)))


@inner_kernel
def is_clear_level(level: NDArray[np.uint8], corner: FloatArray, x: float, y: float, reach: float) -> bool:
    """What `is_clear` says, by levels: where it is not known, or the reach is 3 m or more, it is not so."""
    column, row = x - corner[0] + MAX_CLEARANCE, y - corner[1] + MAX_CLEARANCE
    if not (0.0 <= column < 8 * level.shape[0] and 0.0 <= row < level.shape[1] // 2):
        return False
    i, j = int(column), int(row)
    found = (int(level[i >> 3, (j >> 3) * 16 + (i & 7) * 2 + ((j >> 2) & 1)]) >> (2 * (j & 3))) & 3
    return reach < 0.25 * found * (found + 1)


@inner_kernel
def overlaps(
    bounds: FloatArray, p: int, low_x: float, low_y: float, low_z: float, high_x: float, high_y: float, high_z: float
) -> bool:
    """Whether the box around a part overlaps another one along the axes."""
    return bool(
        bounds[0, p] <= high_x
        and bounds[3, p] >= low_x
        and bounds[1, p] <= high_y
        and bounds[4, p] >= low_y
        and bounds[2, p] <= high_z
        and bounds[5, p] >= low_z
    )


@inner_kernel
def box_gap(parts: FloatArray, p: int, x: float, y: float, yaw: float, half_length: float, half_width: float) -> float:
    """The widest gap between a part and a box from above, along the edge normals of both [m].

    Negative where they overlap: by how much they would have to be moved apart (C. Ericson, "Real-Time Collision
    Detection" (2005), section 4.4).
    """
    c, s, pc, ps = cos(yaw), sin(yaw), cos(parts[_YAW, p]), sin(parts[_YAW, p])
    dx, dy = parts[_X, p] - x, parts[_Y, p] - y
    length, width = parts[_LENGTH, p], parts[_WIDTH, p]
    along, across = abs(c * pc + s * ps), abs(c * ps - s * pc)
    gap = abs(c * dx + s * dy) - half_length - along * length - across * width
    gap = max(gap, abs(c * dy - s * dx) - half_width - across * length - along * width)
    gap = max(gap, abs(pc * dx + ps * dy) - length - along * half_length - across * half_width)
    widest: float = max(gap, abs(pc * dy - ps * dx) - width - across * half_length - along * half_width)
    return widest
