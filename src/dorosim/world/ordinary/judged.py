"""Ordinary ticks of a scenario one after another, each held against criteria, without Python between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.ordinary.judged_kernel import JudgedPlace, make_judged_ticks
from dorosim.world.ordinary.judged_link_kernel import HOLD
from dorosim.world.ordinary.link_kernel import MAKE_TICK
from dorosim.world.ordinary.tick import entered, snapshot_in
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

MAX_TICKS = 4096
"""So many are made in one call: then Python sees whether it is to end."""


class JudgedTicks(NamedTuple):
    """Ticks that were made in a row.

    Attributes:
        now: the snapshot after the last one.
        ticks: how many.
        said: what each group of criteria says of the last one, as `hold_against_criteria` returns it; of the others
            all have said 0.
    """

    now: Snapshot
    ticks: int
    said: tuple[int, ...]


def judged_ticks(
    scene: Scene, now: Snapshot, seed: int, ticks: int, criteria: Sequence[IntArray]
) -> JudgedTicks | None:
    """Make ordinary ticks until one is not, or until criteria want to be looked at; None where the next one is not.

    Args:
        scene: what does not change in the run.
        now: the present snapshot; it is not touched.
        seed: of the run's randomness.
        ticks: how many at most.
        criteria: the words of groups of criteria (`CriterionWord`); the states that they name are written.
    """
    if now.storyboard.is_empty():
        return None
    found = entered(scene, now, seed)
    if found is None or not MAKE_TICK.is_loaded():
        return None
    before, frame = found
    blocks = np.empty((2, len(before)), np.int64)
    blocks[0] = before
    places = np.zeros(len(JudgedPlace), np.int64)
    places[JudgedPlace.TICK], places[JudgedPlace.HOLD] = MAKE_TICK.address(), HOLD.address()
    places[JudgedPlace.TICKS] = min(ticks, MAX_TICKS)
    groups = np.zeros((2, len(criteria)), np.int64)
    groups[0] = [one.ctypes.data for one in criteria]
    make_judged_ticks(places, blocks, frame.words, groups)
    if not places[JudgedPlace.DONE]:
        return None
    made = snapshot_in(frame, blocks[int(places[JudgedPlace.NOW])].copy())
    return JudgedTicks(made, int(places[JudgedPlace.DONE]), tuple(groups[1].tolist()))
