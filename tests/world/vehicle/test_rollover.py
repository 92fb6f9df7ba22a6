"""A car that goes over a bank leaves its wheels: it falls, rolls and comes to rest as a rigid body does."""

import math
from itertools import pairwise

import numpy as np
import pytest

from dorosim.ground.physics import GRAVITY
from dorosim.road.terrain.ground_part import GroundPart
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import Gear
from tests.world.vehicle.slope import FLAT, bank, rolling, world_across
from tests.world.world import World

SPEED = 60.0 / 3.6


def energy(now: Snapshot) -> float:
    """Energy of motion and height of the first vehicle, as a rigid box [J]."""
    vehicle, parameter = now.vehicle, now.parameter
    roll, pitch = float(vehicle.roll[0]), float(vehicle.pitch[0])
    rate = vehicle.angular_velocity[:, 0]
    arm = np.array((float(parameter.rear_distance[0]), 0.0, float(parameter.cg_height[0])))
    velocity = np.array([float(column[0]) for column in (vehicle.velocity_x, vehicle.velocity_y, vehicle.velocity_z)])
    velocity = velocity + np.cross(rate, arm)
    mass, length, width, height = (
        float(column[0]) for column in (parameter.mass, parameter.length, parameter.width, parameter.height)
    )
    inertia = np.array((width**2 + height**2, length**2 + height**2, 0.0)) * mass / 12.0
    inertia[2] = float(parameter.yaw_inertia[0])
    up = float(vehicle.z[0]) - math.sin(pitch) * arm[0] + math.cos(pitch) * math.cos(roll) * arm[2]
    return 0.5 * mass * float(velocity @ velocity) + 0.5 * float(inertia @ rate**2) + mass * GRAVITY * up


def speed_of(now: Snapshot) -> float:
    vehicle = now.vehicle
    return math.hypot(*(float(column[0]) for column in (vehicle.velocity_x, vehicle.velocity_y, vehicle.velocity_z)))


@pytest.mark.parametrize(("height", "degrees"), [(3.0, 18.0), (4.0, 20.0)])
def test_a_car_at_60_kmh_rolls_over_on_a_bank(height, degrees):
    world = rolling(bank(height), 2.0, degrees, SPEED)
    seen: list[Snapshot] = []
    world.run(14.0, seen.append)
    rolled = [now for now in seen if now.vehicle.rolled[0]]
    assert rolled
    last = seen[-200:]
    assert all(abs(now.vehicle.roll[0]) > math.radians(80.0) for now in last)
    assert all(speed_of(now) < 0.05 for now in last)
    energies = [energy(now) for now in rolled]
    assert max(b - a for a, b in pairwise(energies)) < 1e-6 * energies[0] + 1.0
    for now in rolled:
        hanging = now.vehicle.wheel_gap[:, 0] > 0.02
        assert not now.vehicle.tire_lateral_force[hanging, 0].any()
    assert all(np.isfinite(now.vehicle.floats).all() for now in seen)


def test_it_goes_the_same_way_again():
    ends = [rolling(bank(4.0), 2.0, 20.0, SPEED).run(6.0).vehicle for _ in range(2)]
    assert np.array_equal(ends[0].floats, ends[1].floats)
    assert np.array_equal(ends[0].ints, ends[1].ints)


@pytest.mark.parametrize("degrees", [0.0, 45.0, 90.0])
def test_a_car_that_goes_down_slowly_ends_on_its_wheels(degrees):
    world = rolling(bank(4.0), 3.0 if degrees else -3.0, degrees, 3.0)
    vehicle = world.run(15.0).vehicle
    assert not vehicle.rolled[0]
    assert vehicle.z[0] < -3.9 if degrees else vehicle.z[0] < -1.9


def test_a_car_that_drives_off_a_ledge_falls_as_bodies_fall():
    cliff = (
        (60.0, 0.0, GroundPart.ROAD),
        (0.0, 0.0, GroundPart.VERGE),
        (-0.01, -6.0, GroundPart.VERGE),
        (-200.0, -6.0, GroundPart.VERGE),
    )
    world = rolling(cliff, 4.0, 90.0, 15.0)
    heights = []
    world.run(2.5, lambda now: heights.append((now.time * 1e-9, float(now.vehicle.z[0]), int(now.vehicle.rolled[0]))))
    falling = [(time, z) for time, z, rolled in heights if rolled and -4.0 < z < -1.0]
    assert len(falling) > 20
    times, z = np.array(falling).T
    assert 2.0 * np.polyfit(times, z, 2)[0] == pytest.approx(-GRAVITY, rel=0.25)
    assert heights[-1][1] > -6.2


def test_a_vehicle_is_put_back_on_its_wheels_by_a_placement():
    world = rolling(bank(3.0), 2.0, 18.0, SPEED)
    assert world.run(5.0).vehicle.rolled[0]
    world.do(PlaceVehicle(1, (0.0, 20.0, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.D))
    now = world.run(0.5)
    assert not now.vehicle.rolled[0]
    assert abs(now.vehicle.roll[0]) < 0.01
    assert now.vehicle.z[0] == pytest.approx(0.0, abs=0.01)


def test_nothing_rolls_on_the_flat():
    world: World = world_across(FLAT, 0.0, 0.0)
    assert not world.run(1.0).vehicle.rolled.any()
