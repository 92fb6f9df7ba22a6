"""Pedestrians and obstacles in both APIs: made, named, moved, taken away."""

from __future__ import annotations

import math

import pytest

from dorosim.bridge.actor import Names
from dorosim.world.actor.command import CreateNamed
from dorosim.world.environment.command import CreateMapObject
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import OBSTACLE_MODELS, obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Stage as Doing
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.command import SetVehicleSpawnPoints
from dorosim.world.spawn.point import VehicleSpawnPoint
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.waypoint import Waypoint
from tests.bridge.grpc.stage import GrpcStage
from tests.road.small_map import network_of, straight

CAR = VEHICLE_MODELS[0].name
PLACE, TURN = {"x": 10.0, "y": 3.0, "z": 0.5}, {"x": 5.0, "y": 10.0, "z": 90.0}
CONE = obstacle_model_row("cone")[0]


POINT = VehicleSpawnPoint(id=0, x=0.0, y=0.0, z=0.0, start_link=0, enabled=False)


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage()


def walker(stage: GrpcStage, **rest) -> dict[str, object]:
    """An ActorSpawnInfo."""
    return {"transform": {"location": PLACE, "rotation": TURN}} | rest


def away(x: float) -> dict[str, object]:
    """A transform of an ActorSpawnInfo at another place: nothing is made inside another body."""
    return {"location": {"x": x}}


def make_pedestrian(stage: GrpcStage, api: str, name: str = "", model: str = "", **rest) -> tuple[bool, str]:
    """Make a pedestrian; whether it was done, and the id that it got."""
    if api == "documented":
        one = {"unique_id": name, "position": PLACE, "rotation": TURN, "pedestrian_name": model, **rest}
        (answer,) = stage.ask("CreatePedestrian", req_list=[one]).res_list
        assert answer.actor_name == name
        assert answer.display_name, "the id, or the reason of a refusal"
        return answer.result, answer.display_name if answer.result else ""
    info = walker(stage, actor_info={"id": {"value": name}}, model_name=model)
    told = stage.ask("Actor/SpawnPedestrian", spawn_info=info, **rest)
    return told.status == 1, told.custom_message


def make_obstacle(
    stage: GrpcStage, api: str, name: str = "", model: str = "", place: dict[str, float] = PLACE, **rest
) -> tuple[bool, str]:
    """Make an obstacle; whether it was done, and the id that it got."""
    if api == "documented":
        one = {"unique_id": name, "position": place, "rotation": TURN, "obstacle_name": model, **rest}
        (answer,) = stage.ask("CreateObstacle", req_list=[one]).res_list
        assert answer.display_name, "the id, or the reason of a refusal"
        return answer.result, answer.display_name if answer.result else ""
    where = {"location": place, "rotation": TURN}
    info = {"transform": where, "actor_info": {"id": {"value": name}}, "model_name": model}
    told = stage.ask("Actor/SpawnObstacle", spawn_info=info, **rest)
    return told.status == 1, told.custom_message


BOTH = pytest.mark.parametrize("api", ["documented", "standard"])


@BOTH
def test_a_pedestrian_is_made_as_he_is_asked_for(stage, api):
    rest = {"velocity": 5.4, "active_dist": 12.0, "move_dist": 30.0, "start_action": True}
    assert make_pedestrian(stage, api, "walker", "child", **rest) == (True, "walker")
    state = stage.now.people.state
    assert PEDESTRIAN_MODELS[state.model[0]].name == "child"
    assert (state.x[0], state.y[0]) == (10.0, 3.0)
    assert state.yaw[0] == pytest.approx(math.pi / 2)
    assert state.desired_speed[0] == pytest.approx(1.5)
    assert (state.active_distance[0], state.move_distance[0], state.started[0]) == (12.0, 30.0, 1)
    assert Names(stage.now.label).actor_of("walker") == state.id[0] == 2
    stage.ticks(300)
    assert stage.now.people.state.y[0] > 5.0, "he walks to the north"


