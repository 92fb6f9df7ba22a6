"""The scene of the sensors in the cache: the first run sees what all later ones see."""

import dataclasses

import numpy as np
import pytest

from dorosim.app.scene_store import load_actor_models, load_static_world
from dorosim.ground.error import InputError
from dorosim.sensor.scene.actor.catalogue import ActorModels, actor_models
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.sensor.scene.town import SEED, town


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache; the compiled kernels stay where they are."""
    monkeypatch.setattr("dorosim.app.scene_store.cache_folder", lambda: tmp_path)
    return tmp_path


def test_a_static_world_is_the_same_built_and_cached(cache):
    files, network = town().map_files, town().scene.network
    built, cached = (load_static_world(files, network, SEED) for _ in range(2))
    assert len(list(cache.rglob("*.scene"))) == 1
    for part in dataclasses.fields(built.mesh):
        assert np.array_equal(getattr(built.mesh, part.name), getattr(cached.mesh, part.name)), part.name


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
    whole = file.read_bytes()
    for broken in (b"", b"PK\x03\x04nonsense", whole[: len(whole) // 2]):
        file.write_bytes(broken)
        with pytest.raises(InputError):
            ActorModels.from_bytes(broken)
        assert len(load_actor_models(VEHICLE_MODELS).meshes) == len(actor_models(VEHICLE_MODELS).meshes)
