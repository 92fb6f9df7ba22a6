"""Maps of a few lanes as OpenDRIVE."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dorosim.ground.error import InputError
from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.export.map_export import opendrive_from_map
from dorosim.road.opendrive.export.writer import write_opendrive
from tests.road.opendrive.exported import exported, misses, two_lanes
from tests.road.small_map import arc, map_of, straight


def test_two_links_are_one_road():
    one = two_lanes()
    assert [road.name for road in one.read.roads] == ["left|right"]
    assert one.exported.lane == {"left": -1, "right": -2}
    assert max(miss.centre for miss in misses(one).values()) < 1e-6
    assert max(miss.height for miss in misses(one).values()) < 1e-3


def test_a_change_to_the_right_is_to_the_lower_id():
    lanes = {lane.id: lane for lane in two_lanes().read.roads[0].lane_sections[0].lanes}
    assert [lanes[number].road_marks[0].lane_change for number in (-1, -2)] == ["decrease", "none"]


def test_left_hand_traffic_has_its_lanes_on_the_left_of_the_line():
    one = two_lanes("LHT")
    assert one.read.roads[0].rule == "LHT"
    assert one.exported.lane == {"left": 2, "right": 1}
    assert max(miss.centre for miss in misses(one).values()) < 1e-6


def test_links_that_begin_apart_are_roads_of_their_own():
    left = straight("left", "A", "B", (0, 0, 0), (60, 0, 0), right_lane_change_dst_link_idx="right")
    right = straight("right", "C", "D", (30, -3.5, 0), (60, -3.5, 0))
    assert [road.name for road in exported(left, right).read.roads] == ["left", "right"]


def test_where_a_road_splits_is_a_junction():
    town = exported(
        straight("in", "A", "B", (0, 0, 0), (50, 0, 0)),
        straight("on", "B", "C", (50, 0, 0), (90, 0, 0)),
        arc("left", "B", "D", (50, 30), 30.0, -math.pi / 2, math.pi / 2),
        straight("out", "C", "E", (90, 0, 0), (120, 0, 0)),
    ).read
    roads = {road.name: road for road in town.roads}
    assert {name: road.junction for name, road in roads.items()} == {"in": "-1", "on": "4", "left": "4", "out": "-1"}
    assert roads["in"].successor.element_type == roads["out"].predecessor.element_type == "junction"
    assert [one.connecting_road for one in town.junctions[0].connections] == ["1", "2"]


def test_a_number_that_is_not_finite_is_refused():
    m = map_of(straight("one", "A", "B", (0, 0, 0), (60, 0, 3)))
    found = opendrive_from_map(m, network_from_mgeo(m)).town
    with pytest.raises(InputError, match="not finite"):
        write_opendrive(replace(found, roads=(replace(found.roads[0], length=math.nan),)))
