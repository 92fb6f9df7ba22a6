"""Thousands of bodies in one place: the work of a tick is bounded, counted in pairs that are looked at."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.collision.body import BodyKind, BodyTable
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.contact_kernel import (
    FEWEST_CONTACTS,
    MAX_COMPARED_BODIES,
    MAX_CONTACTS_PER_BODY,
    find_contacts,
)
from dorosim.world.collision.impact import collide
from tests.world.collision.cars import cars, tick


def pile(count: int, **more: float) -> BodyTable:
    """Boxes of 1 m and 20 kg in one place."""
    bodies = BodyTable.zeros(count)
    bodies.half_length[:], bodies.half_width[:], bodies.half_height[:] = 0.5, 0.5, 0.5
    bodies.mass[:], bodies.movable[:], bodies.kind[:] = 20.0, 1, BodyKind.OBSTACLE
    bodies.id[:] = np.arange(1001, count + 1001)
    for name, value in more.items():
        getattr(bodies, name)[:] = value
    return bodies


def work(bodies: BodyTable) -> tuple[int, int]:
    """Contacts that were found, and pairs that were looked at."""
    room = ContactTable.zeros(16 + len(bodies) // 8)
    found, looked = find_contacts(bodies.floats, bodies.ints, 0.01, room.floats, room.ints)
    return found, looked


@pytest.mark.parametrize("kind", [BodyKind.OBSTACLE, BodyKind.PEDESTRIAN, BodyKind.GHOST, BodyKind.NPC])
@pytest.mark.parametrize("count", [1000, 4000, 16_000])
def test_a_pile_has_so_many_contacts_at_most(kind, count):
    """Half a million pairs, eight millions, and 128 millions."""
    found, looked = work(pile(count, kind=float(kind)))
    assert MAX_CONTACTS_PER_BODY <= found <= FEWEST_CONTACTS + count
    assert looked <= 4 * (FEWEST_CONTACTS + count)


def test_scenery_in_one_place_is_not_looked_at():
    assert work(pile(4000, movable=0, mass=0.0)) == (0, 0)


@pytest.mark.parametrize("movable", [0.0, 1.0])
def test_bodies_beside_each_other_in_one_cell_are_compared_with_so_many(movable):
    """4,000 boxes of a millimetre on a square of 6 m: none touches another, and a car stands far away."""
    bodies = pile(4000, half_length=5e-4, half_width=5e-4, movable=movable)
    side = np.arange(4000)
    bodies.x[:], bodies.y[:] = 0.09 * (side % 64) + 0.1, 0.09 * (side // 64) + 0.1
    found, looked = work(cars({"x": 500.0}).append(bodies))
    assert found == 0
    assert looked <= 4 * 4000 * MAX_COMPARED_BODIES


def test_twice_the_pile_is_twice_the_work():
    """Once there are more than a body is compared with."""
    less, more = work(pile(4000))[1], work(pile(8000))[1]
    assert more <= 2.2 * less


def test_vehicles_come_before_what_is_piled_up_on_them():
    """A car that drives into 4,000 boxes meets 64 of them, and not none since the boxes have used up all contacts."""
    bodies = cars({"velocity_x": 10.0}).append(pile(4000, x=2.4))
    contacts = collide(bodies, 0.01).contacts
    assert (contacts.first_id == 1).sum() == MAX_CONTACTS_PER_BODY


def test_a_pile_comes_apart_and_loses_nobody():
    bodies = pile(300)
    for _ in range(2000):
        tick(bodies)
        if not len(collide(bodies, 0.01).contacts):
            break
    assert np.isfinite(bodies.x).all()
    assert len({(round(x, 2), round(y, 2)) for x, y in zip(bodies.x.tolist(), bodies.y.tolist(), strict=True)}) == 300


def test_less_than_the_bounds_is_all_of_it():
    """49 boxes in one place are all their pairs, as ever."""
    assert work(pile(49))[0] == 49 * 48 // 2
