"""With the linear tyre law the vehicle is the single-track model of commonroad-vehicle-models.

The oracle is `vehicle_dynamics_st` of that package, integrated in steps of 1 ms: same parameters, same steering
velocity and longitudinal acceleration. Ours is stepped at 100 Hz.
"""

from __future__ import annotations

import numpy as np
import pytest
from vehiclemodels.vehicle_dynamics_st import vehicle_dynamics_st
from vehiclemodels.vehicle_parameters import setup_vehicle_parameters

from dorosim.world.vehicle.mode import ControlKind, TireLaw
from tests.world.vehicle.rig import Rig

MANOEUVRES = {
    "step steer": (15.0, [(0.3, 0.2, 0.0), (2.7, 0.0, 0.0)]),
    "double lane change": (
        20.0,
        [(0.2, 0.2, 0.0), (0.4, -0.2, 0.0), (0.4, 0.2, 0.0), (0.2, -0.2, 0.0), (1.0, 0.0, 0.0)],
    ),
    "braking in a curve": (25.0, [(0.3, 0.1, 0.0), (1.5, 0.0, -4.0), (0.5, -0.05, -1.0)]),
    "accelerating out of a curve": (6.0, [(0.5, 0.3, 1.0), (1.5, -0.05, 3.0), (1.0, -0.1, 1.0)]),
    "slow full lock": (4.0, [(1.5, 0.35, 0.0), (1.0, -0.35, 0.2)]),
}
"""Start speed [m/s] and pieces: duration [s], steering velocity [rad/s], acceleration [m/s²]."""


def commonroad_run(
    vehicle: int, speed: float, pieces: list[tuple[float, float, float]], dt: float = 1e-3
) -> np.ndarray:
    """The final state (x, y, steer, speed, yaw, yaw rate, slip angle) of the centre of gravity."""
    p = setup_vehicle_parameters(vehicle)
    state = np.array([0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0])
    for duration, steer_rate, acceleration in pieces:
        u, count = (steer_rate, acceleration), round(duration / dt)
        for _ in range(count):
            k1 = np.array(vehicle_dynamics_st(state, u, p))
            k2 = np.array(vehicle_dynamics_st(state + dt / 2 * k1, u, p))
            k3 = np.array(vehicle_dynamics_st(state + dt / 2 * k2, u, p))
            k4 = np.array(vehicle_dynamics_st(state + dt * k3, u, p))
            state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return state


def our_run(vehicle: int, speed: float, pieces: list[tuple[float, float, float]], dt: float) -> np.ndarray:
    """The same of a vehicle of ours with the same parameters."""
    p = setup_vehicle_parameters(vehicle)
    rig = Rig(
        speed=speed,
        tire_law=TireLaw.LINEAR,
        mass=p.m,
        yaw_inertia=p.I_z,
        front_distance=p.a,
        rear_distance=p.b,
        wheelbase=p.a + p.b,
        cg_height=p.h_s,
        front_cornering_coefficient=-p.tire.p_ky1,
        rear_cornering_coefficient=-p.tire.p_ky1,
        friction=p.tire.p_dy1,
        max_steer=p.steering.max,
        drive_force=1e6,
        drive_power=1e9,
        brake_force=1e6,
        drive_lag=0.0,
        drag_area=0.0,
        rolling_resistance=0.0,
        drive_front_share=0.5,
    )
    rig.state.x[0] = -p.b
    for duration, steer_rate, acceleration in pieces:
        rig.change("steer_rate", abs(steer_rate))
        rig.command(ControlKind.ACCELERATION, target_acceleration=acceleration, target_steer=np.sign(steer_rate) * 9)
        rig.run(duration, dt)
    s = rig.state
    yaw, turn = s.yaw[0], s.angular_velocity[2, 0]
    vx, vy = s.velocity_x[0], s.velocity_y[0] + p.b * turn
    x, y = s.x[0] + p.b * np.cos(yaw), s.y[0] + p.b * np.sin(yaw)
    return np.array([x, y, s.steer[0], np.hypot(vx, vy), yaw, turn, np.arctan2(vy, vx)])


@pytest.mark.parametrize("vehicle", [1, 2, 3])
@pytest.mark.parametrize("name", MANOEUVRES)
def test_equals_commonroad_single_track(name: str, vehicle: int) -> None:
    """After seconds of driving, position within 0.1 micrometre, angles and rates within 1e-7."""
    speed, pieces = MANOEUVRES[name]
    expected = commonroad_run(vehicle, speed, pieces)
    np.testing.assert_allclose(our_run(vehicle, speed, pieces, 0.01), expected, rtol=0, atol=1e-7)


def test_error_falls_with_the_fourth_power_of_the_step() -> None:
    speed, pieces = MANOEUVRES["braking in a curve"]
    expected = commonroad_run(2, speed, pieces, 2.5e-4)
    steps = (0.05, 0.025, 0.0125)
    errors = [np.linalg.norm(our_run(2, speed, pieces, dt) - expected) for dt in steps]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert (orders > 3.6).all(), orders
