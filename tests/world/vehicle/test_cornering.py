"""Handling against textbook formulas: understeer gradient, characteristic speed, limits, symmetry, low speed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.physics import GRAVITY
from dorosim.world.vehicle.mode import ControlKind, Gear, TireLaw
from dorosim.world.vehicle.single_track_kernel import KINEMATIC_SPEED
from tests.world.vehicle.rig import ROAD_VEHICLES, TICK, Rig

ROAD_NAMES = [model.name for model in ROAD_VEHICLES]


def understeer_gradient(rig: Rig) -> np.ndarray:
    """K = W_f / C_f - W_r / C_r [rad per g] (Gillespie, equation 6-15); stiffness is proportional to load here."""
    p = rig.parameter
    return 1 / p.front_cornering_coefficient - 1 / p.rear_cornering_coefficient


@pytest.mark.parametrize("law", TireLaw)
def test_steady_turn_needs_the_angle_of_the_understeer_gradient(law: TireLaw) -> None:
    """Delta = L / R + K a_y / g while tyres are linear."""
    speeds = [8.0, 15.0, 22.0]
    rig = Rig(["2016_Hyundai_Ioniq"] * 3, speed=speeds, tire_law=law, rolling_resistance=0.0, drag_area=0.0)
    rig.command(ControlKind.VELOCITY, target_velocity=speeds, target_steer=0.004)
    rig.run(8.0)
    turn, speed = rig.state.angular_velocity[2], rig.state.velocity_x
    expected = rig.parameter.wheelbase * turn / speed + understeer_gradient(rig) * speed * turn / GRAVITY
    np.testing.assert_allclose(expected, 0.004, rtol=0.01)


def test_yaw_gain_is_largest_at_the_characteristic_speed() -> None:
    """V_char = sqrt(g L / K); there the yaw rate per angle is half of the neutral car's (Gillespie, 6-19)."""
    rig = Rig("2016_Hyundai_Ioniq", drag_area=0.0, max_speed=90.0)
    characteristic = math.sqrt(GRAVITY * 2.7 / understeer_gradient(rig)[0])
    speeds = np.array([0.8, 1.0, 1.25]) * characteristic
    rig = Rig(["2016_Hyundai_Ioniq"] * 3, speed=speeds, tire_law=TireLaw.LINEAR, drag_area=0.0, max_speed=90.0)
    rig.command(ControlKind.VELOCITY, target_velocity=speeds, target_steer=0.001).run(8.0)
    gain = rig.state.angular_velocity[2] / 0.001
    assert 25 < characteristic < 45
    assert gain.argmax() == 1
    np.testing.assert_allclose(gain[1], 0.5 * characteristic / 2.7, rtol=0.01)


def test_lateral_acceleration_ends_at_friction() -> None:
    rig = Rig(speed=28.0, drive_force=0.0, engine_brake=0.0)
    history = rig.command(ControlKind.PEDALS, target_steer=0.3).run(3.0)
    assert 0.9 * 0.95 * GRAVITY < history.acceleration[:, 1].max() < 1.02 * 0.95 * GRAVITY


def test_friction_of_the_surface_counts() -> None:
    rig = Rig(["2015_Kia_K5"] * 2, speed=20.0).command(ControlKind.PEDALS, target_steer=0.2)
    rig.state.surface_friction[:] = (1.0, 0.2)
    history = rig.run(2.0)
    ratio = history.acceleration[:, 1].max(axis=0)
    assert ratio[1] == pytest.approx(0.2 * 0.95 * GRAVITY, rel=0.05)
    assert ratio[0] > 4 * ratio[1]


@pytest.mark.parametrize("name", ROAD_NAMES)
def test_every_vehicle_is_understeering_and_stable_at_its_top_speed(name: str) -> None:
    top = Rig(name).parameter.max_speed[0]
    rig = Rig(name, speed=0.95 * top)
    assert understeer_gradient(rig)[0] > 0
    rig.command(ControlKind.VELOCITY, target_velocity=0.95 * top, target_steer=0.01).run(0.3)
    rig.command(ControlKind.VELOCITY, target_velocity=0.95 * top, target_steer=0.0).run(6.0)
    assert abs(rig.state.angular_velocity[2, 0]) < 1e-3
    assert abs(rig.state.velocity_y[0]) < 1e-2


@pytest.mark.parametrize("name", ROAD_NAMES)
def test_runge_kutta_is_stable_from_the_kinematic_speed_on(name: str) -> None:
    """The eigenvalues of the linear single track at the lowest dynamic speed lie inside |lambda dt| < 2.78."""
    p = Rig(name).parameter
    m, inertia, a, b = p.mass[0], p.yaw_inertia[0], p.front_distance[0], p.rear_distance[0]
    front = p.front_cornering_coefficient[0] * m * GRAVITY * b / (a + b)
    rear = p.rear_cornering_coefficient[0] * m * GRAVITY * a / (a + b)
    v = KINEMATIC_SPEED
    matrix = np.array(
        [
            [-(front + rear) / (m * v), -v - (a * front - b * rear) / (m * v)],
            [-(a * front - b * rear) / (inertia * v), -(a * a * front + b * b * rear) / (inertia * v)],
        ]
    )
    assert np.abs(np.linalg.eigvals(matrix)).max() * TICK < 2.0


