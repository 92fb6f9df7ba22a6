"""Ways through one section of a road: along a lane, or from lane to lane while these lie side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dorosim.road.lane_change import lane_change_cost
from dorosim.road.network import RoadNetwork


@dataclass(frozen=True, slots=True)
class Passage:
    """A way through one section.

    Attributes:
        lanes: rows of the lanes, from the one entered to the one left.
        side: how one changes: +1 to the left, -1 to the right, 0 not at all.
    """

    lanes: tuple[int, ...]
    side: int = 0


def passages_of_network(network: RoadNetwork) -> Iterator[Passage]:
    """The ways through all sections: straight on in every lane, and the changes. Only vehicles' lanes count."""
    for lane in np.flatnonzero(network.link_drivable).tolist():
        yield Passage((lane,))
    for change in range(len(network.changes)):
        lanes = network.changes.path_of(change)
        if network.link_drivable[lanes].all():
            yield Passage(tuple(lanes.tolist()), int(network.changes.side[change]))


def passage_way(
    network: RoadNetwork, passage: Passage, start_s: float = 0.0, end_s: float | None = None
) -> tuple[float, float]:
    """The way through a passage, and how much of it there is for its changes.

    One changes where the lanes are side by side; if they are not yet at the start, one first drives on.

    Args:
        network: the roads.
        passage: the lanes.
        start_s: where one begins on the first lane [m].
        end_s: where one stops on the last [m]; None for its end.

    Returns:
        both lengths [m]; infinity and 0 where the end lies behind, or one cannot change any more.
    """
    sides, way, at = network.side_by_side, 0.0, start_s
    last = passage.lanes[-1]
    end = float(network.link_length[last]) if end_s is None else end_s
    room_ends = math.inf
    if len(passage.lanes) > 1:
        for pair in sides.pairs_of(passage.lanes[:-1], passage.lanes[1:]).tolist():
            if pair < 0:
                return math.inf, 0.0
            begin, leave, _, room_ends = sides.stretch_of(pair)
            if at > leave:
                return math.inf, 0.0
            way += max(begin - at, 0.0)
            at = sides.place_on_other(pair, max(at, begin))
    if end < at:
        return math.inf, 0.0
    return way + end - at, min(room_ends, end) - at


def passage_cost(network: RoadNetwork, passage: Passage, start_s: float = 0.0, end_s: float | None = None) -> float:
    """Cost of driving through a passage and changing lanes in it [m], infinity where one cannot; as `passage_way`."""
    way, room = passage_way(network, passage, start_s, end_s)
    changes = len(passage.lanes) - 1
    return way if not changes or not math.isfinite(way) else way + lane_change_cost(room, changes)
