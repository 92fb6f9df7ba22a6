"""Finds which bodies touch: a grid of the swept boxes, then the separating axis method for each pair in a cell.

Thousands of bodies in one place are millions of pairs. So a body is compared with so many others of a cell at most, has
so many contacts at most, and a tick has so many; what comes first in the order of the rows counts: vehicles come before
people, and these before obstacles. Bodies that are pushed apart make room for those that come later in the order.
"""

from __future__ import annotations

from math import cos, isfinite, nan, sin, sqrt
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import RealArray, WholeArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.box_kernel import NEVER, Box, Meeting, meet, point_of_impact
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.grid_kernel import bucket_of, grid_over

CELL = 8.0
"""Smallest cell of the grid [m]: a car covers one to four."""

_X, _Y, _Z, _YAW = BodyTable.x.index, BodyTable.y.index, BodyTable.z.index, BodyTable.yaw.index
_HALF_LENGTH, _HALF_WIDTH = BodyTable.half_length.index, BodyTable.half_width.index
_HALF_HEIGHT, _CG = BodyTable.half_height.index, BodyTable.cg_forward.index
_VX, _VY, _TURN = BodyTable.velocity_x.index, BodyTable.velocity_y.index, BodyTable.yaw_rate.index
_ID, _KIND, _MOVABLE = BodyTable.id.index, BodyTable.kind.index, BodyTable.movable.index
_OBSTACLE = int(BodyKind.OBSTACLE)
_C = ContactTable
_POINT, _NORMAL, _DEPTH, _MEETING = _C.x.index, _C.normal_x.index, _C.depth.index, _C.meeting.index
_CLOSING, _SLIDING = _C.closing_speed.index, _C.sliding_speed.index
_FIRST, _FIRST_ID, _FIRST_KIND = _C.first.index, _C.first_id.index, _C.first_kind.index
_REAL_WIDTH, _WHOLE_WIDTH = ContactTable.real_width, len(ContactTable.whole_columns)
MOST_COMPARED = 1024
"""Others in one cell that a body is compared with: 16 a square metre, more than can stand there."""
MOST_TOUCHING = 64
"""Contacts of a body with those after it."""
FEWEST_CONTACTS = 4096
"""Contacts that a tick may have, besides one for each body."""
LEAST_SIZE = 1e-3
"""Half sizes below it are taken as this, so that no body is a line [m]."""


class Moving(NamedTuple):
    """A body from above: its box at the end of the tick, and the velocity of its centre [m/s]."""

    box: Box
    velocity_x: float
    velocity_y: float


@inner_kernel
def moving_of(real: RealArray, i: int) -> Moving:
    """The body of a row, as the contact search sees it."""
    c, s = cos(real[_YAW, i]), sin(real[_YAW, i])
    box = Box(
        real[_X, i],
        real[_Y, i],
        c,
        s,
        max(real[_HALF_LENGTH, i], LEAST_SIZE),
        max(real[_HALF_WIDTH, i], LEAST_SIZE),
    )
    turn = real[_TURN, i] * real[_CG, i]
    return Moving(box, real[_VX, i] + turn * s, real[_VY, i] - turn * c)


@inner_kernel
def moved(box: Box, x: float, y: float) -> Box:
    """A box somewhere else."""
    return Box(box.x + x, box.y + y, box.c, box.s, box.half_length, box.half_width)


@inner_kernel
def sweep(real: RealArray, dt: float) -> RealArray:
    """`(4, N)` low x, low y, high x, high y of what a circle around each body covers in the tick [m].

    Circles need no angles, and most bodies are near to no other.
    """
    count = real.shape[1]
    swept = np.empty((4, count))
    for i in range(count):
        length, width = max(real[_HALF_LENGTH, i], LEAST_SIZE), max(real[_HALF_WIDTH, i], LEAST_SIZE)
        reach = sqrt(length * length + width * width) + abs(real[_TURN, i] * real[_CG, i]) * dt
        if not isfinite(real[_YAW, i]):
            reach = nan
        way_x, way_y = real[_VX, i] * dt, real[_VY, i] * dt
        swept[0, i], swept[2, i] = real[_X, i] - reach - max(way_x, 0.0), real[_X, i] + reach - min(way_x, 0.0)
        swept[1, i], swept[3, i] = real[_Y, i] - reach - max(way_y, 0.0), real[_Y, i] + reach - min(way_y, 0.0)
    return swept


@inner_kernel
def may_touch(real: RealArray, whole: WholeArray, swept: RealArray, i: int, j: int) -> bool:
    """Whether the swept boxes and the heights of two bodies overlap, and one of them is no scenery."""
    if swept[0, i] > swept[2, j] or swept[0, j] > swept[2, i]:
        return False
    if swept[1, i] > swept[3, j] or swept[1, j] > swept[3, i]:
        return False
    if not abs(real[_Z, i] - real[_Z, j]) <= real[_HALF_HEIGHT, i] + real[_HALF_HEIGHT, j]:
        return False
    i_stands = whole[_KIND, i] == _OBSTACLE and whole[_MOVABLE, i] == 0
    return not (i_stands and whole[_KIND, j] == _OBSTACLE and whole[_MOVABLE, j] == 0)


