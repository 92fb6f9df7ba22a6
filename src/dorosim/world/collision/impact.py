"""Contacts of a tick and what they do: the one call that a step makes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.collision.body import BodyChange, BodyKind, BodyTable
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.contact_kernel import find_contacts
from dorosim.world.collision.impact_kernel import Law, resolve_contacts


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactLaw:
    """Restitution and friction between bodies.

    The restitution falls with the closing speed c: restitution + (soft_restitution - restitution) exp(-c / soft_speed).
    The numbers give 0.3 at 1 m/s and 0.1 above 8 m/s: tests of bumpers at closing speeds of 1 to 2 m/s have measured
    0.2 to 0.4, and faster impacts of cars about 0.1 (K. Howard, J. Bomar and C. Bare, "Vehicle restitution response in
    low velocity collisions", SAE 931842). The curve through them is ours.

    Attributes:
        restitution: of fast impacts, 0 to 1.
        soft_restitution: of slow ones, 0 to 1.
        soft_speed: how fast the one becomes the other [m/s].
        resting_speed: closing speed up to which nothing rebounds, so that bodies that lean on each other rest [m/s].
        friction: tangential over normal impulse while the bodies slide along each other; 0.5 is in the middle of what
            reconstructions use (Brach and Brach, chapter 6).
    """

    restitution: float = 0.1
    soft_restitution: float = 0.4
    soft_speed: float = 2.5
    resting_speed: float = 0.3
    friction: float = 0.5

    def numbers(self) -> Law:
        """The law as kernels take it."""
        return Law(
            float(self.restitution),
            float(self.soft_restitution),
            float(self.soft_speed),
            float(self.resting_speed),
            float(self.friction),
        )


MIN_BREAKING_MASS = 100.0
"""What is lighter and no vehicle breaks no post [kg]."""
_NONE_BROKEN = np.zeros(0, np.int64)
_NONE_BROKEN.flags.writeable = False
_NO_CONTACTS = ContactTable.zeros(0).freeze()
CAR_BODIES = ImpactLaw()
"""The law of cars and what they hit."""


@dataclass(frozen=True, slots=True)
class Collisions:
    """The collisions of a tick.

    Attributes:
        contacts: in the order in which the bodies met, then of their rows; writable if there are any.
        change: what happened to each body, row by row; None if nothing touched.
        broken: `(N,)` rows of the bodies that gave way.
    """

    contacts: ContactTable
    change: BodyChange | None
    broken: IntArray


def collide(bodies: BodyTable, dt: float, law: ImpactLaw = CAR_BODIES) -> Collisions:
    """Find the contacts of a tick, and what they do to the bodies.

    Bodies are where they would be at the end of the tick if they had not met; contacts are looked for on the straight
    way there, so nothing is missed at any speed. Write `change` back to the tables that the bodies come from.

    Args:
        bodies: writable; only bodies that give way become movable.
        dt: the tick [s], greater than 0.
        law: restitution and friction.
    """
    contacts = contacts_of(bodies, dt)
    if not len(contacts):
        return Collisions(contacts, None, _NONE_BROKEN)
    contacts, broken = _give_way(bodies, contacts)
    change = BodyChange.zeros(len(bodies))
    order = np.lexsort((contacts.second, contacts.first, contacts.meeting))
    resolve_contacts(
        bodies.floats,
        bodies.ints,
        contacts.floats,
        contacts.ints,
        order,
        law.numbers(),
        dt,
        change.floats,
        change.ints,
    )
    sorted_ = ContactTable(contacts.floats.take(order, axis=1), contacts.ints.take(order, axis=1))
    return Collisions(sorted_, change, broken)


def _give_way(bodies: BodyTable, contacts: ContactTable) -> tuple[ContactTable, IntArray]:
    """Make what gives way movable: of each object the part that is hit first, and no other one counts from then on.

    Returns:
        the contacts without those of the other parts, and the rows of the bodies that are movable now.
    """
    first, second = contacts.first, contacts.second
    hits = _hard_hits(bodies, contacts, second, first, contacts.first_kind)
    # of two obstacles either may be the one that stands
    struck = np.unique(first[_hard_hits(bodies, contacts, first, second, contacts.second_kind)])
    if not len(hits) and not len(struck):
        return contacts, _NONE_BROKEN
    hits = hits[np.lexsort((second[hits], contacts.meeting[hits]))]
    _, chosen = np.unique(contacts.second_id[hits], return_index=True)
    broken = np.union1d(second[hits[chosen]], struck)
    bodies.movable[broken] = 1
    stays = np.isin(second, broken) | ~np.isin(contacts.second_id, bodies.id[broken])
    return contacts.take(np.flatnonzero(stays)), broken


def _hard_hits(bodies: BodyTable, contacts: ContactTable, hit: IntArray, by: IntArray, by_kind: IntArray) -> IntArray:
    """Rows `(N,)` of the contacts in which the bodies of the rows `hit` are made to give way by those of `by`."""
    limit = bodies.breakaway_speed[hit]
    heavy = (by_kind <= BodyKind.GHOST) | (bodies.mass[by] >= MIN_BREAKING_MASS)
    return np.flatnonzero(heavy & (limit > 0.0) & (contacts.closing_speed >= limit) & (bodies.movable[hit] == 0))


def contacts_of(bodies: BodyTable, dt: float) -> ContactTable:
    """The contacts of a tick [s] without impulses, in the order of the rows; writable if there are any."""
    room = 16 + len(bodies) // 8
    while True:
        contacts = ContactTable.zeros(room)
        found, _ = find_contacts(bodies.floats, bodies.ints, dt, contacts.floats, contacts.ints)
        if not found:
            return _NO_CONTACTS
        if found <= room:
            return ContactTable(contacts.floats[:, :found].copy(), contacts.ints[:, :found].copy())
        room = found
