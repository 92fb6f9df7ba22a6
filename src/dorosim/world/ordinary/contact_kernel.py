"""Which contacts a state remembers after an ordinary tick: `dorosim.world.collision.contact`."""

from __future__ import annotations

import numpy as np

from dorosim.ground.address_kernel import float_rows_at, int_rows_at, ints_at
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.block import CONTACTS, HEADER
from dorosim.world.collision.contact import CONTACT_REPORT_TIME, ContactTable
from dorosim.world.ordinary.word import TickWord

_CONTACT = ContactTable.at
_COLUMNS, _INT_COLUMNS = ContactTable.float_width, len(ContactTable.int_columns)
_W_CONTACTS, _W_ROOM = int(TickWord.CONTACTS), int(TickWord.CONTACT_ROOM)


@inner_kernel
def contact_ints_in(words: IntArray, start: int) -> IntArray:
    """The int block of the contacts in the block at an address."""
    count = ints_at(start, HEADER)[CONTACTS]
    return int_rows_at(start + 8 * (words[_W_CONTACTS] + _COLUMNS * count), _INT_COLUMNS, count)


@inner_kernel
def _are_one_pair(ints: IntArray, i: int, others: IntArray, j: int) -> bool:
    """Whether two contacts are of the same two bodies, whichever is the first."""
    first, second = ints[_CONTACT.first_id, i], ints[_CONTACT.second_id, i]
    one, other = others[_CONTACT.first_id, j], others[_CONTACT.second_id, j]
    return bool((first == one and second == other) or (first == other and second == one))


@inner_kernel
def _in_order(
    contact: FloatArray, ints: IntArray, order: IntArray, joins: bool, room: int
) -> tuple[FloatArray, IntArray, int]:
    """Contacts in some order, in arrays with more room; where `joins`, each pair once, with the impulses of all."""
    made, made_ints = np.empty((_COLUMNS, room)), np.empty((_INT_COLUMNS, room), np.int64)
    owner, count, joined = np.empty(order.shape[0], np.int64), 0, False
    for k in range(order.shape[0]):
        row, here = order[k], -1
        if joins:
            for m in range(count):
                if _are_one_pair(ints, row, made_ints, m):
                    here, joined = m, True
        if here < 0:
            here = count
            for column in range(_COLUMNS):
                made[column, here] = contact[column, row]
            for column in range(_INT_COLUMNS):
                made_ints[column, here] = ints[column, row]
            count += 1
        owner[k] = here
    if joined:
        for m in range(count):
            made[_CONTACT.normal_impulse, m] = made[_CONTACT.tangent_impulse, m] = 0.0
        for k in range(order.shape[0]):
            made[_CONTACT.normal_impulse, owner[k]] += contact[_CONTACT.normal_impulse, order[k]]
            made[_CONTACT.tangent_impulse, owner[k]] += contact[_CONTACT.tangent_impulse, order[k]]
    return made, made_ints, count


@inner_kernel
def remember(
    words: IntArray, start: int, contact: FloatArray, ints: IntArray, order: IntArray, time: int, joins: bool
) -> bool:
    """Write the contacts of a tick, and after them those that have not been over for long, into a block.

    As `one_per_pair` and `remember_contacts`.

    Args:
        words: of the tick.
        start: address of the block, which has the contacts of a tick ago.
        contact: float block of the contacts of this tick.
        ints: its int block.
        order: which of them, in their order.
        time: simulated time [ns].
        joins: whether a pair may be among them several times.

    Returns:
        whether there is room for all.
    """
    header = ints_at(start, HEADER)
    before, place = header[CONTACTS], start + 8 * words[_W_CONTACTS]
    told = float_rows_at(place, _COLUMNS, before)
    told_ints = int_rows_at(place + 8 * _COLUMNS * before, _INT_COLUMNS, before)
    made, made_ints, seen = _in_order(contact, ints, order, joins, order.shape[0] + before)
    for m in range(seen):
        made_ints[_CONTACT.begin, m] = made_ints[_CONTACT.last, m] = time
    count = seen
    for k in range(before):
        again = False
        for m in range(seen):
            if _are_one_pair(told_ints, k, made_ints, m):
                again = True
                made_ints[_CONTACT.begin, m] = told_ints[_CONTACT.begin, k]
        if again or time - told_ints[_CONTACT.last, k] > CONTACT_REPORT_TIME:
            continue
        for column in range(_COLUMNS):
            made[column, count] = told[column, k]
        for column in range(_INT_COLUMNS):
            made_ints[column, count] = told_ints[column, k]
        made_ints[_CONTACT.first, count] = made_ints[_CONTACT.second, count] = -1
        count += 1
    if count > words[_W_ROOM]:
        return False
    floats, block = (
        float_rows_at(place, _COLUMNS, count),
        int_rows_at(place + 8 * _COLUMNS * count, _INT_COLUMNS, count),
    )
    for k in range(count):
        for column in range(_COLUMNS):
            floats[column, k] = made[column, k]
        for column in range(_INT_COLUMNS):
            block[column, k] = made_ints[column, k]
    header[CONTACTS] = count
    return True
