"""Roll, pitch and height follow the ground; rates and accelerations are those of the body origin."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.vehicle.mode import ControlKind
from tests.world.vehicle.rig import TICK, Rig


def body_axes(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Columns are the body's axes in the map: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    cr, sr, cp, sp, cy, sy = (f(a) for a in (roll, pitch, yaw) for f in (math.cos, math.sin))
    rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    return rz @ ry @ rx


@pytest.mark.parametrize("yaw", [0.0, 0.8, 2.5, -1.9])
def test_a_standing_body_lies_in_the_plane_of_the_ground(yaw: float) -> None:
    rig = Rig(yaw=yaw, slope=(0.11, -0.07)).command(ControlKind.HOLD)
    rig.run(0.1)
    axes = body_axes(rig.state.roll[0], rig.state.pitch[0], yaw)
    normal = np.array([-0.11, 0.07, 1.0])
    np.testing.assert_allclose(axes[:, 2], normal / np.linalg.norm(normal), atol=1e-12)
    assert rig.state.z[0] == 0.0


def test_uphill_pitch_is_negative_and_left_side_up_is_positive_roll() -> None:
    rig = Rig(slope=(0.1, 0.05)).command(ControlKind.HOLD)
    rig.run(0.1)
    assert rig.state.pitch[0] == pytest.approx(-math.atan(0.1))
    assert rig.state.roll[0] > 0


def test_way_on_a_slope_is_along_the_slope() -> None:
    """Ten metres on a 20 % slope are 9.8 m on the map, and the height is that of the ground."""
    rig = Rig(speed=5.0, yaw=1.0, slope=(0.2, 0.0))
    rig.command(ControlKind.VELOCITY, target_velocity=5.0)
    history = rig.run(2.0)
    way = np.sqrt(np.diff(history.x) ** 2 + np.diff(history.y) ** 2 + np.diff(0.2 * history.x) ** 2).sum()
    assert way == pytest.approx(np.mean(history.velocity_x) * 2.0, rel=1e-3)
    np.testing.assert_allclose(history.z[1:], 0.2 * history.x[1:], atol=1e-9)


def test_driving_a_circle_on_a_slope_closes() -> None:
    """Roll and pitch trade places on the way around; the circle lies in the plane."""
    rig = Rig(speed=1.0, slope=(0.2, 0.0), rolling_resistance=0.0, drag_area=0.0, max_steer=0.3, steer_rate=99.0)
    rig.command(ControlKind.VELOCITY, target_velocity=1.0, target_steer=0.3)
    rig.run(20.0)
    history = rig.run(2 * math.pi / rig.state.angular_velocity[2, 0])
    assert history.yaw[-1] - history.yaw[0] == pytest.approx(2 * math.pi, abs=0.02)
    assert math.hypot(history.x[-1] - history.x[0], history.y[-1] - history.y[0]) < 0.1
    assert np.ptp(history.y) == pytest.approx(np.ptp(history.x) * math.hypot(1, 0.2), rel=0.01)


def test_position_is_the_integral_of_the_body_velocity() -> None:
    rig = Rig(speed=20.0).command(ControlKind.VELOCITY, target_velocity=20.0, target_steer=0.05)
    h = rig.run(4.0)
    vx = h.velocity_x * np.cos(h.yaw) - h.velocity_y * np.sin(h.yaw)
    vy = h.velocity_x * np.sin(h.yaw) + h.velocity_y * np.cos(h.yaw)
    np.testing.assert_allclose(np.diff(h.x) / TICK, (vx[1:] + vx[:-1]) / 2, atol=2e-3)
    np.testing.assert_allclose(np.diff(h.y) / TICK, (vy[1:] + vy[:-1]) / 2, atol=2e-3)
    np.testing.assert_allclose(
        np.diff(h.yaw) / TICK, (h.angular_velocity[1:, 2] + h.angular_velocity[:-1, 2]) / 2, atol=2e-3
    )


def test_acceleration_is_the_second_derivative_of_the_position() -> None:
    """Seen in the body frame, without gravity: also on a slope its vertical part is zero."""
    rig = Rig(speed=15.0).command(ControlKind.PEDALS, target_accelerator=0.6, target_steer=0.06)
    h = rig.run(3.0)
    ax, ay = np.diff(h.x, 2) / TICK**2, np.diff(h.y, 2) / TICK**2
    yaw = h.yaw[1:-1]
    forward, left = ax * np.cos(yaw) + ay * np.sin(yaw), ay * np.cos(yaw) - ax * np.sin(yaw)
    np.testing.assert_allclose(h.acceleration[1:-1, 0][20:], forward[20:], atol=0.03)
    np.testing.assert_allclose(h.acceleration[1:-1, 1][20:], left[20:], atol=0.06)
    np.testing.assert_allclose(h.acceleration[100:, 2], 0.0, atol=0.05)


def test_steady_turn_pulls_to_its_centre() -> None:
    rig = Rig(speed=15.0).command(ControlKind.VELOCITY, target_velocity=15.0, target_steer=0.05)
    rig.run(6.0)
    s = rig.state
    assert s.acceleration[1, 0] == pytest.approx(s.velocity_x[0] * s.angular_velocity[2, 0], rel=1e-6)
    assert s.tire_lateral_force[:, 0].sum() == pytest.approx(rig.parameter.mass[0] * s.acceleration[1, 0], rel=0.01)


def test_body_leans_out_of_a_turn_and_dives_under_brakes() -> None:
    rig = Rig(speed=20.0).command(ControlKind.VELOCITY, target_velocity=20.0, target_steer=0.05)
    rig.run(4.0)
    assert rig.state.roll[0] == pytest.approx(math.radians(4.5) / 9.81 * rig.state.acceleration[1, 0], rel=1e-3)
    assert rig.state.tire_lateral_force[1, 0] > rig.state.tire_lateral_force[0, 0] > 0
    rig = Rig(speed=20.0).command(ControlKind.PEDALS, target_brake=0.5)
    rig.run(1.0)
    assert rig.state.pitch[0] == pytest.approx(math.radians(2.0) / 9.81 * 5.1, rel=0.1)


def test_velocity_in_the_leaning_body_is_along_the_road() -> None:
    """Turned into the map by roll, pitch and yaw, the velocity has no vertical part on a level road."""
    rig = Rig(speed=20.0).command(ControlKind.PEDALS, target_brake=0.8, target_steer=0.03)
    rig.run(0.8)
    s = rig.state
    velocity = np.array([s.velocity_x[0], s.velocity_y[0], s.velocity_z[0]])
    assert abs(velocity[2]) > 0.1
    assert abs((body_axes(s.roll[0], s.pitch[0], s.yaw[0]) @ velocity)[2]) < 0.01


def test_a_crest_shows_in_the_pitch_rate_and_the_vertical_acceleration() -> None:
    """Over a crest of radius R, q = v / R and a_z = -v² / R."""
    rig = Rig(speed=15.0).command(ControlKind.VELOCITY, target_velocity=15.0)
    radius = 300.0

    def crest(time: float) -> None:
        rig.slope = (-rig.state.x[0] / radius, 0.0)

    rig.run(1.5, each=crest)
    assert rig.state.angular_velocity[1, 0] == pytest.approx(15.0 / radius, rel=0.03)
    assert rig.state.acceleration[2, 0] == pytest.approx(-(15.0**2) / radius, rel=0.03)


def test_slip_and_force_and_stiffness_agree() -> None:
    """Force = -stiffness tan(slip angle) at each wheel, in the linear range and beyond it."""
    for steer in (0.02, 0.3):
        rig = Rig(speed=20.0).command(ControlKind.PEDALS, target_steer=steer)
        rig.run(1.0)
        s = rig.state
        force = -s.tire_cornering_stiffness * np.tan(s.tire_slip_angle)
        np.testing.assert_allclose(s.tire_lateral_force, force, rtol=1e-9)
        assert (s.tire_cornering_stiffness > 0).all()
        assert (s.tire_slip_angle < 0).all()
