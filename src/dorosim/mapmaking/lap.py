"""A lap to drive: a closed route through the town and over the ring."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping

import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.mgeo.record import Link, MGeoMap

_WANTED_LENGTH, _TOLERANCE = 2000.0, 500.0
"""Length that a lap is to have, if the town offers it, and how far it may be from that [m]."""


def lap(town: MGeoMap) -> list[str]:
    """A closed route without lane changes, as ids of links: the last leads back to the first.

    The candidates are the shortest routes from each on-ramp of the ring back to itself: over the ring to another
    interchange, off it, and through the town. Of those between 1.5 and 2.5 km the one through the most junctions is
    taken, then the one nearest to 2 km. It starts on the longest lane of its
    fastest street.

    Raises:
        InputError: if the map has no road that is faster than others with a ramp onto it.
    """
    lanes = {link.idx: link for link in town.links if not link.lazy_init}
    lengths = {idx: _length(link) for idx, link in lanes.items()}
    following: dict[str | None, list[Link]] = {}
    for link in lanes.values():
        following.setdefault(link.from_node_idx, []).append(link)
    fastest = max((link.max_speed for link in lanes.values()), default=0.0)
    ramps = [
        link
        for link in lanes.values()
        if link.max_speed < fastest and any(item.max_speed == fastest for item in following.get(link.to_node_idx, ()))
    ]
    laps = [found for ramp in ramps if (found := _shortest_loop(ramp, following, lengths))]
    if not laps:
        raise InputError(f"map {town.name}", "", "no ring road with ramps to lap on", "use a generated town")

    def rank(route: list[str]) -> tuple[bool, int, float, list[str]]:
        deviation = abs(sum(lengths[idx] for idx in route) - _WANTED_LENGTH)
        junctions = sum(lanes[idx].related_signal is not None for idx in route)
        return deviation > _TOLERANCE, -junctions, deviation, route

    best = min(laps, key=rank)
    in_town = [idx for idx in best if lanes[idx].max_speed < fastest and lanes[idx].related_signal is None]
    first = best.index(max(in_town, key=lambda idx: (lanes[idx].max_speed, lengths[idx])))
    return best[first:] + best[:first]


def _length(link: Link) -> float:
    return float(np.linalg.norm(np.diff(link.points, axis=0), axis=1).sum())


def _shortest_loop(start: Link, following: Mapping[str | None, list[Link]], lengths: Mapping[str, float]) -> list[str]:
    """The shortest route from the end of a link back to its start, the link itself first; empty if there is none.

    Dijkstra over links, whose queue is ordered by length and then by id.
    """
    cost = {start.idx: 0.0}
    before: dict[str, str] = {}
    links = {start.idx: start}
    queue = [(0.0, start.idx)]
    while queue:
        so_far, idx = heapq.heappop(queue)
        if so_far > cost[idx]:
            continue
        for after in following.get(links[idx].to_node_idx, ()):
            if after is start:
                route = [idx]
                while route[-1] != start.idx:
                    route.append(before[route[-1]])
                return route[::-1]
            total = so_far + lengths[after.idx]
            if total < cost.get(after.idx, math.inf):
                cost[after.idx], before[after.idx], links[after.idx] = total, idx, after
                heapq.heappush(queue, (total, after.idx))
    return []
