"""A state in a block has the digest of its tables, though none are made for it."""

from __future__ import annotations

import pytest

from dorosim.scenario.population import population
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.snapshot import EGO, STATE
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.world.collision.standing import scenery_of, world_among
from tests.world.ordinary.both_ways import both_ways, is_ordinary
from tests.world.world import town_world

RAM = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=1.0)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()


class Hashed:
    """What `both_ways` sees: the different lamps and numbers of contacts of states in blocks."""

    def __init__(self) -> None:
        self.lamps: set[bytes] = set()
        self.contacts: set[int] = set()

    def __call__(self, now) -> None:
        if is_ordinary(now):
            assert now.digest() == STATE.build(STATE.leaves(now)).digest(), f"tick {now.tick}"
            self.lamps.add(now.signal.light.ints.tobytes())
            self.contacts.add(now.contact.rows)


def test_the_digest_is_that_of_the_tables_while_lamps_change(monkeypatch):
    world, hashed = town_world(seed=3), Hashed()
    crowd = population(world.scene, world.now, world.noise, 20, 5)
    assert both_ways(world, {0: crowd}, 900, hashed) > 0.9
    assert len(hashed.lamps) > 1
    whole = world.now.digest()
    monkeypatch.setattr("dorosim.world.snapshot.MAX_JOINED_ROWS", 0)
    assert world.now.digest() == whole


def test_the_digest_is_that_of_the_tables_while_contacts_come_and_go():
    world, hashed = world_among(scenery_of([(26.0, 0.0, 0.05, 1.0, 20.0)]), (14.0, 0.0, 0.0)), Hashed()
    both_ways(world, {0: (RAM,)}, 500, hashed)
    assert len(hashed.contacts) > 1
