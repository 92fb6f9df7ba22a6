"""Somebody at the keyboard of the live page, and others who want to drive the same vehicle."""

from __future__ import annotations

import math

import pytest

from dorosim.world.actor.command import PlaceActor
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import (
    DriveByKeyboard,
    DriveVehicle,
    FollowTrajectory,
    LeaveKeyboard,
    PlaceGhost,
    PlaceVehicle,
    SelectMode,
    TakeKeyboard,
)
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.world.world import CAR, World, street

HERE = (0.0, 60.0, 0.0)


def level(speed: float = 0.0, model: str = CAR) -> World:
    """A vehicle on wide level ground that heads east."""
    world = World(street(10.0), [(model, HERE, 0.0)])
    if speed:
        world.do(PlaceVehicle(EGO, HERE, (0.0, 0.0, 0.0), speed, Gear.D))
    return world


def mode_of(world: World) -> ControlMode:
    return ControlMode(int(world.now.vehicle.control_mode[0]))


def test_keys_drive_a_vehicle_that_the_keyboard_has_taken_over():
    world = level()
    world.do(TakeKeyboard(EGO))
    world.run(0.5)
    assert mode_of(world) is ControlMode.KEYBOARD
    assert world.now.vehicle.brake[0] == 1.0, "who was held is held until a key is pressed"
    world.do(DriveByKeyboard(EGO, accelerator=1.0, steer=0.1))
    vehicle = world.run(2.0).vehicle
    assert vehicle.velocity_x[0] > 4.0
    assert vehicle.yaw[0] > 0.1
    world.do(DriveByKeyboard(EGO, brake=1.0))
    assert world.run(5.0).vehicle.velocity_x[0] == 0.0
    world.do(DriveByKeyboard(EGO, accelerator=0.5, gear=Gear.R))
    assert world.run(2.0).vehicle.velocity_x[0] < -1.0


@pytest.mark.parametrize("model", ["WeGoScout-Mini", "SPMT"])
def test_keys_drive_ground_vehicles_too(model):
    world = level(model=model)
    world.do(TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=0.5, gear=Gear.D))
    assert world.run(2.0).vehicle.velocity_x[0] > 0.1


@pytest.mark.parametrize("mode", [ControlMode.CRUISE, ControlMode.GHOST])
def test_the_keyboard_takes_over_from_the_built_in_driver_and_from_who_places_a_vehicle(mode):
    world = World(street(10.0), [(CAR, (50.0, 0.0, 0.0), 0.0)])
    if mode is ControlMode.CRUISE:
        world.do(SelectMode(EGO, mode))
        world.run(4.0)
    else:
        world.do(PlaceGhost(EGO, (80.0, 0.0, 0.0), (0.0, 0.0, 0.0), 8.0, 0.0))
    assert mode_of(world) is mode
    world.do(TakeKeyboard(EGO))
    assert mode_of(world) is ControlMode.KEYBOARD
    assert not world.run(0.1).traffic.plan_of_ego.any()
    world.do(DriveByKeyboard(EGO, brake=1.0))
    assert world.run(6.0).vehicle.velocity_x[0] == 0.0
    world.do(DriveByKeyboard(EGO, accelerator=0.6))
    assert world.run(2.0).vehicle.velocity_x[0] > 2.0


def test_keys_do_nothing_to_a_vehicle_that_others_drive():
    world = level(10.0)
    world.do(DriveVehicle(EGO, ControlKind.VELOCITY, velocity=10.0))
    assert "auto mode" in world.refuse(DriveByKeyboard(EGO, brake=1.0))
    assert world.run(1.0).vehicle.velocity_x[0] == pytest.approx(10.0, abs=0.3)