@inner_kernel
def write_contact(
    real: RealArray,
    whole: WholeArray,
    pair: tuple[int, int],
    moving: tuple[Moving, Moving],
    meeting: Meeting,
    dt: float,
    out_real: RealArray,
    out_whole: WholeArray,
    row: int,
    polygon: RealArray,
) -> None:
    """Write a contact of the bodies of two rows."""
    first, second = moving
    back = (meeting.when - 1.0) * dt
    there = moved(first.box, first.velocity_x * back, first.velocity_y * back)
    here = moved(second.box, second.velocity_x * back, second.velocity_y * back)
    x, y = point_of_impact(there, here, meeting, polygon)
    i, j = pair
    low = max(real[_Z, i] - real[_HALF_HEIGHT, i], real[_Z, j] - real[_HALF_HEIGHT, j])
    high = min(real[_Z, i] + real[_HALF_HEIGHT, i], real[_Z, j] + real[_HALF_HEIGHT, j])
    nx, ny = meeting.normal_x, meeting.normal_y
    # velocity of the contact point: that of the centre, turned about the centre
    vx = second.velocity_x - real[_TURN, j] * (y - here.y) - first.velocity_x + real[_TURN, i] * (y - there.y)
    vy = second.velocity_y + real[_TURN, j] * (x - here.x) - first.velocity_y - real[_TURN, i] * (x - there.x)
    out_real[_POINT, row], out_real[_POINT + 1, row], out_real[_POINT + 2, row] = x, y, 0.5 * (low + high)
    out_real[_NORMAL, row], out_real[_NORMAL + 1, row] = nx, ny
    out_real[_DEPTH, row], out_real[_MEETING, row] = meeting.depth, meeting.when * dt
    out_real[_CLOSING, row], out_real[_SLIDING, row] = -(vx * nx + vy * ny), vy * nx - vx * ny
    for k, body in enumerate(pair):
        out_whole[_FIRST + k, row] = body
        out_whole[_FIRST_ID + k, row] = whole[_ID, body]
        out_whole[_FIRST_KIND + k, row] = whole[_KIND, body]


@inner_kernel
def first_after(member: WholeArray, start: int, stop: int, row: int) -> int:
    """The first of the entries of a bucket, which stand in the order of their rows, that is after a row."""
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if member[middle] <= row:
            low = middle + 1
        else:
            high = middle
    return low


@inner_kernel
def last_to_push(whole: WholeArray) -> int:
    """The last row that is no scenery: scenery behind it touches nothing that comes after it; -1 for none."""
    for i in range(whole.shape[1] - 1, -1, -1):
        if whole[_KIND, i] != _OBSTACLE or whole[_MOVABLE, i] != 0:
            return i
    return -1


@kernel
def find_contacts(
    real: RealArray, whole: WholeArray, dt: float, out_real: RealArray, out_whole: WholeArray
) -> tuple[int, int]:
    """The contacts of a tick, in the order of the first and then of the second body's row.

    A body whose place is not a number touches nothing. Of bodies that are crowded into one place not all are compared.

    Args:
        real: `(columns, N)` the writable real block of `BodyTable`, at the end of the tick; it is only read.
        whole: `(columns, N)` its writable whole block; it is only read.
        dt: the tick [s].
        out_real: `(columns, room)` the real block of a `ContactTable` of zeros.
        out_whole: `(columns, room)` its whole block.

    Returns:
        how many contacts there are, of which only as many as there is room for are written; and how many pairs were
        looked at.
    """
    swept = sweep(real, dt)
    grid = grid_over(swept, CELL)
    polygon = np.empty((2, 2, 9))
    # taken out of the tuple once: numba counts references each time that it is asked for one of its arrays
    cover, start, member, cell_x, cell_y = grid.cover, grid.start, grid.member, grid.cell_x, grid.cell_y
    room, found, buckets, looked = out_real.shape[1], 0, len(start) - 1, 0
    most, last = FEWEST_CONTACTS + real.shape[1], last_to_push(whole)
    for i in range(last + 1):
        first_of_body = found
        enough = min(found + MOST_TOUCHING, most)
        for ix in range(cover[0, i], cover[2, i] + 1):
            for iy in range(cover[1, i], cover[3, i] + 1):
                bucket = bucket_of(ix, iy, buckets)
                begin = first_after(member, start[bucket], start[bucket + 1], i)
                for entry in range(begin, min(start[bucket + 1], begin + MOST_COMPARED)):
                    if found >= enough:
                        break
                    j = member[entry]
                    looked += 1
                    if cell_x[entry] != ix or cell_y[entry] != iy:
                        continue
                    # a pair is compared in one cell only: that of the low corner of what both cover
                    if ix != max(cover[0, i], cover[0, j]) or iy != max(cover[1, i], cover[1, j]):
                        continue
                    if not may_touch(real, whole, swept, i, j):
                        continue
                    mine, other = moving_of(real, i), moving_of(real, j)
                    meeting = meet(
                        mine.box,
                        other.box,
                        (other.velocity_x - mine.velocity_x) * dt,
                        (other.velocity_y - mine.velocity_y) * dt,
                    )
                    if meeting.when == NEVER:
                        continue
                    if found < room:
                        pair, moving = (i, j), (mine, other)
                        write_contact(real, whole, pair, moving, meeting, dt, out_real, out_whole, found, polygon)
                    found += 1
        if first_of_body < found <= room:
            sort_by_second(out_real, out_whole, first_of_body, found)
    return found, looked


@inner_kernel
def sort_by_second(real: RealArray, whole: WholeArray, start: int, stop: int) -> None:
    """Put the contacts of one body in the order of the second body's row; they are few, so by insertion."""
    for k in range(start + 1, stop):
        m = k
        while m > start and whole[_FIRST + 1, m] < whole[_FIRST + 1, m - 1]:
            for row in range(_REAL_WIDTH):
                real[row, m], real[row, m - 1] = real[row, m - 1], real[row, m]
            for row in range(_WHOLE_WIDTH):
                whole[row, m], whole[row, m - 1] = whole[row, m - 1], whole[row, m]
            m -= 1
