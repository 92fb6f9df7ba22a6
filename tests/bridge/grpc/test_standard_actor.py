"""Actors of any kind by the Standard API, and their states."""

from __future__ import annotations

import math

import pytest

from dorosim.ground.error import InputError
from dorosim.world.actor.command import CreateNamed
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.command import CreateVehicle
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.waypoint import Waypoint
from tests.bridge.grpc.stage import FORK, GrpcStage

CAR = "2016_Hyundai_Ioniq"
SECOND, NPC, PERSON, CONE, GHOST = 2, 3, 4, 5, 6


@pytest.fixture
def stage() -> GrpcStage:
    """One of each kind."""
    stage = GrpcStage(FORK, egos=((CAR, (20.0, 0.0, 0.0), 0.0),))
    stage.apply(
        CreateNamed(CreateVehicle(model=CAR, position=(40.0, 0.0, 0.0)), "second", "me"),
        CreateNpc(model=CAR, link=0, s=60.0, speed=5.0),
        CreateNamed(SpawnPedestrian(0, 0, (60.0, 8.0, 0.0), yaw=math.pi / 2), "", "me"),
        CreateNamed(SpawnObstacle(0, 1, (70.0, -8.0, 0.0), way=(Waypoint(90.0, -8.0, 0.0),)), "a cone", "you"),
        PlaceNpcGhost(7, CAR, (80.0, 20.0, 0.0), (0.0, 0.0, 0.5)),
    )
    return stage


def state(stage: GrpcStage, name: str = "Ego"):
    """The state of one actor."""
    return stage.ask("Actor/GetActorState", id={"value": name})


def states(stage: GrpcStage, **fields) -> list[str]:
    """Ids of the actors that pass a filter."""
    return [one.actor_info.id.value for one in stage.ask("Actor/GetAllActorsState", **fields).states]


def tell(stage: GrpcStage, name: str, actor: str, **fields):
    """What is answered to something that is told to an actor."""
    return stage.ask(f"Actor/{name}", actor_info={"id": {"value": actor}}, **fields)


def test_filters_of_states(stage):
    everybody = ["Ego", "second", "3", "7", "4", "a cone"]
    assert states(stage) == everybody
    assert states(stage, vehicle=True, pedestrian=True, obstacle=True) == everybody
    assert states(stage, vehicle=True) == ["Ego", "second", "3", "7"]
    assert states(stage, pedestrian=True) == ["4"]
    assert states(stage, obstacle=True) == ["a cone"]
    assert states(stage, client_key="me") == ["second", "4"]
    assert states(stage, client_key="me", vehicle=True) == ["second"]
    assert states(stage, client_key="nobody") == []


def test_the_time_of_states(stage):
    stage.ticks(100)
    stage.around.epoch = 5_000_000_000
    answer = stage.ask("Actor/GetAllActorsState")
    assert answer.timestamp == 6000
    assert answer.sync_mode_tick_count == 0
    stage.around.synchronous = True
    assert stage.ask("Actor/GetAllActorsState").sync_mode_tick_count == 50


def test_states_are_in_the_units_of_the_api(stage):
    tell(stage, "SetTransform", "Ego", transform={"location": {"x": 10.0, "y": 300.0}, "rotation": {"z": 90.0}})
    tell(stage, "ControlVehicle", "Ego", long_cmd_type=1, throttle=0.5, steer=0.2)
    stage.ticks(150)
    now, told = stage.now, state(stage)
    vehicle = now.vehicle
    assert told.transform.rotation.z == pytest.approx(math.degrees(vehicle.yaw[0]))
    assert told.transform.location.x == vehicle.x[0]
    assert told.velocity.x == pytest.approx(3.6 * vehicle.velocity_x[0])
    speed = 3.6 * math.hypot(vehicle.velocity_x[0], vehicle.velocity_y[0])
    assert math.hypot(told.global_velocity.x, told.global_velocity.y) == pytest.approx(speed, rel=1e-3)
    assert told.global_velocity.y > 0.9 * speed
    assert told.angular_velocity.z == pytest.approx(math.degrees(vehicle.angular_velocity[2, 0]))
    assert told.acceleration.x == pytest.approx(vehicle.acceleration[0, 0])
    assert told.vehicle_state.throttle == pytest.approx(0.5)
    assert told.vehicle_state.steer == pytest.approx(0.2)
    assert told.vehicle_state.front_wheel_angle == pytest.approx(vehicle.steer[0], rel=1e-5)
    assert told.vehicle_state.gear_mode == 4
    own = stage.scene.models[0]
    assert told.bounding_box.extent.x == own.length
    assert told.bounding_box.location.z == pytest.approx(0.5 * own.height)
    ahead = 0.5 * (own.wheelbase + own.front_overhang - own.rear_overhang)
    assert told.bounding_box.location.x == pytest.approx(ahead)


