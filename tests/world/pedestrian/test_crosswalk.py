"""People at crosswalks wait for green or for a gap in traffic, and hurry when green ends."""

from __future__ import annotations

import math

import pytest

from dorosim.world.collision.body import BodyTable
from dorosim.world.pedestrian.activity_kernel import HURRY_FACTOR
from dorosim.world.pedestrian.kerb import MIN_KERB_DISTANCE
from dorosim.world.pedestrian.state import Stage
from dorosim.world.signal.state import WalkSignal
from dorosim.world.waypoint import Waypoint
from tests.world.pedestrian.rig import Street, place


def over(street: Street, y: float = -8.0, **more) -> None:
    """One that walks north over the crosswalk, which is from y = -4 m to 4 m."""
    street.add(50.0, y, yaw=math.pi / 2, **{"way": (Waypoint(50.0, 8.0),)} | more)


def test_one_waits_at_the_kerb_for_green_and_goes_then():
    street = Street()
    over(street)
    street.walk[0] = WalkSignal.STAY
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.WAIT
    assert -4 - MIN_KERB_DISTANCE - 0.3 < place(street.people)[1] < -4.2
    street.walk[0] = WalkSignal.GO
    street.run(2.0)
    assert street.people.state.stage[0] == Stage.CROSS
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.ARRIVED


def test_nobody_starts_to_cross_while_green_flashes():
    street = Street()
    over(street)
    street.walk[0] = WalkSignal.FLICKER
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.WAIT


@pytest.mark.parametrize("walk", [WalkSignal.FLICKER, WalkSignal.STAY])
def test_those_on_the_crosswalk_hurry_when_green_ends(walk):
    street = Street()
    street.walk[0] = WalkSignal.GO
    over(street)
    street.run(4.5)
    assert street.people.state.stage[0] == Stage.CROSS
    assert street.people.state.speed[0] == pytest.approx(1.4, abs=0.01)
    street.walk[0] = walk
    street.run(2.0)
    assert street.people.state.speed[0] == pytest.approx(1.4 * HURRY_FACTOR, rel=0.06)
    street.run(4.0)
    assert street.people.state.speed[0] < 1.5, "and not beyond it"


def test_with_green_nobody_slows_down_at_the_kerb():
    street = Street()
    street.walk[0] = WalkSignal.GO
    over(street)
    speeds = street.run(8.0, lambda people: people.state.speed[0])
    assert min(speeds[300:]) > 1.39


def test_without_a_light_one_waits_for_a_gap_in_traffic():
    """8.5 m from where one waits at 1.4 m/s and 3 s to spare are 9.1 s."""
    street = Street()
    over(street)
    street.gap[0] = 9.0
    street.run(10.0)
    assert street.people.state.stage[0] == Stage.WAIT
    street.gap[0] = 9.2
    street.run(3.0)
    assert street.people.state.stage[0] == Stage.CROSS


def vehicles(*rows) -> BodyTable:
    """Vehicles of 4 m, each (x, y, velocity along x, along y)."""
    table = BodyTable.zeros(len(rows))
    for row, (x, y, vx, vy) in enumerate(rows):
        table.x[row], table.y[row], table.velocity_x[row], table.velocity_y[row] = x, y, vx, vy
        table.half_length[row] = 2.0
    return table


@pytest.mark.parametrize(
    ("vehicle", "gap"),
    [
        ((26.0, 0.0, 10.0, 0.0), 2.0),
        ((20.0, 0.0, 10.0, 0.0), math.inf),
        ((90.0, 0.0, 10.0, 0.0), math.inf),
        ((45.0, 30.0, 10.0, 0.0), math.inf),
        ((20.0, 0.0, 0.1, 0.0), math.inf),
        ((51.0, 0.0, 1.0, 0.0), 0.0),
        ((53.0, 0.0, 1.0, 0.0), 0.0),
        ((54.5, 0.0, 1.0, 0.0), math.inf),
    ],
    ids=["comes", "can stop", "has passed", "passes by", "stands", "is on it", "has its tail on it", "has left"],
)
def test_the_gap_is_the_time_until_the_next_vehicle_is_there(vehicle, gap):
    street = Street()
    assert street.plan.gaps(vehicles(vehicle), 1)[0] == pytest.approx(gap)


def test_the_gap_is_that_of_the_first_vehicle():
    table = vehicles((28.0, 0.0, 10.0, 0.0), (30.0, 0.0, 10.0, 0.0), (65.0, 0.0, -12.0, 0.0), (65.0, 1.0, -20.0, 0.0))
    assert Street().plan.gaps(table, 3)[0] == pytest.approx(11.0 / 12.0)


def test_a_slow_vehicle_that_can_stop_lets_one_over():
    plan = Street().plan
    assert plan.gaps(vehicles((43.0, 0.0, 4.5, 0.0)), 1)[0] == math.inf
    assert plan.gaps(vehicles((44.0, 0.0, 4.5, 0.0)), 1)[0] == pytest.approx(2.0 / 4.5), "it can not"
    assert plan.gaps(vehicles((38.0, 0.0, 5.5, 0.0)), 1)[0] == pytest.approx(8.0 / 5.5), "nor one that is not slow"


def test_a_way_that_cuts_a_corner_of_the_crosswalk_does_not_wait():
    street = Street()
    street.walk[0] = WalkSignal.STAY
    street.add(46.0, 3.5, way=(Waypoint(50.0, 5.0), Waypoint(55.0, 5.0)))
    street.run(8.0)
    assert street.people.state.stage[0] == Stage.ARRIVED


def test_a_place_in_the_middle_of_the_road_is_not_a_place_to_wait_for_green():
    street = Street()
    street.walk[0] = WalkSignal.GO
    over(street, way=(Waypoint(50.0, 0.0), Waypoint(50.0, 8.0)))
    street.run(5.0)
    street.walk[0] = WalkSignal.STAY
    street.run(8.0)
    assert street.people.state.stage[0] == Stage.ARRIVED
