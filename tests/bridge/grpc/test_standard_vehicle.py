"""Vehicles by the Standard API: each field has its effect."""

from __future__ import annotations

import math

import pytest

from dorosim.ground.error import InputError
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.command import SelectMode, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, TurnLamp
from tests.bridge.grpc.stage import FORK, GrpcStage

CAR = "2016_Hyundai_Ioniq"
EGO_INFO = {"id": {"value": "Ego"}, "object_type": "OBJECT_TYPE_VEHICLE"}


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage(FORK, egos=((CAR, (20.0, 0.0, 0.0), 0.0),))


def tell(stage: GrpcStage, name: str, actor: str = "Ego", **fields):
    """Tell something to a vehicle, and expect that it is done."""
    answer = stage.ask(f"Actor/{name}", actor_info={"id": {"value": actor}}, **fields)
    assert answer.status == 1, answer.description
    return answer


def refuse(stage: GrpcStage, name: str, actor: str = "Ego", **fields) -> str:
    """Why something is not done that is told to a vehicle."""
    answer = stage.ask(f"Actor/{name}", actor_info={"id": {"value": actor}}, **fields)
    assert answer.status == 0
    return answer.description


def spawn(stage: GrpcStage, x: float = 60.0, info: dict | None = None, extra: dict | None = None, **fields):
    """The answer to a vehicle that is asked for."""
    transform = {"location": {"x": x}, "rotation": {"z": fields.pop("yaw", 0.0)}}
    spawn_info = {"model_name": CAR, "transform": transform, "actor_info": info or {}, **(extra or {})}
    return stage.ask("Actor/SpawnVehicle", spawn_info=spawn_info, **fields)


def test_a_further_ego_vehicle_is_spawned(stage):
    info = {"id": {"value": "car a"}, "object_type": "OBJECT_TYPE_VEHICLE", "client_key": "me"}
    answer = spawn(stage, 60.0, info, yaw=90.0, velocity=36.0, multi_ego=True, pause=True)
    assert (answer.status, answer.custom_message) == (1, "car a")
    vehicle = stage.now.vehicle
    assert stage.now.egos == (EGO, 2)
    assert vehicle.x[1] == 60.0
    assert vehicle.yaw[1] == pytest.approx(math.pi / 2)
    assert vehicle.velocity_x[1] == pytest.approx(10.0)
    assert vehicle.paused.tolist() == [0, 1]
    assert stage.situation.names.owner_of(2) == "me"


def test_an_npc_vehicle_is_spawned_on_its_lane(stage):
    answer = spawn(stage, 60.0, velocity=18.0, extra={"label": "a friend"})
    assert answer.custom_message == "a friend"
    traffic = stage.now.traffic
    assert traffic.x[0] == pytest.approx(60.0)
    assert traffic.speed[0] == pytest.approx(5.0)
    assert traffic.paused[0] == 0
    paused = spawn(stage, 90.0, pause=True)
    assert paused.custom_message == "3"
    stage.ticks(20)
    assert stage.now.traffic.x[1] == pytest.approx(90.0)
    assert stage.now.traffic.x[0] > 60.5


def test_an_npc_vehicle_is_spawned_away_from_lanes(stage):
    """There it stands, and drives to a lane if it is told to and one is near."""
    far = spawn(stage, 5000.0, yaw=30.0)
    assert far.status == 1, far.description
    stage.ticks(100)
    traffic = stage.now.traffic
    assert (traffic.x[0], traffic.y[0], traffic.yaw[0]) == (5000.0, 0.0, math.radians(30.0))
    assert "no lane within" in refuse(stage, "SetVelocity", far.custom_message, velocity=10.0)
    transform = {"location": {"x": 150.0, "y": -60.0}, "rotation": {"z": 200.0}}
    spawn(stage, extra={"transform": transform}, velocity=10.0)
    stage.ticks(4000)
    assert stage.now.traffic.present[1] == Presence.ON_LANE
    assert stage.now.traffic.present[0] == Presence.PLACED
    parked = spawn(stage, extra={"transform": transform}).custom_message
    tell(stage, "SetVehicleDestination", parked, position={"x": 190.0})
    stage.ticks(4000)
    assert stage.now.traffic.present[2] == Presence.ON_LANE


