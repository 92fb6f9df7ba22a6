"""A scenario on its own map and on another one."""

from __future__ import annotations

import json
import math

import pytest

from dorosim.scenario.catalogue import Catalogue, Family, Model, data_id_of, find_model
from dorosim.scenario.morai.file import read_scenario
from dorosim.scenario.morai.resolve import resolve
from dorosim.scenario.plan import (
    LanePosition,
)
from dorosim.world.signal.command import SetIntersection
from dorosim.world.spawn.mode import BiasRule, LengthSet, SpeedRange, SpeedRule
from dorosim.world.vehicle.mode import ControlMode, Gear
from dorosim.world.waypoint import Waypoint
from tests.road.real_map import SUBURB, real_network
from tests.scenario.kcity import CATALOGUE, kcity_network, sample
from tests.scenario.world import SMALL

KMH = 1 / 3.6


def small_scenario(**lists):
    return read_scenario("s", json.dumps({"mapInfo": {"mapName": "small"}} | lists).encode())


def vehicle(**keys) -> dict:
    start = {"pos": {"x": 30.2, "y": 0.1, "z": 0}, "rot": {"yaw": "0.5"}}
    return {"DataID": 30200007, "UNIQUEID": 12, "initPosition": start} | keys


def test_the_sample_loads_on_a_map_with_its_links():
    plan, missing, stand_ins = resolve(sample(), kcity_network(), CATALOGUE)
    assert missing == ["egoVehicle.initPosition.pos: no lane is near; kept"]
    assert stand_ins == [
        "egoVehicle: DataID 20100014 is not in the catalogue; 2016_Hyundai_Ioniq stands in",
        "objectList: DataID 40100003 is not in the catalogue; box stands in (10 times)",
        "objectList: DataID 40100019 is not in the catalogue; box stands in (15 times)",
        "spawnPointList: DataID 30200007 is not in the catalogue; 2016_Kia_Niro(HEV) stands in",
        "spawnPointList: DataID 30200006 is not in the catalogue; 2016_Kia_Niro(HEV) stands in (4 times)",
    ]
    ego = plan.ego
    assert ego.position == (11.727999687194824, 1051.3330078125, -0.414000004529953)
    assert math.degrees(ego.rotation[2]) == pytest.approx(-99.663)
    assert math.degrees(ego.rotation[0]) == pytest.approx(360 - 359.951)
    assert (ego.gear, ego.mode, ego.desired_speed) == (Gear.P, ControlMode.KEYBOARD, 0.0)
    assert len(plan.obstacles) == 25
    assert plan.controllers[0] == SetIntersection(0, 2, 28.446165084838867)


def test_the_samples_spawn_points_in_si():
    network = kcity_network()
    plan, _, _ = resolve(sample(), network, CATALOGUE)
    point = plan.vehicle_spawn_points[0]
    assert network.link_ids[point.start_link] == "A219BS010313"
    assert point.start_s == pytest.approx(6.0)
    assert network.link_ids[point.end_link] == "A219BS010114"
    assert point.end_s == pytest.approx(13.5)
    assert (point.id, point.maximum, point.shortest_period, point.longest_period) == (2, 8, 10.0, 15.0)
    assert (point.lowest_speed, point.highest_speed) == pytest.approx((0.0, 15 * KMH))
    assert (point.lowest_desired, point.highest_desired) == pytest.approx((40 * KMH, 60 * KMH))
    assert point.lengths == LengthSet.MIDDLE_SIZE | LengthSet.LARGE
    assert (point.bias_rule, point.desired_range, point.desired_rule) == (
        BiasRule.GAUSSIAN,
        SpeedRange.VARIABLE,
        SpeedRule.CUSTOM,
    )
    assert point.wait == 3.086461067199707
    at = network.point_at(point.start_link, point.start_s)[0]
    assert math.dist(at, (point.x, point.y, point.z)) < 0.3


def test_another_map_gives_a_list_of_what_is_missing():
    plan, missing, _ = resolve(sample(), real_network(SUBURB), CATALOGUE)
    told = "\n".join(missing)
    assert missing[0] == "mapInfo.mapName: made for map 'R_KR_PG_K-City', loaded on 'V_RHT_Suburb_03'"
    for number, link in enumerate(("A219BS010313", "A219BS010312", "A219BS010304", "A219BS010305", "A219BS010479")):
        assert f"spawnPointList[{number}].startLinkInfo: the map has no link '{link}'" in told
        assert f"spawnPointList[{number}]: no lane is near; left out" in told
    assert "objectList: 25 of 25 lie more than 50 m from every lane; kept" in told
    assert "tlList: these are controllers of the other map; left out" in told
    assert plan.vehicle_spawn_points == ()
    assert plan.controllers == ()
    assert len(plan.obstacles) == 25


