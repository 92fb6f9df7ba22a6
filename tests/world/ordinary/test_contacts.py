"""Ordinary ticks in which bodies touch have the bits of `any_tick`, and lasting contacts make no ticks in Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.scenario.population import population
from dorosim.world.actor.command import PauseActor
from dorosim.world.collision.body import BodyKind
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.ordinary import frame
from dorosim.world.ordinary.batch import OrdinaryBatch
from dorosim.world.ordinary.kept import kept_frame
from dorosim.world.ordinary.link_kernel import CONTACT_LINKS
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import any_tick, step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.state import Presence
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.world.collision.standing import changed, scenery_of, world_among
from tests.world.ordinary.both_ways import both_ways, is_ordinary
from tests.world.world import CAR, World, street, town_scene, town_world

RAM = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=1.0)
STAND = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, brake=1.0)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()


def cars(*places: tuple[float, float, float], tick_ms: float = 10.0) -> World:
    """Ego vehicles on a street: x, y [m] and heading [rad] of each."""
    return World(street(tick_ms), [(CAR, (x, y, 0.0), heading) for x, y, heading in places])


class Touching:
    """What `both_ways` sees: how many ticks had contacts, how many of those were ordinary, the most contacts of one."""

    def __init__(self) -> None:
        self.ticks = self.compiled = self.most = 0

    def __call__(self, now: Snapshot) -> None:
        rows = now.contact.rows
        self.ticks += rows > 0
        self.compiled += rows > 0 and is_ordinary(now)
        self.most = max(self.most, rows)


@pytest.fixture
def touching() -> Touching:
    return Touching()


def drive(actor: int, speed: float, steer: float = 0.0) -> DriveVehicle:
    return DriveVehicle(actor=actor, kind=ControlKind.VELOCITY, gear=Gear.D, velocity=speed, steer=steer)


def before_a_building(tick_ms: float = 10.0) -> World:
    """An ego vehicle in the town that faces the nearest solid part which does not give way, some metres away."""
    scene = town_scene(tick_ms)
    parts, objects = scene.scenery.parts, scene.scenery.objects
    fast = np.flatnonzero((objects.breakaway_speed[parts.object] == 0.0) & (parts.half_length > 4.0))
    place = town_world(tick_ms).now.vehicle
    away = np.hypot(parts.x[fast] - place.x[0], parts.y[fast] - place.y[0])
    part = int(fast[away.argmin()])
    yaw, reach = float(parts.yaw[part]), float(parts.half_length[part]) + 9.0
    x, y = float(parts.x[part]) + reach * math.cos(yaw), float(parts.y[part]) + reach * math.sin(yaw)
    z = float(parts.z[part] - parts.half_height[part])
    return World(scene, [(CAR, (x, y, z), yaw + math.pi + 0.3)])


def test_two_egos_that_collide_and_lean_on_each_other(touching):
    world = cars((10.0, 0.0, 0.0), (25.0, 0.4, 0.0))
    assert both_ways(world, {0: (RAM, drive(2, 0.0))}, 1500, touching) > 0.98
    assert touching.ticks > 800
    assert touching.compiled > 0.98 * touching.ticks
    assert world.now.contact.first_kind.tolist() == world.now.contact.second_kind.tolist() == [BodyKind.EGO]


@pytest.mark.parametrize("tick_ms", [10.0, 100.0])
def test_a_car_that_leans_on_a_wall_for_a_thousand_ticks(touching, tick_ms):
    world = world_among(scenery_of([(26.0, 0.0, 0.05, 1.0, 20.0)]), (14.0, 0.0, 0.0), tick_ms=tick_ms)
    both_ways(world, {0: (RAM,)}, 1500, touching)
    assert touching.ticks > 1000
    assert touching.compiled > 0.98 * touching.ticks
    assert world.now.contact.second_id.max(initial=-1) < 0, "a part of the scenery"


def test_a_car_that_bounces_off_a_wall(touching):
    world = world_among(scenery_of([(26.0, 0.0, 0.2, 1.0, 20.0)]), (14.0, 0.0, 0.0))
    world.now = changed(world.now, velocity_x=12.0)
    both_ways(world, {}, 600, touching)
    assert 0 < touching.ticks < 200, "contacts are forgotten"
    assert touching.compiled > 0.9 * touching.ticks
    assert is_ordinary(world.now)


def test_many_egos_in_one_heap(touching):
    places = [(10.0 + 6.0 * k, 0.3 * (k % 3), 0.05 * k) for k in range(12)]
    world = cars(*places, tick_ms=50.0)
    orders = {0: tuple(drive(actor, 12.0 if actor < 7 else -12.0) for actor in world.now.egos)}
    both_ways(world, orders, 500, touching)
    assert touching.most > 3
    assert touching.compiled > 0.98 * touching.ticks


def test_more_contacts_than_a_block_has_room_for(monkeypatch, touching):
    """Python makes the tick that has more, and the next block has more room."""
    monkeypatch.setattr(frame, "CONTACT_ROOM", 1)
    world = cars(*[(10.0 + 5.2 * k, 0.0, 0.0) for k in range(10)])
    both_ways(world, {0: (RAM, *(drive(actor, 0.0) for actor in world.now.egos[1:]))}, 700, touching)
    assert touching.most > 3
    assert 0.8 * touching.ticks < touching.compiled < touching.ticks


@pytest.mark.parametrize("pedal", [0.1, 1.0])
def test_an_ego_and_a_car_of_the_traffic(touching, pedal):
    world = town_world(seed=3)
    link = world.scene.network.link_index("_11_0_R1_")
    ahead = [CreateNpc(model=CAR, link=link, s=39.33 + 6.0 + 8.0 * k, speed=0.0) for k in range(2)]
    push = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=pedal)
    held = [PauseActor(EGO + 1 + k, True) for k in range(2)]
    both_ways(world, {0: (push, *ahead), 1: held, 900: (STAND,)}, 1300, touching)
    assert touching.ticks
    assert bool((world.now.traffic.present == Presence.OFF_LANE).any()) == (pedal == 1.0)


def test_a_wreck_that_rests_makes_no_ticks_in_python():
    world = town_world(seed=3)
    link = world.scene.network.link_index("_11_0_R1_")
    ahead = CreateNpc(model=CAR, link=link, s=39.33 + 25.0, speed=0.0)
    crowd = population(world.scene, world.now, world.noise, 30, 5)
    both_ways(world, {0: (RAM, ahead, *crowd), 500: (STAND,)}, 1100)
    assert (world.now.traffic.present == Presence.OFF_LANE).any()
    assert both_ways(world, {}, 600) > 0.97


@pytest.mark.parametrize("speed", [0.4, 8.0])
def test_an_ego_and_people(speed):
    world = town_world(seed=4)
    vehicle = world.now.vehicle
    x, y, z, yaw = (float(one[0]) for one in (vehicle.x, vehicle.y, vehicle.z, vehicle.yaw))
    people = [
        SpawnPedestrian(
            actor=0,
            model=0,
            position=(
                x + ahead * math.cos(yaw) - side * math.sin(yaw),
                y + ahead * math.sin(yaw) + side * math.cos(yaw),
                z,
            ),
            yaw=yaw + 1.0,
        )
        for ahead, side in ((6.0, 0.2), (9.0, -0.7))
    ]
    both_ways(world, {0: (drive(EGO, speed), *people)}, 900)
    assert len(world.now.people) == 2


def test_an_ego_and_an_obstacle():
    """A world with obstacles is stepped in Python."""
    world = cars((100.0, 0.0, 0.0))
    tree = SpawnObstacle(actor=0, model=obstacle_model_row("tree")[0], position=(112.0, 0.0, 0.0))
    assert both_ways(world, {0: (RAM, tree)}, 400) < 0.1
    assert world.now.contact.rows


def test_what_has_given_way_leaves_ordinary_ticks_behind():
    """Python lets a post fall; once it lies, ticks are ordinary again."""
    world = world_among(
        scenery_of([(20.0, 0.0, 0.0, 0.06, 0.06), (90.0, 0.0, 0.0, 1.0, 9.0)], 4.0, 25.0), (14.0, 0.0, 0.0)
    )
    world.now = changed(world.now, velocity_x=8.0)
    both_ways(world, {}, 400)
    assert world.now.displaced.object.tolist() == [0]
    assert both_ways(world, {0: (DriveVehicle(EGO, ControlKind.PEDALS, gear=Gear.D),)}, 200) > 0.9


@pytest.mark.parametrize("tick_ms", [10.0, 100.0])
@pytest.mark.parametrize("seed", range(5))
def test_cars_that_are_pushed_against_walls(touching, seed, tick_ms):
    """Fast ones hit standing ones that have no way out: shifts end at walls, and parts of one object count once."""
    chance = np.random.default_rng(seed)
    walls = scenery_of(
        [(26.0, 0.0, chance.uniform(-0.5, 0.5), 1.0, 20.0), (8.0, 4.5, 0.1, 40.0, 1.0), (8.0, -4.5, 0.0, 40.0, 1.0)]
    )
    places = [(3.0 + 6.0 * k, chance.uniform(-1.0, 1.0), chance.uniform(-0.4, 0.4)) for k in range(4)]
    world = world_among(walls, *places, tick_ms=tick_ms)
    world.now = changed(world.now, velocity_x=chance.uniform(-15.0, 30.0, 4))
    both_ways(world, {}, 300, touching)
    assert touching.most > 2
    assert touching.compiled > 0.9 * touching.ticks


def test_contacts_in_a_town_of_a_hundred():
    world = town_world(tick_ms=100.0, seed=9)
    x, y, z, yaw = (
        float(one[0]) for one in (world.now.vehicle.x, world.now.vehicle.y, world.now.vehicle.z, world.now.vehicle.yaw)
    )
    more = [
        CreateVehicle(
            actor=0,
            model=CAR,
            position=(x - 7.0 * k * math.cos(yaw), y - 7.0 * k * math.sin(yaw), z),
            rotation=(0.0, 0.0, yaw),
        )
        for k in (1, 2)
    ]
    crowd = population(world.scene, world.now, world.noise, 95, 5)
    orders = {0: (STAND, *more, *crowd), 2: tuple(drive(actor, 6.0) for actor in (2, 3))}
    share = both_ways(world, orders, 400)
    assert world.now.contact.rows
    assert share > 0.5


def test_worlds_of_a_batch_have_the_bits_that_they_have_alone():
    worlds = [
        before_a_building(100.0),
        before_a_building(100.0),
        cars((10.0, 0.0, 0.0), (25.0, 0.4, 0.0), tick_ms=100.0),
    ]
    batch = OrdinaryBatch(step, 2)
    for world in worlds:
        batch.add(world.scene, world.now, world.noise)
    orders = {0: (drive(1, 9.0),), 1: (drive(1, 3.0, 0.1),), 2: (drive(1, 9.0), drive(2, 1.0))}
    alone = [world.now for world in worlds]
    for number in range(200):
        commands = orders if number % 10 == 0 else {}
        batch.step(commands)
        for k, world in enumerate(worlds):
            alone[k] = any_tick(world.scene, alone[k], commands.get(k, ()), world.noise)
    assert all(batch.now(k).digest() == one.digest() for k, one in enumerate(alone))
    assert all(one.contact.rows for one in alone)
    batch.go(range(3), ticks=50)
    assert batch.places[-2].tolist() == [50, 50, 50], "lasting contacts are compiled"


def test_whoever_looks_for_changes_looks_while_there_are_contacts():
    world = cars((10.0, 0.0, 0.0), (25.0, 0.0, 0.0))
    world.do(RAM, drive(2, 0.0))
    seen = []

    def look(now):
        if is_ordinary(now):
            seen.append((bool(now.contact.rows), kept_frame(now) is None))

    world.run(6.0, look)
    assert {(False, False), (True, True)} == set(seen)


def test_ticks_are_made_in_python_where_kernels_of_contacts_are_not_there(monkeypatch):
    for link in CONTACT_LINKS.values():
        monkeypatch.setattr(link, "_address", 0)
        monkeypatch.setattr(type(link), "is_there", lambda _: False)
        monkeypatch.setattr(type(link), "is_loaded", lambda _: False)
    world = cars((10.0, 0.0, 0.0), (25.0, 0.0, 0.0))
    both_ways(world, {0: (RAM, drive(2, 0.0))}, 500)
    assert world.now.contact.rows
    assert not is_ordinary(world.now)
