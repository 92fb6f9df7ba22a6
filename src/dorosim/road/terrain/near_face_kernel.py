"""The faces of the ground near a wheel, gathered once for all the places about it whose heights are asked for.

A cell beside a kerb has a dozen faces and more, and a wheel there asks for fifteen heights, most of which meet one of
two or three faces. Those that lie farther away than the places do are left out; the others stand in the order of
their cells, so that a height is that of `ground_at` to the bit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel, outlined_kernel
from dorosim.road.terrain.query_kernel import (
    MAX_STEP_UP,
    RECORD,
    TerrainArrays,
    TerrainNumber,
    face_at,
    ground_at,
    land_at,
)

NEAR_ROOM = 101
"""Length of the array that faces are gathered in: where those of four cells begin and end, and the records."""
FACE_MARGIN = 0.05
"""Faces so much farther away are gathered, too [m]: no rounding of a place or a face comes so far."""
TOP_MARGIN = 1e-3
"""Nothing is higher than the highest corner and this [m], however heights are rounded."""
_ORIGIN, _GRID, _CELL = int(TerrainNumber.ORIGIN_X), int(TerrainNumber.GRID_X), int(TerrainNumber.CELL)
_SIZE, _LAND_GRID, _SQUARE = int(TerrainNumber.COLUMNS), int(TerrainNumber.LAND_X), int(TerrainNumber.SQUARE)
_LAND_SIZE, _FACES = int(TerrainNumber.LAND_COLUMNS), int(TerrainNumber.FACES)
_LAND_START, _RECORD_START = int(TerrainNumber.LAND_START), int(TerrainNumber.RECORD_START)
_ENTRIES = 5


class NearFaces(NamedTuple):
    """What was gathered.

    Attributes:
        column, row: of the first of the four cells.
        complete: whether faces and top are known; else each height is looked for in the whole ground.
        top: nothing near is higher than this in map [m].
    """

    column: int
    row: int
    complete: bool
    top: float


@outlined_kernel
def height_at(terrain: TerrainArrays, x: float, y: float, z: float) -> float:
    """The height of `ground_at`."""
    return ground_at(terrain, x, y, z).height


@inner_kernel
def top_of_land(terrain: TerrainArrays, x: float, y: float, reach: float) -> float:
    """The highest corner of the squares of the land that are near a point from the origin [m]."""
    number, height = terrain.number, terrain.height
    side, columns, rows = number[_SQUARE], int(number[_LAND_SIZE]), int(number[_LAND_SIZE + 1])
    first = int(min(max((x - reach - number[_LAND_GRID]) / side, 0.0), columns - 2.0))
    last = int(min(max((x + reach - number[_LAND_GRID]) / side, 0.0), columns - 2.0))
    low = int(min(max((y - reach - number[_LAND_GRID + 1]) / side, 0.0), rows - 2.0))
    high = int(min(max((y + reach - number[_LAND_GRID + 1]) / side, 0.0), rows - 2.0))
    top = -math.inf
    for i in range(first, last + 2):
        for j in range(low, high + 2):
            top = max(top, float(height[int(number[_LAND_START]) + i * rows + j]))
    return top


@inner_kernel
def gather_faces(terrain: TerrainArrays, x: float, y: float, radius: float, near: IntArray) -> NearFaces:
    """Gather the faces near a place in map, up to a radius [m]; `near`, of `NEAR_ROOM` numbers, is written."""
    number, table, height = terrain.number, terrain.table, terrain.height
    x, y, reach = x - number[_ORIGIN], y - number[_ORIGIN + 1], radius + FACE_MARGIN
    side, columns, rows = number[_CELL], int(number[_SIZE]), int(number[_SIZE + 1])
    column = math.floor((x - reach - number[_GRID]) / side)
    row = math.floor((y - reach - number[_GRID + 1]) / side)
    last_column = math.floor((x + reach - number[_GRID]) / side)
    last_row = math.floor((y + reach - number[_GRID + 1]) / side)
    if last_column > column + 1 or last_row > row + 1:
        return NearFaces(column, row, False, math.inf)
    cells, records = 4 * int(number[_FACES]), int(number[_RECORD_START])
    lists, count, top = cells + columns * rows + 1, _ENTRIES, -math.inf
    for part in range(4):
        near[part] = count
        i, j = column + part % 2, row + part // 2
        if i < 0 or j < 0 or i > last_column or j > last_row or i >= columns or j >= rows:
            continue
        cell = cells + i + columns * j
        for k in range(lists + table[cell], lists + table[cell + 1]):
            at = records + RECORD * table[k]
            a, b, c = height[at], height[at + 3], height[at + 6]
            if min(a, b, c) > x + reach or max(a, b, c) < x - reach:
                continue
            a, b, c = height[at + 1], height[at + 4], height[at + 7]
            if min(a, b, c) > y + reach or max(a, b, c) < y - reach:
                continue
            if count == NEAR_ROOM:
                return NearFaces(column, row, False, math.inf)
            near[count] = at
            count += 1
            top = max(top, float(max(height[at + 2], height[at + 5], height[at + 8])))
    near[4] = count
    # where there is no ground it has the height 0
    top = max(top, top_of_land(terrain, x, y, reach) if number[_LAND_SIZE] > 0.0 else -number[_ORIGIN + 2])
    return NearFaces(column, row, True, top + number[_ORIGIN + 2] + TOP_MARGIN)


@inner_kernel
def height_near(terrain: TerrainArrays, faces: NearFaces, near: IntArray, x: float, y: float, z: float) -> float:
    """The height of `ground_at` at a place within the radius of what was gathered; arguments as of that.

    Args:
        terrain: the ground.
        faces: what `gather_faces` gave.
        near: what it wrote.
        x: of the place in map [m].
        y: likewise.
        z: about the height of the ground there [m].
    """
    number = terrain.number
    px, py, limit = x - number[_ORIGIN], y - number[_ORIGIN + 1], z - number[_ORIGIN + 2] + MAX_STEP_UP
    i = math.floor((px - number[_GRID]) / number[_CELL]) - faces.column
    j = math.floor((py - number[_GRID + 1]) / number[_CELL]) - faces.row
    if not faces.complete or i < 0 or j < 0 or i > 1 or j > 1:
        return height_at(terrain, x, y, z)
    best, above = -math.inf, math.inf
    if number[_LAND_SIZE] > 0.0:
        level = land_at(terrain, px, py)[0]
        if level <= limit:
            best = level
        else:
            above = level
    part = i + 2 * j
    for k in range(near[part], near[part + 1]):
        inside, level, _, _ = face_at(terrain, near[k], px, py)
        if inside and level > limit:
            above = min(above, level)
        elif inside:
            best = max(best, level)
    if best == -math.inf:
        best = above
    return best + number[_ORIGIN + 2] if best < math.inf else 0.0