def test_an_npc_vehicle_is_on_the_link_that_the_file_says_at_its_position():
    info = {"linkIdx": "A", "pointIdx": 30}
    plan, _, _ = resolve(small_scenario(vehicleList=[vehicle(currentLinkInfo=info)]), SMALL, CATALOGUE)
    assert plan.vehicles[0].place == LanePosition(0, pytest.approx(30.2))
    assert plan.vehicles[0].rotation[2] == pytest.approx(math.radians(0.5))


def test_an_npc_vehicle_without_a_known_link_takes_the_nearest_lane():
    lost = vehicle(currentLinkInfo={"linkIdx": "X", "pointIdx": 3})
    far = vehicle(UNIQUEID=13, initPosition={"pos": {"x": 0, "y": 900}})
    plan, missing, _ = resolve(small_scenario(vehicleList=[lost, far]), SMALL, CATALOGUE)
    assert [one.place for one in plan.vehicles] == [LanePosition(0, pytest.approx(30.2))]
    assert missing[:2] == [
        "vehicleList[0].currentLinkInfo: the map has no link 'X'",
        "vehicleList[1]: no lane is near; left out",
    ]


@pytest.mark.parametrize(
    ("keys", "ratio", "speed"),
    [
        ({"velocityType": 1, "linkVelocity": 85, "desiredVelocity": 60}, 0.85, 0.0),
        ({"velocityType": 2, "linkVelocity": 85, "desiredVelocity": 36}, 0.0, 10.0),
        ({"velocityType": 2, "constantVelocity": 72}, 0.0, 20.0),
        ({"velocityType": 0}, 0.85, 0.0),
    ],
)
def test_the_desired_velocity_is_a_share_of_the_limit_or_a_number(keys, ratio, speed):
    plan, _, _ = resolve(small_scenario(vehicleList=[vehicle(**keys)]), SMALL, CATALOGUE)
    assert plan.vehicles[0].desired_ratio == pytest.approx(ratio)
    assert plan.vehicles[0].desired_speed == pytest.approx(speed)


def test_pedestrians_walk_along_waypoints_in_unitys_axes():
    pedestrian = {
        "DataID": 50100001,
        "UNIQUEID": 3,
        "pos": {"x": 10, "y": 20, "z": 1},
        "speed": 5.4,
        "initPos": {"x": -10, "y": 1, "z": -20},
        "isWaypointMode": True,
    }
    path = {"pathName": "PedPath - 3", "waypointData": [{"pos": {"x": -10, "y": 1, "z": -25}}]}
    plan, _, _ = resolve(small_scenario(pedestrianList=[pedestrian], waypointDataList=[path]), SMALL, CATALOGUE)
    one = plan.pedestrians[0]
    assert one.start == (10, 20, 1)
    assert one.waypoints == (Waypoint(10, 25, 1),)
    assert one.speed == pytest.approx(1.5)


def test_odd_values_are_replaced_and_told():
    point = {
        "UNIQUEID": 1,
        "pos": {"x": 30, "y": 0},
        "startLinkInfo": {"linkIdx": "A", "pointIdx": 500},
        "endLinkInfo": {"linkIdx": "Z"},
        "minSpawnPeriod": -4,
        "SpawnVelocityType": 9,
        "listVehicleLengthType": [7],
    }
    scenario = small_scenario(
        spawnPointList=[point, point],
        tlList=[{"index": 4}],
        egoVehicle={"initPosition": {"pos": {"x": 5, "y": 0}, "gear": 9}, "currentControlMode": 55},
        frictionChangeMaterialList=[{"UNIQUEID": 4, "pos": {"x": 1, "y": 2}, "somethingElse": 3}],
        aiPedstrianList=[{"anything": 1}],
    )
    plan, missing, _ = resolve(scenario, SMALL, CATALOGUE)
    assert [one.id for one in plan.vehicle_spawn_points] == [1, 2]
    assert plan.vehicle_spawn_points[0].start_s == 100.0
    assert plan.vehicle_spawn_points[0].lengths == LengthSet.ALL
    told = "\n".join(missing)
    for line in (
        "egoVehicle.currentControlMode: code 55 is not known",
        "egoVehicle.initPosition.gear: code 9 is not known; 1 (P) instead",
        "spawnPointList[0].startLinkInfo: link 'A' has 101 points, so no point 500; the nearest",
        "spawnPointList[0].endLinkInfo: the map has no link 'Z'",
        "spawnPointList[0].minSpawnPeriod: -4 is out of range; 0 instead",
        "spawnPointList[0].SpawnVelocityType: code 9 is not known; 2 (CUSTOM) instead",
        "spawnPointList[0].listVehicleLengthType: code 7 is not known; left out",
        "spawnPointList: UNIQUEID 1 is there twice; the second one is 2",
        "tlList[0]: the map has 0 intersection controllers, none of them of index 4; left out",
        "frictionChangeMaterialList[0]: says no radii",
        "aiPedstrianList: 1 kept in the file, not created",
    ):
        assert line in told


