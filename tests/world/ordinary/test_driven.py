"""Ticks whose commands only drive vehicles have the bits of `any_tick`, with and without a duration."""

from __future__ import annotations

import math
import random

import pytest

from dorosim.world.ordinary import driven
from dorosim.world.ordinary.drive_kernel import DRIVE_BLOCK
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.snapshot import EGO
from dorosim.world.step import any_tick, step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import DriveVehicle, SelectCamera, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.world.ordinary.both_ways import DRIVE, is_ordinary
from tests.world.world import CAR, World, street, town_world

TICKS = 150


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()


def any_drive(chance: random.Random) -> DriveVehicle:
    """A command, some of which are refused or do more than to drive."""
    number = chance.choice((0.0, 0.3, 1.0, -0.2, 5.0, math.nan, math.inf)) if chance.random() < 0.2 else 0.4
    return DriveVehicle(
        actor=EGO if chance.random() < 0.95 else 77,
        kind=chance.choice((ControlKind.PEDALS, ControlKind.VELOCITY, ControlKind.ACCELERATION)),
        mode=chance.choice((ControlMode.KEEP, ControlMode.KEEP, ControlMode.AUTO, ControlMode.CRUISE)),
        gear=chance.choice((None, Gear.D)),
        accelerator=number,
        brake=0.1 * chance.random(),
        velocity=8.0 * chance.random(),
        acceleration=chance.random(),
        steer=0.2 * (chance.random() - 0.5),
    )


def world_of(place: str) -> World:
    if place == "street":
        return World(street(), [(CAR, (10.0, 0.0, 0.0), 0.0)])
    world = town_world()
    if place == "traffic":
        network = world.scene.network
        link = int((network.link_length * network.link_drivable).argmax())
        world.do(*(CreateNpc(model=CAR, link=link, s=s) for s in (20.0, 45.0)))
    return world


@pytest.mark.parametrize("place", ["street", "town", "traffic"])
@pytest.mark.parametrize("seed", range(4))
def test_both_ways_have_the_same_bits(place, seed):
    world, chance = world_of(place), random.Random(seed)
    ours = pure = world.now
    compiled = 0
    for number in range(TICKS):
        commands = [any_drive(chance) for _ in range(chance.choice((0, 1, 1, 2)))]
        if number % 30 == 7:
            commands = [SelectMode(EGO, ControlMode.AUTO), DRIVE]
        held = chance.random() < 0.4
        ours = step(world.scene, ours, commands, world.noise, paused=held)
        pure = any_tick(world.scene, pure, commands, world.noise, paused=held)
        compiled += bool(commands) and is_ordinary(ours)
        assert ours.digest() == pure.digest(), f"tick {number}"
        assert (ours.tick, ours.time, ours.paused) == (pure.tick, pure.time, pure.paused)
        assert (ours.outcomes, ours.refusals, ours.egos) == (pure.outcomes, pure.refusals, pure.egos)
    assert compiled > TICKS / 10


def test_lamps_change_in_ticks_with_commands():
    """As in environments for learning, which drive in each tick: Python need not make the tick, nor the next one."""
    world = town_world(tick_ms=100.0)
    ours = pure = world.now
    lit, compiled = 0, []
    for number in range(300):
        before, commands = ours.signal.light, (any_drive(random.Random(0)),)
        ours = step(world.scene, ours, commands, world.noise)
        pure = any_tick(world.scene, pure, commands, world.noise)
        assert ours.digest() == pure.digest(), f"tick {number}"
        lit += ours.signal.light is not before
        compiled.append(is_ordinary(ours))
    assert lit > 5
    assert sum(compiled) > 295


def test_commands_of_other_kinds_and_too_many_go_the_way_of_all():
    world = town_world()
    now = world.now
    for commands in ([DRIVE], [DRIVE], [], []):
        now = step(world.scene, now, commands, world.noise)
    seed = world.noise.seed
    assert driven.driven_tick(world.scene, now, [DRIVE], seed, holds=False) is not None
    for commands in ([DRIVE, SelectCamera(EGO)], [DRIVE] * (driven.MAX_DRIVES + 1)):
        assert driven.driven_tick(world.scene, now, commands, seed, holds=False) is None


def test_nothing_is_compiled_in_a_run(monkeypatch):
    world = town_world()
    now = world.now
    for commands in ([DRIVE], [], []):
        now = step(world.scene, now, commands, world.noise)
    monkeypatch.setattr(type(DRIVE_BLOCK), "is_loaded", lambda _: False)
    monkeypatch.setattr(type(DRIVE_BLOCK), "is_there", lambda _: False)
    driven._looked.clear()
    assert driven.driven_tick(world.scene, now, [DRIVE], world.noise.seed, holds=True) is None
    assert step(world.scene, now, [DRIVE], world.noise, paused=True).outcomes[0].refusal == ""
    driven._looked.clear()
