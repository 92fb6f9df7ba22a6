"""The built-in town as sensors see it, made once for all tests."""

from functools import cache
from pathlib import Path

from dorosim.app.run.build import Build, build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.map import read_records
from dorosim.app.store.scene import load_static_world, sensor_scene
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene

_last: dict[tuple[str, int], SensorScene] = {}


@cache
def town() -> Build:
    return build(Settings(), Path())


@cache
def records():
    return read_records(town().map_files)


@cache
def static_town() -> StaticWorld:
    """From the cache, if it is there: `tests/app/store/test_scene.py` proves that it is the same."""
    return load_static_world(town().map_files, town().scene.network)


@cache
def town_scene() -> SensorScene:
    return SensorScene.from_scene(town().scene, static_town())


def shared_scene(made: Build) -> SensorScene:
    """What `sensor_scene` builds, kept for the next test with this map and seed: Embree takes more than a second.

    For tests that look through one scene at a time, in place of `sensor_scene`.
    """
    key = made.map_files.digest, made.scenery_seed
    if key not in _last:
        _last.clear()
        _last[key] = sensor_scene(made)
    return _last[key]
