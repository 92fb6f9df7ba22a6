"""Drivers make room for vehicles whose emergency lamps flash."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.traffic.obstruction import obstructions_of_bodies
from dorosim.world.traffic.plan import TrafficPlan
from tests.road.small_map import network_of, straight
from tests.world.traffic.rig import HALF_CAR, bodies, run_with

WIDTH = {"width_start": 3.6, "width_end": 3.6}
ROAD = network_of(straight("a", "A", "B", (0, 0, 0), (600, 0, 0), **WIDTH))
CROSSROADS = network_of(
    straight("west", "A", "B", (0, 0, 0), (100, 0, 0), **WIDTH),
    straight("over", "B", "C", (100, 0, 0), (120, 0, 0), **WIDTH),
    straight("east", "C", "D", (120, 0, 0), (300, 0, 0), **WIDTH),
    straight("south", "E", "F", (110, -110, 0), (110, -10, 0), **WIDTH),
    straight("through", "F", "G", (110, -10, 0), (110, 10, 0), **WIDTH),
    straight("north", "G", "H", (110, 10, 0), (110, 200, 0), **WIDTH),
)


def chased(flashing: bool, speed: float, seconds: float = 10.0):
    """A vehicle 200 m along a road behind which another comes from 140 m on, at a speed."""
    run = run_with(ROAD, [("a", 200.0)], speed=12.0)
    plan, x = TrafficPlan.from_network(ROAD), 140.0
    for _ in range(round(seconds / run.dt)):
        x += speed * run.dt
        table = bodies((x, 0.0, 0.0, 0.0, HALF_CAR, (speed, 0.0)))
        rows = np.arange(1)
        run.step(obstruction=obstructions_of_bodies(plan, table, rows, rows if flashing else None))
    return run


def test_a_driver_ahead_moves_to_the_side_and_slows_down():
    state = chased(True, 12.0, seconds=8.0).state
    assert state.lateral[0] == pytest.approx(-(1.8 - 0.5 * state.width[0] - 0.1), abs=0.02)
    assert state.speed[0] < 4.0


@pytest.mark.parametrize(("flashing", "speed"), [(False, 12.0), (True, 0.0)])
def test_nobody_makes_room_for_others_or_for_what_has_broken_down(flashing, speed):
    state = chased(flashing, speed, seconds=8.0).state
    assert state.lateral[0] == 0.0
    assert state.speed[0] > 10.0


def test_when_it_has_passed_the_driver_goes_on():
    run = chased(True, 12.0, seconds=8.0)
    for _ in range(150):
        run.step()
    assert run.state.lateral[0] == pytest.approx(0.0, abs=0.02)
    assert run.state.speed[0] > 10.0


@pytest.mark.parametrize("flashing", [True, False])
def test_at_a_junction_it_goes_first(flashing):
    """It comes from the left, so without its lamps it gives way."""
    run = run_with(CROSSROADS, [("south", 60.0)], speed=10.0)
    plan, x, entered = TrafficPlan.from_network(CROSSROADS), 20.0, []
    for _ in range(60):
        x += 1.0
        rows = np.arange(1)
        table = bodies((x, 0.0, 0.0, 0.0, HALF_CAR, (10.0, 0.0)))
        run.step(obstruction=obstructions_of_bodies(plan, table, rows, rows if flashing else None))
        entered.append(run.state.link[0] != CROSSROADS.link_index("south"))
    assert not (flashing and any(entered))
