"""New rows, placements and ghosts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from dorosim.world.vehicle.placement import new_vehicle_rows, place, place_ghost
from tests.world.vehicle.rig import Rig


def test_a_new_vehicle_stands_in_auto_mode_and_gear_d_held() -> None:
    state, parameter = new_vehicle_rows([7, 9], ["2015_Kia_K5", "TurtleBot"])
    assert len(state) == len(parameter) == 2
    assert state.id.tolist() == [7, 9]
    assert VEHICLE_MODELS[state.model[1]].name == "TurtleBot"
    assert (state.gear == Gear.D).all()
    assert (state.control_mode == ControlMode.AUTO).all()
    assert (state.control_kind == ControlKind.HOLD).all()
    assert (state.segment == -1).all()
    assert (state.surface_friction == 1.0).all()
    with pytest.raises(InputError):
        new_vehicle_rows([1], ["DeLorean"])


def test_placing_resets_the_dynamics_and_keeps_the_command() -> None:
    rig = Rig(speed=20.0, slope=(0.05, 0.02)).command(ControlKind.PEDALS, target_steer=0.3, target_accelerator=0.5)
    rig.run(2.0)
    place(rig.state, 0, (100.0, -50.0, 3.0), 1.2, 7.0)
    s = rig.state
    fresh = Rig(speed=7.0).state
    place(fresh, 0, (100.0, -50.0, 3.0), 1.2, 7.0)
    for name in ("x", "y", "z", "yaw", "velocity_x", "velocity_y", "angular_velocity", "acceleration", "steer"):
        np.testing.assert_array_equal(getattr(s, name), getattr(fresh, name), err_msg=name)
    assert not s.drive_force.any()
    assert not s.tire_lateral_force.any()
    assert s.target_steer[0] == 0.3
    assert s.control_kind[0] == ControlKind.PEDALS


def test_the_first_tick_after_a_placement_takes_the_ground_without_a_jerk() -> None:
    rig = Rig(speed=10.0, slope=(0.1, 0.05))
    rig.command(ControlKind.VELOCITY, target_velocity=10.0)
    rig.tick()
    s = rig.state
    assert s.pitch[0] == pytest.approx(-math.atan(0.1), abs=1e-3)
    assert not s.angular_velocity[:2].any()
    assert abs(s.acceleration[2, 0]) < 1e-9
    rig.tick()
    assert np.abs(s.angular_velocity).max() < 0.05


def test_a_vehicle_placed_with_speed_goes_on() -> None:
    rig = Rig(speed=-3.0).command(ControlKind.PEDALS)
    rig.run(0.5)
    assert rig.state.x[0] < -1.3


def test_a_ghost_stays_where_it_is_told_to_be() -> None:
    rig = Rig(slope=(0.1, 0.0))
    place_ghost(rig.state, 0, (5.0, 6.0, 7.0), (0.01, -0.02, 2.0), 12.0, 0.1)
    rig.run(1.0)
    s = rig.state
    assert (s.x[0], s.y[0], s.z[0]) == (5.0, 6.0, 7.0)
    assert (s.roll[0], s.pitch[0], s.yaw[0]) == (0.01, -0.02, 2.0)
    assert (s.velocity_x[0], s.steer[0]) == (12.0, 0.1)
    assert s.angular_velocity[2, 0] == s.acceleration[1, 0] == 0.0, "it does not turn"
    assert s.acceleration[0, 0] == 0.0


def test_acceleration_of_a_ghost_is_that_of_the_speeds_it_is_told() -> None:
    """Told every second tick, a speed that rises by 1.5 m/s² shows as about that."""
    rig = Rig()

    def tell(time: float) -> None:
        if round(time * 100) % 2 == 0:
            place_ghost(rig.state, 0, (time, 0.0, 0.0), (0.0, 0.0, 0.0), 1.5 * time, 0.0)

    rig.run(3.0, each=tell)
    assert rig.state.acceleration[0, 0] == pytest.approx(1.5, rel=0.1)


def test_a_ghost_that_is_driven_again_moves_on_from_its_pose() -> None:
    rig = Rig()
    place_ghost(rig.state, 0, (5.0, 6.0, 0.0), (0.0, 0.0, 0.0), 10.0, 0.0)
    rig.run(0.2)
    rig.command(ControlKind.VELOCITY, target_velocity=10.0).run(1.0)
    assert rig.state.x[0] == pytest.approx(15.0, abs=0.2)


def test_a_tick_of_no_duration_changes_nothing() -> None:
    rig = Rig(speed=10.0).command(ControlKind.PEDALS, target_accelerator=1.0)
    rig.run(1.0)
    floats, ints = rig.state.floats.copy(), rig.state.ints.copy()
    rig.tick(dt=0.0)
    rig.tick(substeps=0)
    rig.state.ground_height[:] = 0.0
    np.testing.assert_array_equal(rig.state.floats, floats)
    np.testing.assert_array_equal(rig.state.ints, ints)
