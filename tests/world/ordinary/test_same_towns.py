"""Ordinary ticks of towns with traffic, people, lights and several egos have the bits of `any_tick`."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.world.actor.command import RemoveActor
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.command import SetVehicleSpawnPoints
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.spawn.point import VehicleSpawnPoint
from dorosim.world.step import any_tick, step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.command import DriveVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.world.ordinary.both_ways import DRIVE, both_ways
from tests.world.world import CAR, World, npcs_about_town, town_scene, town_world, walkers_over_crosswalks

STAND = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, brake=1.0)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()


def test_a_town_of_cars_and_people():
    world = town_world(seed=1)
    crowd = population(world.scene, world.now, world.noise, 100, 20)
    assert both_ways(world, {0: (STAND, *crowd)}, 1000) > 0.95


def test_an_ego_that_cruises_among_others():
    world = town_world(seed=2)
    orders = {0: (SelectMode(EGO, ControlMode.CRUISE, Gear.D), *npcs_about_town(world.scene, 25, 3))}
    assert both_ways(world, orders, 800) > 0.8
    assert world.now.vehicle.velocity_x[0] > 1.0


def test_an_ego_that_hits_a_car_and_goes_on():
    """Python makes the ticks of the impact and of what slides; then ticks are ordinary again."""
    world = town_world(seed=3)
    link = world.scene.network.link_index("_11_0_R1_")
    ahead = CreateNpc(model=CAR, link=link, s=39.33 + 25.0, speed=0.0)
    ram = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=1.0)
    orders = {0: (ram, ahead, *npcs_about_town(world.scene, 20, 4)), 700: (RemoveActor(EGO + 1),)}
    assert both_ways(world, {**orders, 600: (STAND,)}, 700) < 0.8
    assert (world.now.traffic.present == Presence.OFF_LANE).any()
    assert both_ways(world, {0: orders[700]}, 60) > 0.7


def test_people_who_cross_and_leave():
    world = town_world(seed=4)
    walkers = walkers_over_crosswalks(world.scene.network, 12, 5)
    assert any(one.mode is CharacterMode.REPEAT for one in walkers)
    assert both_ways(world, {0: (STAND, *walkers), 300: (RemoveActor(EGO + 3),)}, 700) > 0.8


def test_several_egos_that_meet():
    scene = town_scene()
    x, y, z = (
        float(column[0])
        for column in (town_world().now.vehicle.x, town_world().now.vehicle.y, town_world().now.vehicle.z)
    )
    yaw = float(town_world().now.vehicle.yaw[0])
    world = World(scene, [(CAR, (x, y, z), yaw), (CAR, (x + 15.0, y, z), yaw)])
    assert both_ways(world, {0: (DRIVE,)}, 900) > 0.2


def test_cars_and_people_that_enter_and_leave():
    world = town_world(seed=5)
    network = world.scene.network
    link = int(np.where(network.link_drivable, network.link_length, 0.0).argmax())
    after = max(network.successors.of(link).tolist(), key=lambda one: network.link_length[one])
    cars = VehicleSpawnPoint(
        id=0,
        start_link=link,
        start_s=float(network.link_length[link]) - 60.0,
        shortest_period=4.0,
        longest_period=4.0,
        lowest_speed=8.0,
        highest_speed=8.0,
        end_link=after,
        end_s=10.0,
    )
    assert both_ways(world, {0: (STAND, SetVehicleSpawnPoints((cars,)))}, 2500) > 0.6
    assert world.now.spawn.vehicle.spawned[0] > len(world.now.traffic)


def test_the_seed_of_another_run_is_not_used():
    world = town_world(seed=6)
    world.do(STAND, *population(world.scene, world.now, world.noise, 20, 10))
    world.run(0.35)
    for seed in (7, 8):
        noise = Noise(seed)
        assert step(world.scene, world.now, (), noise).digest() == any_tick(world.scene, world.now, (), noise).digest()


def test_drivers_that_decide_in_every_tick():
    """As in environments for learning, whose ticks are as long as drivers take to decide."""
    world = town_world(tick_ms=100.0, seed=8)
    crowd = population(world.scene, world.now, world.noise, 60, 30)
    assert both_ways(world, {0: (SelectMode(EGO, ControlMode.CRUISE, Gear.D), *crowd)}, 400) > 0.8
