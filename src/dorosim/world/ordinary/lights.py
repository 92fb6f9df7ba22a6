"""Ticks in which lamps change, and that are ordinary otherwise: the clocks are set first, and compiled code goes on.

To make the whole tick in Python, and a frame after it, costs as much as fifty ordinary ticks.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.signal.state import ControllerState

_CLOCKS = ControllerState.at.remaining


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
    after = scene.signal_plan.advance(signal, scene.tick)
    clocks = after.controller.ints.copy()
    # the tick takes its length off both clocks
    clocks[_CLOCKS:] += scene.tick
    return frame.with_lights(after), np.ascontiguousarray(clocks).reshape(-1)