@BOTH
def test_a_pedestrian_waits_until_he_is_told_to_start(stage, api):
    make_pedestrian(stage, api, "walker", move_dist=30.0)
    stage.ticks(50)
    assert stage.now.people.state.speed[0] == 0.0
    (answer,) = stage.ask("SendStartPedestrian", req_list=[{"unique_id": "walker"}]).res_list
    assert (answer.result, answer.actor_name, answer.display_name) == (True, "walker", "walker")
    stage.ticks(100)
    assert stage.now.people.state.speed[0] > 0.5


@BOTH
def test_names_that_are_taken_are_not_given_again(stage, api):
    assert make_pedestrian(stage, api, "a") == (True, "a")
    assert make_pedestrian(stage, api, "a") == (True, "3")
    assert make_obstacle(stage, api, "Ego", place={"x": 20.0}) == (True, "4")
    assert make_obstacle(stage, api, place={"x": 30.0}) == (True, "5")


@BOTH
def test_what_cannot_be_is_refused(stage, api):
    assert make_pedestrian(stage, api, velocity=100.0) == (False, "")
    assert make_pedestrian(stage, api, active_dist=-1.0) == (False, "")
    assert make_pedestrian(stage, api, move_dist=1e9) == (False, "")
    assert make_obstacle(stage, api, scale={"x": 1000.0, "y": 1.0, "z": 1.0}) == (False, "")
    assert make_obstacle(stage, api, "x" * 300) == (False, "")
    assert (len(stage.now.people), len(stage.now.obstacles)) == (0, 0)


def test_elements_that_cannot_be_done_do_not_stop_the_others(stage):
    answers = stage.ask("CreatePedestrian", req_list=[{"velocity": 999.0}, {"unique_id": "b"}]).res_list
    assert [one.result for one in answers] == [False, True]
    assert "999" in answers[0].display_name or "277.5" in answers[0].display_name
    assert answers[1].display_name == "b"
    ask = [{"unique_id": name} for name in ("nobody", "Ego", "b", "")]
    answers = stage.ask("SendStartPedestrian", req_list=ask).res_list
    assert [one.result for one in answers] == [False, False, True, False]
    assert [one.actor_name for one in answers] == ["nobody", "Ego", "b", ""]
    assert [one.display_name for one in answers] == [
        "there is no pedestrian 'nobody'",
        "there is no pedestrian 'Ego'; it is of the kind ego",
        "b",
        "no pedestrian is named",
    ]
    box = {"unique_id": "box", "position": {"x": 20.0}}
    answers = stage.ask("CreateObstacle", req_list=[{"scale": {"x": -1.0}}, box]).res_list
    assert [one.result for one in answers] == [False, True]
    assert "scale" in answers[0].display_name
    assert answers[1].display_name == "box"
    assert len(stage.ask("CreateObstacle", req_list=[]).res_list) == 0


@BOTH
def test_an_obstacle_is_made_as_it_is_asked_for(stage, api):
    assert make_obstacle(stage, api, "cone", "Cone", scale={"x": 2.0, "y": 0.5, "z": 0.0}) == (True, "cone")
    state, model = stage.now.obstacles.state, OBSTACLE_MODELS[CONE]
    assert (state.model[0], state.fallback[0]) == (CONE, 0)
    assert (state.x[0], state.y[0], state.z[0]) == (10.0, 3.0, 0.5)
    angles = (state.roll[0], state.pitch[0], state.yaw[0])
    assert angles == pytest.approx([math.radians(TURN[axis]) for axis in "xyz"])
    size = (state.length[0], state.width[0], state.height[0])
    assert size == (2 * model.length, 0.5 * model.width, model.height), "0 is no size, and stands for 1"


