"""Finds which bodies touch: a grid of the swept boxes, then the separating axis method for each pair in a cell.

Thousands of bodies in one place are millions of pairs. So a body is compared with so many others of a cell at most, has
so many contacts at most, and a tick has so many; what comes first in the order of the rows counts: vehicles come before
people, and these before obstacles. Bodies that are pushed apart make room for those that come later in the order.
"""

from __future__ import annotations

from math import cos, isfinite, nan, sin, sqrt
from typing import NamedTuple

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.search_kernel import first_beyond
from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.box_kernel import NO_MEETING, Box, Meeting, meet, point_of_impact
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.grid_kernel import bucket_of, grid_over, is_place

_CONTACT = ContactTable.at

_CELL = 8.0
"""Smallest cell of the grid [m]: a car covers one to four."""

_BODY = BodyTable.at
_OBSTACLE, _SCENERY = int(BodyKind.OBSTACLE), int(BodyKind.SCENERY)
_FLOAT_WIDTH, _INT_WIDTH = ContactTable.float_width, len(ContactTable.int_columns)
MAX_COMPARED_BODIES = 1024
"""Others in one cell that a body is compared with: 16 a square metre, more than can stand there."""
MAX_CONTACTS_PER_BODY = 64
"""Contacts of a body with those after it."""
FEWEST_CONTACTS = 4096
"""Contacts that a tick may have, besides one for each body."""
MIN_BODY_SIZE = 1e-3
"""Half sizes below it are taken as this, so that no body is a line [m]."""


FEW_BODIES = 64
"""So few bodies are compared each with each: a grid of them would cost more than it saves."""


class Moving(NamedTuple):
    """A body from above: its box at the end of the tick, and the velocity of its centre [m/s]."""

    box: Box
    velocity_x: float
    velocity_y: float


@inner_kernel
def moving_of(floats: FloatArray, i: int) -> Moving:
    """The body of a row, as the contact search sees it."""
    c, s = cos(floats[_BODY.yaw, i]), sin(floats[_BODY.yaw, i])
    box = Box(
        floats[_BODY.x, i],
        floats[_BODY.y, i],
        c,
        s,
        max(floats[_BODY.half_length, i], MIN_BODY_SIZE),
        max(floats[_BODY.half_width, i], MIN_BODY_SIZE),
    )
    cg_speed = floats[_BODY.yaw_rate, i] * floats[_BODY.cg_forward, i]
    return Moving(box, floats[_BODY.velocity_x, i] + cg_speed * s, floats[_BODY.velocity_y, i] - cg_speed * c)


@inner_kernel
def moved(box: Box, x: float, y: float) -> Box:
    """A box somewhere else."""
    return Box(box.x + x, box.y + y, box.c, box.s, box.half_length, box.half_width)


@inner_kernel
def sweep(floats: FloatArray, dt: float) -> FloatArray:
    """`(4, N)` low x, low y, high x, high y of what a circle around each body covers in the tick [m].

    Circles need no angles, and most bodies are near to no other.
    """
    count = floats.shape[1]
    swept = np.empty((4, count))
    for i in range(count):
        length = max(floats[_BODY.half_length, i], MIN_BODY_SIZE)
        width = max(floats[_BODY.half_width, i], MIN_BODY_SIZE)
        reach = (
            sqrt(length * length + width * width) + abs(floats[_BODY.yaw_rate, i] * floats[_BODY.cg_forward, i]) * dt
        )
        if not isfinite(floats[_BODY.yaw, i]):
            reach = nan
        way_x, way_y = floats[_BODY.velocity_x, i] * dt, floats[_BODY.velocity_y, i] * dt
        swept[0, i] = floats[_BODY.x, i] - reach - max(way_x, 0.0)
        swept[2, i] = floats[_BODY.x, i] + reach - min(way_x, 0.0)
        swept[1, i] = floats[_BODY.y, i] - reach - max(way_y, 0.0)
        swept[3, i] = floats[_BODY.y, i] + reach - min(way_y, 0.0)
    return swept


@inner_kernel
def may_touch(floats: FloatArray, ints: IntArray, swept: FloatArray, i: int, j: int) -> bool:
    """Whether the swept boxes and the heights of two bodies overlap, and one of them does not stand."""
    if swept[0, i] > swept[2, j] or swept[0, j] > swept[2, i]:
        return False
    if swept[1, i] > swept[3, j] or swept[1, j] > swept[3, i]:
        return False
    if not abs(floats[_BODY.z, i] - floats[_BODY.z, j]) <= floats[_BODY.half_height, i] + floats[_BODY.half_height, j]:
        return False
    if not (is_fixed(ints, i) and is_fixed(ints, j)):
        return True
    # an obstacle that moves as a command says is not stopped, but what it runs into is reported
    i_scenery, j_scenery = ints[_BODY.kind, i] == _SCENERY, ints[_BODY.kind, j] == _SCENERY
    return i_scenery != j_scenery and not (stands(floats, ints, i) and stands(floats, ints, j))


