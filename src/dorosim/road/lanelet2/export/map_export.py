"""A map as a Lanelet2 file (docs/decisions/0080-lanelets-and-links.md)."""

from __future__ import annotations

from dorosim.road.lane_network import RoadNetwork
from dorosim.road.lanelet2.export.lanelet_export import LaneletExport
from dorosim.road.lanelet2.export.osm_writer import OsmWriter
from dorosim.road.lanelet2.export.regulation_export import RegulationExport
from dorosim.road.mgeo.record import MGeoMap


def lanelet2_from_map(m: MGeoMap, network: RoadNetwork) -> bytes:
    """A map as OSM XML with Autoware's tags.

    Args:
        m: the map, with its painted lines, signs and parking spaces.
        network: of it, with its lanes and lights.

    Raises:
        InputError: a point is not finite, or the projection is not known or does not reach it.
    """
    writer = OsmWriter()
    lanelets = LaneletExport(m, network, writer)
    regulation = RegulationExport(m, network, writer)
    regulation.add_lights()
    regulation.add_signs()
    lanelets.add_lanelets(regulation.elements)
    regulation.add_crosswalks()
    regulation.add_parking_spaces()
    regulation.add_controllers()
    return writer.content(m.name, m.info)
