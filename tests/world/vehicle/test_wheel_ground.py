"""Wheels meet the ground one by one: kerbs, ditches, soft ground, and flat roads as before."""

import dataclasses
import math
from itertools import pairwise

import numpy as np
import pytest

from dorosim.road.surface_kind import SurfaceKind
from dorosim.road.terrain.ground_part import GroundPart
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from dorosim.world.vehicle.rough_ground_kernel import CLIMBED_SHARE
from dorosim.world.vehicle.state import VehicleState
from tests.world.vehicle.slope import FLAT, bank, kerb, rolling, scene_across, world_across
from tests.world.world import CAR, World

RADIUS = 0.225 * 1.45
"""Of the wheels of `CAR` [m]."""


def test_a_flat_road_is_as_a_road_without_ground():
    """All that drives, brakes and turns on a level road does so to the last bit as where lanes are the ground."""
    scene = scene_across(FLAT)
    ends = []
    for ground in (scene.terrain, None):
        world = World(dataclasses.replace(scene, terrain=ground), [(CAR, (0.0, 0.0, math.nan), 0.3)])
        world.do(DriveVehicle(1, ControlKind.PEDALS, ControlMode.AUTO, Gear.D, accelerator=0.8, steer=0.02))
        world.run(6.0)
        world.do(DriveVehicle(1, ControlKind.PEDALS, ControlMode.AUTO, Gear.D, brake=0.7, steer=-0.1))
        ends.append(world.run(2.0).vehicle)
    for column in VehicleState.float_columns:
        assert np.array_equal(getattr(ends[0], column.name), getattr(ends[1], column.name)), column.name


def test_each_wheel_has_its_own_height_and_surface():
    world = world_across(kerb(0.05, GroundPart.VERGE), 0.0, 0.0)
    vehicle = world.run(1.0).vehicle
    left, grass = int(SurfaceKind.ASPHALT), int(SurfaceKind.GRASS)
    assert vehicle.wheel_surface[:, 0].tolist() == [left, grass, left, grass]
    assert vehicle.wheel_height[:, 0] == pytest.approx([0.0, 0.05, 0.0, 0.05], abs=1e-6)
    track = 0.5 * float(world.now.parameter.front_track[0] + world.now.parameter.rear_track[0])
    assert vehicle.roll[0] == pytest.approx(-math.atan(0.05 / track), abs=0.002)  # its right side is higher


@pytest.mark.parametrize("share", [0.2, 0.38, 0.45, 0.8])
def test_a_wheel_climbs_kerbs_up_to_a_share_of_its_radius_and_others_stop_it(share):
    world = rolling(kerb(share * RADIUS), 6.0, 90.0, 4.0)
    vehicle = world.run(6.0).vehicle
    front = vehicle.wheel_height[:2, 0]
    if share <= CLIMBED_SHARE:
        assert front == pytest.approx(share * RADIUS, abs=1e-6)
    else:
        assert front == pytest.approx(0.0, abs=1e-6)
        nose = float(vehicle.y[0]) - float(world.now.parameter.wheelbase[0])
        assert 0.7 * RADIUS < nose < 1.0 * RADIUS
        assert abs(vehicle.velocity_x[0]) < 0.5


def test_a_kerb_leads_a_car_that_scrapes_along_it():
    world = rolling(kerb(0.2), 2.5, 8.0, 15.0)
    vehicle = world.run(2.0).vehicle
    assert (vehicle.wheel_height[:, 0] == 0.0).all()
    assert 8.0 < vehicle.velocity_x[0] < 15.0
    assert abs(vehicle.yaw[0]) < math.radians(6.0)


def test_a_kerb_jolts():
    """An accelerometer feels a climbed kerb, and nothing on the flat."""
    felt = {}
    for height in (0.0, 0.08):
        world, most = rolling(kerb(height), 6.0, 60.0, 8.0), []
        world.run(1.0, lambda now, most=most: most.append(abs(float(now.vehicle.acceleration[2, 0]))))
        felt[height] = max(most)
    assert felt[0.0] < 1.0
    assert 5.0 < felt[0.08] < 200.0


def test_grass_is_slow_slippery_and_shakes():
    results = {}
    for part in (GroundPart.ROAD, GroundPart.VERGE):
        profile = ((60.0, 0.0, part), (-200.0, 0.0, part))
        world, shaken = rolling(profile, 0.0, 0.0, 15.0), []
        world.run(3.0, lambda now, shaken=shaken: shaken.append(float(now.vehicle.acceleration[2, 0])))
        rolled = float(world.now.vehicle.velocity_x[0])
        world.do(DriveVehicle(1, ControlKind.PEDALS, ControlMode.AUTO, Gear.N, brake=1.0))
        before = float(world.now.vehicle.velocity_x[0])
        braked = (before - float(world.run(1.0).vehicle.velocity_x[0])) / 1.0
        results[part] = rolled, braked, float(np.std(shaken[50:]))
    road, grass = results[GroundPart.ROAD], results[GroundPart.VERGE]
    assert grass[0] < road[0] - 1.0
    assert grass[1] < 0.6 * road[1]
    assert grass[2] > 10.0 * road[2] + 0.1


def test_a_wheel_in_a_ditch_drops():
    ditch = (
        (60.0, 0.0, GroundPart.ROAD),
        (0.0, 0.0, GroundPart.VERGE),
        (-0.3, -0.3, GroundPart.VERGE),
        (-3.0, -0.3, GroundPart.VERGE),
        (-3.3, 0.0, GroundPart.VERGE),
        (-200.0, 0.0, GroundPart.VERGE),
    )
    world = rolling(ditch, 1.5, 5.0, 6.0)
    lowest = []
    world.run(3.0, lambda now: lowest.append(float(now.vehicle.wheel_height[1, 0])))
    assert min(lowest) == pytest.approx(-0.3, abs=0.01)
    assert max(abs(a - b) for a, b in pairwise(lowest)) < 0.11


def test_obstacles_without_a_height_or_with_drop_are_put_on_the_ground():
    world = World(scene_across(bank(6.0)), [(CAR, (0.0, 20.0, math.nan), 0.0)])
    world.do(
        SpawnObstacle(0, 1, (0.0, -3.0, math.nan)),
        SpawnObstacle(0, 1, (9.0, -3.0, 4.0), drop=True),
        SpawnObstacle(0, 1, (18.0, -3.0, 4.0)),
    )
    assert world.now.obstacles.state.z == pytest.approx([-2.0, -2.0, 4.0], abs=1e-5)