def test_a_model_that_is_not_there_is_replaced_and_the_standard_api_says_so(stage):
    told = stage.ask("Actor/SpawnObstacle", spawn_info={"model_name": "TrafficCone_01"})
    assert (told.status, told.custom_message) == (1, "2")
    assert told.description == "there is no obstacle 'TrafficCone_01'; 'cone' stands for it"
    told = stage.ask("Actor/SpawnPedestrian", spawn_info={"model_name": "OldMan", "transform": away(20.0)})
    assert "'elder' stands for it" in told.description
    assert stage.ask("Actor/SpawnPedestrian", spawn_info={"transform": away(30.0)}).description == ""
    told = stage.ask("Actor/SpawnObstacle", spawn_info={})
    assert (told.status, told.custom_message) == (0, "")
    assert "there is no room at (0.00, 0.00): obstacle 2 is there" in told.description


def test_an_obstacle_in_the_air_is_remarked(stage):
    height = stage.situation.scene.ground_height(**NEAR_LANE, z=0.0)
    place = {"location": {**NEAR_LANE, "z": height + 2.0}}
    told = stage.ask("Actor/SpawnObstacle", spawn_info={"transform": place, "model_name": "cone"})
    assert told.description == "it is 2.00 m above the ground; it stays there, as asked"
    place["location"]["z"] = height + 0.2
    told = stage.ask("Actor/SpawnObstacle", spawn_info={"transform": place, "model_name": "cone"})
    assert told.description == ""


NEAR_LANE = {"x": 40.0, "y": 9.0}


def test_the_standard_api_says_whose_an_actor_is(stage):
    for name, x in (("Actor/SpawnObstacle", 20.0), ("Actor/SpawnPedestrian", 30.0)):
        stage.ask(name, spawn_info={"actor_info": {"client_key": "me"}, "transform": away(x)})
    assert Names(stage.now.label).owned_by("me") == [2, 3]
    wrong = stage.ask("Actor/SpawnObstacle", spawn_info={"actor_info": {"object_type": 2}})
    assert "object_type is 2" in wrong.description
    wrong = stage.ask("Actor/SpawnPedestrian", spawn_info={"actor_info": {"object_type": 3}})
    assert "object_type is 3" in wrong.description
    assert stage.ask("Actor/SpawnPedestrian", spawn_info={"actor_info": {"object_type": 2}}).status == 1


def test_a_pedestrian_goes_along_his_points_with_their_pauses_and_speeds(stage):
    points = [
        {"waypoint": {"x": 12.0, "y": 6.0, "z": 0.0}, "pause_time": 2.0, "speed": 3.6},
        {"waypoint": {"x": 12.0, "y": 9.0, "z": 0.0}, "speed": 7.2},
    ]
    make_pedestrian(stage, "standard", "walker", waypoints={"waypoints": points}, start_action=True)
    route = [Waypoint(*row) for row in stage.now.people.route.of(0).tolist()]
    assert route[1:] == [
        pytest.approx(Waypoint(12.0, 6.0, 0.0, 2.0, 1.0)),
        pytest.approx(Waypoint(12.0, 9.0, 0.0, 0.0, 2.0)),
    ]
    stage.ticks(1200)
    state = stage.now.people.state
    assert (state.stage[0], state.x[0], state.y[0]) == (
        Doing.ARRIVED,
        pytest.approx(12.0, abs=0.1),
        pytest.approx(9.0, abs=0.1),
    )


def info(name: str, kind: int = 0) -> dict[str, object]:
    return {"id": {"value": name}, "object_type": kind}


