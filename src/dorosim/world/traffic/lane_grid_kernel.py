"""Cuts the courses of lanes into straight pieces; see `dorosim.world.traffic.lane_grid`."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.adjacency import FlagArray
from dorosim.world.traffic.road import COURSE, LINK

GRID_CELL_SIZE = 8.0
"""Side of a cell, and the longest piece [m]."""

_FLAT = 0.01
"""Pieces leave the course by about this at most [m]."""

_COLUMNS = 9
_X, _Y, _DIRECTION_X, _DIRECTION_Y, _LENGTH, _HALF_WIDTH = 0, 1, 3, 4, 6, 8
"""Columns of `LanePiece`, whose table takes a constant from here."""


@inner_kernel
def parts_of(course: FloatArray, i: int) -> int:
    """Into how many pieces a course is cut between two of its points; 0 where these are one."""
    j = i + 1
    x, y = course[j, COURSE.x] - course[i, COURSE.x], course[j, COURSE.y] - course[i, COURSE.y]
    if not math.hypot(x, y) > 1e-6:
        return 0
    first = math.hypot(course[i, COURSE.tangent_x] - x, course[i, COURSE.tangent_y] - y)
    last = math.hypot(x - course[j, COURSE.tangent_x], y - course[j, COURSE.tangent_y])
    off = 0.25 * max(first, last)
    return math.ceil(max(math.hypot(x, y) / GRID_CELL_SIZE, math.sqrt(off / _FLAT)))


@inner_kernel
def point_between(course: FloatArray, i: int, u: float) -> tuple[float, float, float]:
    """A point of a course beyond one of its points, by the share of the way to the next."""
    j = i + 1
    x, y = course[j, COURSE.x] - course[i, COURSE.x], course[j, COURSE.y] - course[i, COURSE.y]
    rest = 1.0 - u
    bulge_x = rest * (course[i, COURSE.tangent_x] - x) + u * (x - course[j, COURSE.tangent_x])
    bulge_y = rest * (course[i, COURSE.tangent_y] - y) + u * (y - course[j, COURSE.tangent_y])
    share = u * rest
    return (
        course[i, COURSE.x] + u * x + share * bulge_x,
        course[i, COURSE.y] + u * y + share * bulge_y,
        course[i, COURSE.z] + u * (course[j, COURSE.z] - course[i, COURSE.z]),
    )


@kernel
def cut_pieces(
    course: FloatArray, first: IntArray, link: FloatArray, drivable: FlagArray, half_width: FloatArray
) -> tuple[FloatArray, IntArray]:
    """`(Q, 9)` of `LanePiece`, and the link `(Q,)` of each.

    Args:
        course: of `RoadArrays`.
        first: `(L + 1,)` where the course of each link begins.
        link: of `RoadArrays`.
        drivable: `(L,)` links that vehicles use.
        half_width: `(L,)` how far from the middle of each a body hinders vehicles on it [m].
    """
    bare_course, count = bare(course), 0
    for lane in range(drivable.shape[0]):
        if drivable[lane]:
            for i in range(first[lane], first[lane + 1] - 1):
                count += parts_of(bare_course, i)
    pieces, links, used = np.empty((count, _COLUMNS)), np.empty(count, np.int64), 0
    for lane in range(drivable.shape[0]):
        if not drivable[lane]:
            continue
        per_cell = 1.0 / link[lane, LINK.points_per_metre]
        for i in range(first[lane], first[lane + 1] - 1):
            parts = parts_of(bare_course, i)
            for number in range(parts):
                share = number / parts
                x, y, z = point_between(bare_course, i, share)
                u, v, w = point_between(bare_course, i, (number + 1) / parts)
                step = max(math.hypot(u - x, v - y), 1e-9)
                pieces[used, 0], pieces[used, 1], pieces[used, 2] = x, y, z
                pieces[used, 3], pieces[used, 4], pieces[used, 5] = (u - x) / step, (v - y) / step, (w - z) / step
                pieces[used, 6], pieces[used, 7] = step, (i - first[lane] + share) * per_cell
                pieces[used, 8], links[used] = half_width[lane], lane
                used += 1
    return pieces, links


@inner_kernel
def extent_of(piece: FloatArray, row: int) -> tuple[float, float, float, float]:
    """West, south, east and north end of what a piece covers, in map [m]."""
    x, y, reach = piece[row, _X], piece[row, _Y], piece[row, _HALF_WIDTH]
    u = x + piece[row, _DIRECTION_X] * piece[row, _LENGTH]
    v = y + piece[row, _DIRECTION_Y] * piece[row, _LENGTH]
    return min(x, u) - reach, min(y, v) - reach, max(x, u) + reach, max(y, v) + reach


@kernel
def sort_pieces(piece: FloatArray) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
    """Origin, size, `first` and `item` of the `LaneGrid` of pieces `(Q, 9)`; those of a cell are in ascending order."""
    count, piece = piece.shape[0], bare(piece)
    origin, size = np.zeros(2), np.zeros(2, np.int64)
    if count:
        origin[:] = math.inf
    for row in range(count):
        west, south, _, _ = extent_of(piece, row)
        origin[0], origin[1] = min(origin[0], west), min(origin[1], south)
    span = np.empty((count, 4), np.int64)
    for row in range(count):
        west, south, east, north = extent_of(piece, row)
        span[row, 0] = math.floor((west - origin[0]) / GRID_CELL_SIZE)
        span[row, 1] = math.floor((south - origin[1]) / GRID_CELL_SIZE)
        span[row, 2] = math.floor((east - origin[0]) / GRID_CELL_SIZE)
        span[row, 3] = math.floor((north - origin[1]) / GRID_CELL_SIZE)
        size[0], size[1] = max(size[0], span[row, 2] + 1), max(size[1], span[row, 3] + 1)
    first = np.zeros(size[0] * size[1] + 1, np.int64)
    for row in range(count):
        for j in range(span[row, 1], span[row, 3] + 1):
            for i in range(span[row, 0], span[row, 2] + 1):
                first[j * size[0] + i + 1] += 1
    for cell in range(first.shape[0] - 1):
        first[cell + 1] += first[cell]
    item, used = np.empty(first[-1], np.int64), first.copy()
    for row in range(count):
        for j in range(span[row, 1], span[row, 3] + 1):
            for i in range(span[row, 0], span[row, 2] + 1):
                cell = j * size[0] + i
                item[used[cell]] = row
                used[cell] += 1
    return origin, size, first, item
