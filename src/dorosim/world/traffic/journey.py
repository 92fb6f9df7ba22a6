"""Where vehicles are to go: routes by list of links or by destination, and new ones for vehicles that missed a turn."""

from __future__ import annotations

import numpy as np

from dorosim.ground.error import InputError
from dorosim.ground.growable_array import GrowableArray
from dorosim.road.adjacency import FlagArray, IntArray
from dorosim.road.route import RouteEnd, Router
from dorosim.world.traffic.route import RouteTable
from dorosim.world.traffic.state import Presence, TrafficState


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
        if state.close_loop[row] == 1:
            routes = _try_route(
                router, state, routes, row, way[routes.again[route] - routes.first[route] :], close_loop=True
            )
        elif len(rest):
            routes = _try_route(router, state, routes, row, rest[-1:], close_loop=False)
    return routes


def _try_route(
    router: Router, state: TrafficState, routes: RouteTable, row: int, links: IntArray, *, close_loop: bool
) -> RouteTable:
    """As `set_route`; the same table where there is no way."""
    try:
        return set_route(router, state, routes, row, links, close_loop=close_loop)
    except InputError:
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
