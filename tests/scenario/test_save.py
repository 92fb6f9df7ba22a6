"""A world that is saved and loaded is the same world."""

from __future__ import annotations

import json
from dataclasses import replace

from dorosim.scenario.morai.file import read_scenario, scenario_bytes
from dorosim.scenario.morai.resolve import resolve
from dorosim.scenario.morai.save import scenario_from_world
from dorosim.scenario.plan import (
    LanePosition,
    ObstaclePlan,
    PlannedPedestrian,
    VehiclePlan,
)
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint
from tests.scenario.kcity import CATALOGUE, kcity_network, sample, sample_bytes
from tests.scenario.world import SMALL, WORLD, assert_same


def test_a_world_that_is_saved_and_loaded_is_the_same_world():
    content = scenario_bytes(scenario_from_world(WORLD, SMALL, CATALOGUE))
    loaded, missing, stand_ins = resolve(read_scenario("s", content), SMALL, CATALOGUE)
    assert missing == ["vehicleList: 1 of 1 lie more than 50 m from every lane; kept"], "the ego vehicle on the grass"
    assert stand_ins == []
    assert_same(loaded, WORLD, "plan")


def test_every_default_too():
    plain = replace(
        WORLD,
        vehicles=(VehiclePlan(id=1, model="2015_Kia_K5", data_id=1, position=(0, 0, 0), place=LanePosition(0, 0.0)),),
        pedestrians=(PlannedPedestrian(id=2, model="walker", data_id=1, position=(1, 0, 0), start=(1, 0, 0)),),
        obstacles=(ObstaclePlan(id=3, model="box", data_id=1, position=(0, 0, 0)),),
        vehicle_spawn_points=(VehicleSpawnPoint(id=4, start_link=1),),
        pedestrian_spawn_points=(PedestrianSpawnPoint(id=5),),
    )
    loaded, missing, stand_ins = resolve(
        read_scenario("s", scenario_bytes(scenario_from_world(plain, SMALL, CATALOGUE))), SMALL, CATALOGUE
    )
    assert missing == stand_ins == []
    assert_same(loaded, plain, "plan")


def test_saving_over_a_loaded_scenario_keeps_what_a_world_does_not_have():
    network, scenario = kcity_network(), sample()
    plan, _, _ = resolve(scenario, network, CATALOGUE)
    written = json.loads(scenario_bytes(scenario_from_world(plan, network, CATALOGUE, scenario)))
    before = json.loads(sample_bytes())
    assert written["parkingLotStart"] == before["parkingLotStart"]
    assert written["egoVehicle"]["v2vUDPSessionInfo"] == before["egoVehicle"]["v2vUDPSessionInfo"]
    assert written["spawnPointList"][0]["NPCSpawnType"] == 1
    assert written["spawnPointList"][0]["startLinkInfo"]["linkIdx"] == "A219BS010313"
    assert written["mapInfo"] == before["mapInfo"]
    again, _, stand_ins = resolve(read_scenario("s", json.dumps(written).encode()), network, CATALOGUE)
    assert stand_ins == []
    assert_same(again, plan, "plan")


def test_what_left_the_world_leaves_the_file():
    network, scenario = kcity_network(), sample()
    plan, _, _ = resolve(scenario, network, CATALOGUE)
    fewer = replace(plan, ego=None, obstacles=plan.obstacles[:2])
    written = json.loads(scenario_bytes(scenario_from_world(fewer, network, CATALOGUE, scenario)))
    assert "egoVehicle" not in written
    assert [item["UNIQUEID"] for item in written["objectList"]] == [65, 66]
