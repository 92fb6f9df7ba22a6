"""How drivers of vehicles that stand react to a free way."""

from __future__ import annotations

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.state import TrafficState

START_SPEED, START_ACCELERATION = 0.1, 0.3
"""A vehicle slower than this stands [m/s]; its driver needs its reaction time to drive off with more than this [m/s²],
and not to close up."""

_TRAFFIC = TrafficState.at


@inner_kernel
def start_acceleration(floats: FloatArray, row: int, speed: float, acceleration: float, decision: float) -> float:
    """The acceleration that a driver has chosen, or 0 while it stands and has not reacted yet to a free way [m/s²]."""
    if acceleration <= START_ACCELERATION or speed > START_SPEED:
        floats[_TRAFFIC.start_delay, row] = 0.0
        return acceleration
    floats[_TRAFFIC.start_delay, row] += decision
    has_reacted = floats[_TRAFFIC.start_delay, row] > floats[_TRAFFIC.reaction_time, row]
    return acceleration if has_reacted else 0.0
