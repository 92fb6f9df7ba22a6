"""How fast the living world steps: an ego vehicle among others, and the whole town."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from dorosim.app.run.build import Build, build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.folder import data_folder
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.world.command import Command
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tools.bench.figure import Figure, best_seconds

SEED = 1
WARM_SECONDS = 20.0
"""Simulated time until traffic has spread [s]."""
ROUNDS, ROUND_STEPS = 30, 100
"""The best round counts."""
STAND = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, brake=1.0)


def figures() -> Iterator[Figure]:
    """An ego vehicle with 24 and with 84 cars in steps of 0.1 s; the town with people in it in ticks of 10 ms."""
    for cars, target in ((24, 10_000.0), (84, 5_000.0)):
        seconds, _ = _step_time(100.0, cars, 0, (SelectMode(actor=EGO, mode=ControlMode.CRUISE),))
        detail = f"{seconds * 1e6:.0f} us a step of 0.1 s; the ego cruises, ten sub-steps of its dynamics"
        yield Figure(f"ego and {cars} cars, all rules", 1.0 / seconds, "steps/s", target, detail=detail)
    seconds, now = _step_time(10.0, 100, 20, (STAND,))
    people = f"{len(now.traffic)} NPC vehicles, {len(now.people)} pedestrians, {len(now.signal)} intersections"
    detail = f"{seconds * 1e6:.0f} us a tick of 10 ms; {people}; decisions every 0.1 s"
    yield Figure("the town, to real time", 0.01 / seconds, "x", 100.0, detail=detail)


def _step_time(tick_ms: float, vehicles: int, pedestrians: int, first: Sequence[Command]) -> tuple[float, Snapshot]:
    """Time of a step of the town with people in it [s], and the world at the end."""
    made: Build = build(msgspec.structs.replace(Settings(), tick_ms=tick_ms), data_folder(None))
    noise = Noise(SEED)
    crowd = population(made.scene, made.first, noise, vehicles, pedestrians)
    now = step(made.scene, made.first, (*first, *crowd), noise)
    for _ in range(round(WARM_SECONDS / (tick_ms * 1e-3))):
        now = step(made.scene, now, (), noise)

    def go_on() -> None:
        nonlocal now
        for _ in range(ROUND_STEPS):
            now = step(made.scene, now, (), noise)

    return best_seconds(go_on, ROUNDS) / ROUND_STEPS, now
