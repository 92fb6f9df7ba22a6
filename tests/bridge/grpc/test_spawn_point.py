"""Spawn points in both APIs: every field of a point has its column in the world."""

import math
from typing import Any

import pytest

from dorosim.world.actor.command import CreateNamed
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.model import pedestrian_model_row
from dorosim.world.spawn.point import RANDOM_MODEL, VehicleSpawnPoint
from dorosim.world.spawn.table import destinations_of
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS, nearest_model_row
from tests.bridge.grpc.stage import GrpcStage

BOTH = pytest.mark.parametrize("api", ["documented", "standard"])
PLACE = {"x": 20.0, "y": 1.0, "z": 0.5}
CAR = VEHICLE_MODELS[3].name


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage()


def link_info(api: str, link: str, point: int) -> dict[str, Any]:
    return (
        {"unique_id": link, "index": point} if api == "documented" else {"id": {"value": link}, "waypoint_idx": point}
    )


def vehicles(stage, api: str, info: dict[str, Any] | None = None, *, model="", pause=False, name="gate") -> str:
    """Make a point of vehicles; why not, or an empty text. The documented API makes it and then sets it."""
    if api == "documented":
        if name not in {label for label, _ in stage.now.label.all().values()}:
            point = {"unique_id": name, "position": PLACE, "sub_category": 1}
            (answer,) = stage.ask("CreateSpawnPoint", req_list=[point]).res_list
            assert (answer.result, answer.actor_name, answer.display_name) == (True, name, name)
        fields = {"unique_id": name, "spawn_object_name": model, "pause": pause}
        if info is not None:
            fields["info"] = info
        (answer,) = stage.ask("SetSpawnPoint", req_list=[fields]).res_list
        return "" if answer.result else answer.display_name
    common = {"object_info": {"id": {"value": name}}, "location": PLACE, "model_name": model, "pause": pause}
    fields = {"spawn_point_info": common} | ({} if info is None else {"config": info})
    answer = stage.ask("Scenario/CreateVehicleSpawnPoint", **fields)
    assert answer.custom_message == (name if answer.status else "")
    return "" if answer.status else answer.description


def column(stage, name: str) -> float:
    """A number of the only vehicle spawn point."""
    (value,) = getattr(stage.now.spawn.vehicle, name).tolist()
    return value


@BOTH
def test_a_point_of_vehicles_stands_where_it_is_put_and_enters_on_the_nearest_lane(stage, api):
    assert vehicles(stage, api) == ""
    assert [column(stage, axis) for axis in "xyz"] == [20.0, 1.0, 0.5]
    assert (column(stage, "start_link"), column(stage, "start_s")) == (0, pytest.approx(20.0))
    usual = VehicleSpawnPoint(id=0)
    for name in ("enabled", "model", "lengths", "maximum", "lowest_desired_ratio", "end_link", "bias_rule"):
        assert column(stage, name) == getattr(usual, name)


