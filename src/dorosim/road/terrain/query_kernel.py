"""The ground under points: triangles found by a grid of cells, and the squares of the land beyond them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel

MAX_STEP_UP = 0.6
"""The ground under a point is at most this far above it [m]; what is higher is another level, such as a bridge."""
_EDGE = 1e-6
"""Points this far outside a triangle count as in it, in barycentric shares: no gap opens between two triangles."""


class TerrainArrays(NamedTuple):
    """The ground of a map as kernels see it; all arrays are read-only.

    Attributes:
        vertex: `(V, 3)` float32, from `origin` [m].
        face: `(F, 3)` int32, rows of `vertex`.
        surface: `(F,)` int64, `SurfaceKind` of each face.
        cell_first, cell_face: faces that touch each cell; cell = column + columns * row.
        rough: `(cells,)` whether in or beside a cell the ground has a step.
        grid: `(3,)` x and y of the grid's corner from `origin`, side of a cell [m].
        size: `(2,)` cells along x and y.
        land: `(columns, rows)` float32 heights of the land from `origin` [m], or empty.
        land_grid: `(3,)` x and y of the land's first point from `origin`, and its spacing [m].
        land_surface: `SurfaceKind` of the land.
        origin: `(3,)` in map [m].
    """

    vertex: NDArray[np.float32]
    face: NDArray[np.int32]
    surface: IntArray
    cell_first: NDArray[np.int32]
    cell_face: NDArray[np.int32]
    rough: NDArray[np.uint8]
    grid: FloatArray
    size: IntArray
    land: NDArray[np.float32]
    land_grid: FloatArray
    land_surface: int
    origin: FloatArray


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
    side = terrain.grid[2]
    column = math.floor((x - terrain.origin[0] - terrain.grid[0]) / side)
    row = math.floor((y - terrain.origin[1] - terrain.grid[1]) / side)
    if column < 0 or row < 0 or column >= terrain.size[0] or row >= terrain.size[1]:
        return False
    return bool(terrain.rough[column + terrain.size[0] * row] != 0)


@inner_kernel
def land_at(terrain: TerrainArrays, x: float, y: float) -> tuple[float, float, float]:
    """Height and slopes of the land at a point from the origin [m]; that of its edge beyond it."""
    columns, rows = terrain.land.shape
    side = terrain.land_grid[2]
    u = min(max((x - terrain.land_grid[0]) / side, 0.0), columns - 1.0)
    v = min(max((y - terrain.land_grid[1]) / side, 0.0), rows - 1.0)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    u, v = u - i, v - j
    a, b = float(terrain.land[i, j]), float(terrain.land[i + 1, j])
    c, d = float(terrain.land[i + 1, j + 1]), float(terrain.land[i, j + 1])
    if u >= v:  # the squares are cut from the first corner to the one across
        along, across = b - a, c - b
    else:
        along, across = c - d, d - a
    return a + u * along + v * across, along / side, across / side


@inner_kernel
def face_at(terrain: TerrainArrays, f: int, x: float, y: float) -> tuple[bool, float, float, float]:
    """Whether a face lies above or below a point from the origin [m], its height there, and its slopes."""
    i, j, m = terrain.face[f, 0], terrain.face[f, 1], terrain.face[f, 2]
    ax, ay = float(terrain.vertex[i, 0]), float(terrain.vertex[i, 1])
    bx, by = terrain.vertex[j, 0] - ax, terrain.vertex[j, 1] - ay
    cx, cy = terrain.vertex[m, 0] - ax, terrain.vertex[m, 1] - ay
    area = bx * cy - by * cx
    if area == 0.0:
        return False, 0.0, 0.0, 0.0
    px, py = x - ax, y - ay
    share_b, share_c = (px * cy - py * cx) / area, (bx * py - by * px) / area
    if share_b < -_EDGE or share_c < -_EDGE or share_b + share_c > 1.0 + _EDGE:
        return False, 0.0, 0.0, 0.0
    az = float(terrain.vertex[i, 2])
    rise_b, rise_c = terrain.vertex[j, 2] - az, terrain.vertex[m, 2] - az
    height = az + share_b * rise_b + share_c * rise_c
    return True, height, (rise_b * cy - rise_c * by) / area, (rise_c * bx - rise_b * cx) / area


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
    x, y, z = x - terrain.origin[0], y - terrain.origin[1], z - terrain.origin[2] + MAX_STEP_UP
    best, above = none, none
    if terrain.land.size > 0:
        height, slope_x, slope_y = land_at(terrain, x, y)
        land = GroundPoint(height, slope_x, slope_y, terrain.land_surface)
        best, above = (land, none) if height <= z else (none, land)
    side = terrain.grid[2]
    column, row = math.floor((x - terrain.grid[0]) / side), math.floor((y - terrain.grid[1]) / side)
    if 0 <= column < terrain.size[0] and 0 <= row < terrain.size[1]:
        cell = column + terrain.size[0] * row
        for k in range(terrain.cell_first[cell], terrain.cell_first[cell + 1]):
            f = terrain.cell_face[k]
            inside, height, slope_x, slope_y = face_at(terrain, f, x, y)
            if not inside:
                continue
            here = GroundPoint(height, slope_x, slope_y, terrain.surface[f])
            if height > z:
                above = here if above.surface < 0 or height < above.height else above
            elif best.surface < 0 or height > best.height:
                best = here
    best = above if best.surface < 0 else best
    if best.surface < 0:
        return none
    return GroundPoint(best.height + terrain.origin[2], best.slope_x, best.slope_y, best.surface)


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
        grid: as in `TerrainArrays`.
        size: as in `TerrainArrays`.
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
