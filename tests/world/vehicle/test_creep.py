"""A vehicle in gear with released pedals creeps, if its transmission does so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.vehicle.mode import ControlKind, Gear
from dorosim.world.vehicle.model import CREEP, RoadVehicle, Transmission
from tests.world.vehicle.rig import GROUND_VEHICLES, ROAD_VEHICLES, Rig

CREEPING = [model for model in ROAD_VEHICLES if model.transmission in CREEP]
OTHERS = [model for model in ROAD_VEHICLES if model.transmission not in CREEP]
TWO_DEGREES = math.tan(math.radians(2.0))


def rig_of(models: list[RoadVehicle], **more: object) -> Rig:
    return Rig([model.name for model in models], **more)


def test_every_road_vehicle_says_what_transmission_it_has() -> None:
    assert all(model.transmission is not Transmission.NONE for model in ROAD_VEHICLES)
    assert CREEPING
    assert OTHERS


@pytest.mark.parametrize("gear", [Gear.D, Gear.M, Gear.L, Gear.R])
def test_automatics_creep_on_the_flat_at_a_walking_pace_in_gear(gear: Gear) -> None:
    rig = rig_of(CREEPING)
    rig.state.gear[:] = gear
    rig.command(ControlKind.PEDALS).run(20.0)
    along = -rig.state.velocity_x if gear is Gear.R else rig.state.velocity_x
    assert ((along > 1.5) & (along < 2.5)).all()


def test_a_fast_one_slows_down_to_the_same_speed() -> None:
    slow, fast = rig_of(CREEPING), rig_of(CREEPING, speed=5.0)
    slow.command(ControlKind.PEDALS).run(40.0)
    fast.command(ControlKind.PEDALS).run(40.0)
    np.testing.assert_allclose(fast.state.velocity_x, slow.state.velocity_x, atol=0.02)


@pytest.mark.parametrize("gear", [Gear.D, Gear.R])
def test_others_stand_and_so_do_robots(gear: Gear) -> None:
    rig = Rig([model.name for model in [*OTHERS, *GROUND_VEHICLES]])
    rig.state.gear[:] = gear
    rig.command(ControlKind.PEDALS).run(5.0)
    assert not rig.state.velocity_x.any()
    assert not rig.state.x.any()


@pytest.mark.parametrize("gear", [Gear.N, Gear.P])
def test_none_creeps_out_of_gear(gear: Gear) -> None:
    rig = rig_of(CREEPING)
    rig.state.gear[:] = gear
    rig.command(ControlKind.PEDALS).run(5.0)
    assert not rig.state.x.any()


@pytest.mark.parametrize("kind", [ControlKind.HOLD, ControlKind.ROLL])
def test_none_creeps_before_it_is_driven(kind: ControlKind) -> None:
    rig = rig_of(ROAD_VEHICLES).command(kind)
    rig.run(5.0)
    assert not rig.state.x.any()


def test_one_that_rolls_undriven_comes_to_rest() -> None:
    rig = rig_of(CREEPING, speed=2.0).command(ControlKind.ROLL)
    rig.run(60.0)
    assert not rig.state.velocity_x.any()


@pytest.mark.parametrize("before", [ControlKind.HOLD, ControlKind.PEDALS])
def test_a_car_in_d_does_not_roll_backwards_on_two_degrees_when_its_brake_is_released(before: ControlKind) -> None:
    rig = rig_of(CREEPING, slope=(TWO_DEGREES, 0.0)).command(before, target_brake=1.0)
    rig.run(2.0)
    history = rig.command(ControlKind.PEDALS, target_brake=0.0).run(5.0)
    assert (history.velocity_x >= 0.0).all()
    assert (np.diff(history.x, axis=0) >= 0.0).all()


def test_without_creep_it_would() -> None:
    rig = rig_of(CREEPING, slope=(TWO_DEGREES, 0.0), creep_force=0.0).command(ControlKind.PEDALS)
    rig.run(5.0)
    assert (rig.state.velocity_x < -0.5).all()


def test_on_a_steep_slope_it_rolls_backwards_more_slowly_than_without_creep() -> None:
    with_creep, without = (rig_of(CREEPING, slope=(0.15, 0.0), **more) for more in ({}, {"creep_force": 0.0}))
    for rig in (with_creep, without):
        rig.command(ControlKind.PEDALS).run(2.0)
    assert (with_creep.state.velocity_x < 0.0).all()
    assert (with_creep.state.velocity_x > without.state.velocity_x + 0.5).all()


def test_the_brake_stops_it_and_holds_it() -> None:
    rig = rig_of(CREEPING).command(ControlKind.PEDALS)
    rig.run(10.0)
    rig.command(ControlKind.PEDALS, target_brake=0.2).run(3.0)
    stood = rig.state.x.copy()
    rig.run(3.0)
    assert not rig.state.velocity_x.any()
    np.testing.assert_array_equal(rig.state.x, stood)


def test_speed_control_is_as_without_it() -> None:
    with_creep, without = rig_of(CREEPING), rig_of(CREEPING, creep_force=0.0, creep_speed=0.0)
    for rig in (with_creep, without):
        rig.command(ControlKind.VELOCITY, target_velocity=1.0).run(10.0)
        rig.command(ControlKind.VELOCITY, target_velocity=0.0).run(5.0)
    np.testing.assert_array_equal(with_creep.state.floats, without.state.floats)


def test_a_limit_of_the_speed_limits_creep_too() -> None:
    rig = rig_of(CREEPING, max_speed=0.5).command(ControlKind.PEDALS)
    rig.run(10.0)
    assert (rig.state.velocity_x <= 0.5).all()


def test_a_little_accelerator_is_never_slower_than_none() -> None:
    speeds = []
    for accelerator in (0.0, 0.02, 0.05, 0.1, 0.2):
        rig = Rig().command(ControlKind.PEDALS, target_accelerator=accelerator)
        rig.run(3.0)
        speeds.append(float(rig.state.velocity_x[0]))
    assert speeds == sorted(speeds)
