"""The built-in driver on trajectories of up to 30 points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.vehicle.driver import TRAJECTORY_POINTS, TrajectoryTable, drive_trajectories
from dorosim.world.vehicle.mode import ControlKind, Gear
from dorosim.world.vehicle.placement import place
from tests.world.vehicle.rig import TICK, History, Rig


def follow(rig: Rig, points: np.ndarray, seconds: float) -> History:
    """Give the first row a trajectory and drive."""
    table = TrajectoryTable.empty(len(rig.state)).with_trajectory(0, points)
    rig.command(ControlKind.TRAJECTORY)
    rig.state.trajectory_index[:] = 0
    return rig.run(seconds, each=lambda _: drive_trajectories(table, rig.parameter, rig.state))


def path_of(x: np.ndarray, y: np.ndarray, speed: float) -> np.ndarray:
    """Points at one speed on the ground."""
    return np.column_stack((x, y, np.zeros(len(x)), np.full(len(x), speed)))


def test_a_circle_is_followed_within_a_decimetre() -> None:
    radius, speed = 25.0, 6.0
    angle = np.linspace(0.0, 1.9 * math.pi, TRAJECTORY_POINTS)
    rig = Rig()
    points = path_of(radius * np.sin(angle), radius * (1 - np.cos(angle)), speed)
    history = follow(rig, points, 40.0)
    error = np.hypot(history.x, history.y - radius) - radius
    chord = radius * (1 - math.cos(angle[1] / 2))
    assert np.abs(error).max() < chord + 0.1
    assert history.yaw[-1] > 1.7 * math.pi
    assert rig.state.velocity_x[0] == 0.0


def test_an_s_curve_is_followed_within_15_cm_at_40_km_h() -> None:
    x = np.linspace(0.0, 174.0, TRAJECTORY_POINTS)
    y = 5.0 * (1 - np.cos(2 * np.pi * x / 87.0)) / 2
    rig = Rig("2023_Hyundai_Ioniq5", speed=40 / 3.6)
    history = follow(rig, path_of(x, y, 40 / 3.6), 14.0)
    expected = np.interp(history.x, x, y)
    assert np.abs(history.y - expected).max() < 0.15
    assert history.x.max() > 140


@pytest.mark.parametrize("name", ["2016_Hyundai_Ioniq", "2018_Hyundai_ElecCity", "WeGoERP42", "TurtleBot"])
def test_it_stops_at_the_last_point(name: str) -> None:
    rig = Rig(name)
    length = 60.0 if rig.parameter.max_speed[0] > 3 else 3.0
    speed = min(8.0, 0.8 * rig.parameter.max_speed[0])
    follow(rig, path_of(np.linspace(0.0, length, 10), np.zeros(10), speed), 60.0)
    assert rig.state.velocity_x[0] == 0.0
    assert rig.state.x[0] == pytest.approx(length, abs=0.6 if length > 3 else 0.1)


def test_slower_points_ahead_are_met_at_their_speed() -> None:
    points = path_of(np.linspace(0.0, 145.0, 30), np.zeros(30), 15.0)
    points[15:20, 3] = 5.0
    rig = Rig(speed=15.0)
    history = follow(rig, points, 20.0)
    at = np.searchsorted(history.x, points[15, 0])
    assert history.velocity_x[at] == pytest.approx(5.0, abs=0.5)
    assert (np.diff(history.velocity_x) / TICK).min() > -2.0 - 1e-9


def test_points_that_were_passed_do_not_turn_the_vehicle_round() -> None:
    """A trajectory that begins behind the vehicle is joined where the vehicle is."""
    rig = Rig()
    place(rig.state, 0, (30.0, 0.5, 0.0), 0.0)
    history = follow(rig, path_of(np.linspace(0.0, 100.0, 30), np.zeros(30), 6.0), 12.0)
    assert (np.diff(history.x) >= 0).all()
    assert abs(history.y[-1]) < 0.05


def test_a_path_that_crosses_itself_is_followed_in_order() -> None:
    t = np.linspace(0.0, 2 * np.pi, 30)
    rig = Rig(yaw=math.pi / 4)
    history = follow(rig, path_of(40 * np.sin(t), 20 * np.sin(2 * t), 6.0), 45.0)
    assert history.x.max() > 38
    assert history.x.min() < -38


@pytest.mark.parametrize("points", [np.zeros((0, 4)), np.array([[5.0, 0, 0, 3]]), np.array([[2.0, 0, 0, 3]] * 30)])
def test_without_a_way_to_go_it_stands(points: np.ndarray) -> None:
    rig = Rig()
    follow(rig, points, 4.0)
    assert np.isfinite(rig.state.floats).all()
    assert rig.state.velocity_x[0] == 0.0


def test_duplicate_points_do_no_harm() -> None:
    x = np.repeat(np.linspace(0.0, 60.0, 10), 3)
    rig = Rig()
    follow(rig, path_of(x, np.zeros(30), 6.0), 30.0)
    assert rig.state.x[0] == pytest.approx(60.0, abs=0.6)


def test_a_trajectory_behind_is_reached_by_turning_round() -> None:
    rig = Rig()
    history = follow(rig, path_of(np.linspace(-20.0, -80.0, 30), np.zeros(30), 5.0), 40.0)
    assert np.isfinite(history.x).all()
    assert history.x[-1] == pytest.approx(-80.0, abs=1.0)


def test_points_beyond_thirty_and_those_that_are_not_finite_are_left_out() -> None:
    given = np.arange(160.0).reshape(40, 4)
    given[3, 1] = np.nan
    table = TrajectoryTable.empty(2).with_trajectory(1, given)
    assert table.counts.tolist() == [0, TRAJECTORY_POINTS]
    assert table.points[1, 3, 0] == given[4, 0]
    assert not table.points.flags.writeable
    assert len(table.append(TrajectoryTable.empty(3)).counts) == 5


def test_other_rows_are_left_alone() -> None:
    rig = Rig(["2016_Hyundai_Ioniq"] * 2)
    rig.command(ControlKind.VELOCITY, target_velocity=5.0, target_steer=0.1)
    before = rig.state.floats.copy()
    table = TrajectoryTable.empty(2).with_trajectory(0, path_of(np.linspace(0, 50, 9), np.zeros(9), 3.0))
    drive_trajectories(table, rig.parameter, rig.state)
    np.testing.assert_array_equal(rig.state.floats, before)


def test_it_drives_in_forward_gears_only() -> None:
    rig = Rig()
    rig.state.gear[:] = Gear.N
    follow(rig, path_of(np.linspace(0.0, 60.0, 10), np.zeros(10), 6.0), 3.0)
    assert rig.state.x[0] == 0.0
