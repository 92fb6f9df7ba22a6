"""The ground under points: triangles found by a grid of cells, and the squares of the land beyond them."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.terrain.ground_part import GroundPart

MAX_STEP_UP = 0.6
"""The ground under a point is at most this far above it [m]; what is higher is another level, such as a bridge."""
ROUGH_CELLS = 2
"""Steps of the ground are known by cells of which so many lie along one by which triangles are found."""
_EDGE = 1e-6
"""Points this far outside a triangle count as in it, in barycentric shares: no gap opens between two triangles."""
SURFACES = np.array([part.surface for part in GroundPart], np.int64)
"""`SurfaceKind` of each `GroundPart`."""
_LAND = int(GroundPart.LAND.surface)


class TerrainNumber(IntEnum):
    """Rows of `TerrainArrays.number`."""

    ORIGIN_X = 0
    ORIGIN_Y = 1
    ORIGIN_Z = 2
    GRID_X = 3
    GRID_Y = 4
    CELL = 5
    COLUMNS = 6
    ROWS = 7
    LAND_X = 8
    LAND_Y = 9
    SQUARE = 10
    LAND_COLUMNS = 11
    LAND_ROWS = 12
    FACES = 13
    LAND_START = 14
    RECORD_START = 15


class TerrainArrays(NamedTuple):
    """The ground of a map as kernels see it: few arrays, since each costs time in every call.

    Attributes:
        number: `(16,)` see `TerrainNumber`: the origin in map [m]; from it corner and side of the cells by which faces
            are found [m], and how many there are along x and y; the land's first point, spacing [m], and how many
            points there are along x and y; how many faces; the rows of `height` at which those of the land and those
            of the records begin.
        height: float32: x, y, z of the faces' corners from the origin [m], then heights of the land, y fastest, then
            records: x, y, z of the three corners of each face, and its `SurfaceKind`. Faces that lie beside each
            other have records beside each other: a wheel asks for a dozen of them.
        table: int32: for each face three corners, then for each its `GroundPart`, then for each cell, which is column
            + columns * row, where its faces begin, and one more, then the records of the faces.
        rough: `(columns, rows)` of cells half as wide, whether in or beside them the ground has a step.
    """

    number: FloatArray
    height: NDArray[np.float32]
    table: NDArray[np.int32]
    rough: NDArray[np.uint8]


_ORIGIN, _GRID, _CELL = int(TerrainNumber.ORIGIN_X), int(TerrainNumber.GRID_X), int(TerrainNumber.CELL)
_SIZE, _LAND_GRID, _SQUARE = int(TerrainNumber.COLUMNS), int(TerrainNumber.LAND_X), int(TerrainNumber.SQUARE)
_LAND_SIZE, _FACES = int(TerrainNumber.LAND_COLUMNS), int(TerrainNumber.FACES)
_LAND_START, _RECORD_START = int(TerrainNumber.LAND_START), int(TerrainNumber.RECORD_START)
RECORD = 10
"""Numbers of a face's record."""
_SURFACE = 9
_FAR_OUTSIDE = 1.5 * _EDGE
"""Points so far outside a triangle are not in it, however its shares are rounded."""


class GroundPoint(NamedTuple):
    """The ground at a place.

    Attributes:
        height: in map [m]. slope_x, slope_y: rise per metre of map x and y.
        surface: `SurfaceKind`; -1 where there is no ground.
    """

    height: float
    slope_x: float
    slope_y: float
    surface: int


@inner_kernel
def is_rough(terrain: TerrainArrays, x: float, y: float) -> bool:
    """Whether the ground has a step in or beside the cell of a point in map [m]."""
    number = terrain.number
    side = number[_CELL] / ROUGH_CELLS
    column = math.floor((x - number[_ORIGIN] - number[_GRID]) / side)
    row = math.floor((y - number[_ORIGIN + 1] - number[_GRID + 1]) / side)
    if column < 0 or row < 0 or column >= terrain.rough.shape[0] or row >= terrain.rough.shape[1]:
        return False
    return bool(terrain.rough[column, row] != 0)


