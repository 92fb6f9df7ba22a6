"""Ground vehicles under their own messages (65 and 66) and under commands made for cars."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.vehicle.mode import ControlKind, Gear, SteerType
from tests.world.vehicle.rig import GROUND_VEHICLES, TICK, Rig

NAMES = [model.name for model in GROUND_VEHICLES]


def direct(rig: Rig, steer_type: SteerType, **columns: object) -> Rig:
    """Hold a GROUND_DIRECT command."""
    rig.state.axle_steer[:] = 0.0
    for axle, angle in enumerate(np.atleast_1d(columns.pop("axles", []))):
        rig.state.axle_steer[axle] = angle
    return rig.command(ControlKind.GROUND_DIRECT, steer_type=steer_type, **columns)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("steer_type", [SteerType.SKID, SteerType.ACKERMANN])
def test_throttle_drives_straight_at_its_share_of_the_top_speed(name: str, steer_type: SteerType) -> None:
    rig = direct(Rig(name, yaw=0.5), steer_type, throttle=0.5, skid_steering=0.0)
    rig.run(25.0)
    s = rig.state
    assert s.velocity_x[0] == pytest.approx(0.5 * rig.parameter.max_speed[0], rel=1e-3)
    assert s.angular_velocity[2, 0] == 0.0
    assert s.y[0] == pytest.approx(math.tan(0.5) * s.x[0], rel=1e-9)
    direct(rig, steer_type, throttle=-1.0).run(40.0)
    assert s.velocity_x[0] == pytest.approx(-rig.parameter.max_reverse_speed[0], rel=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_stopping_is_exact(name: str) -> None:
    rig = direct(Rig(name, slope=(0.1, 0.0)), SteerType.SKID, throttle=0.4, skid_steering=0.2)
    rig.run(10.0)
    rig.command(ControlKind.HOLD).run(10.0)
    pose = rig.state.floats[:6].copy()
    rig.run(10.0)
    np.testing.assert_array_equal(rig.state.floats[:6], pose)
    assert not rig.state.velocity_x.any()


@pytest.mark.parametrize("name", ["Clearpath_Husky_A200", "WeGoScout-Mini", "TurtleBot"])
def test_skid_steering_turns_by_the_difference_of_the_sides(name: str) -> None:
    """Left positive: with throttle 0.5 and 0.25 the sides run at 0.25 and 0.75 of the top speed."""
    rig = direct(Rig(name), SteerType.SKID, throttle=0.5, skid_steering=0.25)
    rig.run(5.0)
    s, p = rig.state, rig.parameter
    top = p.max_speed[0]
    assert s.velocity_x[0] == pytest.approx(0.5 * top, rel=1e-3)
    expected = min(0.5 * top / p.slip_track[0], p.max_yaw_rate[0])
    assert s.angular_velocity[2, 0] == pytest.approx(expected, rel=1e-3)
    assert s.acceleration[1, 0] == pytest.approx(s.velocity_x[0] * expected, rel=1e-2)


def test_full_throttle_and_full_skid_keep_the_ratio_of_the_sides() -> None:
    rig = direct(Rig("Clearpath_Husky_A200"), SteerType.SKID, throttle=1.0, skid_steering=1.0)
    rig.run(5.0)
    assert rig.state.velocity_x[0] == pytest.approx(0.5, rel=1e-3)


@pytest.mark.parametrize("name", ["Clearpath_Husky_A200", "TurtleBot", "SPMT"])
@pytest.mark.parametrize("throttle", [1.0, -0.5])
def test_zero_turn_turns_on_the_spot(name: str, throttle: float) -> None:
    rig = direct(Rig(name), SteerType.ZERO_TURN, throttle=throttle)
    history = rig.run(8.0)
    assert history.angular_velocity[-1, 2] == pytest.approx(throttle * rig.parameter.max_yaw_rate[0], rel=1e-3)
    assert np.abs(history.x).max() < 1e-9
    assert np.abs(history.y).max() < 1e-9


@pytest.mark.parametrize("name", ["WeGoERP42", "2018_HyundaiRotem_K808"])
def test_what_cannot_turn_on_the_spot_stands_still(name: str) -> None:
    rig = direct(Rig(name), SteerType.ZERO_TURN, throttle=1.0)
    rig.run(5.0)
    assert rig.state.yaw[0] == 0.0


def test_ackermann_with_two_axles_has_the_textbook_radius() -> None:
    rig = direct(Rig("WeGoERP42"), SteerType.ACKERMANN, throttle=0.3, axles=0.3)
    rig.run(8.0)
    s = rig.state
    assert s.velocity_x[0] / s.angular_velocity[2, 0] == pytest.approx(1.04 / math.tan(0.3), rel=1e-3)
    assert s.steer[0] == pytest.approx(0.3)


def test_many_axles_that_point_to_one_centre_turn_about_it() -> None:
    """Six lines with tan(delta_i) = x_i / R turn about (0, R) exactly, without any line slipping."""
    radius = 12.0
    position = [1.4 * (5 - line) for line in range(6)]
    rig = direct(Rig("SPMT"), SteerType.ACKERMANN, throttle=1.0, axles=[math.atan(x / radius) for x in position])
    rig.run(10.0)
    history = rig.run(60.0)
    distance = np.hypot(history.x - history.x.mean(), history.y - history.y.mean())
    s = rig.state
    assert s.velocity_x[0] / s.angular_velocity[2, 0] == pytest.approx(radius, rel=1e-3)
    assert s.velocity_y[0] == pytest.approx(0.0, abs=1e-12)
    assert distance.max() < 2.2 * radius


def test_all_axles_at_one_angle_make_a_crab() -> None:
    angle = 0.4
    rig = direct(Rig("SPMT"), SteerType.ACKERMANN, throttle=1.0, axles=[angle] * 6)
    rig.run(15.0)
    s = rig.state
    assert s.angular_velocity[2, 0] == pytest.approx(0.0, abs=1e-12)
    assert math.atan2(s.velocity_y[0], s.velocity_x[0]) == pytest.approx(angle)
    assert math.hypot(s.velocity_x[0], s.velocity_y[0]) == pytest.approx(rig.parameter.max_speed[0], rel=1e-3)


def test_fixed_rear_axles_are_met_in_the_middle() -> None:
    """An 8x8 with two steered axles turns about a point between its fixed rear axles: least squares."""
    rig = direct(Rig("2018_HyundaiRotem_K808"), SteerType.ACKERMANN, throttle=0.1, axles=[0.30, 0.22, 0.5, 0.5])
    rig.run(20.0)
    s = rig.state
    x = np.array([4.45, 3.15, 1.35, 0.0])
    slope, intercept = np.polyfit(x, np.tan([0.30, 0.22, 0.0, 0.0]), 1)
    assert s.angular_velocity[2, 0] / s.velocity_x[0] == pytest.approx(slope, rel=1e-3)
    assert s.velocity_y[0] / s.velocity_x[0] == pytest.approx(intercept, rel=1e-3)
    pole = -intercept / slope
    assert 0.0 < pole < 1.35


def test_steering_all_axles_turns_tighter_than_the_front_two() -> None:
    angles = [0.4, 0.3, -0.3, -0.4]
    front, every = Rig("2018_HyundaiRotem_K808"), Rig("2018_HyundaiRotem_K808_AllSteer")
    turns = []
    for rig in (front, every):
        direct(rig, SteerType.ACKERMANN, throttle=0.1, axles=angles).run(20.0)
        turns.append(rig.state.angular_velocity[2, 0] / rig.state.velocity_x[0])
    assert turns[1] > 1.5 * turns[0]


@pytest.mark.parametrize("name", NAMES)
def test_state_command_is_followed_as_far_as_the_vehicle_can(name: str) -> None:
    rig = Rig(name)
    top = rig.parameter.max_speed[0]
    rig.command(ControlKind.GROUND_STATE, target_velocity=0.4 * top, target_yaw_rate=0.02).run(20.0)
    assert rig.state.velocity_x[0] == pytest.approx(0.4 * top, rel=1e-3)
    assert rig.state.angular_velocity[2, 0] == pytest.approx(0.02, rel=0.01)
    rig.command(ControlKind.GROUND_STATE, target_velocity=-99.0, target_yaw_rate=-99.0).run(20.0)
    assert rig.state.velocity_x[0] == pytest.approx(-rig.parameter.max_reverse_speed[0], rel=1e-3)
    assert -3.1 <= rig.state.angular_velocity[2, 0] < 0.0


def test_acceleration_of_a_robot_is_limited() -> None:
    rig = direct(Rig("WeGoScout-Mini", drive_lag=0.0), SteerType.SKID, throttle=1.0)
    history = rig.run(2.0)
    assert np.diff(history.velocity_x).max() / TICK == pytest.approx(3.0)


@pytest.mark.parametrize("name", NAMES)
def test_commands_made_for_cars_drive_robots_too(name: str) -> None:
    rig = Rig(name)
    top = rig.parameter.max_speed[0]
    steer = 0.1 if rig.parameter.axle_count[0] > 2 or rig.parameter.max_steer[0] > 0 else 0.3
    rig.command(ControlKind.VELOCITY, target_velocity=0.5 * top, target_steer=steer).run(25.0)
    assert rig.state.velocity_x[0] == pytest.approx(0.5 * top, rel=0.01)
    assert rig.state.angular_velocity[2, 0] > 0
    rig.state.gear[:] = Gear.R
    rig.command(ControlKind.PEDALS, target_accelerator=1.0).run(40.0)
    assert rig.state.velocity_x[0] == pytest.approx(-rig.parameter.max_reverse_speed[0], rel=0.01)
    rig.command(ControlKind.PEDALS, target_brake=1.0).run(20.0)
    assert rig.state.velocity_x[0] == 0.0


def test_a_car_obeys_ground_vehicle_commands_as_far_as_it_can() -> None:
    rig = Rig(["2016_Hyundai_Ioniq"] * 4)
    rig.state.axle_steer[0] = 0.2
    rig.command(
        ControlKind.GROUND_DIRECT,
        steer_type=(SteerType.ACKERMANN, SteerType.SKID, SteerType.ZERO_TURN, SteerType.ACKERMANN),
        throttle=(0.3, 0.3, 1.0, -0.3),
        skid_steering=0.5,
    )
    rig.run(4.0)
    s = rig.state
    assert s.velocity_x[0] > 3.0
    assert s.steer[0] == pytest.approx(0.2)
    assert s.steer[1] == pytest.approx(0.5 * math.radians(36.25))
    assert s.velocity_x[2] == 0.0
    assert s.velocity_x[3] < -2.5
    rig.command(ControlKind.GROUND_STATE, target_velocity=(4.0, -4.0, 4.0, 0.0), target_yaw_rate=(0.3, 0.3, -0.3, 0.0))
    rig.run(15.0)
    np.testing.assert_allclose(s.velocity_x, [4.0, -4.0, 4.0, 0.0], atol=0.02)
    np.testing.assert_allclose(s.angular_velocity[2], [0.3, 0.3, -0.3, 0.0], atol=0.01)


def test_a_held_transporter_brakes_on_its_curve() -> None:
    """Its axles keep their angles while it stops."""
    rig = direct(Rig("WeGoERP42"), SteerType.ACKERMANN, throttle=0.5, axles=0.2)
    rig.run(5.0)
    history = rig.command(ControlKind.HOLD).run(3.0)
    moving = np.abs(history.velocity_x) > 0.05
    curvature = history.angular_velocity[moving, 2] / history.velocity_x[moving]
    np.testing.assert_allclose(curvature, math.tan(0.2) / 1.04, rtol=1e-9)
    assert history.velocity_x[-1] == 0.0
