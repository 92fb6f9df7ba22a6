"""Builds the scene that sensors look at, and keeps the static world and the models of actors in the cache."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.app.store.cache_file import kept
from dorosim.app.store.folder import cache_folder
from dorosim.app.store.map import MapFiles, read_records
from dorosim.app.store.scenery import load_scenery
from dorosim.app.store.terrain import terrain_of

if TYPE_CHECKING:
    from dorosim.app.run.build import Build
    from dorosim.bridge.view.scenery import PageScenery
    from dorosim.road.network import RoadNetwork
    from dorosim.sensor.scene.actor.catalogue import ActorModels
    from dorosim.sensor.scene.static.world import StaticWorld
    from dorosim.sensor.scene.view import SensorScene
    from dorosim.world.vehicle.model import VehicleModel


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

    def make() -> bytes:
        town = read_records(files)
        scenery, terrain = load_scenery(files, network, seed), terrain_of(files, network)
        return static_world_from_map(town, network, scenery, terrain).to_bytes()

    return kept(_static_file(files, seed), StaticWorld.from_bytes, make)


def _static_file(files: MapFiles, seed: int) -> Path:
    """Where the static world of a map is kept; a map of the same files under another name has the same."""
    return cache_folder() / "map" / f"{files.digest}-{seed}-{_sources()}.scene"


def load_page_scenery(files: MapFiles, network: RoadNetwork, seed: int = 0) -> PageScenery:
    """What the page draws of a map, from the cache where it is there.

    Args:
        files: the map.
        network: the same map, compiled.
        seed: of buildings and trees.

    Raises:
        InputError: the map is broken; the error names file and place.
    """
    from dorosim.bridge.view.scenery import PageScenery, page_origin, page_scenery_of

    cached = cache_folder() / "map" / f"{files.digest}-{seed}-{_sources('bridge')}.page"

    def make() -> bytes:
        return page_scenery_of(load_static_world(files, network, seed), network, page_origin(network)).to_bytes()

    return kept(cached, PageScenery.from_bytes, make)


def load_actor_models(vehicles: Sequence[VehicleModel]) -> ActorModels:
    """The models of all actors, from the cache where they are there.

    Args:
        vehicles: of the catalogue.
    """
    from dorosim.sensor.scene.actor.catalogue import ActorModels, actor_models

    catalogue = hashlib.blake2b(repr(vehicles).encode(), digest_size=8).hexdigest()
    cached = cache_folder() / "actor" / f"{catalogue}-{_sources()}.models"
    return kept(cached, ActorModels.from_bytes, lambda: actor_models(vehicles).to_bytes())


def _sources(*more: str) -> str:
    """What changes whenever the code that builds scenes does, or that of more floors."""
    from dorosim.ground.jit import SENSOR_FLOORS
    from dorosim.ground.jit import cache_folder as kernel_folder

    return kernel_folder((*SENSOR_FLOORS, *more)).name


def sensor_scene(made: Build) -> SensorScene:
    """The scene that the sensors of a run look at."""
    from dorosim.sensor.scene.view import SensorScene

    scene = made.scene
    static = load_static_world(made.map_files, scene.network, made.scenery_seed)
    return SensorScene.from_scene(scene, static, load_actor_models(scene.models))


class SceneLoader:
    """The scene that the sensors of a run look at, built on a thread of its own while the run is made ready.

    Most of the work is Embree's, without the interpreter lock. What is not in the cache is not begun ahead: that would
    compile kernels and import modules beside the others. The scene is the same, whichever thread builds it.

    Args:
        made: the map and what is on it.
    """

    def __init__(self, made: Build) -> None:
        # modules here and not on the thread: two threads that import the same may see half a module
        import dorosim.sensor.scene.actor.catalogue
        import dorosim.sensor.scene.static.world
        import dorosim.sensor.scene.view  # noqa: F401

        self._made = made
        self._begun: Future[SensorScene] | None = None
        if _static_file(made.map_files, made.scenery_seed).exists():
            pool = ThreadPoolExecutor(1, "dorosim-scene")
            self._begun = pool.submit(sensor_scene, made)
            pool.shutdown(wait=False)

    def take(self) -> SensorScene:
        """The scene, which is the caller's from then on; another call builds another.

        Raises:
            InputError: it cannot be built.
        """
        begun, self._begun = self._begun, None
        return sensor_scene(self._made) if begun is None else begun.result()
