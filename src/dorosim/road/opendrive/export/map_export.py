"""A map as OpenDRIVE 1.8 (docs/decisions/0075-lanes-of-one-road.md)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.opendrive.export.light_export import LaneTable, SignalExport
from dorosim.road.opendrive.export.object_export import objects_of_map
from dorosim.road.opendrive.export.road_export import RoadExport
from dorosim.road.opendrive.export.road_link import NO_JUNCTION, RoadLinks, links_of_roads, road_of_links
from dorosim.road.opendrive.export.road_place import RoadPlaces
from dorosim.road.opendrive.export.road_split import roads_of_links
from dorosim.road.opendrive.junction_record import JunctionController, OdrJunction
from dorosim.road.opendrive.own_data import GEO, SYSTEM
from dorosim.road.opendrive.record import GeoOffset, OdrHeader, OpenDriveMap
from dorosim.road.projection import MapProjection, proj_text


class ExportedMap(NamedTuple):
    """A map as OpenDRIVE.

    Attributes:
        town: its records.
        road, lane: of each link, by its id.
    """

    town: OpenDriveMap
    road: Mapping[str, str]
    lane: Mapping[str, int]


def opendrive_from_map(m: MGeoMap, network: RoadNetwork) -> ExportedMap:
    """The records of a map as OpenDRIVE.

    Args:
        m: the map, with its painted lines, signs and parking spaces.
        network: of it, with its lanes and lights.
    """
    groups, shapes = roads_of_links(network)
    road, lane = road_of_links(groups, network)
    table = LaneTable(road, lane, [one.length for one in shapes])
    links = links_of_roads(groups, network)
    rows = {name: row for row, name in enumerate(network.link_ids)}
    by_row = {rows[one.idx]: one for one in reversed(m.links) if one.idx in rows and not one.lazy_init}
    records = [by_row[row] for row in range(network.link_count)]
    export = RoadExport(network, records, {one.idx: one for one in m.lane_boundaries}, table, links)
    places = RoadPlaces(shapes)
    signals = SignalExport(m, network, table, places)
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
    return ExportedMap(
        town,
        {name: str(road[row]) for name, row in rows.items()},
        {name: lane[row] for name, row in rows.items()},
    )


def _header(m: MGeoMap, network: RoadNetwork) -> OdrHeader:
    """The header, with the map's bounds and its projection where it has one."""
    west, south = network.lines.points[:, :2].min(axis=0).tolist() if network.link_count else (0.0, 0.0)
    east, north = network.lines.points[:, :2].max(axis=0).tolist() if network.link_count else (0.0, 0.0)
    system = network.coordinate_system.strip()
    origin = network.origin
    reference = _geo_reference(system, origin, m.name) if system else ""
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
        geo_reference=reference,
        offset=GeoOffset(x=origin[0], y=origin[1], z=origin[2]) if system and any(origin) else None,
        user_data={SYSTEM: system, GEO: " ".join(reference.split())} if system else {},
    )


def _geo_reference(system: str, origin: tuple[float, float, float], source: str) -> str:
    """The projection as PROJ reads it.

    CARLA knows no projection and no offset, but takes `+lat_0` and `+lon_0` for the place of the map's origin. A UTM
    zone has neither parameter, PROJ passes over them there, so they are added.
    """
    text = proj_text(system)
    if "+proj=utm" not in text:
        return text
    x, y, z = origin
    latitude, longitude = (
        math.degrees(one) for one in MapProjection(system, (x, y, z), source).geographic_from_point(0, 0)
    )
    return f"{text} +lat_0={latitude:.12f} +lon_0={longitude:.12f}" if math.isfinite(latitude + longitude) else text


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
