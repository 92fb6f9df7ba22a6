"""Traffic lights and intersections over ROS, in the built-in town.

Intersection IntTL0 has two groups of car and pedestrian heads; its first state, of 28 s, shows green to group 0, whose
car heads are TL000000 and TL000001.
"""

from __future__ import annotations

import math

import pytest

from dorosim.ground.error import InputError
from dorosim.world.snapshot import EGO
from tests.bridge.ros.stage import EPOCH, RosStage
from tests.world.world import town_scene

RED, YELLOW, GREEN, LEFT = 1, 4, 16, 32
LIGHT, SIBLING = "TL000000", "TL000001"


@pytest.fixture
def stage() -> RosStage:
    return RosStage(town_scene().network)


def shown(stage, light: str) -> int:
    return int(stage.call("light_info", idx=light).status)


def test_a_light_is_told_by_its_id(stage):
    stage.ticks(3)
    told = stage.call("light_info", idx=LIGHT)
    assert (told.idx, told.status) == (LIGHT, GREEN)
    assert (told.header.stamp.sec, told.header.stamp.nanosec) == divmod(EPOCH + stage.now.time, 10**9)


def test_a_light_that_is_not_there_is_an_error_of_the_call(stage):
    with pytest.raises(InputError, match="no traffic light 'TL9'"):
        stage.call("light_info", idx="TL9")


@pytest.mark.parametrize("lamps", [RED, YELLOW, GREEN, RED | GREEN, RED | YELLOW, YELLOW | GREEN])
def test_lamps_are_set_on_one_light_until_it_is_given_back(stage, lamps):
    assert stage.send("set_light", trafficLightIndex=LIGHT, trafficLightStatus=lamps) == []
    assert (shown(stage, LIGHT), shown(stage, SIBLING)) == (lamps, GREEN)
    assert stage.send("set_light", trafficLightIndex=LIGHT, trafficLightStatus=-1) == []
    assert shown(stage, LIGHT) == GREEN


@pytest.mark.parametrize("lamps", [0, 2, 3, -2, 8])
def test_what_is_no_sum_of_lamps_is_refused(stage, lamps):
    (told,) = stage.send("set_light", trafficLightIndex=LIGHT, trafficLightStatus=lamps)
    assert f"{lamps} is no" in told
    assert shown(stage, LIGHT) == GREEN


@pytest.mark.parametrize("lamps", [LEFT, GREEN | LEFT, RED | LEFT])
def test_lamps_that_a_light_does_not_have_are_refused(stage, lamps):
    (told,) = stage.send("set_light", trafficLightIndex=LIGHT, trafficLightStatus=lamps)
    assert f"traffic light {LIGHT} has no lamp 32 LEFT; it has 1 RED, 4 YELLOW, 16 GREEN" in told
    assert shown(stage, LIGHT) == GREEN


def test_lights_and_intersections_that_are_not_there_are_refused(stage):
    assert "'C119'" in stage.send("set_light", trafficLightIndex="C119", trafficLightStatus=16)[0]
    (told,) = stage.send("set_intersection", intersection_index=77)
    assert told == "the map has no intersection 77; it has 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"


def test_an_intersection_is_set_by_its_number_state_and_time(stage):
    fields = {"intersection_index": 0, "intersection_status": 1, "intersection_status_time": 1.5}
    assert stage.send("set_intersection", **fields) == []
    told = stage.told("intersections")
    row = told.idx.index("IntTL0")
    assert (told.state[row], told.delta_time[row]) == (1, pytest.approx(1.5))
    assert shown(stage, LIGHT) != GREEN


@pytest.mark.parametrize("time", [math.nan, -1.0, 2e6])
def test_a_time_that_is_none_is_refused(stage, time):
    (told,) = stage.send("set_intersection", intersection_status=1, intersection_status_time=time)
    assert "IntersectionControl.intersection_status_time" in told
    assert "state" in stage.send("set_intersection", intersection_status=99)[0]


def test_the_light_that_the_ego_vehicle_faces_is_told(stage):
    network = stage.scene.network
    inside = network.signals.lights[0].links[0]
    before = int(network.predecessors.of(inside)[0])
    pose = network.pose_at(before, 1.0)
    x, y, z = pose.point[0].tolist()
    turn = stage.vector(0.0, 0.0, math.degrees(float(pose.heading[0])))
    assert stage.send("ghost_cmd", position=stage.vector(x, y, z), rotation=turn) == []
    told, intersection = stage.told("light"), stage.told("intersection")
    row = stage.scene.signal_plan.light_row(told.trafficLightIndex)
    assert network.signals.lights[row].controller == 0
    assert (told.trafficLightType, told.trafficLightStatus) in {(kind, GREEN) for kind in (0, 1, 2)}
    assert intersection.intersection_index == 0
    assert (intersection.intersection_status, intersection.intersection_status_time) == (0, 0.0)
    stage.ticks(150)
    assert stage.told("intersection").intersection_status_time == pytest.approx(1.5)
    assert stage.now.row_of(EGO) == 0


def test_all_intersections_are_told_with_the_time_in_their_state(stage):
    stage.ticks(100)
    told = stage.told("intersections")
    assert told.idx == [f"IntTL{n}" for n in range(10)]
    assert told.state.tolist() == stage.now.signal.state.tolist()
    plan = stage.scene.signal_plan
    assert told.delta_time.tolist() == pytest.approx([plan.elapsed_of(n, stage.now.signal) for n in range(10)])
    assert told.delta_time[0] == pytest.approx(1.0)


def test_a_map_without_lights_has_none_to_tell_of():
    stage = RosStage()
    light, intersection = stage.told("light"), stage.told("intersection")
    assert (light.trafficLightIndex, light.trafficLightStatus) == ("", -1)
    assert (intersection.intersection_index, intersection.intersection_status) == (0, -1)
    assert stage.told("intersections").idx == []