def test_states_tell_the_lane_and_the_way(stage):
    tell(stage, "SetVehicleEgoCruise", "Ego", cruise_on=True, cruise_type=1, link_speed_ratio=100)
    stage.tick()
    tell(stage, "SetVehicleDestination", "Ego", position={"x": 250.0})
    told = state(stage).vehicle_state
    assert (told.current_link_info.id.value, told.remaining_link_count, told.is_pass_des_pos) == ("A", 2, False)
    assert told.remaining_distance == pytest.approx(230.0, abs=1.0)
    points = FORK.points_of(0)
    assert points[told.current_link_info.waypoint_idx][0] == pytest.approx(20.0, abs=0.5 * 100.0 / (len(points) - 1))
    npc = state(stage, "3").vehicle_state
    assert npc.current_link_info.id.value == "A"
    assert not state(stage, "4").HasField("vehicle_state")


def test_states_of_others(stage):
    npc, ghost, person, cone = (state(stage, name) for name in ("3", "7", "4", "a cone"))
    assert npc.velocity.x == pytest.approx(18.0)
    assert ghost.transform.rotation.z == pytest.approx(math.degrees(0.5))
    assert person.transform.rotation.z == pytest.approx(90.0)
    assert [one.actor_info.object_type for one in (npc, ghost, person, cone)] == [1, 1, 2, 3]
    assert (cone.actor_info.client_key, person.actor_info.client_key) == ("you", "me")
    with pytest.raises(InputError, match="there is no object 'x'"):
        state(stage, "x")


def test_who_touches_whom(stage):
    tell(stage, "SetTransform", "second", transform={"location": {"x": 22.0, "y": 0.5}})
    stage.ticks(5)
    assert state(stage).vehicle_state.collision_objects == ["second"]
    assert state(stage, "second").vehicle_state.collision_objects == ["Ego"]


@pytest.mark.parametrize("name", ["Ego", "second", "3", "4", "a cone", "7"])
def test_every_actor_is_put_elsewhere(stage, name):
    here = {"location": {"x": 130.0, "y": 0.5, "z": 0.0}, "rotation": {"z": 3.0}}
    assert tell(stage, "SetTransform", name, transform=here).status == 1
    told = state(stage, name).transform
    assert (told.location.x, told.location.y) == (130.0, 0.5)
    assert told.rotation.z == pytest.approx(3.0)
    assert tell(stage, "SetTransform", name, transform={"location": {"x": 140.0}}).status == 1
    assert state(stage, name).transform.rotation.z == pytest.approx(3.0)
    stage.ticks(10)
    assert state(stage, name).transform.location.x == pytest.approx(140.0, abs=1.0)


def test_an_npc_vehicle_drives_on_from_where_it_is_put(stage):
    tell(stage, "SetTransform", "3", transform={"location": {"x": 130.0}})
    stage.ticks(100)
    told = state(stage, "3")
    assert told.vehicle_state.current_link_info.id.value == "B"
    assert told.transform.location.x > 134.0


@pytest.mark.parametrize("heading", [30.0, 90.0, -150.0, 179.5])
@pytest.mark.parametrize("y", [0.0, 6.0, 40.0])
def test_an_npc_vehicle_stands_as_it_is_put_and_rejoins_a_lane_when_told_to_drive(stage, heading, y):
    """On a lane but across it, beside it, and away from it."""
    place = {"location": {"x": 130.0, "y": y, "z": 0.25}, "rotation": {"z": heading}}
    assert tell(stage, "SetTransform", "3", transform=place).status == 1
    for _ in range(2):
        told = state(stage, "3")
        where, turned = told.transform.location, told.transform.rotation
        assert (where.x, where.y, where.z, turned.z) == (130.0, y, 0.25, heading), "to the last digit"
        assert told.velocity.x == 0.0
        stage.ticks(200)
    assert tell(stage, "SetVelocity", "3", velocity=10.0).status == 1
    for _ in range(60):
        if stage.now.traffic.present[0] != Presence.ON_LANE:
            stage.ticks(100)
    stage.ticks(300)
    told = state(stage, "3")
    assert told.velocity.x > 10.0
    assert told.vehicle_state.current_link_info.id.value in {"A", "B", "C", "D"}