@pytest.mark.parametrize(
    "command",
    [
        DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, brake=1.0),
        DriveVehicle(EGO, ControlKind.PEDALS, brake=1.0),
        DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.CRUISE),
        DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.KEYBOARD),
        SelectMode(EGO, ControlMode.AUTO),
        SelectMode(EGO, ControlMode.CRUISE),
        SelectMode(EGO, gear=Gear.R),
        FollowTrajectory(EGO, ((9.0, 9.0, 0.0, 5.0), (19.0, 9.0, 0.0, 5.0))),
        PlaceGhost(EGO, (9.0, 9.0, 0.0), (0.0, 0.0, 0.0), 3.0, 0.0),
        PlaceVehicle(EGO, (9.0, 9.0, 0.0), (0.0, 0.0, 0.0), 3.0, Gear.D, ControlMode.AUTO),
    ],
)
def test_nobody_takes_the_wheel_from_who_is_at_the_keyboard(command):
    world, alone = level(10.0), level(10.0)
    for one in (world, alone):
        one.do(TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=0.3, steer=0.02))
    assert "keyboard" in world.refuse(command)
    alone.run(0.01)
    assert world.now.digest() == alone.now.digest()


def test_a_vehicle_in_keyboard_mode_that_nobody_has_at_the_keyboard_obeys_who_asks_for_it():
    """As a scenario leaves it, and a client of UDP that tells mode 2 with each command."""
    world = level()
    world.do(SelectMode(EGO, ControlMode.KEYBOARD))
    world.do(DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, accelerator=1.0))
    assert world.run(2.0).vehicle.velocity_x[0] > 4.0


@pytest.mark.parametrize("mode", [ControlMode.KEEP, ControlMode.AUTO])
def test_who_leaves_the_keyboard_leaves_the_vehicle_braked_and_free(mode):
    world = level(10.0)
    world.do(TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0))
    world.run(1.0)
    world.do(LeaveKeyboard(EGO, mode))
    assert mode_of(world) is (mode or ControlMode.KEYBOARD)
    assert world.run(6.0).vehicle.velocity_x[0] == 0.0
    world.do(DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, accelerator=1.0))
    assert world.run(2.0).vehicle.velocity_x[0] > 4.0


def test_who_leaves_a_vehicle_that_he_does_not_have_changes_nothing():
    world, alone = level(10.0), level(10.0)
    for one in (world, alone):
        one.do(DriveVehicle(EGO, ControlKind.VELOCITY, velocity=10.0))
    world.do(LeaveKeyboard(EGO, ControlMode.CRUISE))
    alone.run(0.01)
    assert world.now.digest() == alone.now.digest()


def test_a_vehicle_that_is_driven_by_keys_can_be_put_elsewhere():
    world = level(10.0)
    world.do(TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0))
    world.do(PlaceActor(EGO, (30.0, 60.0, 0.0), (0.0, 0.0, 0.0)))
    assert mode_of(world) is ControlMode.KEYBOARD
    world.do(DriveByKeyboard(EGO, accelerator=1.0))
    assert world.run(2.0).vehicle.x[0] > 45.0


@pytest.mark.parametrize("value", [math.nan, math.inf])
@pytest.mark.parametrize("name", ["accelerator", "brake", "steer"])
def test_what_is_no_number_is_refused(name, value):
    world = level()
    world.do(TakeKeyboard(EGO))
    assert "not a valid number" in world.refuse(DriveByKeyboard(EGO, **{name: value}))


@pytest.mark.parametrize(("value", "held"), [(7.0, 1.0), (-3.0, 0.0), (0.4, 0.4)])
@pytest.mark.parametrize("pedal", ["accelerator", "brake"])
def test_pedals_are_held_to_their_travel(pedal, value, held):
    world = level()
    world.do(TakeKeyboard(EGO), DriveByKeyboard(EGO, **{pedal: value}))
    assert getattr(world.now.vehicle, f"target_{pedal}")[0] == held


def test_ghost_mode_is_not_for_who_leaves_the_keyboard():
    world = level()
    world.do(TakeKeyboard(EGO))
    assert "ghost" in world.refuse(LeaveKeyboard(EGO, ControlMode.GHOST))
    assert world.now.vehicle.seized[0] == 1