def test_a_way_is_given_and_taken_away(stage):
    make_pedestrian(stage, "standard", "walker")
    points = {"waypoints": [{"waypoint": {"x": 30.0, "y": 3.0}, "speed": 5.4}]}
    ask = {"actor_info": info("walker", 2), "waypoints": points}
    assert stage.ask("Actor/SetPedestrianWaypoint", **ask, is_create=True).status == 1
    stage.ticks(200)
    assert stage.now.people.state.x[0] > 11.5, "he walks at once"
    contradiction = stage.ask("Actor/SetPedestrianWaypoint", **ask)
    assert "takes the way away" in contradiction.description
    assert stage.ask("Actor/SetPedestrianWaypoint", actor_info=info("walker")).status == 1
    stage.ticks(200)
    there = float(stage.now.people.state.x[0])
    stage.ticks(100)
    assert stage.now.people.state.x[0] == there, "he stands"
    assert there < 15.0
    nothing = stage.ask("Actor/SetPedestrianWaypoint", actor_info=info("walker"), is_create=True)
    assert "no points" in nothing.description


def test_a_pedestrian_goes_where_he_is_told_to(stage):
    make_pedestrian(stage, "standard", "walker")
    ask = {"actor_info": info("walker"), "direction": {"x": 0.0, "y": 5.0, "z": 9.0}, "speed": 3.6}
    assert stage.ask("Actor/ControlPedestrian", **ask).status == 1
    stage.ticks(200)
    state = stage.now.people.state
    assert (state.velocity_x[0], state.velocity_y[0]) == (pytest.approx(0.0), pytest.approx(1.0, abs=0.02))
    assert stage.ask("Actor/ControlPedestrian", actor_info=info("walker")).status == 1
    stage.ticks(200)
    assert stage.now.people.state.speed[0] == pytest.approx(0.0, abs=1e-6), "zeros let him stand"
    told = stage.ask("Actor/ControlPedestrian", actor_info=info("walker"), speed=5.0)
    assert "not a valid direction" in told.description
    told = stage.ask("Actor/ControlPedestrian", **ask | {"speed": -1.0})
    assert "0 to 12.5 m/s" in told.description


def test_an_obstacle_moves_by_velocity_and_yaw_rate_in_its_own_axes(stage):
    make_obstacle(stage, "standard", "box", "box")
    ask = {"actor_info": info("box", 3), "mode": 2, "velocity_x": 3.6, "velocity_y": 7.2, "height": 2.0}
    assert stage.ask("Actor/ControlObstacle", **ask, frame=7).status == 1
    stage.ticks(100)
    state = stage.now.obstacles.state
    assert (state.x[0], state.y[0]) == (pytest.approx(10.0 - 2.0), pytest.approx(3.0 + 1.0)), "it looks north"
    assert state.z[0] == 2.0
    stage.ask("Actor/ControlObstacle", actor_info=info("box"), mode=2, yaw_rate=90.0)
    stage.ticks(100)
    state = stage.now.obstacles.state
    assert abs(state.yaw[0]) == pytest.approx(math.pi)
    assert state.z[0] == 0.0, "on the ground"
    stage.ask("Actor/ControlObstacle", actor_info=info("box"), velocity_x=100.0)
    before = float(stage.now.obstacles.state.x[0])
    stage.ticks(50)
    assert stage.now.obstacles.state.x[0] == before, "mode NORMAL: it stands"


def test_the_height_of_an_obstacle_is_that_over_the_ground():
    stage = GrpcStage(network_of(straight("A", "N0", "N1", (0, 0, 0), (100, 0, 10))))
    stage.apply(SpawnObstacle(0, CONE, (50.0, 1.0, 5.0)))
    stage.ask("Actor/ControlObstacle", actor_info=info("2"), mode=2, height=1.5)
    assert stage.now.obstacles.state.z[0] == pytest.approx(6.5)


def test_an_obstacle_goes_along_its_points(stage):
    stage.apply(
        SpawnObstacle(0, CONE, (0.0, 9.0, 0.0), way=(Waypoint(20.0, 9.0),), move_speed=1.0, active_distance=0.1),
        SpawnObstacle(0, CONE, (0.0, 12.0, 0.0)),
    )
    assert stage.ask("Actor/ControlObstacle", actor_info=info("2"), mode=1, velocity_x=7.2).status == 1
    stage.ticks(100)
    assert stage.now.obstacles.state.x[0] == pytest.approx(2.0)
    told = stage.ask("Actor/ControlObstacle", actor_info=info("3"), mode=1)
    assert "no points" in told.description


