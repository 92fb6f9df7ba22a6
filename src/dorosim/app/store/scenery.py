"""What stands beside the roads of a map, kept in the cache and in this process."""

from __future__ import annotations

from dorosim.app.store.cache_file import kept
from dorosim.app.store.folder import cache_folder
from dorosim.app.store.map import MAX_KEPT_NETWORKS, MapFiles, read_records
from dorosim.app.store.terrain import terrain_of
from dorosim.road.network import RoadNetwork
from dorosim.road.scenery.table import Scenery

_kept: dict[tuple[str, int], Scenery] = {}


def load_scenery(files: MapFiles, network: RoadNetwork, seed: int = 0) -> Scenery:
    """The scenery of a map, from the cache where it is there; this process keeps it for its next run on the map.

    Args:
        files: the map.
        network: the same map, compiled.
        seed: of buildings and trees.

    Raises:
        InputError: the map is broken; the error names file and place.
    """
    from dorosim.ground.jit import cache_folder as kernel_folder

    key = files.digest, seed
    found = _kept.pop(key, None)
    if found is None:
        sources = kernel_folder(("ground", "road")).name
        cached = cache_folder() / "map" / f"{files.digest}-{seed}-{sources}.scenery"
        found = kept(cached, Scenery.from_bytes, lambda: _made(files, network, seed).to_bytes())
    _kept[key] = found  # the one used last comes last
    for old in list(_kept)[:-MAX_KEPT_NETWORKS]:
        _kept.pop(old, None)
    return found


def _made(files: MapFiles, network: RoadNetwork, seed: int) -> Scenery:
    from dorosim.road.scenery.layout import scenery_from_map
    from dorosim.road.terrain.field import RoadField

    town = read_records(files)
    return scenery_from_map(town, network, RoadField(network, town), terrain_of(files, network), seed)