@inner_kernel
def land_at(terrain: TerrainArrays, x: float, y: float) -> tuple[float, float, float]:
    """Height and slopes of the land at a point from the origin [m]; that of its edge beyond it."""
    number, height = terrain.number, terrain.height
    side, columns, rows = number[_SQUARE], int(number[_LAND_SIZE]), int(number[_LAND_SIZE + 1])
    u = min(max((x - number[_LAND_GRID]) / side, 0.0), columns - 1.0)
    v = min(max((y - number[_LAND_GRID + 1]) / side, 0.0), rows - 1.0)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    u, v = u - i, v - j
    first = int(number[_LAND_START]) + i * rows + j
    a, b, c, d = (
        float(height[first]),
        float(height[first + rows]),
        float(height[first + rows + 1]),
        float(height[first + 1]),
    )
    if u >= v:  # the squares are cut from the first corner to the one across
        along, across = b - a, c - b
    else:
        along, across = c - d, d - a
    return a + u * along + v * across, along / side, across / side


@inner_kernel
def face_at(terrain: TerrainArrays, i: int, x: float, y: float) -> tuple[bool, float, float, float]:
    """Whether a face lies above or below a point from the origin [m], its height there, and its slopes.

    Args:
        terrain: the ground.
        i: where its record begins.
        x: of the point.
        y: of the point.
    """
    height = terrain.height
    ax, ay = float(height[i]), float(height[i + 1])
    bx, by = height[i + 3] - ax, height[i + 4] - ay
    cx, cy = height[i + 6] - ax, height[i + 7] - ay
    area = bx * cy - by * cx
    px, py = x - ax, y - ay
    part_b, part_c = px * cy - py * cx, bx * py - by * px
    sign = 1.0 if area > 0.0 else -1.0
    outside = -_FAR_OUTSIDE * abs(area)
    # one comparison for three: which of them a face fails cannot be guessed, and a wrong guess costs as much as a face
    least, rest = sign * part_b, sign * part_c
    least = least if least < rest else rest
    rest = sign * (area - part_b - part_c)
    least = rest if rest < least else least
    if least < outside or area == 0.0:
        return False, 0.0, 0.0, 0.0  # most of a cell's faces, without a division
    share_b, share_c = part_b / area, part_c / area
    if share_b < -_EDGE or share_c < -_EDGE or share_b + share_c > 1.0 + _EDGE:
        return False, 0.0, 0.0, 0.0
    az = float(height[i + 2])
    rise_b, rise_c = height[i + 5] - az, height[i + 8] - az
    z = az + share_b * rise_b + share_c * rise_c
    return True, z, (rise_b * cy - rise_c * by) / area, (rise_c * bx - rise_b * cx) / area


@inner_kernel
def ground_at(terrain: TerrainArrays, x: float, y: float, z: float) -> GroundPoint:
    """The ground at a point in map [m]: the highest that is not above the point by more than `MAX_STEP_UP`.

    Where all is higher it is the lowest. Beyond the land it goes on level from the land's edge.

    Args:
        terrain: the ground.
        x: of the point.
        y: of the point.
        z: about its height; infinity takes the highest ground.
    """
    none = GroundPoint(0.0, 0.0, 0.0, -1)
    if not (math.isfinite(x) and math.isfinite(y)):
        return none
    number, table = terrain.number, terrain.table
    x, y, z = x - number[_ORIGIN], y - number[_ORIGIN + 1], z - number[_ORIGIN + 2] + MAX_STEP_UP
    best, above = none, none
    if number[_LAND_SIZE] > 0.0:
        height, slope_x, slope_y = land_at(terrain, x, y)
        land = GroundPoint(height, slope_x, slope_y, _LAND)
        best, above = (land, none) if height <= z else (none, land)
    side, columns = number[_CELL], int(number[_SIZE])
    column, row = math.floor((x - number[_GRID]) / side), math.floor((y - number[_GRID + 1]) / side)
    if 0 <= column < columns and 0 <= row < number[_SIZE + 1]:
        faces = int(number[_FACES])
        cell = 4 * faces + column + columns * row
        start = 4 * faces + columns * int(number[_SIZE + 1]) + 1
        records = int(number[_RECORD_START])
        for k in range(start + table[cell], start + table[cell + 1]):
            record = records + RECORD * table[k]
            inside, height, slope_x, slope_y = face_at(terrain, record, x, y)
            if not inside:
                continue
            here = GroundPoint(height, slope_x, slope_y, int(terrain.height[record + _SURFACE]))
            if height > z:
                above = here if above.surface < 0 or height < above.height else above
            elif best.surface < 0 or height > best.height:
                best = here
    best = above if best.surface < 0 else best
    if best.surface < 0:
        return none
    return GroundPoint(best.height + number[_ORIGIN + 2], best.slope_x, best.slope_y, best.surface)