@BOTH
@pytest.mark.parametrize(
    ("field", "sent", "name", "expected"),
    [
        ("list_vehicle_length_type", [0, 3, 3], "lengths", 1 | 8),
        ("list_vehicle_length_type", [], "lengths", 15),
        ("is_close_loop", True, "close_loop", 1),
        ("is_lane_change", True, "lane_change", 1),
        ("is_lane_change", False, "lane_change", 0),
        ("parameter_type", 1, "desired_range", 1),
        ("parameter_type", 2, "desired_range", 2),
        ("maximum_spawn_vehicle", 7, "maximum", 7),
        ("min_spawn_period", 2.5, "shortest_period", 2.5),
        ("max_spawn_period", 9.5, "longest_period", 9.5),
        ("spawn_velocity_type", 1, "speed_rule", 1),
        ("spawn_velocity_type", 2, "speed_rule", 2),
        ("min_spawn_velocity_custom", 36.0, "lowest_speed", 10.0),
        ("max_spawn_velocity_custom", 72.0, "highest_speed", 20.0),
        ("min_spawn_velocity_link", 25.0, "lowest_speed_ratio", 0.25),
        ("max_spawn_velocity_link", 75.0, "highest_speed_ratio", 0.75),
        ("desired_velocity_type", 1, "desired_rule", 1),
        ("desired_velocity_type", 2, "desired_rule", 2),
        ("min_desired_velocity_custom", 18.0, "lowest_desired", 5.0),
        ("max_desired_velocity_custom", 54.0, "highest_desired", 15.0),
        ("min_desired_velocity_link", 50.0, "lowest_desired_ratio", 0.5),
        ("max_desired_velocity_link", 150.0, "highest_desired_ratio", 1.5),
        ("lateral_bias_mode", 1, "bias_rule", 1),
        ("lateral_bias_mode", 2, "bias_rule", 2),
        ("min_lateral_bias", -25.0, "lowest_bias", -0.25),
        ("max_lateral_bias", 50.0, "highest_bias", 0.5),
    ],
)
def test_every_field_of_a_point_of_vehicles_counts(stage, api, field, sent, name, expected):
    assert vehicles(stage, api, {field: sent}) == ""
    assert column(stage, name) == pytest.approx(expected)


@BOTH
def test_vehicles_enter_and_leave_at_points_of_links(stage, api):
    info = {"start_link_info": link_info(api, "A", 7), "end_link_info": link_info(api, "B", 60)}
    assert vehicles(stage, api, info) == ""
    assert [column(stage, name) for name in ("start_link", "start_s", "end_link", "end_s")] == [0, 7.0, 1, 60.0]


@BOTH
def test_vehicles_leave_at_the_lane_of_their_destination(stage, api):
    stage.apply(CreateNamed(SpawnObstacle(actor=0, model=1, position=(150.0, 4.0, 0.0)), "goal"))
    assert vehicles(stage, api, {"destination_obj_unique_id": 2}) == ""
    assert [column(stage, name) for name in ("end_link", "destination")] == [1, 2]
    assert column(stage, "end_s") == pytest.approx(50.0)


@BOTH
@pytest.mark.parametrize(("name", "row"), [(CAR, 3), (CAR.upper(), 3), ("", RANDOM_MODEL)])
def test_a_point_has_a_model_or_draws_one(stage, api, name, row):
    assert vehicles(stage, api, {}, model=name) == ""
    assert column(stage, "model") == row


@BOTH
def test_a_model_that_is_not_there_has_a_stand_in(stage, api):
    assert vehicles(stage, api, {}, model="2099_Kia_K5") == ""
    assert column(stage, "model") == nearest_model_row("2099_Kia_K5")[0]


def test_users_are_told_of_stand_ins_of_the_documented_api(stage):
    kinds = (1, "SetSpawnPoint", "2099_Kia_K5", "2015_Kia_K5"), (2, "SetPedestrianSpawnPoint", "zombie", "adult_male")
    for kind, procedure, name, other in kinds:
        stage.around.told.clear()
        point = {"unique_id": f"p{kind}", "position": PLACE, "sub_category": kind}
        stage.ask("CreateSpawnPoint", req_list=[point])
        assert stage.around.told == []
        assert stage.ask(procedure, req_list=[point_of(f"p{kind}", name)]).res_list[0].result
        ((what, text, _),) = stage.around.told
        assert what == "stand-in"
        assert name in text
        assert other in text
        stage.around.told.clear()
        stage.ask(procedure, req_list=[point_of(f"p{kind}", other)])
        assert stage.around.told == [], "it is the very one"


def point_of(name: str, model: str) -> dict[str, object]:
    """A SetSpawnPoint or a SetPedestrianSpawnPoint that changes the model alone."""
    return {"unique_id": name, "spawn_object_name": model}


