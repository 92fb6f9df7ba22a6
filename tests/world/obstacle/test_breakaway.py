"""Small obstacles that are fixed to the ground give way above a stated speed, and stand below it."""

from __future__ import annotations

import pytest

from dorosim.road.scenery.pole import BREAKAWAY_SPEED
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.waypoint import Waypoint
from tests.world.collision.standing import changed, motion_energy, scenery_of, world_among
from tests.world.world import World

BOLLARD, CONE = (obstacle_model_row(name)[0] for name in ("bollard", "cone"))
CONTAINER = obstacle_model_row("container")[0]


def run_into(model: int, speed: float, seconds: float) -> World:
    """A car that rolls into an obstacle at x = 20 m, some time later."""
    world = world_among(scenery_of([]), (15.0, 0.0, 0.0))
    world.do(SpawnObstacle(actor=0, model=model, position=(20.0, 0.0, 0.0)))
    world.now = changed(world.now, velocity_x=speed)
    energies = [motion_energy(world.now)]
    world.run(seconds, lambda now: energies.append(motion_energy(now)))
    assert max(energies) <= energies[0] * 1.0001
    return world


def test_a_bollard_stops_a_car_below_its_speed():
    world = run_into(BOLLARD, BREAKAWAY_SPEED - 1.0, 3.0)
    bollard = world.now.obstacles.state
    assert (bollard.x[0], bollard.loose[0]) == (20.0, 0)
    assert world.now.vehicle.x[0] < 17.0


def test_a_bollard_gives_way_above_its_speed_and_becomes_a_body():
    world = run_into(BOLLARD, BREAKAWAY_SPEED + 2.0, 0.6)
    bollard = world.now.obstacles.state
    assert bollard.loose[0] == 1
    assert bollard.velocity_x[0] > 5.0
    # a bollard of 12 kg hardly slows a car
    assert world.now.vehicle.velocity_x[0] > 0.93 * (BREAKAWAY_SPEED + 2.0)
    world.do(DriveVehicle(1, ControlKind.PEDALS, brake=1.0))  # else it goes on before the car
    end = world.run(8.0).obstacles.state
    assert (end.velocity_x[0], end.velocity_y[0]) == (0.0, 0.0)
    assert end.x[0] > 22.0


@pytest.mark.parametrize("order", [1, -1])
def test_a_heavy_obstacle_breaks_a_bollard_off_whichever_was_made_first(order):
    world = world_among(scenery_of([]), (-100.0, 0.0, 0.0))
    makers = [
        SpawnObstacle(actor=0, model=BOLLARD, position=(20.0, 0.0, 0.0)),
        SpawnObstacle(actor=0, model=CONTAINER, position=(0.0, 0.0, 0.0), way=(Waypoint(40.0, 0.0),), move_speed=15.0),
    ][::order]
    world.do(*makers)
    world.run(3.0)
    state = world.now.obstacles.state
    (row,) = (state.model == BOLLARD).nonzero()[0]
    assert state.loose[row] == 1
    assert state.x[row] > 20.5


def test_a_cone_is_thrown_ahead_at_any_speed():
    for speed in (2.0, 15.0):
        cone = run_into(CONE, speed, 6.0).now.obstacles.state
        assert cone.loose[0] == 1
        assert cone.x[0] > 20.0
