"""Contacts, how long they are told of, and the order in which messages want them."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import Columns, RealArray, WholeArray, real, whole
from dorosim.ground.unit import METRE, METRE_PER_SECOND, RATIO, SECOND, Unit
from dorosim.world.collision.body import BodyKind, BodyTable

NEWTON_SECOND = Unit("N·s", "N·s")
EGO_SLOTS = 5
"""Objects in Collision Data (documents/udp-messages-en.txt; facts/udp-wire.md, section 3.6)."""
PAIR_SLOTS = 10
"""Pairs in NPC Vehicle Collision Data (documents/udp-messages-en.txt; facts/udp-wire.md, section 4.2)."""
TOLD_FOR = 100_000_000
"""How long after its last touch a contact is told of [ns]: an impact of one tick must reach a peer that is served
at 50 Hz and loses packets."""


class ContactTable(Columns):
    """One row per pair of bodies that touch, in the order in which they met.

    The normal points from the first body to the second; `closing_speed` and `sliding_speed` are relative velocities
    at the contact before the impact.
    """

    x = real(METRE, "where the impulse acts, east", frame="map")
    y = real(METRE, "where the impulse acts, north", frame="map")
    z = real(METRE, "middle of the common height", frame="map")
    normal_x = real(RATIO, "from the first body to the second, east", frame="map")
    normal_y = real(RATIO, "from the first body to the second, north", frame="map")
    depth = real(METRE, "by how much the boxes would overlap along the normal at the end of the tick")
    meeting = real(SECOND, "when they met, from the start of the tick; 0 if they touched before")
    closing_speed = real(METRE_PER_SECOND, "along the normal, positive when approaching")
    sliding_speed = real(METRE_PER_SECOND, "across the normal, the second body to the normal's left positive")
    normal_impulse = real(NEWTON_SECOND, "on the second body along the normal; its opposite on the first")
    tangent_impulse = real(NEWTON_SECOND, "on the second body to the left of the normal; its opposite on the first")
    first = whole("row of the first body, in the tables of this tick")
    second = whole("row of the second body, greater than the first")
    first_id = whole("its actor id")
    second_id = whole("its actor id")
    first_kind = whole("its BodyKind")
    second_kind = whole("its BodyKind")
    begin = whole("when the two began to touch, without a pause longer than they are told of [ns]")
    last = whole("when they touched last [ns]")
    key = ("first_id", "second_id")


def remember_contacts(before: ContactTable, now: ContactTable, time: int, told_for: int = TOLD_FOR) -> ContactTable:
    """The contacts to tell of: those of this tick, and then those of before that have not been over for long.

    Args:
        before: what was told of a tick ago; read only.
        now: contacts of this tick; `begin` and `last` are written.
        time: simulated time [ns].
        told_for: how long after its last touch a contact stays [ns].

    Returns:
        a writable table, or `before` itself if both are empty. Rows of bodies (`first`, `second`) are -1 in contacts
        of before.
    """
    if not len(now) and not len(before):
        return before
    now.begin[:] = time
    now.last[:] = time
    seen = {pair: row for row, pair in enumerate(_pairs(now))}
    kept = []
    for row, pair in enumerate(_pairs(before)):
        again = seen.get(pair)
        if again is not None:
            now.begin[again] = before.begin[row]
        elif time - int(before.last[row]) <= told_for:
            kept.append(row)
    if not kept:
        return now
    old = ContactTable(before.real.take(kept, axis=1), before.whole.take(kept, axis=1))
    old.first[:] = -1
    old.second[:] = -1
    return now.append(old)


def _pairs(contacts: ContactTable) -> list[tuple[int, int]]:
    ids = zip(contacts.first_id.tolist(), contacts.second_id.tolist(), strict=True)
    return [(min(pair), max(pair)) for pair in ids]


def hit_by(contacts: ContactTable, bodies: BodyTable, actor: int, count: int = EGO_SLOTS) -> WholeArray:
    """Ids of the bodies in contact with an actor, nearest first, then by id.

    Args:
        contacts: those to tell of.
        bodies: the bodies as they are now; ids that are no longer there are left out.
        actor: whose contacts.
        count: how many at most.

    Returns:
        `(n,)` actor ids, n <= count.
    """
    others = np.where(contacts.first_id == actor, contacts.second_id, contacts.first_id)
    others = np.unique(others[(contacts.first_id == actor) | (contacts.second_id == actor)])
    others, distance = _distances(others, bodies, actor)
    return others[np.lexsort((others, distance))][:count]


def pairs_of_npcs(contacts: ContactTable, bodies: BodyTable, actor: int, count: int = PAIR_SLOTS) -> WholeArray:
    """Pairs of NPC vehicles in contact, those nearest to an actor first (documents/udp-messages-en.txt).

    Within a pair the nearer vehicle stands first; the nearer vehicle decides the order of pairs, then its partner,
    then the ids.

    Args:
        contacts: those to tell of.
        bodies: the bodies as they are now; ids that are no longer there are left out.
        actor: the user's vehicle.
        count: how many at most.

    Returns:
        `(n, 2)` actor ids, n <= count.
    """
    npc = np.isin(contacts.first_kind, _NPC_KINDS) & np.isin(contacts.second_kind, _NPC_KINDS)
    pairs = np.stack((contacts.first_id[npc], contacts.second_id[npc]), axis=1)
    here, distance = _distances(np.unique(pairs), bodies, actor)
    pairs = pairs[np.isin(pairs, here).all(axis=1)]
    if not len(pairs):
        return pairs
    far = distance[np.searchsorted(here, pairs)]
    swap = (far[:, 1] < far[:, 0]) | ((far[:, 1] == far[:, 0]) & (pairs[:, 1] < pairs[:, 0]))
    pairs[swap] = pairs[swap][:, ::-1]
    far.sort(axis=1)
    order = np.lexsort((pairs[:, 1], pairs[:, 0], far[:, 1], far[:, 0]))
    return pairs[order][:count]


_NPC_KINDS = (int(BodyKind.NPC), int(BodyKind.GHOST))


def _distances(ids: WholeArray, bodies: BodyTable, actor: int) -> tuple[WholeArray, RealArray]:
    """Those of the ids that have a body, and the distance of its centre from that of an actor."""
    order = np.argsort(bodies.id, kind="stable")
    sorted_ids = bodies.id[order]
    ids = ids[np.isin(ids, sorted_ids)]
    rows = order[np.searchsorted(sorted_ids, ids)]
    own = np.flatnonzero(bodies.id == actor)
    if not len(own):
        return ids, np.zeros(len(ids))
    place = bodies.real[_X : _X + 3, own[0]]
    return ids, np.sqrt(((bodies.real[_X : _X + 3, rows] - place[:, None]) ** 2).sum(axis=0))


_X = BodyTable.x.index
