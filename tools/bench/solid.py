"""What it costs that things beside the road are solid."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from tools.bench.figure import Figure
from tools.bench.world import DRIVE, ready

PAIRS, WARM_TICKS = 20, 200
"""Rounds with and without, in turns; and the ticks before them."""
TARGET = 1.1
VEHICLES, PEOPLE = 100, 20


def figures() -> Iterator[Figure]:
    """The town stepped in turns with and without, and an ego that is alone there."""
    made = ready()
    crowd = population(made.scene, made.first, Noise(0), VEHICLES, PEOPLE, fewer=True)
    yield _ratio(
        f"solid scenery: {VEHICLES} vehicles and {PEOPLE} people in the town", made.scene, made.first, crowd, 100
    )
    yield _ratio("solid scenery: one ego in the town", made.scene, made.first, (DRIVE,), 400)


def _ratio(name: str, scene: Scene, first: Snapshot, commands: tuple[Command, ...], ticks: int) -> Figure:
    """The median of the pairs' ratios; both worlds go on from the same snapshots."""
    noise = Noise(0)
    bare = replace(scene, scenery=scene.scenery.without_solids())
    for one in (scene, bare):
        # plans of traffic and people are made when they are first asked for
        now = step(one, first, commands, noise)
        for _ in range(WARM_TICKS):
            now = step(one, now, (), noise)
    ratios, with_it, without = [], 0.0, 0.0
    for turn in range(PAIRS):
        spent = {}
        for one in (scene, bare) if turn % 2 else (bare, scene):
            after, began = now, time.process_time()
            for _ in range(ticks):
                after = step(one, after, (), noise)
            spent[one is scene] = (time.process_time() - began) / ticks
        ratios.append(spent[True] / spent[False])
        with_it, without = spent[True], spent[False]
        now = step(scene, now, (), noise)
    detail = f"{with_it * 1e6:.1f} us a tick with, {without * 1e6:.1f} us without, median of {PAIRS} pairs"
    return Figure(name, median(ratios), "x", TARGET, at_most=True, detail=detail)
