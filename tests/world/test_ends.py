"""What ends leaves nothing behind, whether it ends by itself, by a command, or in a tick of no duration."""

from __future__ import annotations

import pytest

from dorosim.world.actor.command import PauseRun
from dorosim.world.environment.command import CreateMapObject, RemoveMapObject, SetFrictionArea, SetRoadFriction
from dorosim.world.fault.code import FaultLocation
from dorosim.world.fault.command import SetControlFault, SetTireFault
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.world.world import World, town_world

STEERING = FaultLocation.STEERING


def is_sound(world: World) -> bool:
    """Whether the ego vehicle has full grip, whole tyres and controls that do as they are asked."""
    vehicle = world.now.vehicle
    marks = (vehicle.tire_stiffness_loss, vehicle.tire_drag, vehicle.control_loss, vehicle.control_bias)
    return bool((vehicle.surface_friction == 1.0).all()) and not any(mark.any() for mark in marks)


def test_a_fault_that_is_over_lets_go_of_its_control_and_tyre():
    world = town_world()
    world.do(DriveVehicle(EGO, ControlKind.PEDALS, brake=1.0))
    world.do(SetControlFault(EGO, fault_class=2, fault_subclass=202, location=STEERING, duration=0.3))
    world.do(SetTireFault(EGO, fault_class=3, fault_subclass=301, tire=1, duration=0.3))
    world.run(0.2)
    assert not is_sound(world)
    assert world.now.vehicle.steer[0] > 0.0
    world.run(1.5)
    assert is_sound(world)
    assert world.now.vehicle.steer[0] == pytest.approx(0.0, abs=1e-3)


def test_a_fault_that_is_cleared_in_a_pause_is_gone_after_it():
    world = town_world()
    world.do(SetTireFault(EGO, fault_class=3, fault_subclass=301, tire=1))
    world.run(0.2)
    assert not is_sound(world)
    world.do(PauseRun(paused=True))
    world.do(SetTireFault(EGO, fault_class=0, fault_subclass=0, tire=1))
    world.do(PauseRun(paused=False))
    assert is_sound(world)


def test_slippery_ground_that_is_taken_away_in_a_pause_is_gone_after_it():
    world = town_world()
    vehicle = world.now.vehicle
    here = (float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.z[0]))
    (puddle,) = world.do(CreateMapObject(0, "Puddle", here))
    world.do(SetFrictionArea(puddle, 9.0, 9.0, 2.0, 0.3), SetRoadFriction(0.5))
    assert (world.now.vehicle.surface_friction < 0.5).all()
    world.do(PauseRun(paused=True))
    world.do(RemoveMapObject(puddle), SetRoadFriction(1.0))
    world.do(PauseRun(paused=False))
    assert is_sound(world)
