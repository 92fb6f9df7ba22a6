"""Steps a world by `step` and by `any_tick`, side by side."""

from __future__ import annotations

from collections.abc import Callable

from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import any_tick, step
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.world.world import World

DRIVE = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=0.3, steer=0.05)


def is_ordinary(now: Snapshot) -> bool:
    return hasattr(now, "block")


def both_ways(world: World, orders: dict, ticks: int, look: Callable[[Snapshot], object] = is_ordinary) -> float:
    """Step a world in both ways, tick by tick; the share of ticks that were ordinary. `look` sees every snapshot."""
    ours = pure = world.now
    ordinary = 0
    for number in range(ticks):
        commands = orders.get(number, ())
        ours = step(world.scene, ours, commands, world.noise)
        pure = any_tick(world.scene, pure, commands, world.noise)
        ordinary += is_ordinary(ours)
        look(ours)
        assert ours.digest() == pure.digest(), f"tick {number}"
        assert (ours.outcomes, ours.storyboard_report) == (pure.outcomes, pure.storyboard_report)
    world.now = ours
    return ordinary / ticks
