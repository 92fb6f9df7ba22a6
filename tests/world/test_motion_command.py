"""Commands that place actors, give them speeds and goals, and limit or disturb controls."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.actor.command import (
    EnableDriver,
    PauseActor,
    PauseRun,
    PlaceActor,
    RemoveActor,
    SetGoal,
    SetLaneOffset,
    SetSpeed,
)
from dorosim.world.pedestrian.command import SpawnPedestrian, StartPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.mode import BiasRule
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.state import SpeedMode
from dorosim.world.vehicle.command import (
    ChangeLimits,
    CreateVehicle,
    DisturbControl,
    DriveVehicle,
    LimitControl,
    SelectMode,
    SetCruise,
)
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.world.world import CAR, World, street

ACCELERATOR, BRAKE, WHEELS = range(3)


@pytest.fixture
def world() -> World:
    """A vehicle at the west end of a street that leads east."""
    return World(street(10.0), [(CAR, (20.0, -3.5, 0.0), 0.0)])


def npc(world: World, s: float = 100.0, **fields) -> int:
    """An NPC vehicle on the lane of the ego vehicle."""
    return world.do(CreateNpc(model=CAR, link=world.scene.network.link_index("E1"), s=s, **fields))[0]


@pytest.mark.parametrize("kind", [ControlKind.PEDALS, ControlKind.VELOCITY, ControlKind.ACCELERATION])
def test_a_limited_accelerator_holds_back_whoever_drives(world, kind):
    order = DriveVehicle(EGO, kind, accelerator=1.0, velocity=20.0, acceleration=1.0)
    free = World(world.scene, [(CAR, (20.0, -3.5, 0.0), 0.0)])
    free.do(order)
    world.do(LimitControl(EGO, ACCELERATOR, 0.0, 0.05, 1.0, 1.0), order)
    free.run(4.0)
    world.run(4.0)
    assert world.now.vehicle.accelerator[0] == pytest.approx(0.05)
    assert world.now.vehicle.velocity_x[0] < 0.7 * free.now.vehicle.velocity_x[0]


def test_a_limit_is_that_of_one_vehicle_and_ends_by_a_reset(world):
    (other,) = world.do(CreateVehicle(model=CAR, position=(60.0, 3.5, 0.0)))
    world.do(LimitControl(EGO, BRAKE, 0.0, 0.2, 1.0, 1.0))
    assert world.now.parameter.control_high[BRAKE].tolist() == [0.2, 1.0]
    world.do(LimitControl(EGO, BRAKE, reset=True))
    assert world.now.parameter.control_high[BRAKE].tolist() == [1.0, 1.0]
    assert "no vehicle" in world.refuse(LimitControl(other + 9, BRAKE, reset=True))


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (LimitControl(EGO, 3, 0.0, 1.0, 1.0, 1.0), "controls 0 to 2"),
        (LimitControl(EGO, BRAKE, 0.0, 1.5, 1.0, 1.0), "low <= high"),
        (LimitControl(EGO, BRAKE, 0.0, 1.0, 0.0, 1.0), "rates are"),
        (DisturbControl(EGO, 4, 0.1, 1.0), "controls 0 to 3"),
        (DisturbControl(EGO, BRAKE, 2.0, 1.0), "can be added"),
        (DisturbControl(EGO, BRAKE, 0.5, 1e9), "duration: 0 to 3600 s"),
        (SetSpeed(EGO, 1e9), "speeds are"),
        (SetSpeed(99, 1.0), "no actor 99"),
        (PlaceActor(99, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "no actor 99"),
        (SetLaneOffset(EGO, BiasRule.FIX, 2.0), "half lane widths"),
        (SetGoal(EGO, ()), "1 to 10000 links"),
        (SetGoal(EGO, (99,)), "not on the map"),
        (SetGoal(99, (0,)), "no vehicle 99"),
        (EnableDriver(EGO, False), "no NPC vehicle"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(world, command, reason):
    assert reason in world.refuse(command)


def test_disturbances_wait_while_the_run_is_paused_and_leave_nothing_behind(world):
    world.do(DriveVehicle(EGO, ControlKind.PEDALS, brake=0.2), DisturbControl(EGO, BRAKE, 0.3, 0.1))
    world.do(PauseRun(paused=True))
    world.run(0.5)
    assert world.now.vehicle.disturbance_left[BRAKE, 0] == pytest.approx(0.09)
    world.do(PauseRun(paused=False))
    assert world.now.vehicle.brake[0] == pytest.approx(0.5)
    world.run(0.2)
    assert world.now.vehicle.brake[0] == pytest.approx(0.2)
    assert not world.now.vehicle.disturbance_left.any()
    assert not world.now.vehicle.control_bias.any()


def test_a_driver_that_is_off_and_a_pause_are_apart(world):
    car = npc(world, speed=5.0)
    world.do(EnableDriver(car, False), PauseActor(car, True))
    world.do(PauseActor(car, False))
    before = float(world.now.traffic.x[0])
    world.run(1.0)
    assert world.now.traffic.x[0] == before
    world.do(EnableDriver(car, True))
    world.run(2.0)
    assert world.now.traffic.x[0] > before + 0.3, "it drives on after its driver's reaction time"


def test_an_npc_vehicle_can_be_put_onto_another_lane_and_back_from_a_wreck(world):
    car = npc(world, speed=10.0)
    world.do(PlaceActor(car, (300.0, 3.4, 0.0), (0.0, 0.0, np.pi)))
    traffic = world.now.traffic
    assert world.scene.network.link_ids[traffic.link[0]] == "W2"
    world.run(2.0)
    assert world.now.traffic.x[0] < 290.0
    assert world.now.traffic.speed[0] > 5.0


def test_a_pedestrian_goes_on_from_where_it_is_put(world):
    (person,) = world.do(SpawnPedestrian(0, 0, (50.0, 12.0, 0.0), yaw=0.0, move_distance=20.0))
    world.do(PlaceActor(person, (80.0, 14.0, 0.0), (0.0, 0.0, np.pi / 2)), StartPedestrian(person))
    world.run(5.0)
    state = world.now.people.state
    assert state.x[0] == pytest.approx(80.0, abs=0.5)
    assert state.y[0] > 16.0


def test_a_goal_ends_with_its_vehicle(world):
    car = npc(world)
    world.do(SetGoal(car, (world.scene.network.link_index("E1"),)), SetGoal(EGO, (0,)))
    assert world.now.goal.table.actor.tolist() == [EGO, car]
    world.do(RemoveActor(car))
    assert world.now.goal.table.actor.tolist() == [EGO]
    assert len(world.now.goal.way) == 1


def test_a_newer_goal_takes_the_place_of_the_one_before(world):
    link = world.scene.network.link_index("E1")
    world.do(SelectMode(EGO, ControlMode.CRUISE), SetGoal(EGO, (link,), (60.0, -3.5, 0.0), 5.0))
    world.run(12.0)
    assert world.now.goal.table.passed.tolist() == [1]
    world.do(SetGoal(EGO, (link,), (500.0, -3.5, 0.0)))
    goal = world.now.goal.table
    assert (goal.passed.tolist(), goal.x.tolist(), goal.reach.tolist()) == ([0], [500.0], [3.0])
    assert goal.s[0] == pytest.approx(500.0)


@pytest.mark.parametrize("order", [SetCruise(EGO, ratio=1.0), SetCruise(EGO, speed=14.0)])
def test_a_driver_keeps_to_the_speed_that_his_vehicle_is_limited_to(world, order):
    world.do(SelectMode(EGO, ControlMode.CRUISE), order)
    world.run(8.0)
    assert world.now.vehicle.velocity_x[0] > 7.0
    world.do(ChangeLimits(EGO, max_speed=5.0))
    world.run(8.0)
    assert world.now.vehicle.velocity_x[0] == pytest.approx(4.7, abs=0.2)
    gap = float(world.now.traffic.x[0] - world.now.vehicle.x[0])
    assert abs(gap) < 0.5
    world.do(ChangeLimits(EGO, max_speed=50.0))
    world.run(8.0)
    assert world.now.vehicle.velocity_x[0] > 7.0


@pytest.mark.parametrize(
    ("order", "top", "wish"),
    [
        (SetCruise(EGO, ratio=0.3), 5.0, (SpeedMode.LINK_RATIO, 0.3)),
        (SetCruise(EGO, ratio=1.0), 5.0, (SpeedMode.CONSTANT, 4.7)),
        (SetCruise(EGO, speed=4.0), 5.0, (SpeedMode.CONSTANT, 4.0)),
        (SetCruise(EGO, speed=9.0), 5.0, (SpeedMode.CONSTANT, 4.7)),
        (SetCruise(EGO, ratio=1.0), 0.1, (SpeedMode.CONSTANT, 0.0)),
    ],
)
def test_only_the_wish_that_the_vehicle_cannot_fulfil_is_cut(world, order, top, wish):
    other = world.do(CreateVehicle(model=CAR, position=(200.0, -3.5, 0.0)))[0]
    world.do(*(SelectMode(one, ControlMode.CRUISE) for one in (EGO, other)), order, SetCruise(other, ratio=1.0))
    world.do(ChangeLimits(EGO, max_speed=top))
    traffic = world.now.traffic
    assert traffic.id.tolist() == [EGO, other]
    assert (traffic.speed_mode[0], traffic.desired_speed[0]) == (wish[0], pytest.approx(wish[1]))
    assert (traffic.speed_mode[1], traffic.desired_speed[1]) == (SpeedMode.LINK_RATIO, 1.0)


def test_a_drawn_offset_is_another_for_each_vehicle_and_the_same_again(world):
    cars = [npc(world, 100.0 + 30.0 * number) for number in range(4)]
    again = World(world.scene, [(CAR, (20.0, -3.5, 0.0), 0.0)])
    for one in (world, again):
        if one is again:
            for number in range(4):
                npc(again, 100.0 + 30.0 * number)
        one.do(*(SetLaneOffset(car, BiasRule.GAUSSIAN, 0.2) for car in cars))
    drawn = world.now.traffic.lateral_bias.tolist()
    assert len(set(drawn)) == 4
    assert drawn == again.now.traffic.lateral_bias.tolist()