def test_what_cannot_be_spawned(stage):
    assert "no vehicle is called" in spawn(stage, extra={"model_name": ""}).description
    assert "CreateNamed" not in spawn(stage, extra={"model_name": ""}).description, "the word of nobody outside"
    assert "is taken" in spawn(stage, 21.0).description
    assert "is not that of a vehicle" in spawn(stage, info={"object_type": "OBJECT_TYPE_PEDESTRIAN"}).description
    assert "transform is missing" in stage.ask("Actor/SpawnVehicle", spawn_info={"model_name": CAR}).description


@pytest.mark.parametrize("ego", [False, True])
@pytest.mark.parametrize(
    ("asked", "category"), [("sleigh", "sedan"), ("2021_Volvo_Truck", "truck"), ("2020_Kia_Morning", "hatchback")]
)
def test_a_model_that_is_not_there_has_a_stand_in(stage, asked, category, ego):
    answer = spawn(stage, 60.0, {"id": {"value": "a"}}, extra={"model_name": asked}, multi_ego=ego)
    assert (answer.status, answer.custom_message) == (1, "a")
    table = stage.now.vehicle if ego else stage.now.traffic
    there = stage.scene.models[table.model[-1]]
    assert there.category == category
    sentence = f"there is no vehicle {asked!r}; {there.name!r} stands for it"
    assert answer.description == sentence
    assert stage.around.told == [("stand-in", sentence, ())]


def test_an_id_that_is_taken_gets_another(stage):
    spawn(stage, 60.0, {"id": {"value": "a"}}, multi_ego=True)
    assert spawn(stage, 80.0, {"id": {"value": "a"}}, multi_ego=True).custom_message == "3"


def test_a_number_that_is_the_name_of_another_does_not_hide_who_has_it(stage):
    spawn(stage, 60.0, {"id": {"value": "3"}}, multi_ego=True)
    told = spawn(stage, 80.0, multi_ego=True).custom_message
    assert told == "id 3"
    tell(stage, "SetVehicleGear", "3", gear="GEAR_MODE_N")
    tell(stage, "SetVehicleGear", told, gear="GEAR_MODE_R")
    assert stage.now.vehicle.gear.tolist() == [Gear.D, Gear.N, Gear.R]


def test_absurd_places_are_refused(stage):
    far = {"location": {"x": 1e300, "y": -1e300}}
    assert "not a valid pose" in spawn(stage, 1e300).description
    assert "not a valid pose" in spawn(stage, 1e300, multi_ego=True).description
    assert "not a valid pose" in refuse(stage, "SetTransform", transform=far)
    tell(stage, "SetVehicleEgoCruise", cruise_on=True)
    assert "not a valid place" in refuse(stage, "SetVehicleDestination", position=far["location"])
    assert "ratio" in refuse(stage, "SetVehicleEgoCruise", cruise_on=True, cruise_type=1, link_speed_ratio=2**31 - 1)


@pytest.mark.parametrize(
    ("code", "kind"),
    [(0, ControlKind.PEDALS), (1, ControlKind.PEDALS), (2, ControlKind.VELOCITY), (3, ControlKind.ACCELERATION)],
)
def test_a_vehicle_is_driven(stage, code, kind):
    tell(
        stage,
        "ControlVehicle",
        long_cmd_type=code,
        throttle=0.3,
        brake=0.2,
        steer=-0.1,
        velocity=36.0,
        acceleration=1.5,
        frame=7,
    )
    vehicle = stage.now.vehicle
    assert vehicle.control_kind[0] == kind
    assert (vehicle.target_accelerator[0], vehicle.target_brake[0]) == (0.3, 0.2)
    assert (vehicle.target_steer[0], vehicle.target_acceleration[0]) == (-0.1, 1.5)
    assert vehicle.target_velocity[0] == pytest.approx(10.0)


