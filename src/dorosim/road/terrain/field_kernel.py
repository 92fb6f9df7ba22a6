"""How far points are from the road, and how high the road is there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.surface import SurfaceArrays

_SHARPNESS = 0.05
"""Added to squared distances before heights are weighted by them [m²]: on a centre line its own height counts."""


@inner_kernel
def _find_segments(
    surface: SurfaceArrays, used: NDArray[np.bool_], x: float, y: float, radius: float, found: NDArray[np.int64]
) -> int:
    """Write the used segments in the grid's cells within a radius of a point [m], and return how many they are."""
    corner_x, corner_y, side = surface.grid_origin[0], surface.grid_origin[1], surface.grid_origin[2]
    columns, rows = surface.grid_size[0], surface.grid_size[1]
    first_column, last_column = max(int((x - radius - corner_x) // side), 0), int((x + radius - corner_x) // side)
    first_row, last_row = max(int((y - radius - corner_y) // side), 0), int((y + radius - corner_y) // side)
    count = 0
    for row in range(first_row, min(last_row, rows - 1) + 1):
        for cell in range(columns * row + first_column, columns * row + min(last_column, columns - 1) + 1):
            for k in range(surface.cell_first[cell], surface.cell_first[cell + 1]):
                if used[surface.cell_segment[k]]:
                    found[count] = surface.cell_segment[k]
                    count += 1
    return count


@inner_kernel
def _foot(ax: float, ay: float, bx: float, by: float, x: float, y: float) -> tuple[float, float, float, bool]:
    """The point of a segment that is nearest to another point.

    Returns:
        Its share of the way along the segment; the way from it to the point in map [m]; whether the point lies to the
        left of the segment. The share is -1 for a segment without length, which has no such point.
    """
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if square < 1e-12:
        return -1.0, 0.0, 0.0, False
    share = min(max(((x - ax) * dx + (y - ay) * dy) / square, 0.0), 1.0)
    off_x, off_y = x - ax - share * dx, y - ay - share * dy
    return share, off_x, off_y, dx * off_y - dy * off_x > 0.0


@kernel
def road_field(
    point: NDArray[np.float64],
    surface: SurfaceArrays,
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    used: NDArray[np.bool_],
    radius: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Distance from the nearest used lane, and height of the road.

    Args:
        point: `(N, 2)` in map [m].
        surface: the lanes.
        left: `(P,)` width of each lane to the left of its centre line at its points [m].
        right: the same to the right.
        used: `(P,)` whether the segment that begins at each point counts.
        radius: within which lanes are looked for [m].

    Returns:
        Distance `(N,)` [m], negative on a lane, at most `radius`; height `(N,)` [m], the mean of lanes weighted by the
        inverse fourth power of the distance from their centre lines, NaN where none is within the radius.
    """
    count = len(point)
    distance, height = np.full(count, radius), np.full(count, np.nan)
    near = np.empty(len(surface.cell_segment), np.int64)
    for n in range(count):
        x, y = point[n, 0], point[n, 1]
        total = weighted = 0.0
        for j in near[: _find_segments(surface, used, x, y, radius, near)]:
            a, b = surface.station[j], surface.station[j + 1]
            share, off_x, off_y, beside_left = _foot(a[0], a[1], b[0], b[1], x, y)
            square = off_x * off_x + off_y * off_y
            if share < 0.0 or square > radius * radius:
                continue
            width = left if beside_left else right
            wide = width[j] + share * (width[j + 1] - width[j])
            distance[n] = min(distance[n], np.sqrt(square) - wide)
            weight = 1.0 / (square + _SHARPNESS) ** 2
            total += weight
            weighted += weight * (a[2] + share * (b[2] - a[2]))
        if total > 0.0:
            height[n] = weighted / total
    return distance, height


@kernel
def lanes_crossed(
    point: NDArray[np.float64],
    surface: SurfaceArrays,
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    used: NDArray[np.bool_],
    margin: float,
    clearance: float,
) -> NDArray[np.bool_]:
    """Whether a used lane passes over points `(N, 3)` in map [m], at least `clearance` above them.

    Args:
        point: in map [m].
        surface: the lanes.
        left: `(P,)` width of each lane to the left of its centre line at its points [m].
        right: the same to the right.
        used: `(P,)` whether the segment that begins at each point counts.
        margin: by which lanes count as wider [m].
        clearance: least difference of height [m].
    """
    count = len(point)
    found = np.zeros(count, np.bool_)
    near = np.empty(len(surface.cell_segment), np.int64)
    radius = margin + max(left.max(), right.max()) if len(left) else 0.0
    for n in range(count):
        x, y, z = point[n, 0], point[n, 1], point[n, 2]
        for j in near[: _find_segments(surface, used, x, y, radius, near)]:
            a, b = surface.station[j], surface.station[j + 1]
            if max(a[2], b[2]) < z + clearance:
                continue
            share, off_x, off_y, _ = _foot(a[0], a[1], b[0], b[1], x, y)
            if share < 0.0 or a[2] + share * (b[2] - a[2]) < z + clearance:
                continue
            wide = max(left[j], right[j]) + margin
            found[n] |= off_x * off_x + off_y * off_y < wide * wide
    return found


@kernel
def lower_by_areas(
    point: NDArray[np.float64],
    corner: NDArray[np.float64],
    first: NDArray[np.int64],
    bounds: NDArray[np.float64],
    reach: float,
    cells: NDArray[np.float64],
    cell_first: NDArray[np.int64],
    cell_area: NDArray[np.int64],
    distance: NDArray[np.float64],
) -> None:
    """Lower distances to those from areas, negative inside.

    Args:
        point: `(N, 2)` in map [m].
        corner: `(C, 2)` corners of all areas, in order around each [m].
        first: `(A + 1,)` first corner of each area.
        bounds: `(A, 4)` west, south, east, north of each [m].
        reach: areas farther away than this do not matter [m].
        cells: `(5,)` corner and side of the cells [m], columns and rows.
        cell_first: `(cells + 1,)` first entry of each cell in `cell_area`; cell = column + columns * row.
        cell_area: areas that reach into each cell.
        distance: `(N,)` [m], written.
    """
    for n in range(len(point)):
        x, y = point[n, 0], point[n, 1]
        column, row = int((x - cells[0]) // cells[2]), int((y - cells[1]) // cells[2])
        if column < 0 or row < 0 or column >= cells[3] or row >= cells[4]:
            continue
        cell = column + int(cells[3]) * row
        for k in range(cell_first[cell], cell_first[cell + 1]):
            a = cell_area[k]
            if x < bounds[a, 0] - reach or x > bounds[a, 2] + reach:
                continue
            if y < bounds[a, 1] - reach or y > bounds[a, 3] + reach:
                continue
            nearest, inside = np.inf, False
            last = first[a + 1] - 1
            for i in range(first[a], first[a + 1]):
                x0, y0, x1, y1 = corner[last, 0], corner[last, 1], corner[i, 0], corner[i, 1]
                last = i
                share, off_x, off_y, _ = _foot(x0, y0, x1, y1, x, y)
                if share < 0.0:
                    continue
                nearest = min(nearest, off_x * off_x + off_y * off_y)
                if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                    inside = not inside
            found = np.sqrt(nearest)
            distance[n] = min(distance[n], -found if inside else found)