def test_an_obstacle_changes_its_size(stage):
    make_obstacle(stage, "standard", "box", "box")
    scale = {"x": 2.0, "y": 3.0, "z": 0.5}
    assert stage.ask("Actor/SetScale", actor_info=info("box"), scale=scale).status == 1
    state = stage.now.obstacles.state
    assert (state.length[0], state.width[0], state.height[0]) == (2.0, 3.0, 0.5)
    assert "size of its model" in stage.ask("Actor/SetScale", actor_info=info("Ego"), scale=scale).description
    assert "scale" in stage.ask("Actor/SetScale", actor_info=info("box"), scale={"x": -1.0}).description
    assert "no obstacle 'x'" in stage.ask("Actor/SetScale", actor_info=info("x")).description


@pytest.mark.parametrize(
    ("name", "right", "other"),
    [
        ("ControlPedestrian", "pedestrian", "Ego"),
        ("SetPedestrianWaypoint", "pedestrian", "Ego"),
        ("ControlObstacle", "obstacle", "Ego"),
        ("SetObstacleAnimation", "obstacle", "Ego"),
    ],
)
def test_those_who_are_not_there_or_of_another_kind_are_told_of(stage, name, right, other):
    assert f"there is no {right} 'x'" == stage.ask(f"Actor/{name}", actor_info=info("x")).description
    assert f"no {right} is named" in stage.ask(f"Actor/{name}", actor_info=info("")).description
    assert "of the kind ego" in stage.ask(f"Actor/{name}", actor_info=info(other)).description
    assert "object_type is 1" in stage.ask(f"Actor/{name}", actor_info=info(other, 1)).description


def test_what_has_no_meaning_here_says_so(stage):
    make_obstacle(stage, "standard", "gate")
    told = stage.ask("Actor/SetObstacleAnimation", actor_info=info("gate"), enabled=True, object_type=1)
    assert (told.status, told.description) == (0, "no model of an obstacle has parts that move")
    told = stage.ask("Actor/SetTrainSignalLight", actor_info=info("light"))
    assert (told.status, told.description) == (0, "maps have no railway signals")


def everything(stage: GrpcStage) -> dict[str, int]:
    """How many there are of each category."""
    now = stage.now
    return {
        "vehicle": now.traffic.rows,
        "pedestrian": len(now.people),
        "obstacle": len(now.obstacles),
        "spawn_point": len(now.spawn.ids()),
        "map_object": now.friction.objects.rows,
    }


CATEGORIES = ("vehicle", "pedestrian", "obstacle", "spawn_point", "map_object")


@pytest.mark.parametrize("category", CATEGORIES)
def test_all_of_a_category_are_taken_away(stage, category):
    stage.apply(
        CreateNamed(CreateNpc(model=CAR, link=0, s=50.0), "bus"),
        CreateNamed(SpawnPedestrian(0, 0, (0.0, 5.0, 0.0), 0.0), "walker"),
        CreateNamed(SpawnObstacle(0, CONE, (50.0, 9.0, 0.0)), "cone"),
        CreateNamed(SetVehicleSpawnPoints((POINT,)), "point"),
        CreateNamed(CreateMapObject(0, "Puddle", (9.0, 9.0, 0.0), (0.0, 0.0, 0.0)), "puddle"),
    )
    assert set(everything(stage).values()) == {1}
    stage.ask("DeleteSpawnObstacles")
    assert set(everything(stage).values()) == {1}, "none is asked for"
    stage.ask("DeleteSpawnObstacles", **{category: True})
    assert everything(stage) == dict.fromkeys(CATEGORIES, 1) | {category: 0}
    assert stage.now.row_of(EGO) == 0
    assert len(stage.now.label) == 4, "its name goes with it"