def test_a_command_in_a_cruise_ends_it_and_drives_in_the_same_tick(stage):
    tell(stage, "SetVehicleEgoCruise", cruise_on=True, cruise_type=1, link_speed_ratio=100)
    stage.ticks(300)
    assert (stage.now.vehicle.control_mode[0], stage.around.told) == (ControlMode.CRUISE, [])
    before, tick = float(stage.now.vehicle.brake[0]), stage.now.tick
    answer = tell(stage, "ControlVehicle", long_cmd_type=1, brake=1.0, steer=0.05)
    vehicle = stage.now.vehicle
    assert stage.now.tick == tick + 1
    assert vehicle.control_mode[0] == ControlMode.AUTO
    assert (vehicle.control_kind[0], vehicle.target_brake[0], vehicle.target_steer[0]) == (
        ControlKind.PEDALS,
        1.0,
        0.05,
    )
    assert stage.tick().vehicle.brake[0] > before, "the tick of the command was one of no duration"
    assert stage.around.told == [("cruise ended", "'Ego' no longer cruises: a client drives it", ())]
    assert answer.description == "'Ego' no longer cruises: a client drives it"
    assert tell(stage, "ControlVehicle", long_cmd_type=1, brake=1.0).description == ""
    assert len(stage.around.told) == 1
    stage.ticks(300)
    assert stage.now.vehicle.velocity_x[0] == 0.0


def test_a_command_that_is_refused_ends_no_cruise(stage):
    tell(stage, "SetVehicleEgoCruise", cruise_on=True, cruise_type=1, link_speed_ratio=100)
    assert "longCmdType 9" in refuse(stage, "ControlVehicle", long_cmd_type=9)
    stage.apply(TakeKeyboard(EGO))
    assert stage.now.vehicle.seized[0] == 1
    stage.ticks(2)
    stage.ask("Actor/ControlVehicle", actor_info={"id": {"value": "Ego"}}, long_cmd_type=1, throttle=1.0)
    assert stage.now.vehicle.target_accelerator[0] == 0.0, "somebody is at the keyboard of the page"
    assert [line for line in stage.around.told if line[0] == "cruise ended"] == []


def test_a_ghost_is_where_it_is_and_tells_what_it_is_told(stage):
    tell(stage, "ControlVehicle", long_cmd_type="LONG_CMD_TYPE_GHOST", velocity=36.0, steer=0.2)
    stage.ticks(5)
    vehicle = stage.now.vehicle
    assert vehicle.control_mode[0] == ControlMode.GHOST
    assert (vehicle.x[0], vehicle.velocity_x[0], vehicle.steer[0]) == (20.0, pytest.approx(10.0), 0.2)


def test_only_ego_vehicles_are_driven(stage):
    npc = spawn(stage).custom_message
    assert "for ego vehicles only" in refuse(stage, "ControlVehicle", npc)
    assert "there is no object 'x'" in refuse(stage, "ControlVehicle", "x")
    assert "no id says" in refuse(stage, "ControlVehicle", "")


def test_type_and_owner_must_be_those_of_the_object(stage):
    spawn(stage, 60.0, {"id": {"value": "a"}, "client_key": "me"}, multi_ego=True)
    wrong = stage.ask("Actor/SetVehicleGear", actor_info={"id": {"value": "a"}, "object_type": "OBJECT_TYPE_OBSTACLE"})
    assert "is a vehicle, not an obstacle" in wrong.description
    wrong = stage.ask("Actor/SetVehicleGear", actor_info={"id": {"value": "a"}, "client_key": "you"})
    assert "belongs to another client" in wrong.description
    assert stage.ask("Actor/SetVehicleGear", actor_info={"id": {"value": "a"}, "client_key": "me"}).status == 1


