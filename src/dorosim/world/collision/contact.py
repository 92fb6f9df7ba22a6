"""Contacts, how long they are reported, and which actors take part in them."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import Columns, IntArray, float64, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, NANOSECOND, RATIO, SECOND, Unit
from dorosim.world.collision.body import BodyKind

NEWTON_SECOND = Unit("N·s", "N·s")
CONTACT_REPORT_TIME = 100_000_000
"""How long after its last touch a contact is reported [ns]: an impact of one tick must reach a client that is served
at 50 Hz and loses packets."""


class ContactTable(Columns):
    """One row per pair of bodies that touch, in the order in which they met.

    The normal points from the first body to the second; `closing_speed` and `sliding_speed` are relative velocities
    at the contact before the impact.
    """

    x = float64(METRE, "where the impulse acts, east", frame="map")
    y = float64(METRE, "where the impulse acts, north", frame="map")
    z = float64(METRE, "middle of the common height", frame="map")
    normal_x = float64(RATIO, "from the first body to the second, east", frame="map")
    normal_y = float64(RATIO, "from the first body to the second, north", frame="map")
    depth = float64(METRE, "by how much the boxes would overlap along the normal at the end of the tick")
    meeting = float64(SECOND, "when they met, from the start of the tick; 0 if they touched before")
    closing_speed = float64(METRE_PER_SECOND, "along the normal, positive when approaching")
    sliding_speed = float64(METRE_PER_SECOND, "across the normal, the second body to the normal's left positive")
    normal_impulse = float64(NEWTON_SECOND, "on the second body along the normal; its opposite on the first")
    tangent_impulse = float64(NEWTON_SECOND, "on the second body to the left of the normal; its opposite on the first")
    first = int64("row of the first body, in the tables of this tick")
    second = int64("row of the second body, greater than the first")
    first_id = int64("its id: of an actor, or a negative one of scenery")
    second_id = int64("its id, likewise")
    first_kind = int64("its BodyKind")
    second_kind = int64("its BodyKind")
    begin = int64("when the two began to touch, without a pause longer than they are told of [ns]", NANOSECOND)
    last = int64("when they touched last [ns]", NANOSECOND)
    key = ("first_id", "second_id")


def remember_contacts(
    before: ContactTable, now: ContactTable, time: int, told_for: int = CONTACT_REPORT_TIME
) -> ContactTable:
    """The contacts to report: those of this tick, and then earlier ones that have not been over for long.

    Args:
        before: the contacts that were reported a tick ago; read only.
        now: contacts of this tick; `begin` and `last` are written.
        time: simulated time [ns].
        told_for: how long after its last touch a contact stays [ns].

    Returns:
        a writable table, or `before` itself if both are empty. Rows of bodies (`first`, `second`) are -1 in contacts
        of before.
    """
    if not len(now) and not len(before):
        return before
    if len(now):
        now.begin[:] = time
        now.last[:] = time
    seen, told = _pairs(now), _pairs(before)
    order = np.argsort(seen, kind="stable")
    place = np.searchsorted(seen, told, sorter=order)
    again = np.zeros(len(told), np.bool_)
    if len(seen):
        again = seen[order[np.minimum(place, len(seen) - 1)]] == told
        now.begin[order[place[again]]] = before.begin[again]
    kept = np.flatnonzero(~again & (time - before.last <= told_for))
    if not len(kept):
        return now
    old = before.take(kept)
    old.first[:] = -1
    old.second[:] = -1
    return now.append(old)


def _pairs(contacts: ContactTable) -> IntArray:
    """`(N,)` one number for each pair, whichever of the two is the first; ids are below 2**31."""
    low, high = np.minimum(contacts.first_id, contacts.second_id), np.maximum(contacts.first_id, contacts.second_id)
    pairs: IntArray = (low << 32) | high
    return pairs


def one_per_pair(contacts: ContactTable) -> ContactTable:
    """The contacts with the rows of each pair made one: that of its first meeting, with the impulses of all.

    A body may touch several parts of one object of the scenery; the impulses of these have about the same direction.
    """
    pairs = _pairs(contacts)
    _, first, number = np.unique(pairs, return_index=True, return_inverse=True)
    if len(first) == len(pairs):
        return contacts
    rows = np.sort(first)
    made, place = contacts.take(rows), np.searchsorted(rows, first)[number]
    made.normal_impulse[:] = np.bincount(place, contacts.normal_impulse, len(rows))
    made.tangent_impulse[:] = np.bincount(place, contacts.tangent_impulse, len(rows))
    return made


def hit_by(contacts: ContactTable, actor: int) -> IntArray:
    """`(N,)` ids of the actors in contact with an actor, ascending, each once."""
    first, second = contacts.first_id, contacts.second_id
    return np.unique(np.concatenate((second[first == actor], first[second == actor])))


def pairs_of_npcs(contacts: ContactTable) -> IntArray:
    """`(n, 2)` ids of NPC vehicles and ghosts and of what each touches.

    The types of both sides are those of egos, vehicles, pedestrians and objects (documents/udp-messages-en.txt, NPC
    Vehicle Collision Data).
    """
    first, second = contacts.first_kind, contacts.second_kind
    npc = (first == _NPC) | (first == _GHOST) | (second == _NPC) | (second == _GHOST)
    return np.stack((contacts.first_id[npc], contacts.second_id[npc]), axis=1)


_NPC, _GHOST = int(BodyKind.NPC), int(BodyKind.GHOST)
