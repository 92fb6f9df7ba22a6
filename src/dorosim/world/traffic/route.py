"""Routes that vehicles follow: lists of links, end to end in one array."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from dorosim.ground.error import InputError
from dorosim.ground.growable_array import GrowableArray, joined
from dorosim.road.adjacency import FlagArray, IntArray, frozen
from dorosim.road.route import RouteEnd, Router
from dorosim.world.traffic.state import Presence, TrafficState


class Routes(NamedTuple):
    """A `RouteTable` as kernels see it."""

    first: IntArray
    link: IntArray
    again: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class RouteTable:
    """Routes by row; read-only.

    Neighbours in a list are a link and its successor, or a link and the lane beside it to which the vehicle changes,
    as `dorosim.road.route.Route.links` lists them.

    Attributes:
        first: `(R + 1,)` where each route's links begin in `link`.
        link: rows of links.
        again: `(R,)` index in `link` from where on a vehicle in a closed loop drives the route again.
    """

    first: IntArray
    link: IntArray
    again: IntArray

    @classmethod
    def from_lists(cls, routes: Sequence[Sequence[int] | IntArray], again: Sequence[int] | None = None) -> Self:
        """A table of routes, in their order; `again`: from which of its links each is driven again, None: the first."""
        first = np.zeros(len(routes) + 1, np.int64)
        np.cumsum([len(route) for route in routes], out=first[1:])
        link = np.concatenate([np.asarray(route, np.int64) for route in routes]) if routes else np.zeros(0, np.int64)
        repeat = first[:-1] + (0 if again is None else np.array(again, np.int64))
        return cls(frozen(first), frozen(link), frozen(repeat))

    def __len__(self) -> int:
        """The number of routes."""
        return len(self.first) - 1

    def of(self, route: int) -> IntArray:
        """`(N,)` rows of the links of one route, a view."""
        return self.link[self.first[route] : self.first[route + 1]]

    def append(self, route: Sequence[int] | IntArray, again: int = 0, growth: GrowableArray | None = None) -> Self:
        """A table with one more route.

        Args:
            route: its links.
            again: from which of them on it is driven again.
            growth: of a caller that adds many, one by one.
        """
        link = joined(self.link, np.asarray(route, np.int64), growth)
        first = joined(self.first, np.array([len(link)]), growth)
        repeat = joined(self.again, np.array([len(self.link) + again]), growth)
        return type(self)(frozen(first), frozen(link), frozen(repeat))


def route_to(router: Router, link: int, s: float, goal: int, goal_s: float | None = None) -> IntArray:
    """The shortest route from a place on a link to a place on another; `(N,)` rows of links.

    Where `goal_s` is None, the route leads to the end of the other link.

    Raises:
        InputError: if there is no way.
    """
    return router.find_route(RouteEnd(link=link, s=s), RouteEnd(link=goal, s=goal_s)).links


def loop_of(router: Router, links: IntArray) -> IntArray:
    """A route `(N,)` that can be driven in rounds: extended by the way from its last link to its first, where needed.

    Raises:
        InputError: if there is no way back.
    """
    last, first = int(links[-1]), int(links[0])
    if first in router.network.successors.of(last) or first == last:
        return links
    back = route_to(router, last, float(router.network.link_length[last]), first)
    return np.concatenate((links, back[1:-1]))


def set_route(
    router: Router,
    state: TrafficState,
    routes: RouteTable,
    row: int,
    links: IntArray,
    *,
    close_loop: bool = False,
    growth: GrowableArray | None = None,
) -> RouteTable:
    """Let a vehicle follow a route, to which it first drives if it is elsewhere.

    Args:
        router: of the map.
        state: the vehicles, writable.
        routes: the table that its column `route` points into.
        row: of the vehicle.
        links: rows of the route's links.
        close_loop: whether it begins again where it ends.
        growth: of a caller that gives many routes, one by one.

    Returns:
        the table with the route.

    Raises:
        InputError: if there is no way to the route, or none from its end to its beginning where it is closed.
    """
    here = int(state.link[row])
    way = loop_of(router, links) if close_loop else links
    places = np.flatnonzero(way == here)
    lead = way[:0] if len(places) else route_to(router, here, float(state.s[row]), int(way[0]))[:-1]
    state.route[row], state.close_loop[row] = len(routes), int(close_loop)
    state.cursor[row] = int(routes.first[-1]) + (int(places[0]) if len(places) else 0)
    return routes.append(np.concatenate((lead, way)), again=len(lead), growth=growth)


def drop_route(state: TrafficState, row: int) -> None:
    """Let a vehicle drive at random."""
    state.route[row] = state.cursor[row] = -1


def astray(state: TrafficState, routes: RouteTable) -> FlagArray:
    """`(N,)` whether a vehicle has left its route, by a missed turn or lane change, and not yet come back to it."""
    found = np.zeros(len(state), np.bool_)
    rows = np.flatnonzero((state.route >= 0) & (state.cursor >= 0) & (state.present == Presence.ON_LANE))
    found[rows] = routes.link[state.cursor[rows]] != state.link[rows]
    return found


def renew_routes(router: Router, state: TrafficState, routes: RouteTable) -> RouteTable:
    """Give each vehicle that is astray a new route to its destination; one that cannot get there drives at random.

    A closed route is driven from its beginning again. A vehicle on the lane beside its route that comes back to the
    route at the end of the link needs no new one.

    Returns:
        the table with the new routes; the very same object if no vehicle needs one.
    """
    for row in np.flatnonzero(astray(state, routes)).tolist():
        route, cursor = int(state.route[row]), int(state.cursor[row])
        way = routes.link[routes.first[route] : routes.first[route + 1]]
        rest = routes.link[cursor : routes.first[route + 1]]
        if len(rest) > 1 and rest[1] in router.network.successors.of(int(state.link[row])):
            continue
        drop_route(state, row)
        loop = bool(state.close_loop[row])
        links = way[routes.again[route] - routes.first[route] :] if loop else rest[-1:]
        if len(links):
            with suppress(InputError):
                routes = set_route(router, state, routes, row, links, close_loop=loop)
    return routes


def compact_routes(state: TrafficState, routes: RouteTable) -> RouteTable:
    """The table without the routes that no vehicle follows any more; rewrites the columns `route` and `cursor`."""
    used, renumbered = np.unique(state.route[state.route >= 0], return_inverse=True)
    if len(used) == len(routes):
        return routes
    lists = [routes.of(int(route)) for route in used]
    kept = RouteTable.from_lists(lists, [int(routes.again[route] - routes.first[route]) for route in used])
    shift = kept.first[:-1] - routes.first[used]
    rows = np.flatnonzero(state.route >= 0)
    state.cursor[rows] = np.where(state.cursor[rows] >= 0, state.cursor[rows] + shift[renumbered], -1)
    state.route[rows] = renumbered
    return kept
