"""Worlds of a batch have the bits that each has alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.world.ordinary.batch import OrdinaryBatch
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.world.ordinary.both_ways import DRIVE
from tests.world.world import town_scene, town_world

WORLDS = 6


@pytest.fixture(scope="module")
def firsts() -> list[Snapshot]:
    """Towns that differ: in their crowds, and one has its ego alone."""
    found = []
    for number in range(WORLDS):
        world = town_world(seed=number)
        world.do(DRIVE, *(population(world.scene, world.now, world.noise, 4 * number, 2 * number) if number else ()))
        found.append(world.now)
    return found


def halves(work, count):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, (0, count // 2), (count // 2, count)))


def batch_of(firsts):
    batch = OrdinaryBatch(step)
    for number, first in enumerate(firsts):
        assert batch.add(town_scene(), first, Noise(number)) == number
    return batch


@pytest.mark.parametrize("run", [None, halves])
def test_each_world_goes_on_as_alone(firsts, run):
    noises = [Noise(number) for number in range(WORLDS)]
    scene = town_scene()
    batch, alone, kept = batch_of(firsts), list(firsts), []
    assert len(batch) == WORLDS
    for tick in range(150):
        brake = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, brake=0.1 * (tick % 7))
        commands = {tick % WORLDS: (brake,)} if tick % 5 == 0 else {}
        batch.step(commands, run)
        alone = [step(scene, now, commands.get(world, ()), noises[world]) for world, now in enumerate(alone)]
        if tick == 70:
            batch.put(2, firsts[2], Noise(9))
            alone[2], noises[2] = firsts[2], Noise(9)
        if tick % 10 == 0:
            kept.append((batch.now(3), batch.now(3).digest()))
            assert [batch.now(world).digest() for world in range(WORLDS)] == [now.digest() for now in alone], tick
    assert all(now.digest() == digest for now, digest in kept)