@inner_kernel
def is_fixed(ints: IntArray, i: int) -> bool:
    """Whether a body is an obstacle or scenery that nothing pushes."""
    kind = ints[_BODY.kind, i]
    return bool(ints[_BODY.movable, i] == 0 and kind in (_OBSTACLE, _SCENERY))


@inner_kernel
def stands(floats: FloatArray, ints: IntArray, i: int) -> bool:
    """Whether it also has no velocity."""
    rests = floats[_BODY.velocity_x, i] == 0.0 and floats[_BODY.velocity_y, i] == 0.0
    return bool(rests and is_fixed(ints, i))


@inner_kernel
def write_contact(
    floats: FloatArray,
    ints: IntArray,
    pair: tuple[int, int],
    moving: tuple[Moving, Moving],
    meeting: Meeting,
    dt: float,
    out_floats: FloatArray,
    out_ints: IntArray,
    row: int,
    polygon: FloatArray,
) -> None:
    """Write a contact of the bodies of two rows."""
    first, second = moving
    back = (meeting.when - 1.0) * dt
    there = moved(first.box, first.velocity_x * back, first.velocity_y * back)
    here = moved(second.box, second.velocity_x * back, second.velocity_y * back)
    x, y = point_of_impact(there, here, meeting, polygon)
    i, j = pair
    low = max(floats[_BODY.z, i] - floats[_BODY.half_height, i], floats[_BODY.z, j] - floats[_BODY.half_height, j])
    high = min(floats[_BODY.z, i] + floats[_BODY.half_height, i], floats[_BODY.z, j] + floats[_BODY.half_height, j])
    nx, ny = meeting.normal_x, meeting.normal_y
    # velocity of the contact point: that of the centre, turned about the centre
    vx = (
        second.velocity_x
        - floats[_BODY.yaw_rate, j] * (y - here.y)
        - first.velocity_x
        + floats[_BODY.yaw_rate, i] * (y - there.y)
    )
    vy = (
        second.velocity_y
        + floats[_BODY.yaw_rate, j] * (x - here.x)
        - first.velocity_y
        - floats[_BODY.yaw_rate, i] * (x - there.x)
    )
    out_floats[_CONTACT.x, row] = x
    out_floats[_CONTACT.x + 1, row] = y
    out_floats[_CONTACT.x + 2, row] = 0.5 * (low + high)
    out_floats[_CONTACT.normal_x, row], out_floats[_CONTACT.normal_x + 1, row] = nx, ny
    out_floats[_CONTACT.depth, row], out_floats[_CONTACT.meeting, row] = meeting.depth, meeting.when * dt
    out_floats[_CONTACT.closing_speed, row] = -(vx * nx + vy * ny)
    out_floats[_CONTACT.sliding_speed, row] = vy * nx - vx * ny
    for k, body in enumerate(pair):
        out_ints[_CONTACT.first + k, row] = body
        out_ints[_CONTACT.first_id + k, row] = ints[_BODY.id, body]
        out_ints[_CONTACT.first_kind + k, row] = ints[_BODY.kind, body]


@inner_kernel
def last_to_push(floats: FloatArray, ints: IntArray) -> int:
    """The last row that does not stand: what stands behind it touches nothing that comes after it; -1 for none."""
    for i in range(ints.shape[1] - 1, -1, -1):
        if not stands(floats, ints, i):
            return i
    return -1


@inner_kernel
def compare(
    floats: FloatArray,
    ints: IntArray,
    swept: FloatArray,
    pair: tuple[int, int],
    dt: float,
    out_floats: FloatArray,
    out_ints: IntArray,
    row: int,
    polygon: FloatArray,
) -> bool:
    """Whether the bodies of two rows meet; the contact is written to a row where there is room."""
    i, j = pair
    if not may_touch(floats, ints, swept, i, j):
        return False
    moving = moving_of(floats, i), moving_of(floats, j)
    way_x = (moving[1].velocity_x - moving[0].velocity_x) * dt
    meeting = meet(moving[0].box, moving[1].box, way_x, (moving[1].velocity_y - moving[0].velocity_y) * dt)
    if meeting.when == NO_MEETING:
        return False
    if row < out_floats.shape[1]:
        write_contact(floats, ints, pair, moving, meeting, dt, out_floats, out_ints, row, polygon)
    return True


