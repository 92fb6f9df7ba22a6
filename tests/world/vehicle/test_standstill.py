"""Standing still is exact, and a vehicle moves off only when something moves it."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.physics import GRAVITY
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.world.vehicle.rig import ROAD_VEHICLES, Rig

HELD = {
    "hold": (ControlKind.HOLD, Gear.D, {}),
    "brake": (ControlKind.PEDALS, Gear.D, {"target_brake": 0.5, "target_steer": 0.4}),
    "brake in neutral": (ControlKind.PEDALS, Gear.N, {"target_brake": 0.5}),
    "park": (ControlKind.PEDALS, Gear.P, {"target_accelerator": 1.0}),
    "speed zero": (ControlKind.VELOCITY, Gear.D, {"target_velocity": 0.0}),
    "speed zero in reverse": (ControlKind.VELOCITY, Gear.R, {"target_velocity": 0.0}),
    "no acceleration": (ControlKind.ACCELERATION, Gear.D, {"target_acceleration": 0.0}),
    "park under speed control": (ControlKind.VELOCITY, Gear.P, {"target_velocity": 5.0}),
}


@pytest.mark.parametrize("held", HELD)
def test_a_held_vehicle_does_not_move_by_one_bit_on_a_slope(held: str) -> None:
    kind, gear, columns = HELD[held]
    rig = Rig([model.name for model in ROAD_VEHICLES], yaw=0.7, slope=(0.12, -0.05))
    rig.state.gear[:] = gear
    rig.command(kind, **columns).run(1.0)
    pose = {name: getattr(rig.state, name).copy() for name in ("x", "y", "z", "roll", "pitch", "yaw")}
    for _ in range(10_000):
        rig.tick()
    for name, value in pose.items():
        np.testing.assert_array_equal(getattr(rig.state, name), value, err_msg=name)
    for name in ("velocity_x", "velocity_y", "velocity_z", "angular_velocity", "acceleration"):
        assert not getattr(rig.state, name).any(), name


def test_rolling_resistance_holds_a_released_vehicle_on_the_flat_and_on_a_gentle_slope() -> None:
    rig = Rig(slope=(0.008, 0.0)).command(ControlKind.ROLL)
    rig.run(20.0)
    assert rig.state.x[0] == 0.0


@pytest.mark.parametrize("gear", [Gear.N, Gear.D, Gear.R])
def test_a_released_vehicle_rolls_down_a_slope(gear: Gear) -> None:
    rig = Rig(slope=(0.05, 0.0), creep_force=0.0)
    rig.state.gear[:] = gear
    history = rig.command(ControlKind.PEDALS).run(3.0)
    expected = -(0.05 / np.hypot(1, 0.05) - 0.0085 / np.hypot(1, 0.05)) * GRAVITY
    assert history.acceleration[5, 0] == pytest.approx(expected, rel=0.02 if gear == Gear.N else 0.1)
    assert history.velocity_x[-1] < -0.8


@pytest.mark.parametrize("brake", [0.1, 0.3, 1.0])
def test_stopping_ends_at_zero_without_a_change_of_sign(brake: float) -> None:
    rig = Rig(speed=8.0, slope=(0.03, 0.0)).command(ControlKind.PEDALS, target_brake=brake, target_steer=0.3)
    speed = rig.run(14.0).velocity_x
    assert (speed >= 0.0).all()
    assert (np.diff(speed) <= 0.0).all()
    assert speed[-1] == 0.0


def test_stopping_way_counts_the_last_part_of_a_tick() -> None:
    still = {"rolling_resistance": 0.0, "engine_brake": 0.0, "drag_area": 0.0, "creep_force": 0.0}
    rig = Rig(speed=1.0, brake_force=1445 * 1.7, **still)
    rig.command(ControlKind.PEDALS, target_brake=1.0).run(1.0)
    assert rig.state.x[0] == pytest.approx(1.0 / (2 * 1.7), rel=1e-12)


def test_parking_gear_slips_where_its_tires_slip() -> None:
    """Half of the load is on the locked wheels: on ice of 0.1 they hold 5 % and not 10 % of slope."""
    rig = Rig(slope=(0.10, 0.0), rolling_resistance=0.0)
    rig.state.gear[:] = Gear.P
    rig.state.surface_friction[:] = 0.1 / 0.95
    rig.command(ControlKind.PEDALS).run(1.0)
    assert rig.state.velocity_x[0] < -0.3


def test_moving_off_uphill_does_not_roll_back() -> None:
    rig = Rig(slope=(0.15, 0.0)).command(ControlKind.VELOCITY, target_velocity=0.0)
    rig.run(1.0)
    history = rig.command(ControlKind.VELOCITY, target_velocity=5.0).run(3.0)
    assert (history.velocity_x >= 0.0).all()
    assert history.velocity_x[-1] > 2.0


def test_tires_report_nothing_at_rest_and_hold_on_a_side_slope() -> None:
    flat, side = Rig().command(ControlKind.HOLD), Rig(slope=(0.0, 0.1)).command(ControlKind.HOLD)
    flat.run(1.0)
    side.run(1.0)
    for name in ("tire_lateral_force", "tire_slip_angle", "tire_cornering_stiffness"):
        assert not getattr(flat.state, name).any(), name
    weight = side.parameter.mass[0] * GRAVITY
    assert side.state.tire_lateral_force[:, 0].sum() == pytest.approx(weight * 0.1 / np.hypot(1, 0.1))
    assert not side.state.tire_slip_angle.any()
