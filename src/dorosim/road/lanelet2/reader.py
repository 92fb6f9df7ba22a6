"""A Lanelet2 file from its bytes."""

from __future__ import annotations

from dorosim.road.lanelet2.conversion import map_from_lanelet2
from dorosim.road.lanelet2.document import parse_osm
from dorosim.road.mgeo.record import MGeoMap


def read_lanelet2(source: str, content: bytes, name: str) -> MGeoMap:
    """Read a Lanelet2 file.

    Args:
        source: the file, as messages name it.
        content: its bytes.
        name: of the map.

    Raises:
        InputError: the bytes are not OSM XML, or not of lanelets; with line, element and attribute.
    """
    return map_from_lanelet2(parse_osm(source, content), name)
