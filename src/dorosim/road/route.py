"""Shortest ways over lanes and lane changes.

The costs are the product's (facts/ros-grpc-mgeo.md, section 3.4): the length of each lane, and for a lane change the
length of the lane that is reached plus `lane_change_cost`. A change takes place somewhere along its lanes, so it
stands for driving through the section in which the lanes lie side by side: one leaves the section in another lane
than one entered it (`dorosim.road.passage`). The search runs over lanes (Dijkstra 1959), where the lane means "at the
end of it".
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dorosim.ground.error import InputError
from dorosim.road.adjacency import IntArray, frozen
from dorosim.road.network import RoadNetwork
from dorosim.road.passage import Passage, passage_cost, passage_way, passages_of_network


@dataclass(frozen=True, slots=True)
class RouteEnd:
    """Where a route starts or ends: a node, or a place on a link.

    Attributes:
        node: row of the node, -1 for a place on a link.
        link: row of the link, -1 for a node.
        s: arc length along the link [m]; None means the link's start for a start and its end for a goal, so that
            the whole link is part of the route.
    """

    node: int = -1
    link: int = -1
    s: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """A way over lanes.

    Attributes:
        links: `(K,)` rows of the lanes, in order; both lanes of a change, and those crossed between, are listed.
        changes: `(K,)` how each lane is entered: 0 from the lane before it (or as the first), +1 by a change to the
            left, -1 by a change to the right.
        start_s: arc length on the first lane [m].
        end_s: arc length on the last lane [m].
        length: of the way [m].
        cost: length and lane-change penalties [m].
    """

    links: IntArray
    changes: IntArray
    start_s: float
    end_s: float
    length: float
    cost: float


def node_end(network: RoadNetwork, node_id: str) -> RouteEnd:
    """A node as the start or goal of a route.

    Raises:
        InputError: if the map has no such node.
    """
    return RouteEnd(node=network.node_index(node_id))


def link_end(network: RoadNetwork, link_id: str, s: float | None = None) -> RouteEnd:
    """A link, or a place on it, as the start or goal of a route.

    Raises:
        InputError: if the map has no such link, or it is not for vehicles.
    """
    link = network.link_index(link_id)
    if not network.link_drivable[link]:
        problem = f"no vehicle uses this lane ({network.link_types[link]})"
        raise InputError(f"map {network.name}", f"link {link_id!r}", problem, "choose a driving lane")
    return RouteEnd(link=link, s=s)


def position_end(network: RoadNetwork, point: ArrayLike, heading: float | None = None) -> RouteEnd:
    """The lane nearest to a position as the start or goal of a route.

    Args:
        network: the road network.
        point: `(3,)` in map [m].
        heading: preferred direction, counter-clockwise from east [rad].

    Raises:
        InputError: if no lane is within 100 m.
    """
    # Imported here, since it brings the kernels, which routes between ids do without.
    from dorosim.road.location import locate

    place = locate(network, point, heading, drivable_only=True)
    if place.link[0] < 0:
        shown = ", ".join(f"{value:.1f}" for value in np.asarray(point, np.float64).reshape(-1))
        raise InputError(
            f"map {network.name}", f"position ({shown})", "no lane is within 100 m", "choose another place"
        )
    return RouteEnd(link=int(place.link[0]), s=float(place.s[0]))


class Router:
    """Finds routes over one network; made once, since it lists the ways through every section.

    Args:
        network: the road network.
    """

    def __init__(self, network: RoadNetwork) -> None:
        self.network = network
        self._entries: list[list[tuple[float, Passage]]] = [[] for _ in network.link_ids]
        for passage in passages_of_network(network):
            cost = passage_cost(network, passage)
            if math.isfinite(cost):
                self._entries[passage.lanes[0]].append((cost, passage))
        self._following = [network.successors.of(lane).tolist() for lane in range(network.link_count)]

    def find_route(self, start: RouteEnd, goal: RouteEnd, *, avoid: Iterable[int] = ()) -> Route:
        """The route of the least cost.

        Args:
            start: see `node_end`, `link_end`, `position_end`.
            goal: likewise.
            avoid: rows of links that the route must not use.

        Raises:
            InputError: if there is no way.
        """
        network = self.network
        if start.node >= 0 and start.node == goal.node:
            return _route(network, [], 0.0, 0.0, 0.0)
        search = _Search(network, goal, frozenset(avoid))
        if start.link >= 0:
            search.leave_link(start, self._entries[start.link])
        else:
            for lane in np.flatnonzero(network.link_from_node == start.node).tolist():
                search.extend(-1, 0.0, self._entries[lane])
        while search.queue:
            cost, lane = heapq.heappop(search.queue)
            if cost >= search.best.cost:
                break
            if cost > search.reached[lane]:
                continue
            if goal.node >= 0 and network.link_to_node[lane] == goal.node:
                search.best = _Arrival(cost, lane)
            for following in self._following[lane]:
                search.extend(lane, cost, self._entries[following])
        if not math.isfinite(search.best.cost):
            raise InputError(
                f"map {network.name}",
                f"route from {_name(network, start)} to {_name(network, goal)}",
                "there is no way",
                "choose another start or goal, or avoid fewer links",
            )
        return search.route(start)


class _Search:
    """One search of a `Router`.

    Attributes:
        reached: cost to the end of each lane.
        origin: for each lane reached the lane before the section, -1 for none, and the passage through the section.
        queue: lanes whose ends are reached, least cost first.
        best: the best arrival at the goal.
    """

    def __init__(self, network: RoadNetwork, goal: RouteEnd, avoided: frozenset[int]) -> None:
        self.network = network
        self.goal = goal
        self.goal_s = None if goal.link < 0 else _place(network, goal, float(network.link_length[goal.link]))
        self.avoided = avoided
        self.reached: dict[int, float] = {}
        self.origin: dict[int, tuple[int, Passage]] = {}
        self.queue: list[tuple[float, int]] = []
        self.best = _Arrival()

    def extend(self, before: int, cost: float, entries: list[tuple[float, Passage]]) -> None:
        """Go on from the end of the lane `before` through a section, or arrive in it."""
        for added, passage in entries:
            if not self.avoided.isdisjoint(passage.lanes):
                continue
            if passage.lanes[-1] == self.goal.link:
                self.arrive(before, cost + passage_cost(self.network, passage, end_s=self.goal_s), passage)
            self.offer(before, cost + added, passage)

    def leave_link(self, start: RouteEnd, entries: list[tuple[float, Passage]]) -> None:
        """Go on from a place on a link; or arrive, if the goal lies ahead in the same section."""
        start_s = _place(self.network, start, 0.0)
        for _, passage in entries:
            if not self.avoided.isdisjoint(passage.lanes):
                continue
            if passage.lanes[-1] == self.goal.link:
                self.arrive(-1, passage_cost(self.network, passage, start_s, self.goal_s), passage)
            self.offer(-1, passage_cost(self.network, passage, start_s), passage)

    def offer(self, before: int, cost: float, passage: Passage) -> None:
        """Reach the end of a passage's last lane at a cost, if that is the best so far."""
        last = passage.lanes[-1]
        if cost < self.reached.get(last, math.inf):
            self.reached[last] = cost
            self.origin[last] = (before, passage)
            heapq.heappush(self.queue, (cost, last))

    def arrive(self, before: int, cost: float, passage: Passage) -> None:
        """Reach a goal on a link at a cost, if that is the best so far."""
        if cost < self.best.cost:
            self.best = _Arrival(cost, before, passage)

    def route(self, start: RouteEnd) -> Route:
        """Follow the search back from the goal to the start."""
        passages = [self.best.passage] if self.best.passage else []
        lane = self.best.before
        while lane >= 0:
            lane, passage = self.origin[lane]
            passages.append(passage)
        passages.reverse()
        end_s = float(self.network.link_length[passages[-1].lanes[-1]]) if self.goal_s is None else self.goal_s
        return _route(self.network, passages, _place(self.network, start, 0.0), end_s, self.best.cost)


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A way to arrive: its cost, the lane before the last section, and the passage if it is not driven to its end."""

    cost: float = math.inf
    before: int = -1
    passage: Passage | None = None


def _place(network: RoadNetwork, end: RouteEnd, default: float) -> float:
    """Arc length of an end on its link [m], the default if it names none."""
    if end.link < 0 or end.s is None:
        return default
    return min(max(end.s, 0.0), float(network.link_length[end.link]))


def _route(network: RoadNetwork, passages: list[Passage], start_s: float, end_s: float, cost: float) -> Route:
    """A route of passages."""
    links = [lane for passage in passages for lane in passage.lanes]
    changes = [passage.side if number else 0 for passage in passages for number in range(len(passage.lanes))]
    last = len(passages) - 1
    length = sum(
        passage_way(network, passage, start_s if number == 0 else 0.0, end_s if number == last else None)[0]
        for number, passage in enumerate(passages)
    )
    return Route(
        links=frozen(np.array(links, np.int64)),
        changes=frozen(np.array(changes, np.int64)),
        start_s=start_s,
        end_s=end_s,
        length=length,
        cost=cost,
    )


def _name(network: RoadNetwork, end: RouteEnd) -> str:
    """A start or goal, for a message."""
    if end.node >= 0:
        return f"node {network.node_ids[end.node]!r}"
    return f"link {network.link_ids[end.link]!r}"
