"""A map as OpenDRIVE 1.8 (docs/decisions/0075-lanes-of-one-road.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.opendrive.export.lane_course import node_headings
from dorosim.road.opendrive.export.light_export import LaneTable, SignalExport
from dorosim.road.opendrive.export.link_group import links_by_road
from dorosim.road.opendrive.export.object_export import objects_of_map
from dorosim.road.opendrive.export.road_export import RoadExport
from dorosim.road.opendrive.export.road_link import NO_JUNCTION, RoadLinks, links_of_roads, road_of_links
from dorosim.road.opendrive.export.road_place import RoadPlaces
from dorosim.road.opendrive.export.road_shape import road_shape
from dorosim.road.opendrive.junction_record import JunctionController, OdrJunction
from dorosim.road.opendrive.record import GeoOffset, OdrHeader, OpenDriveMap
from dorosim.road.projection import proj_text


class ExportedMap(NamedTuple):
    """A map as OpenDRIVE.

    Attributes:
        town: its records.
        user_data: what only dorosim has to know, see `write_opendrive`.
        road, lane: of each link, by its id.
    """

    town: OpenDriveMap
    user_data: Mapping[tuple[str, ...], Mapping[str, str]]
    road: Mapping[str, str]
    lane: Mapping[str, int]


def opendrive_from_map(m: MGeoMap, network: RoadNetwork) -> ExportedMap:
    """The records of a map as OpenDRIVE.

    Args:
        m: the map, with its painted lines, signs and parking spaces.
        network: of it, with its lanes and lights.
    """
    groups = links_by_road(network)
    if network.left_hand_traffic:
        groups = tuple(group[::-1] for group in groups)
    headings = node_headings(network)
    shapes = [road_shape(network, group, headings) for group in groups]
    road, lane = road_of_links(groups, network)
    table = LaneTable(road, lane, [one.length for one in shapes])
    links = links_of_roads(groups, network)
    rows = {name: row for row, name in enumerate(network.link_ids)}
    by_row = {rows[one.idx]: one for one in reversed(m.links) if one.idx in rows and not one.lazy_init}
    records = [by_row[row] for row in range(network.link_count)]
    export = RoadExport(network, records, {one.idx: one for one in m.lane_boundaries}, table, links)
    places = RoadPlaces(shapes)
    signals = SignalExport(network, table, places)
    signals.add_lights()
    signals.add_stop_lines()
    signals.add_signs(m.traffic_signs, rows)
    objects = objects_of_map(m, network, places)
    roads = tuple(
        replace(
            export.road(number, group, shape),
            objects=tuple(objects.get(number, ())),
            signals=tuple(signals.signals.get(number, ())),
            signal_references=tuple(signals.references.get(number, ())),
        )
        for number, (group, shape) in enumerate(zip(groups, shapes, strict=True))
    )
    town = OpenDriveMap(
        source=m.name,
        header=_header(m, network),
        roads=roads,
        junctions=_junctions(network, table, links, signals),
        controllers=tuple(signals.controllers),
        unsupported={},
    )
    user_data: dict[tuple[str, ...], Mapping[str, str]] = {
        ("lane", str(road[row]), "0", str(lane[row])): _link_data(network, row) for row in rows.values()
    }
    return ExportedMap(
        town,
        user_data | signals.user_data,
        {name: str(road[row]) for name, row in rows.items()},
        {name: lane[row] for name, row in rows.items()},
    )


def _link_data(network: RoadNetwork, row: int) -> dict[str, str]:
    """What of a link OpenDRIVE has no word for."""
    found = {"dorosim.link": network.link_ids[row], "dorosim.type": network.link_types[row]}
    if network.link_movements[row]:
        found["dorosim.movement"] = network.link_movements[row]
    return found


def _header(m: MGeoMap, network: RoadNetwork) -> OdrHeader:
    """The header, with the map's bounds and its projection where it has one."""
    west, south = network.lines.points[:, :2].min(axis=0).tolist() if network.link_count else (0.0, 0.0)
    east, north = network.lines.points[:, :2].max(axis=0).tolist() if network.link_count else (0.0, 0.0)
    system = network.coordinate_system.strip()
    origin = network.origin
    return OdrHeader(
        rev_major=1,
        rev_minor=8,
        name=m.name,
        version="1",
        vendor="dorosim",
        north=north,
        south=south,
        east=east,
        west=west,
        geo_reference=proj_text(system) if system else "",
        offset=GeoOffset(x=origin[0], y=origin[1], z=origin[2]) if system and any(origin) else None,
    )


def _junctions(
    network: RoadNetwork, table: LaneTable, links: RoadLinks, signals: SignalExport
) -> tuple[OdrJunction, ...]:
    """All junctions, with the controllers of lights over their roads."""
    controllers: dict[str, list[JunctionController]] = {}
    placed: set[int] = set()
    for light in network.signals.lights:
        around = {links.junction[table.road[link]] for link in light.links} - {NO_JUNCTION}
        if around and light.controller >= 0 and light.controller not in placed:
            placed.add(light.controller)
            controllers.setdefault(min(around), []).extend(
                JunctionController(id=one, sequence=place)
                for place, one in enumerate(signals.controller_of[light.controller])
            )
    names = sorted({one for one in links.junction if one != NO_JUNCTION}, key=int)
    return tuple(
        OdrJunction(
            id=name,
            name=f"junction {name}",
            connections=links.connections.get(name, ()),
            controllers=tuple(controllers.get(name, ())),
        )
        for name in names
    )
