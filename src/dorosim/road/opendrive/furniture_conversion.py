"""What stands and is painted on the roads of an OpenDRIVE file, as records of the network's map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.opendrive.crosswalk_conversion import add_crosswalks, names_of_references
from dorosim.road.opendrive.junction_record import OdrJunction
from dorosim.road.opendrive.lane_graph import LaneKey, is_drivable_type
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.light_conversion import groups_of_lights, lights_of
from dorosim.road.opendrive.object_conversion import add_objects
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from dorosim.road.opendrive.sign_conversion import add_signs, add_stop_lines
from dorosim.road.opendrive.signal_kind import SignalKind, kind_of
from dorosim.road.opendrive.signal_place import SignalPlaces

_UNUSED = {
    SignalKind.OTHER_LIGHT: "lights for others than vehicles and people",
    SignalKind.PAINT: "signs painted on the road",
}


def add_furniture(
    m: MGeoMap, town: OpenDriveMap, names: Mapping[LaneKey, str], lines_of: Callable[[OdrRoad], RoadLines]
) -> None:
    """Add lights, signs, stop lines, crosswalks and priorities to a map that has links with nodes.

    Args:
        m: the map, which is changed.
        town: the file.
        names: lane to the id of its link.
        lines_of: the analytic lines of a road.
    """
    links = {link.idx: link for link in m.links}
    places = SignalPlaces(town, links, names, lines_of)
    roads = places.roads
    m.traffic_lights = lights_of(places, m.notices)
    junction_of_link = {
        link.idx: roads[link.road_id].junction for link in m.links if roads[link.road_id].junction not in ("", "-1")
    }
    m.synced_traffic_lights = groups_of_lights(town, m.traffic_lights, junction_of_link)
    add_signs(m, places)
    add_stop_lines(m, places)
    signals = [signal for road in town.roads for signal in road.signals]
    add_crosswalks(m, town, lines_of, names_of_references(signals))
    links_of_road: dict[str, list[str]] = {}
    for link in m.links:
        if link.related_signal:
            links_of_road.setdefault(link.road_id, []).append(link.idx)
    m.precedences = [
        (high, low)
        for junction in town.junctions
        for one, other in _priorities(junction, roads)
        for high in links_of_road.get(one, ())
        for low in links_of_road.get(other, ())
    ]
    unused = Counter(_UNUSED[kind] for kind in map(kind_of, signals) if kind in _UNUSED)
    add_objects(m, town, lines_of)
    m.notices += [f"{town.source}: {text}" for text in _notices_of_lanes(town)]
    m.notices += [f"{town.source}: {count} {kind} are not used" for kind, count in unused.items() if count]


def _notices_of_lanes(town: OpenDriveMap) -> Iterator[str]:
    """What of lanes for vehicles has no effect, in words."""
    lanes = [lane for road in town.roads for section in road.lane_sections for lane in section.lanes]
    driven = [lane for lane in lanes if is_drivable_type(lane)]
    both = sum(lane.direction == "both" or lane.type.lower() == "bidirectional" for lane in driven)
    if both:
        yield f"{both} lanes for both directions are used in one"
    restricted = sum(bool(lane.accesses) for lane in driven)
    if restricted:
        yield f"{restricted} lanes are open to some vehicles only, and are used by all"


def _priorities(junction: OdrJunction, roads: Mapping[str, OdrRoad]) -> Iterator[tuple[str, str]]:
    """Pairs of connecting roads of which the first goes before the second.

    A priority names connecting roads, in files of before 1.6 incoming ones, too.
    """

    def connecting(name: str) -> list[str]:
        if name in roads and roads[name].junction == junction.id:
            return [name]
        found = [one.connecting_road for one in junction.connections if one.incoming_road == name]
        return list(dict.fromkeys(found))

    for one in junction.priorities:
        yield from ((high, low) for high in connecting(one.high) for low in connecting(one.low) if high != low)
