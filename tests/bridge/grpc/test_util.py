"""Rays, and the models that there are."""

from __future__ import annotations

import math

import pytest

from dorosim.bridge.sensor.ray import Ray
from dorosim.ground.error import InputError
from dorosim.sensor.ray import RayHit
from dorosim.sensor.scene.semantic import Semantic
from tests.bridge.grpc.stage import GrpcStage

SOURCE, TARGET = {"x": 1.0, "y": 2.0, "z": 3.0}, {"x": 1.0, "y": 5.0, "z": 7.0}
HIT = RayHit(4.25, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0, Semantic.SKY)


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage()


def test_a_ray_tells_how_far_the_first_thing_is(stage):
    stage.around.hits = [HIT]
    assert stage.ask("Util/RayCast", source=SOURCE, target=TARGET, max_dist=100.0).value == 4.25
    stage.around.hits = [None]
    assert stage.ask("Util/RayCast", source=SOURCE, target=TARGET).value == math.inf
    along = (0.0, 3.0, 4.0)
    far, near = (Ray((1.0, 2.0, 3.0), along, 100.0),), (Ray((1.0, 2.0, 3.0), along, 5.0),)
    assert stage.around.asked == [("cast", far), ("cast", near)], "it ends at the target unless it is told to go on"


def test_a_ray_that_cannot_be_is_refused_with_a_sentence(stage):
    stage.around.problem = "(0.0, 0.0, 0.0) is no direction"
    with pytest.raises(InputError, match="no direction"):
        stage.ask("Util/RayCast", source=SOURCE, target=SOURCE)


FIELDS = {
    "vehicle": {"ego_vehicle", "surround_vehicle"},
    "pedestrian": {"pedestrian"},
    "obstacle": {"obstacle"},
    "spawn_point": {"spawn_point"},
    "map_object": {"map_object"},
}


@pytest.mark.parametrize("kind", FIELDS)
def test_models_of_the_kinds_that_are_asked_for(stage, kind):
    found = stage.ask("Simulator/GetAvailableObject", **{kind: True})
    assert {field.name for field, _ in found.ListFields()} == FIELDS[kind]


def test_models_of_all_kinds_for_who_sends_nothing(stage):
    """The product's SDK sends an empty message."""
    found = stage.ask("Simulator/GetAvailableObject")
    assert {field.name for field, _ in found.ListFields()} == set().union(*FIELDS.values())
    for kind, names in (("Obstacle", found.obstacle), ("Pedestrian", found.pedestrian)):
        for n, name in enumerate(names, 1):
            info = {"model_name": name, "transform": {"location": {"x": 20.0 * n, "y": len(kind)}}}
            assert stage.ask(f"Actor/Spawn{kind}", spawn_info=info).description == ""
    assert "2016_Hyundai_Ioniq" in found.ego_vehicle
    assert set(found.map_object) == {"Puddle", "Ice", "Smoke", "DenseSmoke"}