@pytest.mark.parametrize("name", ["Ego", "second", "3", "4", "a cone", "7"])
@pytest.mark.parametrize("heading", [30.0, -60.0, 99.9, 0.1, 179.9])
def test_a_heading_is_told_as_it_was_given(stage, name, heading):
    transform = {"location": {"x": 140.0, "y": 40.0}, "rotation": {"z": heading}}
    assert tell(stage, "SetTransform", name, transform=transform).status == 1
    assert state(stage, name).transform.rotation.z == heading


def test_a_heading_of_more_than_half_a_turn_is_told_as_the_same_one_to_the_other_side(stage):
    tell(stage, "SetTransform", "3", transform={"location": {"x": 140.0, "y": 40.0}, "rotation": {"z": 270.0}})
    assert state(stage, "3").transform.rotation.z == -90.0


def test_pause_and_go_on(stage):
    for name in ("Ego", "3"):
        assert tell(stage, "SetPause", name, enable=True).status == 1
    before = state(stage, "3").transform.location.x
    stage.ticks(20)
    assert state(stage, "3").transform.location.x == before
    assert stage.now.vehicle.paused[0] == 1
    tell(stage, "SetPause", "3", enable=False)
    stage.ticks(50)
    assert state(stage, "3").transform.location.x > before


def test_pause_and_ai_are_two_reasons_to_stand(stage):
    tell(stage, "SetAI", "3", enable=False)
    tell(stage, "SetPause", "3", enable=True)
    tell(stage, "SetPause", "3", enable=False)
    before = state(stage, "3").transform.location.x
    stage.ticks(50)
    assert state(stage, "3").transform.location.x == before
    tell(stage, "SetAI", "3", enable=True)
    stage.ticks(50)
    assert state(stage, "3").transform.location.x > before
    assert tell(stage, "SetAI", "4", enable=False).status == 1
    assert "no NPC vehicle" in tell(stage, "SetAI", "Ego", enable=False).description


def test_an_ego_without_physics_stands_where_it_is_put(stage):
    assert tell(stage, "SetPhysics", "Ego", enable=False).status == 1
    assert tell(stage, "SetTransform", "Ego", transform={"location": {"x": 30.0, "z": 5.0}}).status == 1
    stage.ticks(20)
    assert state(stage).transform.location.z == 5.0
    assert tell(stage, "SetPhysics", "Ego", enable=True).status == 1
    stage.ticks(20)
    assert state(stage).transform.location.z == pytest.approx(0.0, abs=0.01)
    assert stage.now.vehicle.control_mode[0] == ControlMode.AUTO
    assert "only ego vehicles" in tell(stage, "SetPhysics", "3", enable=False).description


def test_speeds_are_set_at_once(stage):
    for name, row in (("Ego", 0), ("second", 1)):
        assert tell(stage, "SetVelocity", name, velocity=36.0).status == 1
        assert stage.now.vehicle.velocity_x[row] == pytest.approx(10.0)
    assert tell(stage, "SetVelocity", "3", velocity=18.0).status == 1
    assert stage.now.traffic.speed[0] == pytest.approx(5.0)
    stage.ticks(10)
    assert stage.now.vehicle.x[0] == pytest.approx(21.0, abs=0.1)
    assert tell(stage, "SetVelocity", "4", velocity=3.6).status == 1
    assert stage.now.people.state.desired_speed[0] == pytest.approx(1.0)
    assert tell(stage, "SetVelocity", "a cone", velocity=3.6).status == 1
    assert stage.now.obstacles.state.move_speed[0] == pytest.approx(1.0)
    assert tell(stage, "SetVelocity", "3", velocity=-3.6).status == 0
    assert tell(stage, "SetVelocity", "7", velocity=3.6).status == 0


@pytest.mark.parametrize("name", ["second", "3", "4", "a cone", "7"])
def test_an_actor_is_destroyed(stage, name):
    assert stage.ask("Actor/DestroyActor", id={"value": name}).status == 1
    assert name not in states(stage)
    assert len(states(stage)) == 5
    assert stage.ask("Actor/DestroyActor", id={"value": name}).status == 0


def test_the_ego_stays(stage):
    assert "stays" in stage.ask("Actor/DestroyActor", id={"value": "Ego"}).description
    assert stage.ask("Actor/DestroyAllActors", value="").status == 1
    assert states(stage) == ["Ego"]
    assert stage.now.egos == (EGO,)


def test_all_actors_of_one_client_are_destroyed(stage):
    assert stage.ask("Actor/DestroyAllActors", value="me").status == 1
    assert states(stage) == ["Ego", "3", "7", "a cone"]
    answer = stage.ask("Actor/DestroyAllActors", value="me")
    assert (answer.status, answer.description) == (1, "'me' owns no actors")
