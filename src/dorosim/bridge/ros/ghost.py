"""Ghosts that are published under other numbers than those of their senders (docs/decisions/0035-numbers-on-udp.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

from dorosim.bridge.npc import renamed_ghosts
from dorosim.bridge.ros.topic import Published, RosSituation

_KEY = "ghost_ids"


def _ghost_ids(to: RosSituation) -> Any:
    """Returns a row of the sender's unique_id and the published unique_id for each such ghost; None if none changed."""
    pairs = renamed_ghosts(to.at.now)
    if to.history.get(_KEY, ()) == pairs:
        return None
    to.history[_KEY] = pairs
    make, count = to.form.registry.make, len(pairs)
    dimension = [
        make("std_msgs/MultiArrayDimension", label=label, size=size, stride=stride)
        for label, size, stride in (("ghost", count, 2 * count), ("unique_id of its sender, unique_id", 2, 2))
    ]
    layout = make("std_msgs/MultiArrayLayout", dim=dimension)
    return make("std_msgs/Int32MultiArray", layout=layout, data=np.array(pairs, np.int32).ravel())


PUBLISHED = (
    Published(
        key=_KEY,
        topic="/dorosim/ghost_ids",
        type="std_msgs/Int32MultiArray",
        make=_ghost_ids,
        rate_hz=10.0,
        latched=True,
    ),
)
