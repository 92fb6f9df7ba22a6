"""Driving and placing vehicles over ROS: each field's effect in the world, with the units and signs of the facts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import PlaceNpcGhost
from dorosim.world.vehicle.command import SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, SteerType, TurnLamp
from tests.bridge.ros.stage import ROWS, RosStage

CAR = "2016_Hyundai_Ioniq"
ROBOT, ALL_STEER = "WeGoScout-Mini", "2018_HyundaiRotem_K808_AllSteer"


@pytest.fixture
def stage() -> RosStage:
    return RosStage(egos=((CAR, (10.0, 0.0, 0.0), 0.0),))


def held(stage, name: str) -> float:
    return float(getattr(stage.now.vehicle, name)[0])


def test_pedals_and_steering_hold_until_the_next_command(stage):
    assert stage.send("ctrl_cmd", longlCmdType=1, accel=0.25, brake=0.125, steering=0.1, velocity=99.0) == []
    assert held(stage, "control_kind") == ControlKind.PEDALS
    assert (held(stage, "target_accelerator"), held(stage, "target_brake")) == (0.25, 0.125)
    assert held(stage, "target_steer") == 0.1
    assert (held(stage, "gear"), held(stage, "control_mode")) == (Gear.D, ControlMode.AUTO)
    stage.send("ctrl_cmd", longlCmdType=1, accel=0.5, steering=0.1)
    stage.ticks(200)
    assert held(stage, "velocity_x") > 0.5
    assert held(stage, "yaw") > 0.01, "left is positive"


def test_clients_that_leave_the_type_0_mean_pedals(stage):
    assert stage.send("ctrl_cmd", accel=0.5) == []
    assert (held(stage, "control_kind"), held(stage, "target_accelerator")) == (ControlKind.PEDALS, 0.5)


def test_a_speed_is_reached_as_fast_as_the_vehicle_can_where_the_settings_say_so(stage):
    ways = {}
    for by_ability in (False, True):
        stage.form = replace(stage.form, by_ability=by_ability)
        stage.send("ctrl_cmd", longlCmdType=2, velocity=0.0)
        stage.ticks(3000)
        assert held(stage, "velocity_x") == 0.0
        stage.send("ctrl_cmd", longlCmdType=2, velocity=36.0)
        stage.ticks(200)
        ways[by_ability] = held(stage, "velocity_x")
    assert ways[False] == pytest.approx(1.8, abs=0.25), "1 m/s², after the lag of the vehicle"
    assert ways[True] > 2.0 * ways[False]


def test_velocity_is_in_kmh_and_acceleration_in_metres_per_second_squared(stage):
    assert stage.send("ctrl_cmd", longlCmdType=2, velocity=18.0) == []
    assert (held(stage, "control_kind"), held(stage, "target_velocity")) == (ControlKind.VELOCITY, 5.0)
    stage.ticks(1500)
    assert held(stage, "velocity_x") == pytest.approx(5.0, abs=0.1)
    assert stage.send("ctrl_cmd", longlCmdType=3, acceleration=-1.5) == []
    assert (held(stage, "control_kind"), held(stage, "target_acceleration")) == (ControlKind.ACCELERATION, -1.5)
    stage.ticks(100)
    assert 3.3 < held(stage, "velocity_x") < 4.2


def test_the_newest_generation_steers_the_rear_wheels_too():
    stage = RosStage(generation="26.r1", egos=((CAR, (10.0, 0.0, 0.0), 0.0),))
    assert stage.send("ctrl_cmd", longlCmdType=1, front_steer=0.2, rear_steer=-0.05) == []
    assert (held(stage, "target_steer"), held(stage, "target_rear_steer")) == (0.2, -0.05)


@pytest.mark.parametrize(("code", "reason"), [(4, "longlCmdType 4"), (-1, "longlCmdType -1")])
def test_unknown_types_of_control_are_refused(stage, code, reason):
    before = stage.now
    (told,) = stage.send("ctrl_cmd", longlCmdType=code, accel=1.0)
    assert reason in told
    assert stage.now is before, "nothing is asked of the world"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["accel", "brake", "steering", "velocity", "acceleration"])
def test_numbers_that_are_none_are_refused_with_the_name_of_the_field(stage, field, value):
    before = stage.now
    (told,) = stage.send("ctrl_cmd", **{field: value})
    assert f"CtrlCmd.{field}" in told
    assert "finite" in told
    assert stage.now is before


def test_what_is_a_little_out_of_range_is_clamped_as_on_udp_and_told(stage):
    assert stage.send("ctrl_cmd", accel=1.5, brake=-0.1, steering=9.0) == []
    assert (held(stage, "target_accelerator"), held(stage, "target_brake")) == (1.0, 0.0)
    assert held(stage, "target_steer") == pytest.approx(math.pi / 2)
    (notice,) = stage.notices
    assert notice.kind == "clamped"
    assert notice.lines == ("CtrlCmd: accel", "CtrlCmd: brake", "CtrlCmd: steering")


def test_a_command_counts_only_in_auto_mode(stage):
    stage.apply(SelectMode(EGO, ControlMode.KEYBOARD))
    (told,) = stage.send("ctrl_cmd", accel=1.0)
    assert "keyboard" in told


def test_a_robot_takes_a_twist():
    stage = RosStage(egos=((ROBOT, (10.0, 0.0, 0.0), 0.0),))
    twist = stage.make("geometry_msgs/Twist", linear=stage.vector(0.5, 9.0, 9.0), angular=stage.vector(9.0, 9.0, 0.3))
    assert stage.send("robot_cmd", twist) == []
    assert held(stage, "control_kind") == ControlKind.GROUND_STATE
    assert (held(stage, "target_velocity"), held(stage, "target_yaw_rate")) == (0.5, 0.3)
    stage.ticks(200)
    assert held(stage, "velocity_x") == pytest.approx(0.5, abs=0.05)
    assert held(stage, "yaw") == pytest.approx(0.6, abs=0.15), "left is positive"


def test_fractions_of_a_ground_vehicle_count_to_the_right(stage):
    most = float(stage.now.parameter.max_steer[0])
    shares = np.zeros(10, np.float32)
    shares[0] = 0.5
    assert stage.send("gv_direct_cmd", steerType=2, throttle=0.75, steerAngle=shares) == []
    assert held(stage, "steer_type") == SteerType.ACKERMANN
    assert held(stage, "throttle") == 0.75
    assert stage.now.vehicle.axle_steer[0, 0] == pytest.approx(-0.5 * most)
    assert stage.send("gv_direct_cmd", steerType=1, throttle=0.5, skidSteering=0.25) == []
    assert (held(stage, "throttle"), held(stage, "skid_steering")) == (0.5, -0.25)
    assert stage.send("gv_direct_cmd", steerType=3, throttle=0.5) == []
    assert held(stage, "throttle") == -0.5


def test_the_brake_takes_its_share_of_the_throttle(stage):
    assert stage.send("gv_direct_cmd", steerType=1, throttle=0.5, skidSteering=0.5, brake=0.5) == []
    assert (held(stage, "throttle"), held(stage, "skid_steering")) == (0.25, -0.25)
    assert stage.send("gv_direct_cmd", steerType=2, throttle=1.0, brake=1.0) == []
    assert held(stage, "throttle") == 0.0


@pytest.mark.parametrize("code", [4, -1])
def test_unknown_ways_to_steer_are_refused(stage, code):
    assert f"steerType {code}" in stage.send("gv_direct_cmd", steerType=code, throttle=1.0)[0]
    assert "steerType 0" in stage.send("gv_direct_cmd", throttle=1.0)[0]
    assert f"latCtrlType {code}" in stage.send("gv_state_cmd", latCtrlType=code)[0]


@pytest.mark.parametrize("code", [0, 1])
def test_a_target_state_is_in_si_and_turns_left(stage, code):
    angles = np.full(10, 0.3, np.float32)
    fields = {"targetLongitudinalVelocity": 2.5, "targetAngularVelocity": 0.25, "targetSteerAngle": angles}
    assert stage.send("gv_state_cmd", latCtrlType=code, **fields) == []
    assert held(stage, "control_kind") == ControlKind.GROUND_STATE
    assert (held(stage, "target_velocity"), held(stage, "target_yaw_rate")) == (2.5, 0.25)


def test_a_target_state_with_wheel_angles_steers_each_axle():
    stage = RosStage(egos=((ALL_STEER, (10.0, 0.0, 0.0), 0.0),))
    angles = np.zeros(10, np.float32)
    angles[:2] = 0.2, -0.1
    fastest = float(stage.now.parameter.max_speed[0])
    assert stage.send("gv_state_cmd", latCtrlType=2, targetLongitudinalVelocity=1.0, targetSteerAngle=angles) == []
    assert held(stage, "throttle") == pytest.approx(1.0 / fastest)
    assert stage.now.vehicle.axle_steer[:3, 0].tolist() == pytest.approx([0.2, -0.1, 0.0])
    stage.ticks(400)
    assert held(stage, "velocity_x") == pytest.approx(1.0, abs=0.1)
    assert held(stage, "yaw") > 0.05, "left is positive"


def test_a_car_takes_a_target_state_with_wheel_angles_too(stage):
    angles = np.zeros(10, np.float32)
    angles[0] = 0.125
    assert stage.send("gv_state_cmd", latCtrlType=2, targetLongitudinalVelocity=3.0, targetSteerAngle=angles) == []
    assert (held(stage, "control_kind"), held(stage, "target_velocity")) == (ControlKind.VELOCITY, 3.0)
    assert held(stage, "target_steer") == 0.125


def test_the_ego_vehicle_is_put_where_a_ghost_message_says(stage):
    place, turn = stage.vector(30.0, 2.0, 1.5), stage.vector(1.0, 2.0, 90.0)
    assert stage.send("ghost_cmd", position=place, rotation=turn, velocity=36.0, steering_angle=10.0) == []
    vehicle = stage.now.vehicle
    assert (vehicle.x[0], vehicle.y[0], vehicle.z[0]) == (30.0, 2.0, 1.5)
    angles = [math.degrees(float(part[0])) for part in (vehicle.roll, vehicle.pitch, vehicle.yaw)]
    assert angles == pytest.approx([1.0, 2.0, 90.0])
    status = stage.told("ego")
    assert (status.velocity.x, status.wheel_angle) == pytest.approx((10.0, 10.0))
    assert held(stage, "control_mode") == ControlMode.GHOST


def test_a_place_that_is_on_no_map_is_refused(stage):
    (told,) = stage.send("ghost_cmd", position=stage.vector(2e6, 0.0, 0.0))
    assert "GhostMessage.position.x" in told
    (told,) = stage.send("ghost_cmd", rotation=stage.vector(0.0, 0.0, 1e9))
    assert "GhostMessage.rotation.z" in told


def ghost(stage, number: int, x: float, **more):
    usual = {"name": "2015_Kia_K5", "position": stage.vector(x, 3.0, 0.5), "rpy": stage.vector(0.0, 0.0, 45.0)}
    return stage.make("NpcGhostInfo", unique_id=number, **usual | more)


def test_users_are_told_once_of_a_ghost_whose_model_another_one_stands_for(stage):
    for x in (60.0, 61.0):
        assert stage.send("npc_ghost", npc_list=[ghost(stage, 8, x, name="sleigh")]) == []
    (notice,) = stage.notices
    assert "'2015_Kia_K5' stands for it" in notice.text


def test_npc_vehicles_are_placed_by_the_numbers_of_their_sender(stage):
    assert stage.send("npc_ghost", npc_list=[ghost(stage, 700, 40.0), ghost(stage, -3, 50.0)]) == []
    table = stage.now.ghost
    assert (table.alias.tolist(), table.x.tolist(), table.z.tolist()) == ([700, -3], [40.0, 50.0], [0.5, 0.5])
    assert np.degrees(table.yaw).tolist() == pytest.approx([45.0, 45.0])
    assert {one.name for one in stage.told("objects").npc_list} == {"2015_Kia_K5"}
    assert stage.send("npc_ghost", npc_list=[ghost(stage, 700, 41.0)]) == []
    assert stage.now.ghost.x.tolist() == [41.0, 50.0], "who is not told of stays"


def test_the_newest_generation_tells_how_a_placed_vehicle_moves():
    stage = RosStage(generation="26.r1", egos=((CAR, (10.0, 0.0, 0.0), 0.0),))
    told = {"vehicle_speed": 36.0, "steering_angle": 10.0, "rpy": stage.vector(0.0, 0.0, 0.0)}
    assert stage.send("npc_ghost", npc_list=[ghost(stage, 1, 40.0, **told)]) == []
    (one,) = stage.told("objects").npc_list
    assert (one.velocity.x, one.velocity.y) == (pytest.approx(36.0), pytest.approx(0.0)), "km/h"
    wheelbase = stage.scene.models[int(stage.now.ghost.model[0])].wheelbase
    assert float(stage.now.ghost.yaw_rate[0]) == pytest.approx(10.0 * math.tan(math.radians(10.0)) / wheelbase)
    stage.ticks(10)
    assert stage.send("npc_ghost", npc_list=[ghost(stage, 1, 40.5, rpy=told["rpy"])]) == []
    assert stage.told("objects").npc_list[0].velocity.x == pytest.approx(18.0), "else as from place to place"


def test_a_motion_that_is_none_is_refused_by_the_world(stage):
    place = ("2015_Kia_K5", (40.0, 3.0, 0.0), (0.0, 0.0, 0.0))
    for motion in ((400.0, 0.0), (math.nan, 0.0), (1.0, 1.5), (1.0, math.nan)):
        stage.tick(PlaceNpcGhost(1, *place, *motion), paused=True)
        assert len(stage.now.refusals) == 1
        assert not stage.now.ghost.rows


@pytest.mark.parametrize(("key", "fields"), [("gv_direct_cmd", {"steerType": 2}), ("gv_state_cmd", {"latCtrlType": 2})])
def test_wheel_angles_of_a_wrong_number_are_refused(stage, key, fields):
    """As JSON could bring them; bytes have ten."""
    row = ROWS[key]
    name = "steerAngle" if key == "gv_direct_cmd" else "targetSteerAngle"
    (answer,) = row.meaning(stage.registry.make(row.type, **fields, **{name: [0.1] * 3}), stage.situation)
    assert answer.reason == f"{name} has 3 entries, not 10"


def test_one_wrong_entry_refuses_the_whole_list(stage):
    for wrong, place in (
        (ghost(stage, 0, 1.0), "unique_id 0"),
        (ghost(stage, 5, math.nan), "NpcGhostCmd.npc_list[1].position.x"),
        (ghost(stage, 5, 1e7), "NpcGhostCmd.npc_list[1].position.x"),
    ):
        (told,) = stage.send("npc_ghost", npc_list=[ghost(stage, 4, 40.0), wrong])
        assert place in told
        assert not stage.now.ghost.rows


def test_endless_lists_are_refused(stage):
    (told,) = stage.send("npc_ghost", npc_list=[ghost(stage, 4, 40.0)] * 2001)
    assert "2,001 entries" in told


@pytest.mark.parametrize(
    ("code", "lamp"), [(0, TurnLamp.OFF), (1, TurnLamp.LEFT), (2, TurnLamp.RIGHT), (3, TurnLamp.RIGHT)]
)
def test_lamps_are_switched_or_left(stage, code, lamp):
    stage.send("lamps", turnSignal=2)
    assert stage.send("lamps", turnSignal=code, emergencySignal=code % 2) == []
    assert (held(stage, "turn_lamp"), held(stage, "emergency_lamp")) == (lamp, code % 2)


def test_unknown_lamps_change_nothing(stage):
    assert "turnSignal 4" in stage.send("lamps", turnSignal=4, emergencySignal=1)[0]
    assert "emergencySignal 2" in stage.send("lamps", turnSignal=1, emergencySignal=2)[0]
    assert (held(stage, "turn_lamp"), held(stage, "emergency_lamp")) == (0, 0)