def test_low_and_high_speed_regime_agree_at_low_lateral_acceleration() -> None:
    """The rear axle's circle has the radius L / tan(delta) in both; at 3.5 m/s tyres add less than 1 %."""
    speeds = [0.5, 1.4, 2.0, 2.9, 3.5]
    rig = Rig(["2015_Kia_K5"] * 5, speed=speeds)
    rig.command(ControlKind.VELOCITY, target_velocity=speeds, target_steer=0.1).run(6.0)
    radius = rig.state.velocity_x / rig.state.angular_velocity[2]
    ideal = 2.795 / math.tan(0.1)
    np.testing.assert_allclose(radius[:2], ideal, rtol=1e-9)
    np.testing.assert_allclose(radius, ideal, rtol=0.015)


def test_passing_the_blend_is_smooth() -> None:
    """Speeding up through the regimes on a circle, no acceleration jumps by more than the tyres' own dynamics."""
    rig = Rig(speed=0.5).command(ControlKind.VELOCITY, target_velocity=0.5, target_steer=0.3)
    rig.run(2.0)
    history = rig.command(ControlKind.VELOCITY, target_velocity=5.0, target_steer=0.3).run(6.0)
    assert np.abs(np.diff(history.acceleration[:, 1])).max() < 0.05
    assert np.abs(np.diff(history.angular_velocity[:, 2])).max() < 0.01


@pytest.mark.parametrize("name", ["2016_Hyundai_Ioniq", "2022_Genesis_G90", "2018_Hyundai_ElecCity"])
def test_left_and_right_mirror_exactly(name: str) -> None:
    """Every lateral quantity changes sign and nothing else changes, bit for bit in the motion, from rest to sliding."""
    rig = Rig([name, name], slope=(0.03, 0.0))

    def drive(time: float) -> None:
        steer = 0.25 * math.sin(0.9 * time) + (0.3 if time > 8 else 0.0)
        rear = 0.05 * math.sin(2.0 * time)
        rig.command(
            ControlKind.PEDALS,
            target_accelerator=0.8 if time < 9 else 0.0,
            target_brake=0.0 if time < 11 else 1.0,
            target_steer=(steer, -steer),
            target_rear_steer=(rear, -rear),
        )

    rig.run(15.0, each=drive)
    s = rig.state
    for name in ("x", "z", "pitch", "velocity_x", "drive_force"):
        assert getattr(s, name)[0] == getattr(s, name)[1], name
    for name in ("y", "yaw", "roll", "velocity_y", "steer"):
        assert getattr(s, name)[0] == -getattr(s, name)[1], name
    np.testing.assert_allclose(s.tire_lateral_force[:, 0], -s.tire_lateral_force[[1, 0, 3, 2], 1], rtol=1e-12)
    np.testing.assert_array_equal(s.acceleration[:, 0] * [1, -1, 1], s.acceleration[:, 1])


def test_reversing_turns_to_the_steered_side() -> None:
    """Backwards with wheels to the left the tail goes left: yaw falls, and the circle is that of forward driving."""
    rig = Rig()
    rig.state.gear[:] = Gear.R
    rig.command(ControlKind.VELOCITY, target_velocity=4.0, target_steer=0.2).run(12.0)
    assert rig.state.velocity_x[0] == pytest.approx(-4.0, abs=0.02)
    assert rig.state.velocity_x[0] / rig.state.angular_velocity[2, 0] == pytest.approx(2.7 / math.tan(0.2), rel=0.03)
    assert rig.state.acceleration[1, 0] > 0


def test_rear_wheels_steer() -> None:
    """Equal angles make a crab, opposite ones a tighter circle; a vehicle without rear steering ignores them."""
    angle = math.radians(3.0)
    rig = Rig(["2022_Genesis_G90"] * 2 + ["2016_Hyundai_Ioniq"], speed=1.0)
    rig.command(ControlKind.VELOCITY, target_velocity=1.0, target_steer=angle)
    rig.command(ControlKind.VELOCITY, target_rear_steer=(angle, -angle, angle)).run(3.0)
    s = rig.state
    assert s.angular_velocity[2, 0] == pytest.approx(0.0, abs=1e-12)
    assert math.atan2(s.velocity_y[0], s.velocity_x[0]) == pytest.approx(angle)
    assert s.velocity_x[1] / s.angular_velocity[2, 1] == pytest.approx(3.18 / (2 * math.tan(angle)))
    assert s.rear_steer[2] == 0.0


def test_steering_turns_at_its_rate_and_stops_at_its_limit() -> None:
    rig = Rig()
    history = rig.command(ControlKind.PEDALS, target_steer=3.0).run(2.0)
    np.testing.assert_allclose(np.diff(history.steer)[:30], 2.0 * TICK, rtol=1e-9)
    assert history.steer[-1] == pytest.approx(math.radians(36.25), abs=1e-15)


def test_sub_steps_make_finer_ticks() -> None:
    """Four sub-steps of a tick are four ticks of a quarter."""
    coarse = Rig(speed=15.0).command(ControlKind.PEDALS, target_steer=0.1, target_accelerator=0.5)
    fine = Rig(speed=15.0).command(ControlKind.PEDALS, target_steer=0.1, target_accelerator=0.5)
    coarse.run(2.0, dt=TICK / 4, substeps=4)
    fine.run(2.0, dt=TICK / 4)
    for name in ("x", "y", "yaw", "velocity_x", "velocity_y"):
        assert getattr(coarse.state, name)[0] == pytest.approx(getattr(fine.state, name)[0], rel=1e-12), name
