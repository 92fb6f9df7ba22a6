"""Map objects and friction areas, in both APIs."""

import math

import pytest

from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS
from tests.bridge.grpc.stage import GrpcStage

PUDDLE = {
    "unique_id": "pool",
    "position": {"x": 50.0, "y": 1.0, "z": 0.5},
    "rotation": {"x": 1.0, "y": 2.0, "z": 90.0},
    "spawn_object_name": "Puddle",
}
AREA = {"vertical_radius": 4.0, "horizontal_radius": 2.0, "height": 0.25, "multiplier": 0.5}


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage()


def numbers(stage, row: int = 0) -> dict[str, float]:
    """What the world has of a map object."""
    table = stage.now.friction.objects
    names = ("x", "y", "z", "roll", "pitch", "yaw", *AREA, "model")
    return {name: float(getattr(table, name)[row]) for name in names}


def place(stage) -> None:
    (answer,) = stage.ask("CreateMapObject", req_list=[PUDDLE]).res_list
    assert (answer.result, answer.actor_name, answer.display_name) == (True, "pool", "pool")


def test_a_map_object_is_put_where_it_is_asked_for(stage):
    place(stage)
    found = numbers(stage)
    assert [found[axis] for axis in "xyz"] == [50.0, 1.0, 0.5]
    assert [found[angle] for angle in ("roll", "pitch", "yaw")] == pytest.approx(
        [math.radians(angle) for angle in (1.0, 2.0, 90.0)]
    )
    assert MAP_OBJECT_MODELS[int(found["model"])].name == "Puddle"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("puddle", "Puddle"),
        (" PUDDLE ", "Puddle"),
        ("WaterPuddle", "Puddle"),
        ("water_puddle_01", "Puddle"),
        ("pudle", "Puddle"),
        ("ICE", "Ice"),
        ("black-ice", "Ice"),
        ("IcePatch2", "Ice"),
    ],
)
def test_a_kind_is_known_in_other_spellings(stage, said, kind):
    (answer,) = stage.ask("CreateMapObject", req_list=[PUDDLE | {"spawn_object_name": said}]).res_list
    assert answer.result
    assert MAP_OBJECT_MODELS[int(numbers(stage)["model"])].name == kind


@pytest.mark.parametrize("said", ["", "sofa", "Device", "Police", "TrafficCone"])
def test_what_is_no_kind_is_refused_and_the_kinds_are_named(stage, said):
    """It would be there and do nothing."""
    (answer,) = stage.ask("CreateMapObject", req_list=[PUDDLE | {"spawn_object_name": said}]).res_list
    assert not answer.result
    assert f"there is no kind {said!r}; use Puddle or Ice or Smoke or DenseSmoke" in answer.display_name
    assert stage.now.friction.objects.rows == 0


def test_a_name_that_is_taken_is_shown_as_an_id(stage):
    place(stage)
    (answer,) = stage.ask("CreateMapObject", req_list=[PUDDLE]).res_list
    assert (answer.result, answer.actor_name, answer.display_name) == (True, "pool", "3")


def test_an_object_gets_another_area_and_others_are_refused_one_by_one(stage):
    place(stage)
    wanted = [
        {"unique_id": "nobody", **AREA},
        {"unique_id": "Ego", **AREA},
        {"unique_id": "pool", **AREA},
        {"unique_id": "pool", **AREA, "height": -1.0},
    ]
    answers = stage.ask("SetFrictionOnArea", req_list=wanted).res_list
    assert [one.result for one in answers] == [False, False, True, False]
    assert [one.actor_name for one in answers] == ["nobody", "Ego", "pool", "pool"]
    assert "no map object 'nobody'" in answers[0].display_name
    assert "no map object 'Ego'" in answers[1].display_name
    assert "height: 0 to 10000 m, not -1" in answers[3].display_name
    found = numbers(stage)
    assert {name: found[name] for name in AREA} == AREA


def test_an_empty_list_is_told(stage):
    for name in ("CreateMapObject", "SetFrictionOnArea"):
        (answer,) = stage.ask(name).res_list
        assert not answer.result
        assert "empty" in answer.display_name


def test_the_standard_api_makes_object_and_area_at_once(stage):
    answer = stage.ask(
        "Scenario/CreateFrictionControlArea",
        object_info={"id": {"value": "ice"}, "object_type": 3, "client_key": "me"},
        transform={"location": {"x": 20.0, "y": -1.0, "z": 0.25}, "rotation": {"x": 1.0, "y": 2.0, "z": -90.0}},
        object_name="Ice",
        **AREA,
    )
    assert (answer.status, answer.custom_message) == (1, "ice")
    found = numbers(stage)
    assert [found[name] for name in ("x", "y", "z", *AREA)] == [20.0, -1.0, 0.25, *AREA.values()]
    assert [found[angle] for angle in ("roll", "pitch", "yaw")] == pytest.approx(
        [math.radians(angle) for angle in (1.0, 2.0, -90.0)]
    )
    assert MAP_OBJECT_MODELS[int(found["model"])].name == "Ice"
    made = int(stage.now.friction.objects.id[0])
    assert stage.now.label.all() == {made: ("ice", "me")}


def test_an_area_that_is_none_makes_nothing(stage):
    answer = stage.ask("Scenario/CreateFrictionControlArea", **{**AREA, "multiplier": 9.0})
    assert answer.status == 0
    assert "friction: 0 to 2, not 9" in answer.description
    assert not stage.now.friction.objects.rows
