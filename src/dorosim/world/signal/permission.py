"""The permission that the lit lamps give to a driver: whether a vehicle may pass the stop line now.

A light governs links; in most maps these lie inside the junction, one for each movement, and the stop line is at the
end of the link before. So the permission depends on where the vehicle goes: `LinkState.entry` is that for the link
after the stop line, `LinkState.stop_line` that for the stop line, of the freest way on from it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, Self

import numpy as np

from dorosim.ground.column import Columns, IntArray, int64
from dorosim.road.adjacency import Adjacency
from dorosim.road.network import RoadNetwork
from dorosim.road.signal import Signals, arrow_of_movement, movement_name


class Permission(IntEnum):
    """Whether a vehicle may pass, from the freest to the strictest.

    FREE: no light, or a dark one: the rules of the road. GO: green or an arrow for this way; no other way crosses it.
    YIELD: green, but oncoming vehicles and pedestrians on the way go first; also a steady yellow (caution).
    STOP_THEN_YIELD: red, but a vehicle may turn right after a stop, after all others (Korea, right turn on red).
    CLEAR: yellow: stop if that is possible, else go on. STOP: red.
    """

    FREE = 0
    GO = 1
    YIELD = 2
    STOP_THEN_YIELD = 3
    CLEAR = 4
    STOP = 5


class LinkState(Columns):
    """One row per link of the network."""

    entry = int64("Permission to drive onto the link, from the stop line before it; FREE for a link without a light")
    stop_line = int64("Permission at the link's stop line for the freest way on from it; FREE if no light is there")


class LinkPair(Columns):
    """One row per link and vehicle light that governs it, ordered by link."""

    light = int64("row of the light")
    lamp = int64("the arrow that is meant for the link's movement, a Lamp; GREEN for straight on")
    near = int64("1 if it may turn on red after a stop: to the right in right-hand traffic")
    unprotected = int64("1 if the map says that the movement has no phase of its own")
    caution = int64("1 if all lamps of the head are yellow (MORAI's type 100)")


class GovernedLinks(NamedTuple):
    """Which links lights govern; all arrays are writable, as kernels take them.

    Attributes:
        pair: int block of `LinkPair`.
        governed: `(K,)` links that have a light, ascending; `start`: `(K,)` first pair of each.
        approach: `(A,)` links with a stop line that a light governs; `approach_start`: `(A,)` where the list of each
            begins in `onward`: `(sum,)` the governed links on from the stop line.
    """

    pair: IntArray
    governed: IntArray
    start: IntArray
    approach: IntArray
    approach_start: IntArray
    onward: IntArray

    @classmethod
    def from_network(cls, network: RoadNetwork) -> Self:
        """The governed links of a map."""
        signals = network.signals
        first, item = signals.lights_of_link.first.tolist(), signals.lights_of_link.item.tolist()
        pairs = [
            (link, light)
            for link in range(len(signals.lights_of_link))
            for light in item[first[link] : first[link + 1]]
            if signals.lights[light].kind != "pedestrian"
        ]
        pair = LinkPair.zeros(len(pairs))
        names = [movement_name(network.link_movements[link]) for link, _ in pairs]
        pair.light[:] = [light for _, light in pairs]
        pair.lamp[:] = [arrow_of_movement(name) for name in names]
        pair.near[:] = [not network.left_hand_traffic and name.startswith("right") for name in names]
        pair.unprotected[:] = [name.endswith("unprotected") for name in names]
        pair.caution[:] = [set(signals.lights[light].lamps) == {"yellow"} for _, light in pairs]
        governed, start = np.unique(np.array([link for link, _ in pairs], np.int64), return_index=True)
        return cls(pair.ints, governed, start, *_approaches(signals, governed, network.successors))


def _approaches(signals: Signals, governed: IntArray, successors: Adjacency) -> tuple[IntArray, IntArray, IntArray]:
    """Links with a stop line that a light governs, where each one's list begins, and the lists.

    A governed link with a stop line of its own is an approach: its light stands at that line, not before the link.
    """
    own = set(governed[np.isfinite(signals.stop_line[governed])].tolist()) if len(governed) else set()
    inside = set(governed.tolist()) - own
    approach: list[int] = []
    first: list[int] = []
    onward: list[int] = []
    after, item = successors.first.tolist(), successors.item.tolist()
    for link in np.flatnonzero(np.isfinite(signals.stop_line)).tolist():
        ways = [link] if link in own else [one for one in item[after[link] : after[link + 1]] if one in inside]
        if ways:
            approach.append(link)
            first.append(len(onward))
            onward += ways
    return np.array(approach, np.int64), np.array(first, np.int64), np.array(onward, np.int64)