@inner_kernel
def is_near_later(swept: FloatArray, i: int) -> bool:
    """Whether what a body covers overlaps what one of those after it does."""
    low_x, low_y, high_x, high_y, found = swept[0, i], swept[1, i], swept[2, i], swept[3, i], False
    for j in range(i + 1, swept.shape[1]):
        along = (low_x <= swept[2, j]) & (swept[0, j] <= high_x)
        found |= along & (low_y <= swept[3, j]) & (swept[1, j] <= high_y)
    return found


@inner_kernel
def contacts_of_few(
    floats: FloatArray, ints: IntArray, swept: FloatArray, dt: float, out_floats: FloatArray, out_ints: IntArray
) -> tuple[int, int]:
    """What `find_contacts` finds among at most `FEW_BODIES`, in the same order: no limit of its is reached."""
    room, found, looked = np.empty((2, 2, 9)), 0, 0
    polygon = bare(room)
    for i in range(last_to_push(floats, ints) + 1):
        if not is_near_later(swept, i) or not is_place(swept[0, i], swept[1, i], swept[2, i], swept[3, i]):
            continue
        for j in range(i + 1, floats.shape[1]):
            if not is_place(swept[0, j], swept[1, j], swept[2, j], swept[3, j]):
                continue
            looked += 1
            found += compare(floats, ints, swept, (i, j), dt, out_floats, out_ints, found, polygon)
    hold(room)
    return found, looked


@kernel
def find_contacts(
    floats: FloatArray, ints: IntArray, dt: float, out_floats: FloatArray, out_ints: IntArray
) -> tuple[int, int]:
    """The contacts of a tick, in the order of the first and then of the second body's row.

    A body whose place is not a number touches nothing. Of bodies that are crowded into one place not all are compared.

    Args:
        floats: `(columns, N)` the writable float block of `BodyTable`, at the end of the tick; it is only read.
        ints: `(columns, N)` its writable int block; it is only read.
        dt: the tick [s].
        out_floats: `(columns, room)` the float block of a `ContactTable` of zeros.
        out_ints: `(columns, room)` its int block.

    Returns:
        how many contacts there are, of which only as many as there is room for are written; and how many pairs were
        looked at.
    """
    swept = sweep(floats, dt)
    if floats.shape[1] <= FEW_BODIES:
        tables, made = (bare(floats), bare(ints), bare(swept)), (bare(out_floats), bare(out_ints))
        count = contacts_of_few(tables[0], tables[1], tables[2], dt, made[0], made[1])
        hold(swept)
        return count
    grid = grid_over(swept, _CELL)
    polygon = np.empty((2, 2, 9))
    # taken out of the tuple once: numba counts references each time that it is asked for one of its arrays
    cover, start, member, cell_x, cell_y = grid.cover, grid.start, grid.member, grid.cell_x, grid.cell_y
    room, found, buckets, looked = out_floats.shape[1], 0, len(start) - 1, 0
    most, last = FEWEST_CONTACTS + floats.shape[1], last_to_push(floats, ints)
    for i in range(last + 1):
        first_of_body = found
        enough = min(found + MAX_CONTACTS_PER_BODY, most)
        for ix in range(cover[0, i], cover[2, i] + 1):
            for iy in range(cover[1, i], cover[3, i] + 1):
                bucket = bucket_of(ix, iy, buckets)
                begin = first_beyond(member, start[bucket], start[bucket + 1], i)
                for entry in range(begin, min(start[bucket + 1], begin + MAX_COMPARED_BODIES)):
                    if found >= enough:
                        break
                    j = member[entry]
                    looked += 1
                    if cell_x[entry] != ix or cell_y[entry] != iy:
                        continue
                    # a pair is compared in one cell only: that of the low corner of what both cover
                    if ix != max(cover[0, i], cover[0, j]) or iy != max(cover[1, i], cover[1, j]):
                        continue
                    found += compare(floats, ints, swept, (i, j), dt, out_floats, out_ints, found, polygon)
        if first_of_body < found <= room:
            sort_by_second(out_floats, out_ints, first_of_body, found)
    return found, looked


@inner_kernel
def sort_by_second(floats: FloatArray, ints: IntArray, start: int, stop: int) -> None:
    """Put the contacts of one body in the order of the second body's row; they are few, so by insertion."""
    for k in range(start + 1, stop):
        m = k
        while m > start and ints[_CONTACT.first + 1, m] < ints[_CONTACT.first + 1, m - 1]:
            for row in range(_FLOAT_WIDTH):
                floats[row, m], floats[row, m - 1] = floats[row, m - 1], floats[row, m]
            for row in range(_INT_WIDTH):
                ints[row, m], ints[row, m - 1] = ints[row, m - 1], ints[row, m]
            m -= 1
