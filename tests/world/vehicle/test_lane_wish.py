"""A wish to change lanes in the tick in which a driver begins."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.command import Command
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import PlaceVehicle, SelectMode, WishLane
from dorosim.world.vehicle.cruise_kernel import PLAN_LOST, PLAN_TRACKED
from dorosim.world.vehicle.mode import ControlMode, Gear
from tests.world.world import CAR, World, street

CRUISE = SelectMode(actor=EGO, mode=ControlMode.CRUISE, gear=Gear.D)
BESIDE = (50.0, 0.0, 0.0)
"""On E2, beside E1."""


def after(*commands: Command) -> Snapshot:
    """A tick of a car on E1 in which commands come."""
    world = World(street(), [(CAR, (50.0, -3.5, 0.0), 0.0)])
    return step(world.scene, world.now, commands, world.noise)


def assert_same(one: Snapshot, other: Snapshot) -> None:
    assert np.array_equal(one.traffic.floats, other.traffic.floats)
    assert np.array_equal(one.traffic.ints, other.traffic.ints)
    assert np.array_equal(one.vehicle.floats, other.vehicle.floats)
    assert len(one.route) == len(other.route)


def test_a_wish_that_cannot_be_is_refused_as_the_driver_begins_and_changes_nothing():
    plain = after(CRUISE)
    assert plain.traffic.rows == 1
    refused = after(CRUISE, WishLane(EGO, (50.0, 90.0, 0.0), 0.0, begins=True))
    assert len(refused.refusals) == 1
    assert_same(refused, plain)


def test_a_driver_hears_a_wish_as_it_begins():
    wished = after(CRUISE, WishLane(EGO, BESIDE, 0.0, begins=True))
    assert wished.route.of(int(wished.traffic.route[0])).tolist() == [0, 1], "its way leads over E2"
    assert wished.traffic.id.tolist() == [EGO]


def test_one_that_does_not_begin_it_is_not_heard_then():
    wished = after(CRUISE, WishLane(EGO, BESIDE, 0.0))
    assert not wished.refusals, "as in recordings of before"
    assert_same(wished, after(CRUISE))


@pytest.mark.parametrize("commands", [(), (CRUISE, SelectMode(EGO, ControlMode.AUTO, Gear.D))])
def test_a_vehicle_that_does_not_cruise_gets_no_plan(commands):
    made = after(*commands, WishLane(EGO, BESIDE, 0.0, begins=True))
    assert made.traffic.rows == 0


def test_a_driver_that_has_lost_its_plan_hears_it_with_the_new_one():
    world = World(street(), [(CAR, (50.0, -3.5, 0.0), 0.0)])
    world.do(CRUISE)
    world.do(PlaceVehicle(EGO, (300.0, -3.5, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.D))
    assert world.now.traffic.plan_of_ego.tolist() == [PLAN_LOST]
    world.do(WishLane(EGO, (300.0, 0.0, 0.0), 0.0, begins=True))
    plan = world.now.traffic
    assert plan.plan_of_ego.tolist() == [PLAN_TRACKED]
    assert plan.s[0] > 290.0
    assert world.now.route.of(int(plan.route[0])).tolist() == [0, 1]
