"""Making, removing and pausing actors of every kind, through whole steps of a town in motion."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.actor.command import Category, PauseActor, PauseRun, PlaceActor, RemoveActor, RemoveCategories
from dorosim.world.environment.command import CreateMapObject
from dorosim.world.fault.command import SetTireFault
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import DrivePedestrian, SpawnPedestrian
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.spawn.command import SetVehicleSpawnPoints
from dorosim.world.spawn.point import VehicleSpawnPoint
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle, PlaceVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.world.world import CAR, World, street

E1 = "E1"


def on_street(*others: tuple[float, float], seed: int = 0) -> World:
    """An ego vehicle far from the lanes, and one at each further place (x, y), heading east."""
    egos = [(CAR, (x, y, 0.0), 0.0) for x, y in ((0.0, 200.0), *others)]
    return World(street(10.0), egos, seed)


def everybody(world: World) -> dict[str, int]:
    """Somebody of every kind in motion, by what they are; they are in nobody's way."""
    link = world.scene.network.link_index(E1)
    commands = {
        "vehicle": CreateVehicle(model=CAR, position=(50.0, 100.0, 0.0), speed=5.0, gear=Gear.N),
        "npc": CreateNpc(model=CAR, link=link, s=100.0, speed=10.0, lane_change=False),
        "ghost": PlaceNpcGhost(alias=3, model=CAR, position=(0.0, 120.0, 0.0), rotation=(0.0, 0.0, 0.0)),
        "person": SpawnPedestrian(actor=0, model=0, position=(0.0, 60.0, 0.0), yaw=0.0),
        "obstacle": SpawnObstacle(actor=0, model=1, position=(0.0, 150.0, 0.0)),
        "puddle": CreateMapObject(actor=0, model="Puddle", position=(0.0, 300.0, 0.0)),
    }
    made = dict(zip(commands, world.do(*commands.values()), strict=True))
    world.do(DrivePedestrian(actor=made["person"], direction=(1.0, 0.0, 0.0), speed=1.0))
    return made


def counts(now: Snapshot) -> tuple[int, ...]:
    """Egos, NPC vehicles, ghosts, people, obstacles, map objects, spawn points."""
    tables = (now.egos, now.traffic, now.ghost, now.people, now.obstacles, now.friction.objects, now.spawn)
    return tuple(map(len, tables))


# making ---------------------------------------------------------------------------------------------------------


def test_a_vehicle_is_made_as_asked_and_is_a_full_vehicle():
    world = on_street()
    (second,) = world.do(CreateVehicle(model="2015_Kia_K5", position=(10.0, 60.0, 5.0), rotation=(0.3, 0.2, 1.0)))
    row = world.now.row_of(second)
    vehicle = world.now.vehicle
    assert (second, row, world.now.egos) == (2, 1, (EGO, second))
    assert (vehicle.x[row], vehicle.y[row], vehicle.yaw[row]) == (10.0, 60.0, 1.0)
    assert (vehicle.z[row], vehicle.roll[row]) == (0.0, 0.0), "it settles on the ground"
    world.do(DriveVehicle(actor=second, kind=ControlKind.PEDALS, accelerator=1.0))
    world.run(3.0)
    vehicle = world.now.vehicle
    assert vehicle.velocity_x[row] > 5.0
    assert vehicle.velocity_x[0] == 0.0, "the ego vehicle is not meant"


def test_a_vehicle_that_is_made_with_a_speed_rolls_and_one_that_cruises_drives():
    world = on_street()
    rolls, cruises = world.do(
        CreateVehicle(model=CAR, position=(0.0, 60.0, 0.0), speed=8.0, gear=Gear.N),
        CreateVehicle(model=CAR, position=(50.0, -3.5, 0.0), mode=ControlMode.CRUISE, cruise_ratio=0.5),
    )
    world.run(15.0)
    speed = world.now.vehicle.velocity_x
    assert 3.0 < speed[world.now.row_of(rolls)] < 7.0, "in neutral, against rolling resistance and drag"
    assert speed[world.now.row_of(cruises)] == pytest.approx(0.5 * 50 / 3.6, rel=0.03)


