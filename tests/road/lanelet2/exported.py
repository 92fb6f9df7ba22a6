"""Maps as Lanelet2, written and read again."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from dorosim.app.store.map import read_map_files, read_records
from dorosim.road.lanelet2.export.map_export import lanelet2_from_map
from dorosim.road.lanelet2.reader import read_lanelet2
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork, network_from_mgeo
from tests.road.real_map import REAL_MAPS, real_map


class ExportedMap(NamedTuple):
    """A map, its network, its file, and the map and the network that are read of that."""

    m: MGeoMap
    network: RoadNetwork
    content: bytes
    back: MGeoMap
    other: RoadNetwork


@cache
def exported(name: str) -> ExportedMap:
    """A built-in map, or a real one; skips where that is not there."""
    m = real_map(name) if name in REAL_MAPS else read_records(read_map_files(name))
    network = network_from_mgeo(m)
    content = lanelet2_from_map(m, network)
    back = read_lanelet2(f"{name}.osm", content, name)
    return ExportedMap(m, network, content, back, network_from_mgeo(back))
