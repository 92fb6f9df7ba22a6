"""Asks for the memory of the ground under a place before it is needed: what many vehicles stand on is in no cache.

The faces under a place are found in three turns, and each says where the next one looks: the cell, its list, the
records. A turn over many places asks for all that it needs, and the processor waits for all of it at once.
"""

from __future__ import annotations

from math import floor, isfinite

from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.ground.prefetch_kernel import fetch
from dorosim.road.terrain.query_kernel import RECORD, ROUGH_CELLS, TerrainArrays, TerrainNumber

MAX_ASKED_FACES = 12
"""Records of so many faces of a cell are asked for; hardly any cell of a road has more."""
ASKED = 2
"""Numbers of a place that is asked for: its cell, and where the list of that begins."""
_NO_CELL = -1

_ORIGIN, _GRID, _CELL = int(TerrainNumber.ORIGIN_X), int(TerrainNumber.GRID_X), int(TerrainNumber.CELL)
_SIZE, _FACES, _RECORD_START = (
    int(TerrainNumber.COLUMNS),
    int(TerrainNumber.FACES),
    int(TerrainNumber.RECORD_START),
)


@inner_kernel
def fetch_cell(terrain: TerrainArrays, x: float, y: float, asked: IntArray, k: int) -> None:
    """Ask for where the faces of the cell of a point in map [m] begin, and whether it is rough.

    Args:
        terrain: the ground, bare.
        x: of the point.
        y: of the point.
        asked: `(ASKED, K)` bare, written.
        k: the point's column of it.
    """
    number = terrain.number
    asked[0, k] = _NO_CELL
    if not (isfinite(x) and isfinite(y)):
        return
    side, columns = number[_CELL], int(number[_SIZE])
    u, v = (x - number[_ORIGIN] - number[_GRID]) / side, (y - number[_ORIGIN + 1] - number[_GRID + 1]) / side
    if not (0.0 <= u < columns and 0.0 <= v < number[_SIZE + 1]):
        return
    asked[0, k] = 4 * int(number[_FACES]) + int(u) + columns * int(v)
    fetch(terrain.table, asked[0, k])
    fetch(terrain.rough, floor(ROUGH_CELLS * u) * terrain.rough.shape[1] + floor(ROUGH_CELLS * v))


@inner_kernel
def fetch_list(terrain: TerrainArrays, asked: IntArray, k: int) -> None:
    """Ask for the list of the faces of a cell that `fetch_cell` has asked for; arguments as of that."""
    if asked[0, k] == _NO_CELL:
        return
    number = terrain.number
    lists = 4 * int(number[_FACES]) + int(number[_SIZE]) * int(number[_SIZE + 1]) + 1
    asked[1, k] = lists + terrain.table[asked[0, k]]
    fetch(terrain.table, asked[1, k])


@inner_kernel
def fetch_records(terrain: TerrainArrays, asked: IntArray, k: int) -> None:
    """Ask for the records of the faces whose list `fetch_list` has asked for; arguments as of `fetch_cell`."""
    cell = asked[0, k]
    if cell == _NO_CELL:
        return
    table, records, first = terrain.table, int(terrain.number[_RECORD_START]), asked[1, k]
    for entry in range(first, first + min(table[cell + 1] - table[cell], MAX_ASKED_FACES)):
        fetch(terrain.height, records + RECORD * table[entry])
        fetch(terrain.height, records + RECORD * table[entry] + RECORD - 1)
