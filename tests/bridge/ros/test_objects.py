"""Who is around the ego vehicle and who touches whom: against the snapshot, with units and signs of the facts."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.command import CreateVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import Gear
from tests.bridge.ros.stage import RosStage

CAR, OTHER = "2016_Hyundai_Ioniq", "2015_Kia_K5"
KIA = next(one for one in VEHICLE_MODELS if one.name == OTHER)


def parts(vector) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


@pytest.fixture
def stage() -> RosStage:
    """An NPC vehicle at 10 m/s, another ego to the north, a pedestrian, a cone."""
    stage = RosStage(egos=((CAR, (0.0, 20.0, 0.0), 0.0),))
    cone = obstacle_model_row("cone")[0]
    stage.apply(
        CreateNpc(model=OTHER, link=0, s=30.0, speed=10.0),
        CreateVehicle(model=OTHER, position=(0.0, 60.0, 0.0), rotation=(0.0, 0.0, math.pi / 2), speed=5.0),
        SpawnPedestrian(0, 1, (0.0, 25.0, 0.0), math.pi),
        SpawnObstacle(0, cone, (-10.0, 20.0, 0.0), (0.0, 0.0, 7.0), scale=(2.0, 1.0, 0.5)),
    )
    stage.tick()
    return stage


def test_objects_stand_in_three_lists_with_their_counts(stage):
    told = stage.told("objects")
    assert told.header.frame_id == "map"
    assert (told.num_of_npcs, told.num_of_pedestrian, told.num_of_obstacle) == (2, 1, 1)
    assert [one.type for one in (*told.pedestrian_list, *told.npc_list, *told.obstacle_list)] == [0, 1, -1, 2]
    assert [one.unique_id for one in told.npc_list] == [2, 3], "nearest first; another ego stands among the vehicles"
    assert [one.unique_id for one in (*told.pedestrian_list, *told.obstacle_list)] == [4, 5]


def test_an_npc_vehicle_is_told_in_kmh_and_degrees_by_its_own_axes(stage):
    one = stage.told("objects").npc_list[0]
    traffic = stage.now.traffic
    assert one.name == OTHER
    assert parts(one.position) == (float(traffic.x[0]), float(traffic.y[0]), float(traffic.z[0]))
    assert one.heading == pytest.approx(0.0, abs=0.1)
    assert parts(one.velocity) == pytest.approx((float(traffic.speed[0]) * 3.6, 0.0, 0.0))
    assert one.velocity.x == pytest.approx(36.0, abs=1.0)
    assert parts(one.size) == (KIA.length, KIA.width, KIA.height), "x along the heading"
    assert one.acceleration.x == pytest.approx(float(traffic.acceleration[0]))


def test_another_ego_is_told_along_its_own_body(stage):
    one = stage.told("objects").npc_list[1]
    assert one.heading == pytest.approx(90.0, abs=0.5)
    assert one.velocity.x == pytest.approx(18.0, abs=0.5)
    assert abs(one.velocity.y) < 0.5


def test_people_and_obstacles_have_their_size_and_heading(stage):
    told = stage.told("objects")
    (person,), (cone,) = told.pedestrian_list, told.obstacle_list
    model = PEDESTRIAN_MODELS[1]
    assert (person.name, parts(person.size)) == (model.name, (model.length, model.width, model.height))
    assert abs(person.heading) == pytest.approx(180.0)
    assert cone.name == "cone"
    assert parts(cone.position) == (-10.0, 20.0, 0.0)
    assert cone.heading == pytest.approx(math.degrees(7.0) - 360.0), "within half a turn"
    state = stage.now.obstacles.state
    assert parts(cone.size) == (float(state.length[0]), float(state.width[0]), float(state.height[0]))


def test_only_the_nearest_twenty_are_told_of():
    stage = RosStage(egos=((CAR, (0.0, 20.0, 0.0), 0.0),))
    ghosts = [PlaceNpcGhost(n + 1, OTHER, (10.0 * (n + 1), 20.0, 0.0), (0.0, 0.0, 0.0)) for n in range(25)]
    stage.apply(*reversed(ghosts))
    told = stage.told("objects")
    assert told.num_of_npcs == 20
    assert [one.position.x for one in told.npc_list] == [10.0 * (n + 1) for n in range(20)]


def test_who_is_alone_is_told_of_nobody():
    told = RosStage().told("objects")
    assert (told.num_of_npcs, told.npc_list, told.pedestrian_list, told.obstacle_list) == (0, [], [], [])


def crash(generation: str = "2024") -> RosStage:
    """The ego vehicle drives into a box; an NPC vehicle hits another box."""
    stage = RosStage(generation=generation, egos=((CAR, (0.0, 40.0, 0.0), 0.0),))
    box = obstacle_model_row("box")[0]
    stage.apply(
        PlaceVehicle(EGO, (0.0, 40.0, 0.0), (0.0, 0.0, 0.0), 8.0, Gear.D),
        SpawnObstacle(0, box, (5.5, 40.0, 0.0)),
        SpawnObstacle(0, box, (51.0, 0.0, 0.0)),
        PlaceNpcGhost(1, OTHER, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    )
    stage.ticks(20)
    return stage


@pytest.mark.parametrize("generation", ["2022", "2024"])
def test_what_the_ego_vehicle_touches_is_told_with_the_origin_of_the_map(generation):
    stage = crash(generation)
    stage.scene = replace(stage.scene, map_origin=(302_459.9, 4_122_635.5, 28.9))
    told = stage.told("collision")
    assert (told.global_offset_x, told.global_offset_y, told.global_offset_z) == (302_459.9, 4_122_635.5, 28.9)
    assert told.header.frame_id == "map"
    (one,) = told.collision_object
    assert (one.type, one.name) == (2, "box")
    assert one.position.y == pytest.approx(40.0, abs=0.5)
    assert hasattr(told, "collision_objecta") == (generation == "2024")
    assert not getattr(told, "collision_objecta", [])


def test_npc_vehicles_that_touch_are_told_in_pairs():
    stage = crash()
    told = stage.told("npc_collision")
    assert len(told.collisions) == 1, "the ego vehicle's collision is not among them"
    first, second = told.collisions[0].crashed_vehicles
    ids = {first.unique_id, second.unique_id}
    ghost, boxes = stage.now.ghost.id.tolist(), stage.now.obstacles.state.id.tolist()
    assert ids == {*ghost, boxes[1]}
    near = [math.dist((0.0, 40.0), (one.position.x, one.position.y)) for one in (first, second)]
    assert near == sorted(near), "the nearer to the ego vehicle first"


def test_an_npc_vehicle_that_the_ego_vehicle_touches_is_told_with_it():
    stage = RosStage(egos=((CAR, (0.0, 40.0, 0.0), 0.0),))
    stage.apply(
        PlaceVehicle(EGO, (0.0, 40.0, 0.0), (0.0, 0.0, 0.0), 8.0, Gear.D),
        PlaceNpcGhost(9, OTHER, (6.0, 40.0, 0.0), (0.0, 0.0, 0.0)),
    )
    stage.ticks(20)
    ((ego, ghost),) = [one.crashed_vehicles for one in stage.told("npc_collision").collisions]
    assert (ego.type, ego.unique_id) == (-1, EGO)
    assert (ghost.type, ghost.unique_id) == (1, 9)
    assert ego.velocity.x == pytest.approx(3.6 * float(stage.now.vehicle.velocity_x[0]), abs=1e-6)
    (told,) = stage.told("collision").collision_object
    assert (told.type, told.unique_id) == (1, 9), "the ego vehicle's own message tells of what it touches"


def test_nothing_touched_is_told_as_nothing():
    stage = RosStage()
    assert stage.told("collision").collision_object == []
    assert stage.told("npc_collision").collisions == []
    assert np.isfinite(stage.told("collision").global_offset_x)