def test_the_standard_api_tells_of_stand_ins_and_owners(stage):
    info = {"id": {"value": "gate"}, "object_type": 4, "client_key": "me"}
    common = {"object_info": info, "location": PLACE, "model_name": "2099_Kia_K5"}
    answer = stage.ask("Scenario/CreateVehicleSpawnPoint", spawn_point_info=common)
    assert "'2015_Kia_K5' stands for it" in answer.description
    assert stage.around.told == [("stand-in", answer.description, ())]
    answer = stage.ask("Scenario/CreatePedestrianSpawnPoint", spawn_point_info={**common, "model_name": "zombie"})
    assert "no pedestrian 'zombie'; 'adult_male' stands for it" in answer.description
    assert (answer.status, answer.custom_message) == (1, "3")
    assert stage.now.label.all() == {2: ("gate", "me"), 3: ("", "me")}


@BOTH
def test_a_point_that_rests_brings_nobody_forth_until_it_is_switched_on(stage, api):
    info = {"maximum_spawn_vehicle": 1, "min_desired_velocity_custom": 36.0, "desired_velocity_type": 2}
    assert vehicles(stage, api, info, pause=True) == ""
    stage.ticks(100)
    assert not stage.now.traffic.rows
    assert switch(stage, api, "gate", True) == ""
    stage.ticks(100)
    assert stage.now.traffic.rows == 1
    assert switch(stage, api, "gate", False) == ""
    assert column(stage, "enabled") == 0


def switch(stage, api: str, name: str, on: bool, kind: int = 4) -> str:
    """Switch a point on or off; why not, or an empty text."""
    if api == "documented":
        (answer,) = stage.ask("EnableSpawnPoint", req_list=[{"unique_id": name, "is_active": on}]).res_list
        assert answer.actor_name == name
        return "" if answer.result else answer.display_name
    info = {"id": {"value": name}, "object_type": kind}
    answer = stage.ask("Scenario/EnableSpawnPoint", object_info=info, is_active=on)
    return "" if answer.status else answer.description


@BOTH
@pytest.mark.parametrize("name", ["nobody", "", "Ego", "1"])
def test_what_is_no_point_is_not_switched(stage, api, name):
    assert f"no spawn point '{name}'" in switch(stage, api, name, True)


@BOTH
@pytest.mark.parametrize(
    ("info", "problem"),
    [
        ({"start_link_info": ("Z", 0)}, "no link 'Z'"),
        ({"start_link_info": ("A", 101)}, "link 'A' has points 0 to 100, not 101"),
        ({"end_link_info": ("A", -1)}, "points 0 to 100, not -1"),
        ({"destination_obj_unique_id": 999}, "no destination 999"),
        ({"parameter_type": 3}, "3 is not a valid code; use 1 CONSTANT, 2 VARIABLE"),
        ({"spawn_velocity_type": 3}, "spawn_velocity_type: 3 is not a valid code"),
        ({"desired_velocity_type": 3}, "desired_velocity_type: 3 is not a valid code"),
        ({"lateral_bias_mode": 3}, "lateral_bias_mode: 3 is not a valid code"),
        ({"min_spawn_velocity_custom": -1.0}, "-1 km/h is out of range; give 0 to 1000"),
        ({"max_desired_velocity_link": 2000.0}, "2000 % is out of range"),
        ({"max_lateral_bias": 101.0}, "101 % is out of range; give -100 to 100"),
        ({"maximum_spawn_vehicle": -1}, "-1 is negative"),
        ({"min_spawn_period": -1.0}, "is negative"),
    ],
)
def test_a_point_of_vehicles_that_cannot_be_is_refused(stage, api, info, problem):
    sent = {key: link_info(api, *value) if isinstance(value, tuple) else value for key, value in info.items()}
    assert problem in vehicles(stage, api, sent)
    if api == "standard":
        assert not len(stage.now.spawn), "nothing is half made"


