"""What a scenario makes is known by the scenario's ids, and made anew when it is loaded again."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from dorosim.ground.state_tree import arrays_of
from dorosim.recording.format import Tick
from dorosim.world.actor.alias import AliasKind
from dorosim.world.actor.command import Category, CreateAs, RemoveActor, RemoveCategories
from dorosim.world.environment.command import CreateFrictionArea
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian, WalkProgress
from dorosim.world.pedestrian.state import Stage as Doing
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.state import SpeedMode
from dorosim.world.vehicle.command import CreateVehicle
from dorosim.world.vehicle.mode import ControlMode, Gear
from dorosim.world.waypoint import Waypoint
from tests.scenario.world import SMALL
from tests.world.stage import Stage

CAR = CreateNpc(model="2015_Kia_K5", link=0, s=20.0)
CONE = SpawnObstacle(actor=0, model=1, position=(50.0, 5.0, 0.0))
WALKER = SpawnPedestrian(actor=0, model=0, position=(10.0, 8.0, 0.0), yaw=0.0)
POINT = SetVehicleSpawnPoints((VehicleSpawnPoint(id=0, start_link=0, start_s=5.0),))
WALKERS = SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=0, x=3.0),))
PUDDLE = CreateFrictionArea(
    position=(60.0, 0.0, 0.0), vertical_radius=2.0, horizontal_radius=1.0, height=0.5, multiplier=0.3
)
MULTI_EGO = CreateVehicle(
    model="2015_Kia_K5", position=(0.0, 90.0, 0.0), gear=Gear.R, mode=ControlMode.CRUISE, cruise_speed=4.0
)
KINDS = {
    AliasKind.VEHICLE: CAR,
    AliasKind.OBSTACLE: CONE,
    AliasKind.PEDESTRIAN: WALKER,
    AliasKind.VEHICLE_SPAWN_POINT: POINT,
    AliasKind.PEDESTRIAN_SPAWN_POINT: WALKERS,
    AliasKind.FRICTION_AREA: PUDDLE,
}


@pytest.fixture
def stage() -> Stage:
    return Stage(SMALL)


@pytest.mark.parametrize("make", [*KINDS.values(), MULTI_EGO])
def test_a_recording_holds_what_a_scenario_makes(make):
    tick = Tick(1, b"digest", (CreateAs(7, make),))
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(tick), type=Tick)
    assert msgspec.msgpack.encode(again) == msgspec.msgpack.encode(tick)


def test_every_kind_has_ids_of_its_own(stage):
    now = stage.apply(*(CreateAs(7, make) for make in KINDS.values()))
    actors = [now.alias.actor_of(kind, 7) for kind in KINDS]
    assert actors == [outcome.actor for outcome in now.outcomes] == [2, 3, 4, 5, 6, 7]
    assert now.alias.aliases_of(AliasKind.OBSTACLE) == {3: 7}


@pytest.mark.parametrize("make", [CAR, CONE, WALKER, PUDDLE, MULTI_EGO])
def test_what_is_made_again_replaces_what_was_there(stage, make):
    stage.apply(CreateAs(7, make))
    now = stage.apply(CreateAs(7, make))
    tables = (now.traffic, now.obstacles, now.people, now.friction.objects, now.egos[1:])
    assert sorted(map(len, tables)) == [0, 0, 0, 0, 1]
    assert now.outcomes[0].actor == 3
    assert len(now.alias) == 1


def test_a_spawn_point_that_is_made_again_is_the_same_one_changed(stage):
    stage.apply(CreateAs(70, POINT), CreateAs(70, WALKERS))
    moved = SetVehicleSpawnPoints((VehicleSpawnPoint(id=70, start_link=1),))
    now = stage.apply(CreateAs(70, moved))
    assert now.spawn.vehicle.id.tolist() == [2]
    assert now.spawn.vehicle.start_link.tolist() == [1]
    assert now.spawn.pedestrian.id.tolist() == [3]


def test_who_came_from_a_spawn_point_is_told_by_the_scenarios_id(stage):
    npc = msgspec.structs.replace(CAR, spawn_point=70)
    walker = msgspec.structs.replace(WALKER, origin=71)
    stranger = msgspec.structs.replace(CAR, s=60.0, spawn_point=99)
    now = stage.apply(
        CreateAs(70, POINT), CreateAs(71, WALKERS), CreateAs(1, npc), CreateAs(2, stranger), CreateAs(3, walker)
    )
    assert now.traffic.spawn_point.tolist() == [2, 0]
    assert now.people.state.origin.tolist() == [3]


def test_a_refused_command_changes_nothing(stage):
    before = stage.apply(CreateAs(7, CAR), CreateAs(8, CONE))
    bad = (
        CreateAs(7, msgspec.structs.replace(CAR, link=99)),
        CreateAs(8, msgspec.structs.replace(CONE, scale=(0.0, 1.0, 1.0))),
        CreateAs(9, SetVehicleSpawnPoints(())),
    )
    now = stage.tick(*bad, paused=True)
    assert len(now.refusals) == 3
    assert now.refusals[0] == "CreateAs: vehicle 7 of the scenario: the map has no link 99"
    assert now.last_id == before.last_id
    assert all(np.array_equal(a, b) for a, b in zip(arrays_of(now), arrays_of(before), strict=True))


def test_who_leaves_is_forgotten(stage):
    stage.apply(CreateAs(7, CAR), CreateAs(8, CONE), CreateAs(9, WALKER))
    assert len(stage.apply(RemoveActor(2)).alias) == 2
    assert len(stage.apply(RemoveCategories(Category.PEDESTRIAN | Category.OBSTACLE)).alias) == 0
    now = stage.apply(CreateAs(7, CAR))
    assert now.alias.actor_of(AliasKind.VEHICLE, 7) == 5


def test_a_friction_area_comes_with_its_object(stage):
    stage.apply(CreateAs(1, PUDDLE))
    objects = stage.now.friction.objects
    assert (objects.x[0], objects.vertical_radius[0], objects.multiplier[0]) == (60.0, 2.0, 0.3)
    refused = stage.tick(CreateAs(1, msgspec.structs.replace(PUDDLE, multiplier=9.0)), paused=True)
    assert "friction: 0 to 2, not 9" in refused.refusals[0]
    assert stage.now.friction.objects.multiplier.tolist() == [0.3]


def test_a_multi_ego_vehicle_cruises_as_told(stage):
    vehicle = stage.apply(MULTI_EGO).vehicle
    assert (vehicle.gear[1], vehicle.control_mode[1]) == (Gear.R, ControlMode.CRUISE)
    assert (vehicle.cruise_ratio[1], vehicle.cruise_speed[1]) == (1.0, 4.0)


def test_a_share_of_the_limit_is_exact_if_asked_for(stage):
    exact = CreateNpc(model="2015_Kia_K5", link=1, s=20.0, ratio=0.85, exact_ratio=True)
    about = CreateNpc(model="2015_Kia_K5", link=1, s=50.0, ratio=0.85)
    traffic = stage.apply(exact, about).traffic
    assert traffic.speed_mode.tolist() == [SpeedMode.LINK_RATIO] * 2
    assert traffic.desired_speed[0] == 0.85
    assert traffic.desired_speed[1] != 0.85
    assert traffic.desired_speed[1] == pytest.approx(0.85, rel=0.1)


def test_a_vehicle_may_stand_on_two_links(stage):
    now = stage.apply(CreateNpc(model="2015_Kia_K5", link=0, s=98.0, ahead=1))
    traffic = now.traffic
    assert (traffic.link[0], traffic.previous[0]) == (1, 0)
    assert traffic.x[0] == pytest.approx(98.0)
    assert traffic.s[0] == pytest.approx(98.0 + traffic.wheelbase[0] + traffic.front_overhang[0] - 100.0)
    refused = stage.tick(CreateNpc(model="2015_Kia_K5", link=0, s=94.0), paused=True)
    assert "is taken" in refused.refusals[0]


def test_nobody_comes_in_where_an_ego_vehicle_stands_but_beside_it():
    beside = Stage(SMALL, [("2015_Kia_K5", (30.0, 3.4, 0.0), 0.0)])
    beside.apply(CreateNpc(model="2015_Kia_K5", link=0, s=30.0))
    across = Stage(SMALL, [("2015_Kia_K5", (30.0, 3.0, 0.0), -np.pi / 2)])
    assert "is taken" in across.tick(CreateNpc(model="2015_Kia_K5", link=0, s=28.0), paused=True).refusals[0]


def test_a_pedestrian_goes_on_from_where_it_was(stage):
    way = (Waypoint(10.0, 10.0), Waypoint(10.0, 20.0))
    begun = SpawnPedestrian(
        actor=0, model=0, position=(10.0, 15.0, 0.0), yaw=0.0, start=True, way=way, mode=CharacterMode.REPEAT,
        progress=WalkProgress(begin=(0.0, 10.0, 0.0), waypoint=1, back=True, walked=25.0),
    )  # fmt: skip
    ahead = SpawnPedestrian(
        actor=0, model=0, position=(4.0, 30.0, 0.0), yaw=np.pi, move_distance=9.0, mode=CharacterMode.REPEAT,
        progress=WalkProgress(begin=(0.0, 30.0, 0.0), yaw=0.0, waypoint=0, back=True, walked=14.0),
    )  # fmt: skip
    stage.apply(begun, ahead)
    people = stage.ticks(200).people
    assert people.state.stage.tolist() == [Doing.WALK, Doing.WALK]
    # the first one goes back to (10, 10), the second one to where it began
    assert people.state.y[0] == pytest.approx(15.0 - 1.5 * 1.41, abs=0.3)
    assert people.state.x[1] == pytest.approx(4.0 - 1.5 * 1.41, abs=0.3)
    assert people.state.walked[0] == pytest.approx(25.0 + 1.5 * 1.41, abs=0.3)
    later = stage.ticks(400).people
    assert later.state.x[0] < 9.9
    assert later.state.x[1] > 0.3


@pytest.mark.parametrize(
    ("progress", "problem"),
    [
        (WalkProgress(begin=(0.0, 0.0, 0.0), waypoint=2), "its way has points 0 to 1, not 2"),
        (WalkProgress(begin=(np.nan, 0.0, 0.0)), "is not a valid progress on a way"),
        (WalkProgress(begin=(0.0, 0.0, 0.0), walked=-1.0), "is not a valid progress on a way"),
    ],
)
def test_progress_that_cannot_be_is_refused(stage, progress, problem):
    walker = msgspec.structs.replace(WALKER, move_distance=5.0, progress=progress)
    assert problem in stage.tick(walker, paused=True).refusals[0]
