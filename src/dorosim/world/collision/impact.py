"""Contacts of a tick and what they do: the one call that a step makes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.world.collision.body import BodyChange, BodyTable
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


_NO_CONTACTS = ContactTable.zeros(0).freeze()
CAR_BODIES = ImpactLaw()
"""The law of cars and what they hit."""


@dataclass(frozen=True, slots=True)
class Collisions:
    """The collisions of a tick.

    Attributes:
        contacts: in the order in which the bodies met, then of their rows; writable if there are any.
        change: what happened to each body, row by row; None if nothing touched.
    """

    contacts: ContactTable
    change: BodyChange | None


def collide(bodies: BodyTable, dt: float, law: ImpactLaw = CAR_BODIES) -> Collisions:
    """Find the contacts of a tick, and what they do to the bodies.

    Bodies are where they would be at the end of the tick if they had not met; contacts are looked for on the straight
    way there, so nothing is missed at any speed. Write `change` back to the tables that the bodies come from.

    Args:
        bodies: writable; it is not changed.
        dt: the tick [s], greater than 0.
        law: restitution and friction.
    """
    contacts = _contacts(bodies, dt)
    if not len(contacts):
        return Collisions(contacts, None)
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
    return Collisions(ContactTable(contacts.floats.take(order, axis=1), contacts.ints.take(order, axis=1)), change)


def _contacts(bodies: BodyTable, dt: float) -> ContactTable:
    room = 16 + len(bodies) // 8
    while True:
        contacts = ContactTable.zeros(room)
        found, _ = find_contacts(bodies.floats, bodies.ints, dt, contacts.floats, contacts.ints)
        if not found:
            return _NO_CONTACTS
        if found <= room:
            return ContactTable(contacts.floats[:, :found].copy(), contacts.ints[:, :found].copy())
        room = found