def test_a_point_that_is_set_again_stays_who_it_is(stage):
    vehicles(stage, "documented", {"maximum_spawn_vehicle": 2, "min_spawn_period": 0.1})
    stage.ticks(100)
    entered = column(stage, "spawned")
    assert entered >= 1
    assert vehicles(stage, "documented", model=CAR, pause=True) == ""
    assert [column(stage, name) for name in ("model", "enabled", "maximum", "spawned")] == [3, 0, 2, entered]
    assert [column(stage, axis) for axis in "xyz"] == [20.0, 1.0, 0.5]
    assert vehicles(stage, "documented", {"start_link_info": {"unique_id": "B"}}) == ""
    assert vehicles(stage, "documented", {"maximum_spawn_vehicle": 5}) == ""
    assert [column(stage, name) for name in ("start_link", "maximum", "model")] == [1, 5, 3]


def test_points_of_a_list_are_made_one_by_one(stage):
    wanted = [
        {"unique_id": "far", "position": {"x": 20.0, "y": 99.0}, "sub_category": 1},
        {"unique_id": "none", "position": PLACE},
        {"unique_id": "people", "position": PLACE, "sub_category": 2},
        {"unique_id": "people", "position": PLACE, "sub_category": 1},
    ]
    answers = stage.ask("CreateSpawnPoint", req_list=wanted).res_list
    assert [one.result for one in answers] == [False, False, True, True]
    assert "no lane is within 10 m" in answers[0].display_name
    assert "use 1 SPAWN_POINT, 2 PED_SPAWN_POINT" in answers[1].display_name
    assert [one.display_name for one in answers[2:]] == ["people", "3"]
    assert (stage.now.spawn.pedestrian.id.tolist(), stage.now.spawn.vehicle.id.tolist()) == ([2], [3])
    for name in ("CreateSpawnPoint", "EnableSpawnPoint", "SetSpawnPoint", "SetPedestrianSpawnPoint"):
        (answer,) = stage.ask(name).res_list
        assert "empty" in answer.display_name


def test_a_point_of_the_other_kind_or_none_is_not_set(stage):
    stage.ask("CreateSpawnPoint", req_list=[{"unique_id": "people", "position": PLACE, "sub_category": 2}])
    answers = stage.ask("SetSpawnPoint", req_list=[{"unique_id": "people"}, {"unique_id": "nobody"}]).res_list
    assert "not of vehicles" in answers[0].display_name
    assert "no spawn point 'nobody'" in answers[1].display_name
    (answer,) = stage.ask("SetPedestrianSpawnPoint", req_list=[{"unique_id": "Ego"}]).res_list
    assert "no spawn point 'Ego'" in answer.display_name


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_the_standard_api_does_not_take_another_kind_for_a_point(stage, kind):
    common = {"object_info": {"object_type": kind}, "location": PLACE}
    for name in ("Scenario/CreateVehicleSpawnPoint", "Scenario/CreatePedestrianSpawnPoint"):
        answer = stage.ask(name, spawn_point_info=common)
        assert answer.status == 0
        assert "use 4, OBJECT_TYPE_SPAWN_POINT" in answer.description
    vehicles(stage, "standard")
    assert "use 4" in switch(stage, "standard", "gate", True, kind)


GOAL = {"location": {"x": 5.0, "y": 6.0, "z": 0.25}, "rotation": {"z": 90.0}}
SCALE = {"x": 3.0, "y": -2.0, "z": 1.0}


