"""Bodies that are pushed out of others in an ordinary tick do not get into what stands behind them."""

from __future__ import annotations

from math import cos, hypot, sin

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.collision.body import BodyChange, BodyKind, BodyTable
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.push_out import MIN_CHECKED_SHIFT, PUSH_OUT_GAP
from dorosim.world.collision.scenery import MAX_PARTS_IN_TICK
from dorosim.world.ordinary.link_kernel import FIND_CONTACTS
from dorosim.world.ordinary.look_kernel import parts_near, with_parts
from dorosim.world.ordinary.word import TickWord

_BODY, _CHANGE, _CONTACT = BodyTable.at, BodyChange.at, ContactTable.at
_CONTACT_COLUMNS, _CONTACT_INT_COLUMNS = ContactTable.float_width, len(ContactTable.int_columns)
_SCENERY, _FIRST_ROOM = int(BodyKind.SCENERY), 16
_find_contacts = FIND_CONTACTS.call
_W_FIND_CONTACTS, _W_PART_COUNT = int(TickWord.FIND_CONTACTS), int(TickWord.PART_COUNT)


@inner_kernel
def find_all_contacts(
    words: IntArray, body: FloatArray, body_ints: IntArray, dt: float
) -> tuple[FloatArray, IntArray, int]:
    """The contacts of a tick without impulses, in the order of the rows, in arrays with room for more; how many."""
    room = _FIRST_ROOM + body.shape[1] // 8
    while True:
        contact, ints = np.zeros((_CONTACT_COLUMNS, room)), np.zeros((_CONTACT_INT_COLUMNS, room), np.int64)
        count, _ = _find_contacts(words[_W_FIND_CONTACTS], (body, body_ints, dt, contact, ints))
        if count <= room:
            return contact, ints, count
        room = count


@inner_kernel
def _far_rows(body_ints: IntArray, change: FloatArray) -> IntArray:
    """Rows of the bodies whose shift is looked at."""
    rows, count = np.empty(change.shape[1], np.int64), 0
    for k in range(change.shape[1]):
        far = hypot(change[_CHANGE.shift_x, k], change[_CHANGE.shift_y, k]) > MIN_CHECKED_SHIFT
        if far and body_ints[_BODY.movable, k] == 1:
            rows[count] = k
            count += 1
    return rows[:count].copy()


@inner_kernel
def _end_ways_at(
    met: FloatArray, met_ints: IntArray, found: int, shift: FloatArray, whole: FloatArray, dt: float
) -> None:
    """Shorten shifts `(2, N)`, whose whole ways `(2, N)` have met some parts, as many as `found`."""
    count = shift.shape[1]
    share, stops = np.ones(count), np.zeros(found, np.bool_)
    for c in range(found):
        m, speed = met_ints[_CONTACT.first, c], met[_CONTACT.closing_speed, c]
        # what leans on a part keeps touching it
        pushes = speed > 0.0 and met[_CONTACT.depth, c] > PUSH_OUT_GAP
        stops[c] = pushes and met_ints[_CONTACT.second_kind, c] == _SCENERY and m < count
        if stops[c] and met[_CONTACT.meeting, c] > 0.0:
            share[m] = min(share[m], max(met[_CONTACT.meeting, c] / dt - PUSH_OUT_GAP / (speed * dt), 0.0))
    for m in range(count):
        shift[0, m] -= (1.0 - share[m]) * whole[0, m]
        shift[1, m] -= (1.0 - share[m]) * whole[1, m]
    for c in range(found):
        if stops[c] and not met[_CONTACT.meeting, c] > 0.0:
            # from a part that it touched before a body slides along
            m, way = met_ints[_CONTACT.first, c], met[_CONTACT.closing_speed, c] * dt
            shift[0, m] -= share[m] * way * met[_CONTACT.normal_x, c]
            shift[1, m] -= share[m] * way * met[_CONTACT.normal_y, c]


@inner_kernel
def shorten_shifts(words: IntArray, body: FloatArray, body_ints: IntArray, change: FloatArray, dt: float) -> None:
    """Let the ways of bodies that are shifted end at the first solid part: `collision.push_out.shorten_shifts`."""
    rows = _far_rows(body_ints, change)
    count = rows.shape[0]
    if count == 0:
        return
    pushed, pushed_ints = np.zeros((body.shape[0], count)), np.zeros((body_ints.shape[0], count), np.int64)
    shift, whole = np.empty((2, count)), np.empty((2, count))
    for m in range(count):
        k = rows[m]
        for column in range(body.shape[0]):
            pushed[column, m] = body[column, k]
        for column in range(body_ints.shape[0]):
            pushed_ints[column, m] = body_ints[column, k]
        yaw, aside = body[_BODY.yaw, k], body[_BODY.yaw_rate, k] * body[_BODY.cg_forward, k] * dt
        shift[0, m], shift[1, m] = change[_CHANGE.shift_x, k], change[_CHANGE.shift_y, k]
        whole[0, m] = shift[0, m] + (body[_BODY.velocity_x, k] * dt + aside * sin(yaw))
        whole[1, m] = shift[1, m] + (body[_BODY.velocity_y, k] * dt - aside * cos(yaw))
        pushed[_BODY.x, m] += shift[0, m]
        pushed[_BODY.y, m] += shift[1, m]
        pushed[_BODY.velocity_x, m], pushed[_BODY.velocity_y, m] = whole[0, m] / dt, whole[1, m] / dt
        pushed[_BODY.yaw_rate, m] = 0.0
    parts = np.empty(words[_W_PART_COUNT], np.int64)
    near = min(parts_near(words, pushed, pushed_ints, 0, 0.0, dt, parts), MAX_PARTS_IN_TICK)
    if near == 0:
        return
    around, around_ints = with_parts(words, pushed, pushed_ints, parts[:near].copy())
    met, met_ints, found = find_all_contacts(words, around, around_ints, dt)
    _end_ways_at(met, met_ints, found, shift, whole, dt)
    for m in range(count):
        change[_CHANGE.shift_x, rows[m]], change[_CHANGE.shift_y, rows[m]] = shift[0, m], shift[1, m]
