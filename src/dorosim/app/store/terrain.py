"""Builds the ground of a map, and keeps it in the cache and in the process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dorosim.app.run.report.progress import working
from dorosim.app.store.folder import cache_folder
from dorosim.app.store.map import MAX_KEPT_NETWORKS, MapFiles, read_records
from dorosim.app.store.mapped_file import kept_mapped

if TYPE_CHECKING:
    from dorosim.road.network import RoadNetwork
    from dorosim.road.terrain.terrain import Terrain

_terrains: dict[str, Terrain] = {}


def terrain_of(files: MapFiles, network: RoadNetwork) -> Terrain:
    """The ground of a map, from this process or from the cache where it is there.

    Args:
        files: the map.
        network: the same map, compiled.

    Raises:
        InputError: the map is broken; the error names file and place.
    """
    found = _terrains.pop(files.digest, None) or load_terrain(files, network)
    _terrains[files.digest] = found  # the one used last comes last
    for old in list(_terrains)[:-MAX_KEPT_NETWORKS]:
        _terrains.pop(old, None)
    return found


def load_terrain(files: MapFiles, network: RoadNetwork) -> Terrain:
    """The ground of a map, mapped from the cache where it is there; arguments and errors as of `terrain_of`."""
    from dorosim.ground.jit import cache_folder as kernel_folder
    from dorosim.road.terrain.terrain import Terrain, terrain_from_map

    cached = cache_folder() / "map" / f"{files.digest}-{kernel_folder(('ground', 'road')).name}.ground"

    def make() -> Terrain:
        with working(f"building the ground of {files.name}, once"):
            return terrain_from_map(read_records(files), network)

    return kept_mapped(cached, Terrain, make)