def pedestrians(stage, api: str, info: dict[str, Any] | None, goals=(), *, model="", pause=False) -> str:
    """Make a point of pedestrians; why not, or an empty text."""
    if api == "documented":
        point = {"unique_id": "door", "position": PLACE, "sub_category": 2}
        (answer,) = stage.ask("CreateSpawnPoint", req_list=[point]).res_list
        assert answer.result
        fields = {"unique_id": "door", "spawn_object_name": model, "pause": pause}
        if info is not None:
            found = [
                {"position": goal["location"], **{k: v for k, v in goal.items() if k != "location"}} for goal in goals
            ]
            fields["info"] = {**info, "list_pedestrian_desination": found}
        (answer,) = stage.ask("SetPedestrianSpawnPoint", req_list=[fields]).res_list
        return "" if answer.result else answer.display_name
    common = {"object_info": {"id": {"value": "door"}}, "location": PLACE, "model_name": model, "pause": pause}
    fields = {"spawn_point_info": common}
    if info is not None:
        found = [
            {"transform": {k: v for k, v in goal.items() if k != "scale"}}
            | {k: v for k, v in goal.items() if k == "scale"}
            for goal in goals
        ]
        fields["config"] = {**info, "pedestrian_destination_points": found}
    answer = stage.ask("Scenario/CreatePedestrianSpawnPoint", **fields)
    assert answer.custom_message == ("door" if answer.status else "")
    return "" if answer.status else answer.description


def person(stage, name: str) -> float:
    """A number of the only pedestrian spawn point."""
    (value,) = getattr(stage.now.spawn.pedestrian, name).tolist()
    return value


@BOTH
@pytest.mark.parametrize(
    ("field", "sent", "name", "expected"),
    [
        *(("select_mode", mode, "mode", mode) for mode in range(1, 7)),
        ("min_count", 2, "minimum", 2),
        ("max_count", 5, "maximum", 5),
        ("spawn_time", 7.5, "period", 7.5),
        ("pedestrian_random_mode", True, "model", RANDOM_MODEL),
        ("pedestrian_random_mode", False, "model", pedestrian_model_row("child")[0]),
    ],
)
def test_every_field_of_a_point_of_pedestrians_counts(stage, api, field, sent, name, expected):
    assert pedestrians(stage, api, {field: sent}, model="child") == ""
    assert person(stage, name) == expected
    assert [person(stage, axis) for axis in "xyz"] == [20.0, 1.0, 0.5]


@BOTH
def test_destinations_are_boxes_in_order(stage, api):
    goals = [{**GOAL, "scale": SCALE}, {"location": {"x": 9.0}}]
    assert pedestrians(stage, api, {}, goals) == ""
    first, second = destinations_of(stage.now.spawn.destination, 2)
    assert (first.x, first.y, first.z, first.length, first.width) == (5.0, 6.0, 0.25, 3.0, 2.0)
    assert first.yaw == pytest.approx(math.pi / 2)
    assert (second.x, second.yaw, second.length, second.width) == (9.0, 0.0, 1.0, 1.0)


@BOTH
@pytest.mark.parametrize("info", [None, {}])
def test_a_point_of_pedestrians_rests_or_not(stage, api, info):
    assert pedestrians(stage, api, info, pause=True, model="child") == ""
    assert (person(stage, "enabled"), person(stage, "model")) == (0, pedestrian_model_row("child")[0])
    assert switch(stage, api, "door", True) == ""
    assert person(stage, "enabled") == 1


@BOTH
def test_pedestrians_come_and_go_to_their_destination(stage, api):
    info = {"min_count": 1, "max_count": 1, "spawn_time": 0.1, "select_mode": 1}
    assert pedestrians(stage, api, info, [{"location": {"x": 20.0, "y": 1.5, "z": 0.5}, "scale": {}}]) == ""
    stage.ticks(30)
    assert stage.now.people.state.rows == 1
    assert stage.now.people.state.y[0] > 1.0


@BOTH
@pytest.mark.parametrize(
    ("info", "goal", "problem"),
    [
        ({"select_mode": 7}, GOAL, "select_mode: 7 is not a valid code"),
        ({"min_count": -1}, GOAL, "-1 is negative"),
        ({}, {"location": {"x": 2e6}}, "is on no map"),
        ({}, {**GOAL, "scale": {"x": 1e5}}, "up to 10000 m large"),
    ],
)
def test_a_point_of_pedestrians_that_cannot_be_is_refused(stage, api, info, goal, problem):
    assert problem in pedestrians(stage, api, info, [goal])
