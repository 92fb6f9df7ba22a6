"""When the lights of a map let vehicles onto its links, as a table: programmes that no command changes go round."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dorosim.ground.column import read_only
from dorosim.sensor.agent.kinematic.state import LightTables
from dorosim.world.signal.signal_program import FOREVER, SECOND
from dorosim.world.signal.update import SignalPlan

MAX_ROUND = 3600 * SECOND
"""Programmes that are not where they began after so long are taken to begin anew then [ns]."""


@lru_cache(maxsize=8)
def light_tables(plan: SignalPlan) -> LightTables:
    """The phases of a map's lights, from the first state of its programmes on."""
    now = plan.first_state().freeze()
    since, entry = [0], [now.link.entry.astype(np.uint8)]
    if not len(now):
        return LightTables(read_only(np.zeros(1, np.int64)), read_only(np.array(entry)), FOREVER)
    first = (now.controller.state.copy(), now.controller.remaining.copy())
    time, runs = 0, plan.first.count > 0
    while True:
        wait = int(now.controller.due.min())
        if wait >= FOREVER // 2 or time + wait > MAX_ROUND:
            period = FOREVER if wait >= FOREVER // 2 else MAX_ROUND
            break
        time += wait
        now = plan.advance(now, wait)
        same = (now.controller.state == first[0]) & (now.controller.remaining == first[1])
        if same[runs].all():
            period = time
            break
        shown = now.link.entry.astype(np.uint8)
        if (shown != entry[-1]).any():
            since.append(time)
            entry.append(shown)
    return LightTables(read_only(np.array(since)), read_only(np.array(entry)), period)
