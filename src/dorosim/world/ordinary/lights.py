"""Ticks in which lamps change, and that are ordinary otherwise: the clocks are set first, and compiled code goes on.

To make the whole tick in Python, and a frame after it, costs as much as fifty ordinary ticks.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.signal.state import ControllerState, SignalState
from dorosim.world.signal.update import SignalPlan

_CLOCKS = ControllerState.at.remaining
KEPT_LAMPS = 512
"""So many changes of lamps are kept: worlds of a batch that began with the same lights come by the same ones."""


class _Lights:
    """Lights before a tick, as what is kept is found by: those with the same numbers are the same.

    Args:
        plan: of the lights.
        signal: the lights.
        tick: its length [ns].
    """

    __slots__ = ("_content", "_hash", "plan", "signal", "tick")

    def __init__(self, plan: SignalPlan, signal: SignalState, tick: int) -> None:
        self.plan, self.signal, self.tick = plan, signal, tick
        self._content = (tick, signal.controller.ints.tobytes(), signal.light.ints.tobytes())
        self._hash = hash(self._content)

    def __hash__(self) -> int:
        """Of their numbers."""
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Whether they are of the same plan and programme, and have the same numbers."""
        if not isinstance(other, _Lights) or other.plan is not self.plan:
            return False
        return other.signal.programme is self.signal.programme and other._content == self._content


@lru_cache(KEPT_LAMPS)
def _advanced(lights: _Lights) -> SignalState:
    """The lights after the tick."""
    return lights.plan.advance(lights.signal, lights.tick)


def clocks_of(frame: TickFrame) -> slice:
    """Where the clocks of the controllers stand in the blocks of a frame."""
    place = frame.layout.table["signal.controller"]
    return slice(place.ints, place.end)


def lit(frame: TickFrame, block: IntArray) -> tuple[TickFrame, IntArray]:
    """What makes a tick ordinary in which the lamps of a controller change.

    Args:
        frame: of a state.
        block: that state; it is not touched.

    Returns:
        the frame with the lights as they are after the tick, and the clocks that count down to that in the tick, to
        be written into the block (`clocks_of`) before it is made.
    """
    scene, signal = frame.scene, frame.signal_in(block)
    after = _advanced(_Lights(scene.signal_plan, signal, scene.tick))
    clocks = after.controller.ints.copy()
    # the tick takes its length off both clocks
    clocks[_CLOCKS:] += scene.tick
    return frame.with_lights(after), np.ascontiguousarray(clocks).reshape(-1)