@kernel
def query_ground(
    terrain: TerrainArrays, point: FloatArray, height: FloatArray, slope: FloatArray, surface: IntArray
) -> None:
    """The ground under points.

    Args:
        terrain: the ground.
        point: `(N, 3)` in map [m]; heights are guesses, infinity for the highest ground.
        height: `(N,)` written: in map [m]; 0 where there is no ground.
        slope: `(N, 2)` written: rise per metre of map x and y.
        surface: `(N,)` written: `SurfaceKind`; -1 where there is no ground.
    """
    for n in range(len(point)):
        found = ground_at(terrain, point[n, 0], point[n, 1], point[n, 2])
        height[n], slope[n, 0], slope[n, 1], surface[n] = found.height, found.slope_x, found.slope_y, found.surface


@kernel
def fill_cells(
    vertex: NDArray[np.float32],
    face: NDArray[np.int32],
    grid: FloatArray,
    size: IntArray,
    cell_first: NDArray[np.int32],
    cell_face: NDArray[np.int32],
) -> int:
    """Enter faces into the cells that they touch.

    A face is in a cell if no side of either separates them (separating axes).

    Args:
        vertex: `(V, 3)` [m].
        face: `(F, 3)` rows of `vertex`.
        grid: `(3,)` x and y of the corner of the cells, and their side [m].
        size: `(2,)` cells along x and y.
        cell_first: `(cells + 1,)`: with an empty `cell_face` the number of faces of each cell is written to the place
            after it; else it holds where the entries of each cell end, and is counted down to where they begin.
        cell_face: written, or empty.

    Returns:
        how many entries there are.
    """
    side, columns, rows = grid[2], size[0], size[1]
    half, total, counting = 0.5 * side, 0, len(cell_face) == 0
    for f in range(len(face) - 1, -1, -1):
        ax, ay = vertex[face[f, 0], 0] - grid[0], vertex[face[f, 0], 1] - grid[1]
        bx, by = vertex[face[f, 1], 0] - grid[0], vertex[face[f, 1], 1] - grid[1]
        cx, cy = vertex[face[f, 2], 0] - grid[0], vertex[face[f, 2], 1] - grid[1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0.0:
            continue
        sign = 1.0 if area > 0.0 else -1.0
        first_column = min(max(int(min(ax, bx, cx) // side), 0), columns - 1)
        last_column = min(max(int(max(ax, bx, cx) // side), 0), columns - 1)
        first_row = min(max(int(min(ay, by, cy) // side), 0), rows - 1)
        last_row = min(max(int(max(ay, by, cy) // side), 0), rows - 1)
        for row in range(first_row, last_row + 1):
            for column in range(first_column, last_column + 1):
                x, y = (column + 0.5) * side, (row + 0.5) * side
                touches = True
                for px, py, qx, qy in ((ax, ay, bx, by), (bx, by, cx, cy), (cx, cy, ax, ay)):
                    # how far the cell's nearest corner lies outside the side from p to q
                    nx, ny = sign * (qy - py), -sign * (qx - px)
                    if (x - px) * nx + (y - py) * ny - half * (abs(nx) + abs(ny)) > 1e-6:
                        touches = False
                        break
                if not touches:
                    continue
                cell = column + columns * row
                total += 1
                if counting:
                    cell_first[cell] += 1
                else:
                    cell_first[cell] -= 1
                    cell_face[cell_first[cell]] = f
    return total
