"""How roads follow each other: directly, or through junctions (ASAM OpenDRIVE 1.8, 10.3 and 12).

Where one road ends and one begins they are linked directly. Where more do, the roads that have only one to follow or to
lead to there are connecting roads of a junction: those that begin where one road splits, and those that end where some
merge.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from dorosim.road.lane_network import RoadNetwork
from dorosim.road.opendrive.junction_record import JunctionLaneLink, OdrConnection
from dorosim.road.opendrive.record import OdrRoadLink

NO_JUNCTION = "-1"


class RoadLinks(NamedTuple):
    """The links of all roads; a road's id is its number.

    Attributes:
        junction: of each road, "-1" for one that is in none.
        predecessor, successor: of each road, None for none.
        connections: of each junction, by its id.
    """

    junction: tuple[str, ...]
    predecessor: tuple[OdrRoadLink | None, ...]
    successor: tuple[OdrRoadLink | None, ...]
    connections: dict[str, tuple[OdrConnection, ...]]


class _Graph(NamedTuple):
    """Which roads follow which, by number."""

    after: list[set[int]]
    before: list[set[int]]


def road_of_links(roads: tuple[tuple[int, ...], ...], network: RoadNetwork) -> tuple[list[int], list[int]]:
    """The road `(L,)` of each link, and its lane there `(L,)`.

    Args:
        roads: the links of each, from the innermost one outwards.
        network: of the map.
    """
    side = 1 if network.left_hand_traffic else -1
    road, lane = [-1] * network.link_count, [0] * network.link_count
    for number, links in enumerate(roads):
        for place, link in enumerate(links):
            road[link], lane[link] = number, side * (place + 1)
    return road, lane


def links_of_roads(roads: tuple[tuple[int, ...], ...], network: RoadNetwork) -> RoadLinks:
    """How roads follow each other.

    Args:
        roads: the links of each, from the innermost one outwards.
        network: of the map.
    """
    road, lane = road_of_links(roads, network)
    graph = _Graph([set() for _ in roads], [set() for _ in roads])
    for link in range(network.link_count):
        for follower in network.successors.of(link).tolist():
            graph.after[road[link]].add(road[follower])
            graph.before[road[follower]].add(road[link])
    junction = _junctions(graph, roads, road, network)
    connections: defaultdict[str, list[OdrConnection]] = defaultdict(list)
    for number in range(len(roads)):
        for before in sorted(graph.before[number]) if junction[number] != NO_JUNCTION else ():
            if junction[before] != NO_JUNCTION and len(graph.after[before]) == 1:
                continue  # one connecting road after another is linked directly, and is no incoming road
            links = tuple(
                JunctionLaneLink(from_lane=lane[link], to_lane=lane[follower])
                for link in roads[before]
                for follower in network.successors.of(link).tolist()
                if road[follower] == number
            )
            known = connections[junction[number]]
            known.append(
                OdrConnection(
                    id=str(len(known)),
                    incoming_road=str(before),
                    connecting_road=str(number),
                    contact_point="start",
                    lane_links=links,
                )
            )
    return RoadLinks(
        junction=tuple(junction),
        predecessor=tuple(_end(graph.before, graph.after, junction, one, "end") for one in range(len(roads))),
        successor=tuple(_end(graph.after, graph.before, junction, one, "start") for one in range(len(roads))),
        connections={name: tuple(found) for name, found in connections.items()},
    )


def _end(
    beyond: list[set[int]], back: list[set[int]], junction: list[str], road: int, contact: str
) -> OdrRoadLink | None:
    """What is beyond an end of a road: a road, or the junction whose connecting roads are there."""
    others = sorted(beyond[road])
    if not others:
        return None
    other = others[0]
    connecting = junction[other] != NO_JUNCTION
    if len(others) > 1 or (connecting and junction[road] == NO_JUNCTION and len(back[other]) == 1):
        name = next((junction[one] for one in others if junction[one] != NO_JUNCTION), NO_JUNCTION)
        return OdrRoadLink(element_type="junction", element_id=name)
    return OdrRoadLink(element_type="road", element_id=str(other), contact_point=contact)


class _Sets:
    """Numbers in sets that are joined."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def root(self, one: int) -> int:
        """The number that stands for the set of a number."""
        while self._parent[one] != one:
            one = self._parent[one]
        return one

    def join(self, one: int, other: int) -> None:
        """Join the sets of two numbers."""
        self._parent[self.root(other)] = self.root(one)


def _junctions(graph: _Graph, roads: tuple[tuple[int, ...], ...], road: list[int], network: RoadNetwork) -> list[str]:
    """The junction of each road, "-1" for one that is in none; ids of junctions go on after those of roads."""
    sets = _Sets(len(roads))
    inside: set[int] = set()
    for members in (*graph.after, *graph.before):
        if len(members) > 1:
            inside |= members
            for other in members:
                sets.join(min(members), other)
    inside |= {number for number, links in enumerate(roads) if _turns_alone(graph, number, links, inside, network)}
    first: dict[int, int] = {}
    for light in network.signals.lights:
        for link in light.links if light.controller >= 0 else ():
            if road[link] in inside:
                sets.join(first.setdefault(light.controller, road[link]), road[link])
    names: dict[int, str] = {}
    return [
        names.setdefault(sets.root(one), str(len(roads) + len(names))) if one in inside else NO_JUNCTION
        for one in range(len(roads))
    ]


def _turns_alone(graph: _Graph, number: int, links: tuple[int, ...], inside: set[int], network: RoadNetwork) -> bool:
    """Whether a road leads through an intersection from the only road before it to the only one behind it."""
    around = graph.after[number] | graph.before[number]
    single = len(graph.after[number]) == 1 == len(graph.before[number])
    return single and not inside & {number, *around} and any(network.link_movements[link] for link in links)