def test_a_vehicle_is_steered_and_its_pedals_stay(stage):
    tell(stage, "ControlVehicle", long_cmd_type=2, velocity=36.0)
    tell(stage, "SetVehicleSteer", steer=0.3)
    vehicle = stage.now.vehicle
    assert vehicle.target_velocity[0] == pytest.approx(10.0)
    assert vehicle.target_steer[0] == pytest.approx(0.3)


def test_a_vehicle_that_is_held_is_steered_and_stays(stage):
    tell(stage, "SetVehicleSteer", steer=0.3)
    stage.ticks(100)
    assert stage.now.vehicle.steer[0] == pytest.approx(0.3)
    assert stage.now.vehicle.x[0] == pytest.approx(20.0, abs=1e-3)


@pytest.mark.parametrize(
    ("code", "mode", "told"),
    [
        (1, ControlMode.KEYBOARD, 1),
        (2, ControlMode.KEYBOARD, 1),
        (3, ControlMode.AUTO, 3),
        (6, ControlMode.CRUISE, 6),
        (7, ControlMode.AUTO, 3),
    ],
)
def test_control_modes(stage, code, mode, told):
    tell(stage, "SetVehicleControlMode", mode=code)
    assert stage.now.vehicle.control_mode[0] == mode
    assert stage.ask("Actor/GetVehicleControlMode", **EGO_INFO).mode == told


def test_control_modes_that_are_none(stage):
    assert "drive both" in refuse(stage, "SetVehicleControlMode", mode=4)
    assert "is not one of a driver" in refuse(stage, "SetVehicleControlMode", mode=0)
    stage.around.synchronous = True
    assert stage.ask("Actor/GetVehicleControlMode", **EGO_INFO).mode == 7


def test_gear_and_lamps(stage):
    tell(stage, "SetVehicleGear", gear="GEAR_MODE_R")
    assert stage.now.vehicle.gear[0] == Gear.R
    for signal, turn, emergency in ((1, TurnLamp.LEFT, 0), (3, TurnLamp.OFF, 1), (2, TurnLamp.RIGHT, 0), (0, 0, 0)):
        tell(stage, "SetVehicleTailLight", signal=signal)
        assert stage.now.vehicle.turn_lamp[0] == turn
        assert stage.now.vehicle.emergency_lamp[0] == emergency


def test_limits_of_dynamics_and_back(stage):
    own = stage.scene.models[int(stage.now.vehicle.model[0])]
    tell(stage, "SetVehicleDynamicsSteer", max_steer_angle=10.0)
    tell(stage, "SetVehicleDynamicsSpeedLimit", speed_limiter=True, speed_limit=36.0)
    tell(stage, "SetVehicleDynamicsMass", mass=2000.0)
    parameter = stage.now.parameter
    assert parameter.max_steer[0] == pytest.approx(math.radians(10.0))
    assert parameter.max_speed[0] == pytest.approx(10.0)
    assert parameter.mass[0] == 2000.0
    tell(stage, "SetVehicleDynamicsSpeedLimit", speed_limiter=False, speed_limit=36.0)
    assert stage.now.parameter.max_speed[0] == own.max_speed
    tell(stage, "SetVehicleDynamicsSpeedLimit", speed_limiter=True, speed_limit=36.0, reset=True)
    tell(stage, "SetVehicleDynamicsSteer", max_steer_angle=10.0, reset=True)
    tell(stage, "SetVehicleDynamicsMass", mass=2000.0, reset=True)
    parameter = stage.now.parameter
    assert (parameter.max_steer[0], parameter.max_speed[0]) == (own.max_steer, own.max_speed)
    assert parameter.mass[0] == own.mass
    assert "mass" in refuse(stage, "SetVehicleDynamicsMass", mass=0.0)