@pytest.mark.parametrize(
    "change",
    [
        {"model": "nothing like it"},
        {"position": (float("nan"), 0.0, 0.0)},
        {"position": (0.0, 1e9, 0.0)},
        {"rotation": (0.0, float("inf"), 0.0)},
        {"speed": float("nan")},
        {"speed": 1e4},
        {"cruise_ratio": -1.0},
        {"cruise_speed": float("inf")},
    ],
)
def test_a_vehicle_that_cannot_be_is_refused_and_uses_up_no_id(change):
    world = on_street()
    assert world.refuse(CreateVehicle(**{"model": CAR, "position": (0.0, 60.0, 0.0)} | change))
    assert world.do(CreateVehicle(model=CAR, position=(0.0, 60.0, 0.0))) == [2]


def test_a_refused_list_of_spawn_points_uses_up_no_ids():
    world = on_street()
    good = VehicleSpawnPoint(id=0, x=10.0, y=-3.5)
    bad = VehicleSpawnPoint(id=0, x=float("nan"))
    last = world.now.last_id
    world.refuse(SetVehicleSpawnPoints((good, good, bad)))
    assert world.now.last_id == last


# removing -------------------------------------------------------------------------------------------------------


def test_everybody_but_the_first_ego_vehicle_can_be_removed_one_by_one():
    world = on_street()
    made = everybody(world)
    assert counts(world.now) == (2, 1, 1, 1, 1, 1, 0)
    for number, actor in enumerate(made.values(), start=1):
        world.do(RemoveActor(actor=actor))
        assert sum(counts(world.now)) == 7 - number
        assert "no actor" in world.refuse(RemoveActor(actor=actor))
    assert world.refuse(RemoveActor(actor=EGO)) == "RemoveActor: the ego vehicle stays"
    assert world.do(CreateVehicle(model=CAR, position=(0.0, 60.0, 0.0))) == [8], "ids are never given twice"


def test_an_ego_vehicle_in_the_middle_leaves_and_the_others_go_on_as_they_were():
    world = on_street((0.0, 60.0), (0.0, 80.0))
    world.do(DriveVehicle(actor=2, kind=ControlKind.PEDALS, accelerator=1.0))
    world.do(DriveVehicle(actor=3, kind=ControlKind.VELOCITY, velocity=5.0))
    world.do(SetTireFault(actor=2, tire=0, fault_class=3, fault_subclass=301))
    world.run(0.5)
    before = world.now.vehicle.take(np.array([2]))
    alone = on_street((0.0, 60.0), (0.0, 80.0))
    alone.now = world.now
    world.do(RemoveActor(actor=2))
    alone.run(0.01)
    assert world.now.egos == (EGO, 3)
    assert len(world.now.fault) == 0, "its faults go with it"
    after = world.now.vehicle
    assert after.x[1] > before.x[0]
    assert after.floats[:, 1].tobytes() == alone.now.vehicle.floats[:, 2].tobytes()


def test_a_cruising_ego_vehicle_leaves_with_its_drivers_plan():
    world = on_street((50.0, -3.5))
    world.do(SelectMode(actor=2, mode=ControlMode.CRUISE))
    world.run(1.0)
    assert len(world.now.traffic) == 1
    world.do(RemoveActor(actor=2))
    assert len(world.now.traffic) == 0


@pytest.mark.parametrize(
    ("categories", "left"),
    [
        (Category.VEHICLE, (2, 0, 0, 1, 1, 1, 1)),
        (Category.PEDESTRIAN, (2, 1, 1, 0, 1, 1, 1)),
        (Category.OBSTACLE, (2, 1, 1, 1, 0, 1, 1)),
        (Category.SPAWN_POINT, (2, 1, 1, 1, 1, 1, 0)),
        (Category.MAP_OBJECT, (2, 1, 1, 1, 1, 0, 1)),
        (Category.PEDESTRIAN | Category.OBSTACLE, (2, 1, 1, 0, 0, 1, 1)),
        (Category(31), (2, 0, 0, 0, 0, 0, 0)),
        (Category(0), (2, 1, 1, 1, 1, 1, 1)),
    ],
)
def test_a_category_leaves_and_the_others_stay(categories, left):
    world = on_street()
    everybody(world)
    world.do(SetVehicleSpawnPoints((VehicleSpawnPoint(id=0, y=3.5, enabled=False),)))
    world.do(RemoveCategories(categories=categories))
    assert counts(world.now) == left
    world.run(0.1)


# pausing --------------------------------------------------------------------------------------------------------


def places(now: Snapshot) -> dict[str, tuple[float, float]]:
    rows = {"vehicle": (now.vehicle, 1), "npc": (now.traffic, 0), "person": (now.people.state, 0)}
    return {name: (float(table.x[row]), float(table.y[row])) for name, (table, row) in rows.items()}


