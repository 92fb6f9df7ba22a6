"""The scene of the sensors in the cache: the first run sees what all later ones see."""

import dataclasses

import numpy as np
import pytest

from dorosim.app.store.scene import SceneLoader, load_actor_models, load_page_scenery, load_static_world
from dorosim.ground.error import InputError
from dorosim.sensor.ray import hits_of_rays
from dorosim.sensor.scene.actor.catalogue import ActorModels, actor_models
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.sensor.scene.town import town


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache; the compiled kernels stay where they are."""
    monkeypatch.setattr("dorosim.app.store.scene.cache_folder", lambda: tmp_path)
    return tmp_path


def test_what_is_around_roads_is_the_same_built_and_cached(cache):
    """What sensors see, and what the page draws, which is made of the same: it takes seconds to build."""
    files, network = town().map_files, town().scene.network
    built, cached = (load_static_world(files, network) for _ in range(2))
    assert len(list(cache.rglob("*.scene"))) == 1
    for part in dataclasses.fields(built.mesh):
        assert np.array_equal(getattr(built.mesh, part.name), getattr(cached.mesh, part.name)), part.name
    built, cached = (load_page_scenery(files, network) for _ in range(2))
    assert len(list(cache.rglob("*.page"))) == 1
    assert [one.glb for one in built.town.tiles] == [one.glb for one in cached.town.tiles]
    assert len(built.town.tiles) > 100
    assert len(cached.lenses.place) > 50


def test_the_models_of_actors_are_the_same_built_and_cached(cache):
    built, cached = (load_actor_models(VEHICLE_MODELS) for _ in range(2))
    assert len(list(cache.rglob("*.models"))) == 1
    for part in dataclasses.fields(ActorModels):
        if part.name != "meshes":
            assert np.array_equal(getattr(built, part.name), getattr(cached, part.name)), part.name
    for one, other in zip(built.meshes, cached.meshes, strict=True):
        for part in dataclasses.fields(one):
            ours, theirs = getattr(one, part.name), getattr(other, part.name)
            assert ours.dtype == theirs.dtype
            assert np.array_equal(ours, theirs)


def test_other_vehicles_have_models_of_their_own(cache):
    load_actor_models(VEHICLE_MODELS)
    longer = [dataclasses.replace(VEHICLE_MODELS[0], wheelbase=VEHICLE_MODELS[0].wheelbase + 1.0)]
    assert len(load_actor_models(longer).vehicle) == 1
    assert len(list(cache.rglob("*.models"))) == 2


def test_a_broken_cache_is_built_anew(cache):
    load_actor_models(VEHICLE_MODELS)
    (file,) = cache.rglob("*.models")
    ints = file.read_bytes()
    for broken in (b"", b"PK\x03\x04nonsense", ints[: len(ints) // 2]):
        file.write_bytes(broken)
        with pytest.raises(InputError):
            ActorModels.from_bytes(broken)
        assert len(load_actor_models(VEHICLE_MODELS).meshes) == len(actor_models(VEHICLE_MODELS).meshes)


def test_a_scene_that_is_built_ahead_shows_what_one_shows_that_is_built_when_it_is_asked_for():
    made, rng = town(), np.random.default_rng(1)
    load_static_world(made.map_files, made.scene.network)
    ahead = SceneLoader(made)
    scenes = ahead.take(), ahead.take()
    assert scenes[0] is not scenes[1], "whoever takes it, keeps it"
    origin = np.array([*made.first.vehicle.floats[:3, 0], 0.0])[:3] + rng.uniform(-40.0, 40.0, (2000, 3))
    way = rng.normal(size=(2000, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    first, second = (hits_of_rays(one.update(made.first), origin, way, np.full(2000, 200.0)) for one in scenes)
    assert first == second
    assert sum(hit is not None for hit in first) > 500


def test_nothing_is_built_ahead_that_is_not_in_the_cache(cache):
    SceneLoader(town())
    assert list(cache.rglob("*")) == []
