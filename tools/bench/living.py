"""How fast the living world steps: an ego vehicle among others, and the whole town."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from dorosim.app.run.build import Build, build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.folder import data_folder
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.world.command import Command
from dorosim.world.ordinary.batch_kernel import DRIVE_FLOATS, DriveInt, WorldPlace, make_ordinary_ticks
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.tick import entered, get_ready
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tools.bench.figure import Figure, best_seconds, least_seconds

SEED = 1
WARM_SECONDS = 20.0
"""Simulated time until traffic has spread [s]."""
TOWN_TICKS = 1000
ROUNDS, ROUND_STEPS = 30, 100
"""The best round counts."""
STAND = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, brake=1.0)


def figures() -> Iterator[Figure]:
    """An ego vehicle with 24 and with 84 cars in steps of 0.1 s; the town with people in it in ticks of 10 ms."""
    for cars, target in ((24, 10_000.0), (84, 5_000.0)):
        seconds, _ = _step_time(100.0, cars, 0, (SelectMode(actor=EGO, mode=ControlMode.CRUISE),))
        detail = f"{seconds * 1e6:.0f} us a step of 0.1 s; the ego cruises, ten sub-steps of its dynamics"
        yield Figure(f"ego and {cars} cars, all rules", 1.0 / seconds, "steps/s", target, detail=detail)
    yield _town_to_kernels()
    seconds, now = _step_time(10.0, 100, 20, (STAND,))
    people = f"{len(now.traffic)} NPC vehicles, {len(now.people)} pedestrians, {len(now.signal)} intersections"
    detail = f"{seconds * 1e6:.0f} us a tick of 10 ms; {people}; decisions every 0.1 s"
    yield Figure("the town, to real time", 0.01 / seconds, "x", 100.0, detail=detail)


def _town_to_kernels() -> Figure:
    """Steps of the town in compiled code with one call each, to the same ticks looped inside one call."""
    made: Build = build(Settings(), data_folder(None))
    noise = Noise(SEED)
    now = step(made.scene, made.first, (STAND, *population(made.scene, made.first, noise, 100, 20)), noise)
    get_ready()
    for _ in range(round(WARM_SECONDS * 100)):
        now = step(made.scene, now, (), noise)
    states = [now]
    for _ in range(TOWN_TICKS):
        states.append(step(made.scene, states[-1], (), noise))
    # of each state its own block and what its ticks take as given: the loop makes the same ticks of the same states
    found = [one for one in (entered(made.scene, state, SEED) for state in states[:-1]) if one is not None]
    after = np.empty(max(len(block) for block, _ in found), np.int64)
    ready = np.zeros((len(WorldPlace), len(found)), np.int64)
    ready[WorldPlace.NEXT], ready[WorldPlace.GOES] = after.ctypes.data, 1
    for number, (block, frame) in enumerate(found):
        ready[WorldPlace.NOW, number], ready[WorldPlace.LENGTH, number] = block.ctypes.data, len(block)
        ready[WorldPlace.GIVEN, number] = frame.words.ctypes.data
        ready[WorldPlace.GIVEN_LENGTH, number] = len(frame.words)
    places = ready.copy()
    drives, drive_ints = np.zeros((len(found), 1, DRIVE_FLOATS)), np.zeros((len(found), 1, len(DriveInt)), np.int64)

    def steps() -> None:
        run = now
        for _ in range(TOWN_TICKS):
            run = step(made.scene, run, (), noise)

    def loop() -> None:
        places[:] = ready  # a tick exchanges the places of its two blocks
        make_ordinary_ticks(MAKE_TICK.address(), places, drives, drive_ints, 1, 0, len(found))

    ours, floor = least_seconds(steps, loop, 4.0)
    ours, floor = ours / TOWN_TICKS * 1e6, floor / len(found) * 1e6
    rare = int((places[WorldPlace.RARE] != 0).sum())
    detail = f"{ours:.1f} us a tick and {floor:.1f} us, mean of {TOWN_TICKS} ticks, {rare} of them rare"
    return Figure(
        "step of the town, to its compiled ticks in a loop", ours / floor, "x", 1.3, at_most=True, detail=detail
    )


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
