"""What was knocked off follows the ground in height and attitude."""

import math

import numpy as np
import pytest

from dorosim.ground.physics import GRAVITY
from dorosim.road.terrain.ground_part import GroundPart
from dorosim.world.collision.body import BodyTable
from dorosim.world.collision.settle import settle_obstacles, settle_people, settle_vehicles
from dorosim.world.collision.vehicle import bodies_from_vehicles
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import Obstacles, ObstacleState, obstacle_model_row
from dorosim.world.pedestrian.state import PedestrianState
from dorosim.world.snapshot import STATE_FIELDS, Snapshot
from dorosim.world.traffic.state import TrafficState
from tests.world.vehicle.slope import FLAT, bank, terrain_across, world_across

DT = 0.01
ROW = np.zeros(1, np.int64)
BANK = terrain_across(bank(6.0))
SLOPE = math.atan(1.0 / 1.5)


def replaced(now: Snapshot, **fields: object) -> Snapshot:
    """The snapshot with some of its fields replaced."""
    return Snapshot(**{name: getattr(now, name) for name in STATE_FIELDS} | fields)


def test_a_wreck_stands_on_a_bank_as_it_slopes():
    """East along a bank that falls to the right: its left side is up. Uphill: its nose is up."""
    for yaw, roll, pitch in ((0.0, SLOPE, 0.0), (math.pi, -SLOPE, 0.0), (0.5 * math.pi, 0.0, -SLOPE)):
        wreck = TrafficState.zeros(1)
        wreck.y[0], wreck.z[0], wreck.yaw[0] = -3.0, -1.8, yaw
        for _ in range(200):
            settle_vehicles(wreck, ROW, BANK, DT)
        assert wreck.z[0] == pytest.approx(-2.0, abs=1e-5)
        assert (wreck.roll[0], wreck.pitch[0]) == pytest.approx((roll, pitch), abs=1e-3)
        assert wreck.fall_speed[0] == 0.0


def test_a_wreck_falls_as_bodies_fall():
    wreck = TrafficState.zeros(1)
    wreck.y[0], wreck.z[0] = -50.0, 4.0
    for _ in range(100):
        settle_vehicles(wreck, ROW, BANK, DT)
    assert 4.0 - wreck.z[0] == pytest.approx(0.5 * GRAVITY, rel=0.02)
    assert wreck.fall_speed[0] == pytest.approx(GRAVITY, rel=1e-6)


def test_obstacles_and_people_come_down_to_the_ground():
    cone, person = ObstacleState.zeros(1), PedestrianState.zeros(1)
    cone.y[0] = person.y[0] = -6.0
    for _ in range(200):
        settle_obstacles(cone, ROW, BANK, DT)
        settle_people(person, ROW, BANK, DT)
    assert cone.z[0] == pytest.approx(-4.0, abs=1e-5)
    assert person.z[0] == pytest.approx(-4.0, abs=1e-5)
    assert cone.roll[0] == pytest.approx(SLOPE, abs=1e-3)
    assert cone.velocity_z[0] == 0.0


@pytest.mark.parametrize("degrees", [0.0, 90.0, 180.0])
def test_the_body_of_a_car_that_has_rolled_over_is_the_box_about_it(degrees):
    """On its side it is as wide as it was high; upside down it is as it was."""
    world = world_across(FLAT, 0.0, 0.0)
    vehicle, parameter = world.now.vehicle.copy(), world.now.parameter
    vehicle.rolled[0], vehicle.roll[0], vehicle.velocity_y[0] = 1, math.radians(degrees), 2.0
    bodies = BodyTable.zeros(1)
    bodies_from_vehicles(bodies, parameter, vehicle)
    upright = BodyTable.zeros(1)
    bodies_from_vehicles(upright, parameter, world.now.vehicle)
    wide, high = (
        (upright.half_width, upright.half_height) if degrees != 90.0 else (upright.half_height, upright.half_width)
    )
    assert bodies.half_length[0] == pytest.approx(upright.half_length[0])
    assert bodies.half_width[0] == pytest.approx(wide[0])
    assert bodies.half_height[0] == pytest.approx(high[0])
    assert bodies.velocity_y[0] == pytest.approx(2.0 * math.cos(math.radians(degrees)), abs=1e-12)


def test_what_is_nudged_over_a_ledge_falls_down_to_the_ground_and_does_not_stop_in_the_air():
    """A slow push ends after a hand's breadth, but the ledge is nearer than that."""
    ledge = (
        (60.0, 0.0, GroundPart.ROAD),
        (0.0, 0.0, GroundPart.VERGE),
        (-0.01, -6.0, GroundPart.VERGE),
        (-200.0, -6.0, GroundPart.VERGE),
    )
    world = world_across(ledge, 20.0, 0.0)
    world.do(SpawnObstacle(0, obstacle_model_row("cone")[0], (30.0, 0.005, 0.0)))
    obstacles = world.now.obstacles.state.copy()
    obstacles.loose[0], obstacles.velocity_y[0] = 1, -0.6
    world.now = replaced(world.now, obstacles=Obstacles(obstacles.freeze(), world.now.obstacles.route))
    state = world.run(4.0).obstacles.state
    assert -0.1 < state.y[0] < 0.0
    assert state.z[0] == pytest.approx(-6.0, abs=0.01)
    assert state.velocity_z[0] == 0.0


def test_what_rests_lies_as_the_ground_slopes_however_little_it_slid():
    world = world_across(bank(6.0), 20.0, 0.0)
    world.do(SpawnObstacle(0, obstacle_model_row("cone")[0], (30.0, -4.0, math.nan)))
    obstacles = world.now.obstacles.state.copy()
    obstacles.loose[0], obstacles.velocity_x[0] = 1, 0.3
    world.now = replaced(world.now, obstacles=Obstacles(obstacles.freeze(), world.now.obstacles.route))
    state = world.run(0.5).obstacles.state
    assert state.velocity_x[0] == 0.0
    assert state.roll[0] == pytest.approx(SLOPE, abs=1e-3)