def test_an_actuator_is_limited_in_value_and_rate(stage):
    limit = {"min_saturation": 0.1, "max_saturation": 0.6, "rising_rate": 0.5, "falling_rate": 2.0}
    tell(stage, "SetVehicleLimiter", limiter_type="VEHICLE_LIMITER_TYPE_ACCEL", **limit)
    tell(stage, "ControlVehicle", long_cmd_type=1, throttle=1.0)
    stage.ticks(50)
    assert stage.now.vehicle.accelerator[0] == pytest.approx(0.25, abs=0.01)
    stage.ticks(150)
    assert stage.now.vehicle.accelerator[0] == pytest.approx(0.6)
    tell(stage, "ControlVehicle", long_cmd_type=1, throttle=0.0)
    stage.ticks(10)
    assert stage.now.vehicle.accelerator[0] == pytest.approx(0.4, abs=0.01)
    stage.ticks(50)
    assert stage.now.vehicle.accelerator[0] == pytest.approx(0.1)
    tell(stage, "SetVehicleLimiter", limiter_type="VEHICLE_LIMITER_TYPE_ACCEL", reset=True)
    stage.ticks(1)
    assert stage.now.vehicle.accelerator[0] == 0.0


def test_brake_and_steering_are_limited_too(stage):
    tell(stage, "SetVehicleLimiter", limiter_type="VEHICLE_LIMITER_TYPE_BREAK", max_saturation=0.3)
    tell(stage, "SetVehicleLimiter", limiter_type=2, min_saturation=-0.05, max_saturation=0.1, rising_rate=0.2)
    tell(stage, "ControlVehicle", long_cmd_type=1, brake=1.0, steer=0.5)
    stage.ticks(10)
    vehicle = stage.now.vehicle
    assert vehicle.brake[0] == pytest.approx(0.3)
    assert vehicle.steer[0] == pytest.approx(0.02, abs=1e-3)
    stage.ticks(100)
    assert stage.now.vehicle.steer[0] == pytest.approx(0.1)
    assert "low <= high" in refuse(stage, "SetVehicleLimiter", min_saturation=0.5, max_saturation=0.2)


@pytest.mark.parametrize(
    ("situation", "column", "most"), [(0, "accelerator", 0.5), (1, "brake", 0.5), (2, "steer", 0.2)]
)
def test_a_disturbance_lasts_its_time(stage, situation, column, most):
    tell(stage, "ControlVehicle", long_cmd_type=1)
    tell(stage, "SetVehicleDisturbance", situation=situation, behavior=1, duration=0.5, magnitude=most)
    stage.ticks(40)
    assert getattr(stage.now.vehicle, column)[0] == pytest.approx(most)
    stage.ticks(80)
    assert getattr(stage.now.vehicle, column)[0] == pytest.approx(0.0, abs=1e-6)


def test_a_hand_brake_brakes_and_a_disturbance_is_ended(stage):
    tell(stage, "ControlVehicle", long_cmd_type=1)
    tell(stage, "SetVehicleDisturbance", situation=3, behavior=1, duration=60.0, magnitude=1.0)
    stage.ticks(2)
    assert stage.now.vehicle.brake[0] == pytest.approx(0.4)
    tell(stage, "SetVehicleDisturbance", situation=3, behavior=0)
    stage.ticks(2)
    assert stage.now.vehicle.brake[0] == 0.0
    assert "duration: 0 to 3600 s" in refuse(stage, "SetVehicleDisturbance", behavior=1, duration=-1.0)


