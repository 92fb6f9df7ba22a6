"""Runs a recording again and compares every tick with it that has a digest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dorosim.ground.noise import Noise
from dorosim.recording.format import Tick
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay.

    Attributes:
        ticks: how many ticks were replayed.
        diverged: the first tick whose digest differs, or None.
        last: the last snapshot.
    """

    ticks: int
    diverged: int | None
    last: Snapshot


def replay(scene: Scene, first: Snapshot, noise: Noise, ticks: Iterable[Tick]) -> Replay:
    """Step through recorded ticks until the end or the first difference.

    Args:
        scene: what the run took as given.
        first: the snapshot that it started from.
        noise: its randomness.
        ticks: in order; the number after that of `first` means that the run starts, also again, from `first`.
    """
    now, count = first, 0
    for tick in ticks:
        if tick.tick == first.tick + 1:
            now = first
        now = step(scene, now, tick.commands, noise, paused=tick.held)
        count += 1
        if not tick.is_of(now):
            return Replay(count, tick.tick, now)
    return Replay(count, None, now)
