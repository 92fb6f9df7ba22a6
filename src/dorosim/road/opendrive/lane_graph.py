"""Which lanes of an OpenDRIVE file vehicles use, and which ends of them meet (ASAM OpenDRIVE 1.8, 10 to 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dorosim.road.opendrive.junction_record import OdrConnection
from dorosim.road.opendrive.lane_record import OdrLane
from dorosim.road.opendrive.record import OdrRoad, OdrRoadLink, OpenDriveMap

_DRIVABLE = frozenset(
    {
        *("driving", "entry", "exit", "onramp", "offramp", "connectingramp", "sliplane", "mwyentry", "mwyexit"),
        *("bidirectional", "bus", "taxi", "hov"),
    }
)
"""Types of lanes on which vehicles drive, in lower case."""

_WALKABLE = frozenset({"sidewalk", "walking"})
"""Types of lanes on which people walk, in lower case."""


class LaneKey(NamedTuple):
    """A lane of a lane section: id of its road, index of the section, its own id."""

    road: str
    section: int
    lane: int


class LaneEndKey(NamedTuple):
    """An end of a lane: the one where s is greatest (`last`), or least."""

    lane: LaneKey
    last: bool


def is_drivable_type(lane: OdrLane) -> bool:
    """Whether vehicles drive on a lane, by its type."""
    return lane.id != 0 and lane.type.lower() in _DRIVABLE


def is_linked_type(lane: OdrLane) -> bool:
    """Whether a lane becomes a link, by its type: vehicles drive or people walk on it."""
    return is_drivable_type(lane) or (lane.id != 0 and lane.type.lower() in _WALKABLE)


def linked_lanes(town: OpenDriveMap) -> list[LaneKey]:
    """The lanes that become links: by road and section of the file, from left to right.

    A road along which people cross others becomes a crosswalk, and no link.
    """
    crossing = crossing_roads(town)
    return [
        LaneKey(road.id, index, lane.id)
        for road in town.roads
        if road.id not in crossing
        for index, section in enumerate(road.lane_sections)
        for lane in section.lanes
        if is_linked_type(lane)
    ]


def crossing_roads(town: OpenDriveMap) -> set[str]:
    """The roads along which people cross others."""
    return {path.crossing_road for junction in town.junctions for path in junction.cross_paths}


def meeting_ends(town: OpenDriveMap) -> list[tuple[LaneEndKey, LaneEndKey]]:
    """Pairs of lane ends that meet, as links of lanes, roads and junctions say; of any type of lane."""
    roads = {road.id: road for road in town.roads if road.lane_sections}
    return [
        *(pair for road in roads.values() for pair in _pairs_inside(road)),
        *(pair for road in roads.values() for pair in _pairs_of_roads(road, roads)),
        *(pair for pair in _pairs_of_junctions(town, roads)),
    ]


def _pairs_inside(road: OdrRoad) -> Iterator[tuple[LaneEndKey, LaneEndKey]]:
    """Ends of one road that meet from lane section to lane section."""
    for index, (section, after) in enumerate(zip(road.lane_sections, road.lane_sections[1:], strict=False)):
        here = {lane.id for lane in section.lanes}
        there = {lane.id for lane in after.lanes}
        linked = [(lane.id, other) for lane in section.lanes for other in lane.successors]
        linked += [(other, lane.id) for lane in after.lanes for other in lane.predecessors]
        for lane, other in dict.fromkeys(linked):
            if lane in here and other in there:
                yield (
                    LaneEndKey(LaneKey(road.id, index, lane), last=True),
                    LaneEndKey(LaneKey(road.id, index + 1, other), last=False),
                )


def _end_of(road: OdrRoad, last: bool) -> int:
    """Index of the lane section at an end of a road."""
    return len(road.lane_sections) - 1 if last else 0


def _ends(road: OdrRoad, last: bool, lanes: Iterable[int], section: int | None = None) -> dict[int, LaneEndKey]:
    """The ends of some lanes at an end of a road, or of a section of it, those that are there."""
    section = _end_of(road, last) if section is None else section
    there = {lane.id for lane in road.lane_sections[section].lanes}
    return {lane: LaneEndKey(LaneKey(road.id, section, lane), last) for lane in lanes if lane in there}


def _pairs_of_roads(road: OdrRoad, roads: dict[str, OdrRoad]) -> Iterator[tuple[LaneEndKey, LaneEndKey]]:
    """Ends of a road that meet those of roads that it is linked with."""
    for last, link in ((False, road.predecessor), (True, road.successor)):
        other = _road_of(link, roads)
        if link is None or other is None:
            continue
        for lane in road.lane_sections[_end_of(road, last)].lanes:
            here = LaneEndKey(LaneKey(road.id, _end_of(road, last), lane.id), last)
            linked = lane.successors if last else lane.predecessors
            met_last, section = link.contact_point == "end", None
            if link.element_s is not None:
                section, met_last = _end_near(other, link.element_s)
            for there in _ends(other, met_last, linked, section).values():
                yield here, there


def _end_near(road: OdrRoad, s: float) -> tuple[int, bool]:
    """The section, and which end of it, nearest to a place along a road: there a virtual junction meets it."""
    starts = [abs(section.s - s) for section in road.lane_sections]
    if abs(road.length - s) < min(starts):
        return len(starts) - 1, True
    return starts.index(min(starts)), False


def _road_of(link: OdrRoadLink | None, roads: dict[str, OdrRoad]) -> OdrRoad | None:
    """The road that a link leads to, where it is one."""
    return roads.get(link.element_id) if link is not None and link.element_type == "road" else None


def _pairs_of_junctions(town: OpenDriveMap, roads: dict[str, OdrRoad]) -> Iterator[tuple[LaneEndKey, LaneEndKey]]:
    """Ends of incoming roads that meet those of connecting or, in direct junctions, linked roads."""
    for junction in town.junctions:
        for one in junction.connections:
            incoming = roads.get(one.incoming_road)
            other = roads.get(one.connecting_road or one.linked_road)
            if incoming is None or other is None:
                continue
            last = _incoming_end(junction.id, incoming, other, one)
            if last is None:
                continue
            here = _ends(incoming, last, [link.from_lane for link in one.lane_links])
            there = _ends(other, one.contact_point == "end", [link.to_lane for link in one.lane_links])
            for link in one.lane_links:
                if link.from_lane in here and link.to_lane in there:
                    yield here[link.from_lane], there[link.to_lane]


def _incoming_end(junction: str, incoming: OdrRoad, other: OdrRoad, connection: OdrConnection) -> bool | None:
    """Which end of the incoming road is at the junction: the last (true) or the first; None where nothing says.

    A road may begin and end at one junction; then the connecting road's own link says which end it meets.
    """
    touches = [
        last
        for last, link in ((False, incoming.predecessor), (True, incoming.successor))
        if link is not None and link.element_type == "junction" and link.element_id == junction
    ]
    if len(touches) == 1:
        return touches[0]
    link = other.successor if connection.contact_point == "end" else other.predecessor
    if link is not None and link.element_type == "road" and link.element_id == incoming.id:
        return link.contact_point == "end"
    return touches[0] if touches else None


def groups_of(ends: Sequence[LaneEndKey], pairs: Iterable[tuple[LaneEndKey, LaneEndKey]]) -> dict[LaneEndKey, int]:
    """The number of the place of each end: ends that meet, directly or by others, have one.

    Args:
        ends: all ends.
        pairs: ends that meet; pairs with an end that is not of `ends` are left out.

    Returns:
        End to number, counted from 0 in the order of `ends`.
    """
    parent = {end: end for end in ends}

    def root(end: LaneEndKey) -> LaneEndKey:
        while parent[end] != end:
            parent[end] = parent[parent[end]]
            end = parent[end]
        return end

    for one, other in pairs:
        if one in parent and other in parent:
            parent[root(other)] = root(one)
    numbers: dict[LaneEndKey, int] = {}
    return {end: numbers.setdefault(root(end), len(numbers)) for end in ends}
