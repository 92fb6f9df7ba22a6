"""Where a vehicle goes on: along its route, or at random, addressed by seed, id and the number of links driven."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.draw_kernel import scramble
from dorosim.ground.jit import inner_kernel
from dorosim.world.traffic.road import LINK, RoadArrays
from dorosim.world.traffic.route import Routes
from dorosim.world.traffic.state import TrafficState

MAX_ROUTE_LINKS_SKIPPED = 16
"""A vehicle that has left its route searches so many links ahead in the route for the link that it is on."""

_TRAFFIC = TrafficState.at


@inner_kernel
def draw_choice(seed: int, actor: int, counter: int, choices: int) -> int:
    """A number from 0 to `choices` - 1, all equally likely.

    The SplitMix64 finalizer of the address (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
    OOPSLA 2014).
    """
    z = np.uint64(seed) * np.uint64(15074714826142052245) + np.uint64(actor) * np.uint64(11400714819323198485)
    z = (z ^ z >> np.uint64(32)) + np.uint64(counter) * np.uint64(11400714819323198485)
    return int(scramble(z) >> np.uint64(33)) % choices


@inner_kernel
def route_index_after(routes: Routes, ints: IntArray, row: int, cursor: int) -> int:
    """The place in its route after `cursor`; -1 behind the end of a route that is not closed.

    A closed route whose last link is its first again is driven once a round over that link.
    """
    if cursor < 0 or ints[_TRAFFIC.route, row] < 0:
        return -1
    route = ints[_TRAFFIC.route, row]
    first, end = (routes.first[route], routes.first[route + 1])
    if cursor + 1 < end:
        return cursor + 1
    if ints[_TRAFFIC.close_loop, row] == 0 or end - first < 2:
        return -1
    begin: int = routes.again[route]
    return begin + 1 if routes.link[begin] == routes.link[cursor] else begin


@inner_kernel
def next_link(
    road: RoadArrays,
    routes: Routes,
    ints: IntArray,
    row: int,
    actor: int,
    seed: int,
    link: int,
    counter: int,
    cursor: int,
) -> tuple[int, int]:
    """The link after `link` and the place in the route there; -1 for the link at a dead end.

    A vehicle that missed a turn or a lane change goes on at random and keeps its place in the route.
    """
    first = road.link_ints[link, LINK.successor_first]
    count = road.link_ints[link + 1, LINK.successor_first] - first
    if count == 0:
        return (-1, cursor)
    after = route_index_after(routes, ints, row, cursor)
    if after >= 0:
        wanted = routes.link[after]
        for choice in range(count):
            if road.connection[first + choice] == wanted:
                return (wanted, after)
    if count == 1:
        return (road.connection[first], cursor)
    return (road.connection[first + draw_choice(seed, actor, counter, count)], cursor)


@inner_kernel
def resume_route(routes: Routes, ints: IntArray, row: int, link: int, following: int, cursor: int) -> int:
    """The place in its route of a vehicle that has gone from `link` to `following`, which is not next in the route.

    -1 where the route ended with `link`; else the next place of `following` in the route, at most
    MAX_ROUTE_LINKS_SKIPPED ahead; else `cursor`.
    """
    route = ints[_TRAFFIC.route, row]
    if route < 0 or cursor < 0 or routes.link[cursor] == following:
        return cursor
    if route_index_after(routes, ints, row, cursor) < 0 and routes.link[cursor] == link:
        return -1
    at = cursor
    for _ in range(MAX_ROUTE_LINKS_SKIPPED):
        at = route_index_after(routes, ints, row, at)
        if at < 0:
            return cursor
        if routes.link[at] == following:
            return at
    return cursor
