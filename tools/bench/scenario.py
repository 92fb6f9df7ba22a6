"""How fast a scenario of OpenSCENARIO runs, starts and branches, in processor time of one thread."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dorosim.app.run.build import Build
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.ground.noise import Noise
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.storyboard.state import StoryboardState
from tools.bench.figure import Figure, best_seconds

FILE = Path(__file__).with_name("scenario.xosc")
SIX = Path(__file__).with_name("scenario_six.xosc")
MAPS = Path(__file__).parents[2] / "examples"
TICK = 10_000_000
"""Length of a tick [ns]."""
ROUNDS = 7
"""Of which the best counts."""
PIECE = 25
"""Ticks of a piece."""
PIECE_ROUNDS = 15
"""Of which the best counts, of each piece."""
VARIANTS = 100
BRANCH = 0.9
"""Share of a run after which the variants begin."""


def figures() -> Iterator[Figure]:
    """A cut-in with braking and following, 20 s of two cars in ticks of 10 ms."""
    made = world()
    run = snapshots(made)
    yield _engine(made, run)
    yield from _real_times(made)
    yield from _starts()
    yield _branches(made, run)


def world(file: Path = FILE, **parameters: str) -> Build:
    """A scenario, ready to step."""
    return ready_scenario(str(file), file.parent, [file.parent, MAPS], parameters).world(TICK)


def snapshots(made: Build, seed: int = 0) -> list[Snapshot]:
    """All snapshots of a run to its end."""
    found, noise = [made.first], Noise(seed)
    while not found[-1].storyboard_report.ended:
        found.append(step(made.scene, found[-1], (), noise))
    return found


def _engine(made: Build, run: list[Snapshot]) -> Figure:
    """A whole run, with its events, beside compiled steps of the same entities without a storyboard.

    Those go on from a state of the run at the beginning of each piece, after a step that finds what stays: a frame of
    compiled ticks. What they have to do is what the run has but for the storyboard.

    Both keep the last snapshot alone. They take turns by pieces of the run, and the best of each piece counts, so that
    what else the machine does disturbs neither more than the other.
    """
    bare, empty, noise = replace(made.scene, storyboard=None), StoryboardState.empty(), Noise(0)
    ticks, compiled = len(run) - 1, 0
    pieces = range(0, ticks, PIECE)
    ours, floor = ([float("inf")] * len(pieces) for _ in range(2))
    for _ in range(PIECE_ROUNDS):
        now, compiled = made.first, 0
        for at, first in enumerate(pieces):
            count = min(PIECE, ticks - first)
            alone = step(bare, step(bare, replace(run[first], storyboard=empty), (), noise), (), noise)
            started = time.thread_time()
            for _ in range(count):
                now = step(made.scene, now, (), noise)
            between = time.thread_time()
            for _ in range(count):
                alone = step(bare, alone, (), noise)
            floor[at] = min(floor[at], time.thread_time() - between)
            ours[at] = min(ours[at], between - started)
            compiled += count if is_compiled(alone) else 0
    with_it, without = (sum(one) / ticks * 1e6 for one in (ours, floor))
    detail = f"{with_it:.1f} us a tick, {without:.1f} us without; mean of {ticks:,}, events in it"
    if compiled < ticks:
        detail += f"; {ticks - compiled:,} ticks without it are not compiled"
    name = "the storyboard of two cars, added to the compiled step"
    return Figure(name, with_it - without, "us", 10.0, at_most=True, detail=detail)


def is_compiled(now: Snapshot) -> bool:
    """Whether compiled code has made a snapshot."""
    return hasattr(now, "block")


def _real_times(made: Build) -> Iterator[Figure]:
    """Runs of two and of six entities to their end, all of whose state is read in each tick, to real time."""
    yield _real_time("two", made)
    yield _real_time("six", world(SIX))


def _real_time(entities: str, made: Build) -> Figure:
    """Of each piece of the run the best counts, as of what the storyboard adds."""
    noise, ticks = Noise(0), len(snapshots(made)) - 1
    pieces = range(0, ticks, PIECE)
    spent = [float("inf")] * len(pieces)
    for _ in range(PIECE_ROUNDS):
        now = made.first
        for at, first in enumerate(pieces):
            started = time.thread_time()
            for _ in range(min(PIECE, ticks - first)):
                now = step(made.scene, now, (), noise)
                read(now)
            spent[at] = min(spent[at], time.thread_time() - started)
    seconds = sum(spent) / ticks
    detail = f"{seconds * 1e6:.1f} us a tick with all that is known of entities; {ticks:,} ticks of 10 ms, events in it"
    return Figure(f"a scenario of {entities} entities to real time", TICK * 1e-9 / seconds, "x", 500.0, detail=detail)


def read(now: Snapshot) -> tuple[list[list[float]], list[list[int]]]:
    """All that a storyboard knows of its entities, as numbers of Python: places, motion, lanes, who is there."""
    entity = now.storyboard.entity
    return entity.floats.tolist(), entity.ints.tolist()


def _starts() -> Iterator[Figure]:
    """From the file to the first snapshot, in a process that has run a scenario on this map."""
    seconds = best_seconds(world, ROUNDS, time.thread_time)
    yield Figure("start of a scenario, warm", seconds, "s", 0.3, at_most=True, detail="file, map, init actions")
    speeds = iter(range(10, 10 + ROUNDS))
    again = best_seconds(lambda: world(EgoSpeed=str(next(speeds))), ROUNDS, time.thread_time)
    yield Figure("the same file with other parameters", again * 1e3, "ms", 20.0, at_most=True)


def _branches(made: Build, run: list[Snapshot]) -> Figure:
    """Variants by their randomness, from a snapshot late in the run and from its start."""
    late = replace(made, first=run[round(BRANCH * len(run))])
    branched = best_seconds(lambda: [snapshots(late, seed) for seed in range(VARIANTS)], 1, time.thread_time)
    whole = best_seconds(lambda: [snapshots(made, seed) for seed in range(VARIANTS)], 1, time.thread_time)
    detail = f"{branched:.2f} s, and {whole:.2f} s from the start"
    return Figure(f"{VARIANTS} variants from {BRANCH:.0%} of a run on", whole / branched, "x", 5.0, detail=detail)