@pytest.mark.parametrize("kind", ["vehicle", "npc", "person"])
def test_a_paused_actor_stands_where_it_is_and_goes_on_as_it_did(kind):
    world = on_street()
    made = everybody(world)
    world.run(0.5)
    world.do(PauseActor(actor=made[kind], paused=True))
    before = places(world.now)
    world.run(1.0)
    after = places(world.now)
    assert {name for name in before if before[name] == after[name]} == {kind}
    world.do(PauseActor(actor=made[kind], paused=False))
    world.run(2.0)
    last = places(world.now)
    way = last[kind][0] - after[kind][0]
    assert way > {"vehicle": 8.0, "npc": 0.5, "person": 1.0}[kind], "full dynamics keep the speed, others start again"


def test_others_stop_behind_paused_vehicles_that_leave_no_way_past():
    beside = (-6.5, -3.5, -0.5, 2.5, 5.5)
    world = on_street(*((150.0, y) for y in beside))
    for actor, y in enumerate(beside, 2):
        place = PlaceVehicle(actor=actor, position=(150.0, y, 0.0), rotation=(0.0, 0.0, 0.0), speed=10.0, gear=Gear.N)
        world.do(place, PauseActor(actor=actor, paused=True))
    link = world.scene.network.link_index(E1)
    world.do(CreateNpc(model=CAR, link=link, s=50.0, speed=12.0, lane_change=False))
    world.run(20.0)
    assert world.now.traffic.speed[0] < 0.1
    assert 130.0 < world.now.traffic.x[0] < 147.0
    assert len(world.now.contact) == 0


def test_a_paused_vehicle_stands_fast_when_it_is_hit_and_keeps_its_own_speed():
    world = on_street((100.0, 60.0), (112.0, 60.0))
    for actor, x, speed in ((2, 100.0, 8.0), (3, 112.0, 5.0)):
        where = {"position": (x, 60.0, 0.0), "rotation": (0.0, 0.0, 0.0)}
        world.do(PlaceVehicle(actor=actor, speed=speed, gear=Gear.N, **where))
    world.do(PauseActor(actor=3, paused=True))
    before, own = float(world.now.vehicle.x[2]), float(world.now.vehicle.velocity_x[2])
    hits = []
    world.run(2.0, lambda now: hits.append(len(now.contact)))
    vehicle = world.now.vehicle
    assert max(hits) == 1
    assert vehicle.velocity_x[1] <= 0.0, "like a wall"
    assert (vehicle.x[2], vehicle.velocity_x[2]) == (before, own)


def test_a_paused_run_takes_commands_and_no_time():
    world = on_street()
    everybody(world)
    world.run(0.2)
    world.do(PauseRun(paused=True))
    time, before = world.now.time, places(world.now)
    world.run(0.5)
    (new,) = world.do(CreateVehicle(model=CAR, position=(0.0, 250.0, 0.0)))
    assert (world.now.time, places(world.now)) == (time, before)
    assert new in world.now.egos
    assert world.now.paused
    world.do(PauseRun(paused=False))
    assert world.now.time == time + world.scene.tick
    world.run(0.2)
    assert all(world_now != old for world_now, old in zip(places(world.now).values(), before.values(), strict=True))


def test_who_does_not_exist_cannot_be_paused():
    world = on_street()
    assert "no actor 77" in world.refuse(PauseActor(actor=77, paused=True))


def test_ego_vehicles_that_are_put_inside_cars_of_the_traffic_harm_nobody():
    """They are pushed apart at walking pace, and time goes on."""
    world = on_street()
    link = world.scene.network.link_index(E1)
    world.do(*(CreateNpc(model=CAR, link=link, s=100.0 + 20.0 * k, lane_change=False) for k in range(5)))
    places = [(float(x), float(y), 0.0) for x, y in zip(world.now.traffic.x, world.now.traffic.y, strict=True)]
    world.do(*(CreateVehicle(model=CAR, position=(x, y + 100.0, z)) for x, y, z in places))
    cars = world.now.vehicle.id[-len(places) :].tolist()
    world.do(*(PlaceActor(car, place, (0.0, 0.0, 0.0)) for car, place in zip(cars, places, strict=True)))
    fastest = 0.0
    for _ in range(30):
        now = world.run(0.1)
        moving = np.hypot(now.vehicle.velocity_x, now.vehicle.velocity_y)
        fastest = max(fastest, float(moving.max()))
        assert np.isfinite(now.vehicle.floats).all()
        assert np.isfinite(now.traffic.floats).all()
    assert fastest < 3.0
