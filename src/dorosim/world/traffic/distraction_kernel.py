"""Rare mistakes of drivers: for some seconds one looks elsewhere, and goes on as before."""

from __future__ import annotations

from dorosim.ground.draw_kernel import stream_at, uniform
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.decision_table_kernel import Workspace
from dorosim.world.traffic.state import TrafficState

MIN_DISTRACTION, MAX_DISTRACTION = 1.0, 3.0
"""How long a driver looks elsewhere [s]. Glances away of more than 2 s at least double the risk of a crash (S. G.
Klauer et al., "The Impact of Driver Inattention on Near-Crash/Crash Risk", DOT HS 810 594 (2006))."""

_TRAFFIC = TrafficState.at


@inner_kernel
def distract_drivers(work: Workspace, begin: int, end: int, seed: int, decision_number: int, decision: float) -> None:
    """Let time go by for drivers that look elsewhere, and let some others begin to.

    Args:
        work: the vehicles.
        begin: the first row of those concerned.
        end: the row after the last of them.
        seed: of the run.
        decision_number: of this decision. A driver's draws depend on both and on its id.
        decision: time until the next decision [s].
    """
    stream = stream_at(seed, decision_number)
    for row in range(begin, end):
        interval = work.state[_TRAFFIC.mistake_interval, row]
        if interval <= 0.0:
            continue
        left = work.state[_TRAFFIC.distraction, row]
        if left > 0.0:
            work.state[_TRAFFIC.distraction, row] = max(left - decision, 0.0)
            continue
        number = 2 * work.state_ints[_TRAFFIC.id, row]
        if uniform(stream, number) * interval < decision:
            longer = uniform(stream, number + 1) * (MAX_DISTRACTION - MIN_DISTRACTION)
            work.state[_TRAFFIC.distraction, row] = MIN_DISTRACTION + longer