def test_cruise_route_destination_and_offset(stage):
    links = [{"id": {"value": "A"}}, {"id": {"value": "C"}, "waypoint_idx": 1}]
    assert "NOT_EGO_CRUISE_MODE" in refuse(stage, "SetVehicleRoute", links=links)
    tell(stage, "SetVehicleEgoCruise", cruise_on=True, cruise_type=1, link_speed_ratio=70)
    assert stage.now.vehicle.cruise_ratio[0] == pytest.approx(0.7)
    tell(stage, "SetVehicleEgoCruise", cruise_on=True, cruise_type=2, constant_velocity=36.0)
    assert stage.now.vehicle.cruise_speed[0] == pytest.approx(10.0)
    tell(stage, "SetVehicleRoute", links=links, decision_range=7.0)
    goal = stage.now.goal
    assert goal.way.of(0).tolist() == [0, 2]
    assert goal.table.reach[0] == 7.0
    assert 0.1 < goal.table.y[0] < 1.0
    tell(stage, "SetVehicleDestination", position={"x": 150.0}, decision_range=9.0)
    goal = stage.now.goal
    assert (goal.way.of(0).tolist(), goal.table.reach[0]) == ([0, 1], 9.0)
    assert goal.table.x[0] == pytest.approx(150.0)
    assert "NULL_EXCEPTION" in refuse(stage, "SetVehicleDestination")
    tell(stage, "SetVehiclePathOffset", value=-30.0, lat_bias_mode=1)
    assert stage.now.vehicle.cruise_bias[0] == pytest.approx(-0.3)
    tell(stage, "SetVehiclePathOffset", value=-30.0, lat_bias_mode=2)
    assert stage.now.vehicle.cruise_bias[0] != pytest.approx(-0.3)
    tell(stage, "SetVehicleEgoCruise", cruise_on=False)
    assert stage.now.vehicle.control_mode[0] == ControlMode.AUTO


def test_an_npc_vehicle_gets_a_route_and_an_offset_too(stage):
    npc = spawn(stage, 60.0).custom_message
    tell(stage, "SetVehicleRoute", npc, links=[{"id": {"value": "A"}}, {"id": {"value": "C"}}])
    tell(stage, "SetVehiclePathOffset", npc, value=50.0, lat_bias_mode=1)
    assert stage.now.traffic.lateral_bias[0] == pytest.approx(0.5)
    stage.ticks(1500)
    assert stage.now.traffic.y[0] > 5.0


def test_measures_of_a_vehicle(stage):
    tell(stage, "SetVehicleDynamicsSteer", max_steer_angle=20.0)
    spec = stage.ask("Actor/GetVehicleSpec", **EGO_INFO)
    assert stage.ask("Actor/GetVehicleSpec", **EGO_INFO) is spec, "once a tick"
    own = stage.scene.models[int(stage.now.vehicle.model[0])]
    assert (spec.length, spec.width, spec.height) == pytest.approx((own.length, own.width, own.height))
    assert (spec.wheel_base, spec.front_overhang) == pytest.approx((own.wheelbase, own.front_overhang))
    assert spec.rear_overhang == pytest.approx(own.rear_overhang)
    assert spec.max_steering_angle == pytest.approx(20.0)
    assert 0.2 < spec.wheel_radius < 0.6
    assert spec.sub_category == 1
    assert (spec.dynamics_level[0].level, spec.dynamics_level[0].npc) == (1, "along lanes")
    tell(stage, "SetVehicleDynamicsSteer", max_steer_angle=25.0)
    assert stage.ask("Actor/GetVehicleSpec", **EGO_INFO).max_steering_angle == pytest.approx(25.0)
    with pytest.raises(InputError, match="there is no object"):
        stage.ask("Actor/GetVehicleSpec", id={"value": "x"})


def test_what_has_no_meaning_here_says_so(stage):
    assert stage.ask("Actor/GetOptionName", **EGO_INFO).value == CAR
    assert not stage.ask("Actor/GetVehicleNetworkSetting", **EGO_INFO).items
    assert "settings" in refuse(stage, "SetVehicleNetwork", enabled=True)


def test_a_vehicle_in_another_mode_is_not_steered(stage):
    stage.apply(SelectMode(EGO, ControlMode.CRUISE))
    assert "cruise mode" in refuse(stage, "SetVehicleSteer", steer=0.1)
