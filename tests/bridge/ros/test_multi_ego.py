"""Placing several ego vehicles over ROS."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.control_mode import CTRL_MODES
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import CreateVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlMode, Gear, TurnLamp
from tests.bridge.ros.stage import RosStage

CAR = "2016_Hyundai_Ioniq"


def egos(generation: str = "2024") -> RosStage:
    stage = RosStage(generation=generation, egos=((CAR, (0.0, 30.0, 0.0), 0.0),))
    stage.apply(CreateVehicle(model=CAR, position=(0.0, 60.0, 0.0)))
    return stage


@pytest.fixture
def stage() -> RosStage:
    return egos()


def setting(count: int = 2, **more) -> dict:
    """Entry n: ego n, at (100 + n, 200 + n), heading 90 degrees, n times 36 km/h."""
    numbers = np.arange(1, count + 1)
    values = {
        "number_of_ego_vehicle": count,
        "ego_index": numbers.astype(np.int32),
        "global_position_x": 100.0 + numbers,
        "global_position_y": 200.0 + numbers,
        "global_position_z": np.zeros(count),
        **{name: np.zeros(count, np.float32) for name in ("global_roll", "global_pitch")},
        "global_yaw": np.full(count, 90.0, np.float32),
        "velocity": (36.0 * numbers).astype(np.float32),
        "gear": np.full(count, 4, np.int8),
        "ctrl_mode": np.full(count, 16, np.int8),
    }
    return {**values, **more}


def test_ego_vehicles_are_placed_in_degrees_and_kmh(stage):
    assert stage.send("multi_ego", **setting(camera_index=2)) == []
    vehicle = stage.now.vehicle
    assert (vehicle.x.tolist(), vehicle.y.tolist()) == ([101.0, 102.0], [201.0, 202.0])
    assert np.degrees(vehicle.yaw).tolist() == pytest.approx([90.0, 90.0])
    assert vehicle.velocity_x.tolist() == pytest.approx([10.0, 20.0])
    assert vehicle.gear.tolist() == [Gear.D, Gear.D]
    assert stage.now.camera == stage.now.egos[1]


def test_roll_and_pitch_are_in_degrees_and_camera_index_0_is_the_first_one(stage):
    lean = {"global_roll": np.array([5.0, 0.0], np.float32), "global_pitch": np.array([-3.0, 0.0], np.float32)}
    assert stage.send("multi_ego", **setting(camera_index=2, **lean)) == []
    vehicle = stage.now.vehicle
    assert np.degrees(vehicle.roll).tolist() == pytest.approx([5.0, 0.0])
    assert np.degrees(vehicle.pitch).tolist() == pytest.approx([-3.0, 0.0])
    assert stage.send("multi_ego", **setting(1, camera_index=0)) == []
    assert stage.now.camera == EGO


def test_only_as_many_entries_count_as_the_number_says(stage):
    assert stage.send("multi_ego", **setting(number_of_ego_vehicle=1)) == []
    assert stage.now.vehicle.x.tolist() == [101.0, 0.0]


def test_a_client_that_counts_from_0_means_the_first_one(stage):
    fields = setting(1, ego_index=np.zeros(1, np.int32), gear=np.array([2], np.int8))
    assert stage.send("multi_ego", **fields) == []
    assert (stage.now.vehicle.x[0], stage.now.vehicle.gear[0]) == (101.0, Gear.R)


@pytest.mark.parametrize("code", CTRL_MODES)
def test_who_drives_is_told_by_code(stage, code):
    stage.apply(SelectMode(EGO, ControlMode.KEYBOARD))
    assert stage.send("multi_ego", **setting(1, ctrl_mode=np.array([code], np.int8))) == []
    expected = ControlMode.KEYBOARD if code in (0, 1) else ControlMode.CRUISE if code in (4, 6) else ControlMode.AUTO
    assert stage.now.vehicle.control_mode[0] == expected


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"ego_index": np.array([1, 3], np.int32)}, "no ego vehicle 3, they count from 1 to 2"),
        ({"ego_index": np.array([1, -1], np.int32)}, "no ego vehicle -1"),
        ({"gear": np.array([4, 9], np.int8)}, "gear 9"),
        ({"ctrl_mode": np.array([16, 5], np.int8)}, "ctrl_mode 5"),
        ({"camera_index": 3}, "camera_index 3"),
        ({"camera_index": -1}, "camera_index -1"),
        ({"number_of_ego_vehicle": 3}, "ego_index has 2 entries, number_of_ego_vehicle is 3"),
        ({"number_of_ego_vehicle": 21}, "number_of_ego_vehicle: 21 is outside 0 to 20"),
        ({"number_of_ego_vehicle": -1}, "number_of_ego_vehicle: -1"),
        ({"global_yaw": np.zeros(1, np.float32)}, "global_yaw has 1 entries"),
        ({"velocity": np.array([1.0, math.inf], np.float32)}, "MultiEgoSetting.velocity[1]: is inf"),
        ({"global_position_y": np.array([1.0, 1e7])}, "MultiEgoSetting.global_position_y[1]"),
    ],
)
def test_one_wrong_value_places_nobody(stage, wrong, reason):
    before = stage.now
    (told,) = stage.send("multi_ego", **setting(**wrong))
    assert reason in told
    assert stage.now is before


def newest(**more) -> RosStage:
    stage = egos("26.r1")
    assert stage.send("multi_ego", **setting(**more)) == []
    return stage


def test_the_newest_generation_turns_wheels_and_switches_lamps():
    stage = newest(
        steering_angle=np.array([10.0, -5.0], np.float32),
        turn_signal=np.array([1, 3], np.uint32),
        vehicle_speed=np.array([7.0, 7.0], np.float32),
        brake_light=np.array([True, False]),
    )
    vehicle = stage.now.vehicle
    assert np.degrees(vehicle.target_steer).tolist() == pytest.approx([10.0, -5.0])
    assert vehicle.turn_lamp.tolist() == [TurnLamp.LEFT, TurnLamp.OFF]
    assert vehicle.emergency_lamp.tolist() == [0, 1]
    assert vehicle.velocity_x.tolist() == pytest.approx([10.0, 20.0])


def test_lists_of_the_newest_generation_may_be_empty():
    stage = newest()
    assert stage.now.vehicle.turn_lamp.tolist() == [0, 0]
    (told,) = stage.send("multi_ego", **setting(turn_signal=np.array([1], np.uint32)))
    assert "turn_signal has 1 entries" in told
    (told,) = stage.send("multi_ego", **setting(turn_signal=np.array([1, 4], np.uint32)))
    assert "turn_signal 4" in told


def test_wheels_of_who_is_not_driven_from_outside_are_left_to_him():
    stage = newest(ctrl_mode=np.array([1, 6], np.int8), steering_angle=np.array([10.0, 10.0], np.float32))
    assert stage.now.vehicle.target_steer.tolist() == [0.0, 0.0]
