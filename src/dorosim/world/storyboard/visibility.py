"""Which actors a storyboard hides (ASAM OpenSCENARIO XML 1.3, VisibilityAction)."""

from __future__ import annotations

from enum import IntFlag

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.storyboard.state import StoryboardState


class Hidden(IntFlag):
    """From what an entity is hidden, bits of `EntityTable.hidden`.

    PICTURES: from the live page. SENSORS: from all sensors, cameras too, and from the lists of objects that clients
    get. TRAFFIC: from the drivers of NPC vehicles.
    """

    PICTURES = 1
    SENSORS = 2
    TRAFFIC = 4


def hidden_actors(state: StoryboardState, how: Hidden) -> IntArray:
    """`(N,)` ids of the actors that are hidden so."""
    if not state.entity.rows:
        return _NOBODY
    hidden: IntArray = state.entity.actor[(state.entity.hidden & how != 0) & (state.entity.actor > 0)]
    return hidden


_NOBODY = np.zeros(0, np.int64)