def test_the_ego_vehicle_may_start_on_a_link():
    start = {"initPositionMode": "Link", "initLink": "B", "initLinkRatio": 0.25, "pos": {"x": 0, "y": 0}}
    plan, _, _ = resolve(small_scenario(egoVehicle={"initPosition": start}), SMALL, CATALOGUE)
    assert plan.ego.position == pytest.approx((125.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("family", "data_id", "name", "found"),
    [
        (Family.NPC, 30100099, None, ("2015_Kia_K5", False)),
        (Family.NPC, 30200007, None, ("2016_Kia_Niro(HEV)", False)),
        (Family.NPC, 30300002, None, ("2016_Hyundai_Ioniq", False)),
        (Family.NPC, 30400004, None, ("2021_Hyundai_Staria", False)),
        (Family.NPC, 0, None, ("2015_Kia_K5", False)),
        (Family.NPC, 30200007, "2018_hyundai_eleccity", ("2018_Hyundai_ElecCity", True)),
        (Family.NPC, 30200007, "Unknown", ("2016_Kia_Niro(HEV)", False)),
        (Family.EGO, 20100014, None, ("2016_Hyundai_Ioniq", False)),
    ],
)
def test_the_family_decides_for_an_unknown_model(family, data_id, name, found):
    row, exact = find_model(CATALOGUE, family, data_id, name)
    assert (CATALOGUE.models_of(family)[row].name, exact) == found


def test_a_catalogue_that_knows_a_number_finds_and_writes_it():
    cone = Model("cone", data_id=40100005)
    catalogue = Catalogue(CATALOGUE.vehicles, CATALOGUE.pedestrians, (Model("box"), cone))
    assert find_model(catalogue, Family.OBSTACLE, 40100005, None) == (1, True)
    assert data_id_of(Family.OBSTACLE, cone) == 40100005


def test_another_origin_of_the_same_map_is_told():
    info = {"mapName": "SMALL", "eastOffset": 100.0, "northOffset": -2.5}
    _, missing, _ = resolve(small_scenario(mapInfo=info), SMALL, CATALOGUE)
    assert missing == ["mapInfo.eastOffset: the map's origin lies 100.00 m east, -2.50 m north of this map's"]


def test_a_destination_is_the_lane_nearest_to_the_object_that_is_named():
    place = {"pos": {"x": 5, "y": 0}, "startLinkInfo": {"linkIdx": "A", "pointIdx": 5}}
    points = [{"UNIQUEID": number, "destinationObjUniqueID": goal, **place} for number, goal in ((1, 9), (2, 8))]
    scenario = small_scenario(spawnPointList=points, objectList=[{"UNIQUEID": 9, "pos": {"x": 60, "y": 1}}])
    plan, missing, _ = resolve(scenario, SMALL, CATALOGUE)
    one, other = plan.vehicle_spawn_points
    assert (SMALL.link_ids[one.end_link], round(one.end_s)) == ("A", 60)
    assert other.end_link == -1
    note = "spawnPointList[1].destinationObjUniqueID: 8 is not an object of objectList; its vehicles drive at random"
    assert note in missing


def test_who_names_no_model_is_told_how():
    there = {"UNIQUEID": 1, "pos": {"x": 1.0, "y": 2.0}}
    nobody = resolve(small_scenario(pedestrianList=[there]), SMALL, CATALOGUE).stand_ins
    assert len(nobody) == 1
    assert nobody[0].startswith("pedestrianList: no model is named; ")
    assert nobody[0].endswith(" stands in; give modelName, or the product's DataID")
    wrong = resolve(small_scenario(pedestrianList=[there | {"modelName": "giant"}]), SMALL, CATALOGUE).stand_ins
    assert wrong[0].startswith("pedestrianList: model 'giant' is not in the catalogue; ")


def test_what_lies_off_the_map_is_told_also_where_the_file_names_a_link():
    far = {"pos": {"x": 100_000.0, "y": 0.1, "z": 0.0}}
    named = vehicle(initPosition=far, currentLinkInfo={"linkIdx": "A", "pointIdx": 30})
    lost = vehicle(UNIQUEID=13, initPosition=far)
    things = [{"DataID": 40100003, "UNIQUEID": 20, **far}]
    people = [{"DataID": 1, "UNIQUEID": 21, **far}]
    scenario = small_scenario(vehicleList=[named, lost], objectList=things, pedestrianList=people)
    _, missing, _ = resolve(scenario, SMALL, CATALOGUE)
    told = "\n".join(missing)
    assert "vehicleList[0].initPosition.pos: lies 99,970 m from the place on link 'A' that the file names" in told
    assert "vehicleList[1]: no lane is near; left out" in told
    assert "objectList: 1 of 1 lie more than 1,000 m from every lane; kept" in told
    assert "pedestrianList: 1 of 1 lie more than 1,000 m from every lane; kept" in told
