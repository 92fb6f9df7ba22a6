"""Builds the scene that sensors look at, and keeps its static part in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dorosim.app.folder import cache_folder
from dorosim.app.map_store import MapFiles, keep_file, read_records
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from dorosim.app.build import Build
    from dorosim.road.network import RoadNetwork
    from dorosim.sensor.scene.static.world import StaticWorld
    from dorosim.sensor.scene.view import SensorScene


def load_static_world(files: MapFiles, network: RoadNetwork, seed: int = 0) -> StaticWorld:
    """The static world of a map, from the cache where it is there.

    Args:
        files: the map.
        network: the same map, compiled.
        seed: of buildings and trees.

    Raises:
        InputError: the map is broken; the error names file and place.
    """
    from dorosim.sensor.scene.static.world import StaticWorld, static_world_from_map

    cached = cache_folder() / "map" / f"{files.name}-{files.digest}-{seed}.scene"
    try:
        return StaticWorld.from_bytes(cached.read_bytes())
    except (OSError, InputError):
        pass  # not there yet, or of another version of dorosim
    world = static_world_from_map(read_records(files), network, seed)
    keep_file(cached, world.to_bytes())
    return world


def sensor_scene(made: Build, seed: int = 0) -> SensorScene:
    """The scene that the sensors of a run look at."""
    from dorosim.sensor.scene.view import SensorScene

    return SensorScene.from_scene(made.scene, load_static_world(made.map_files, made.scene.network, seed))
