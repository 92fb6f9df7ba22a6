"""Lanelets as links."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.check import Severity, check_map
from dorosim.road.lanelet2.reader import read_lanelet2
from dorosim.road.network import network_from_mgeo
from tests.road.lanelet2.sample import DASHED, SOLID, Sheet, crossing, two_lanes


def read(content):
    return read_lanelet2("a.osm", content, "a")


def links(content):
    return {link.idx: link for link in read(content).links}


def test_lanes_beside_each_other_have_a_line_in_common():
    m = read(two_lanes())
    left, right = m.links
    assert (left.right_lane_change_dst_link_idx, right.left_lane_change_dst_link_idx) == (right.idx, left.idx)
    assert left.left_lane_change_dst_link_idx is None
    assert left.can_move_right_lane
    assert right.can_move_left_lane
    assert left.lane_mark_right == right.lane_mark_left
    shapes = {line.idx: (line.lane_shape, line.lane_type) for line in m.lane_boundaries}
    assert shapes[left.lane_mark_right[0]] == (["Broken"], [503])
    assert shapes[left.lane_mark_left[0]] == (["Solid"], [505])
    assert left.points[[0, -1]].tolist() == [[0.0, 5.25, 0.0], [40.0, 5.25, 0.0]]
    network = network_from_mgeo(m)
    assert network.left_width == pytest.approx(1.75)
    assert network.link_speed_limit * 3.6 == pytest.approx(50.0)


@pytest.mark.parametrize(
    ("line", "to_right", "to_left"),
    [
        (SOLID, False, False),
        ({"type": "line_thin", "subtype": "dashed_solid"}, True, False),
        ({"type": "line_thin", "subtype": "solid_dashed"}, False, True),
        (SOLID | {"lane_change": "yes"}, True, True),
        ({"type": "virtual"}, False, False),
    ],
)
def test_lines_say_who_may_change(line, to_right, to_left):
    left, right = read(two_lanes(line=line)).links
    assert (left.can_move_right_lane, right.can_move_left_lane) == (to_right, to_left)


def test_a_line_that_is_drawn_backwards_means_the_same():
    sheet = Sheet()
    lines = [
        sheet.way([(0.0, 7.0), (40.0, 7.0)], SOLID),
        sheet.way([(40.0, 3.5), (0.0, 3.5)], {"type": "line_thin", "subtype": "dashed_solid"}),
        sheet.way([(40.0, 0.0), (0.0, 0.0)], SOLID),
    ]
    sheet.lanelet(lines[0], lines[1])
    sheet.lanelet(lines[1], lines[2])
    left, right = read(sheet.content()).links
    assert left.points[0, 0] == right.points[0, 0] == 0.0
    assert (left.can_move_right_lane, right.can_move_left_lane) == (False, True)


def test_lanes_follow_where_bounds_have_the_same_ends():
    network = network_from_mgeo(read(crossing()))
    first, straight, left = range(3)
    assert network.successors.of(first).tolist() == [straight, left]
    assert network.link_movements == ("", "straight", "left_unprotected")
    assert network.link_speed_limit * 3.6 == pytest.approx([40.0, 30.0, 50.0])


def test_a_lane_for_both_directions_is_two_links():
    found = links(two_lanes(one_way="no"))
    assert len(found) == 4
    there = next(link for name, link in found.items() if not name.endswith("_back"))
    back = found[f"{there.idx}_back"]
    assert back.points.tolist() == there.points[::-1].tolist()
    assert back.from_node_idx != there.to_node_idx, "nobody turns round at its end"


@pytest.mark.parametrize(
    ("subtype", "kind"), [("bus_lane", "none"), ("walkway", "walking"), ("road_shoulder", "shoulder")]
)
def test_lanes_for_others_are_not_drivable(subtype, kind):
    network = network_from_mgeo(read(two_lanes(subtype=subtype)))
    assert network.link_types == (kind, kind)
    assert not network.link_drivable.any()


def test_a_centre_line_that_is_given_counts():
    sheet = Sheet()
    sides = [sheet.way([(0.0, y), (40.0, y)]) for y in (4.0, 0.0)]
    middle = sheet.way([(0.0, 2.0), (20.0, 2.5), (40.0, 2.0)])
    members = [("way", sides[0], "left"), ("way", sides[1], "right"), ("way", middle, "centerline")]
    sheet.relation(members, {"type": "lanelet", "subtype": "road"})
    assert read(sheet.content()).links[0].points[1].tolist() == [20.0, 2.5, 0.0]


@pytest.mark.parametrize("where", ["inside", "before"])
def test_a_light_governs_the_lanes_behind_its_stop_line(where):
    network = network_from_mgeo(read(crossing(where)))
    (light,) = [one for one in network.signals.lights if one.kind == "car"]
    assert light.links == (1, 2)
    assert light.lamps == ("red", "yellow", "straight", "left")
    assert light.point == pytest.approx((50.0, 3.5, 6.25))
    assert math.cos(light.heading) == pytest.approx(-1.0), "it faces the lane"
    assert network.signals.stop_line[0] == pytest.approx(29.0)
    assert np.isnan(network.signals.stop_line[1:]).all()
    assert len(network.signals.controllers) == 1


def test_crosswalks_signs_and_parking_spaces():
    m = read(crossing())
    network = network_from_mgeo(m)
    assert len(network.crosswalks) == 1
    (people,) = [one for one in network.signals.lights if one.kind == "pedestrian"]
    assert network.signals.lights[network.crosswalks.lights.of(0)[0]] == people
    assert network.crosswalks.begin.tolist() == pytest.approx([25.0])
    assert network.crosswalks.end.tolist() == pytest.approx([28.0])
    (space,) = m.parking_spaces
    assert (space.width, space.length) == (2.5, 5.0)
    assert (m.traffic_signs[0].sub_type, m.traffic_signs[0].point) == (["stop_sign"], pytest.approx((10.0, -0.8, 3.0)))
    assert m.notices == ["a.osm: 1 x multipolygon/parking: not used"]


def test_who_yields_has_a_stop_line():
    sheet = Sheet()
    sides = [sheet.way([(0.0, y), (30.0, y)]) for y in (3.5, 0.0)]
    number = sheet.count + 2
    rule = sheet.rule("right_of_way", [("relation", number, "yield"), ("relation", number, "right_of_way")])
    assert sheet.lanelet(*sides, rules=[rule]) == number
    assert network_from_mgeo(read(sheet.content())).signals.stop_line == pytest.approx([29.95])


def test_stop_lines_of_crosswalks_are_no_signs():
    sheet = Sheet()
    sides = [sheet.way([(0.0, y), (30.0, y)]) for y in (3.5, 0.0)]
    stop = sheet.way([(20.0, 3.5), (20.0, 0.0)], {"type": "stop_line"})
    rule = sheet.rule("crosswalk", [("way", stop, "ref_line")])
    sheet.lanelet(*sides, rules=[rule])
    assert np.isnan(network_from_mgeo(read(sheet.content())).signals.stop_line).all()


def test_left_hand_traffic_is_seen_by_the_line_between_both_directions():
    sheet = Sheet()
    top, middle, bottom = (sheet.way([(0.0, y), (30.0, y)], DASHED) for y in (7.0, 3.5, 0.0))
    sheet.lanelet(middle, bottom)
    sheet.lanelet(middle, top)
    m = read(sheet.content())
    assert m.info.traffic_dir == "RHT"
    assert m.links[1].points[0, 0] == 30.0, "the one to the north goes to the west"
    assert not m.links[0].left_lane_change_dst_link_idx
    sheet = Sheet()
    top, middle, bottom = (sheet.way([(0.0, y), (30.0, y)], DASHED) for y in (7.0, 3.5, 0.0))
    sheet.lanelet(top, middle)
    sheet.lanelet(bottom, middle)
    assert read(sheet.content()).info.traffic_dir == "LHT"


def test_turns_are_found_where_no_tag_says_them():
    without = crossing().replace(b'<tag k="turn_direction" v="straight"/>', b"")
    without = without.replace(b'<tag k="turn_direction" v="left"/>', b"")
    assert [link.related_signal for link in read(without).links] == [None, "straight", "left_unprotected"]


def test_the_map_has_no_problems():
    assert [one for one in check_map(read(crossing())) if one.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (' role="left"', ' role="top"', "relation 10, role 'left': a lanelet needs one left bound, this one has 0"),
        (' role="right"', ' role="left"', "role 'left': a lanelet needs one left bound, this one has 2"),
        ('ref="3" role', 'ref="77" role', "relation 10, role 'left': there is no way 77; add it"),
        ('<nd ref="1"/>', '<nd ref="77"/>', "way 3, <nd>: there is no node 77; add it"),
        ('<nd ref="1"/>\n<nd ref="2"/>', '<nd ref="1"/>', "way 3: a bound needs two nodes or more"),
        ('v="lanelet"', 'v="route"', None),
    ],
)
def test_what_is_wrong_is_said_with_its_place(old, new, message):
    content = two_lanes()
    assert old.encode() in content
    if message is None:
        with pytest.raises(InputError, match=r"a\.osm: the file has no lanelet; give a Lanelet2 map"):
            read(content.replace(old.encode(), new.encode()))
        return
    with pytest.raises(InputError) as error:
        read(content.replace(old.encode(), new.encode(), 1))
    assert message in str(error.value)
    assert "line " in str(error.value)


def test_lanelets_without_length_are_left_out():
    sheet = Sheet()
    sides = [sheet.way([(0.0, y), (40.0, y)]) for y in (4.0, 0.0)]
    point = sheet.node(50.0, 0.0)
    sheet.lanelet(*sides)
    sheet.lanelet(sheet.way_of([point, point]), sheet.way_of([point, point]))
    m = read(sheet.content())
    assert len(m.links) == 1
    assert m.notices == ["a.osm: 1 lanelets without length are left out"]


def test_controllers_of_a_file_of_ours_that_are_broken_are_left_out():
    light = b'<relation id="900"><member type="way" ref="2" role="0"/><tag k="type" v="dorosim:controller"/>'
    broken = (
        light + b"<tag k='dorosim:programme' v='{\"states\": [[1e999, 0, []]], \"pedestrian\": []}'/></relation></osm>"
    )
    m = read(crossing().replace(b"</osm>", broken))
    assert m.intersection_controllers == []
    assert any("programme is not understood" in notice for notice in m.notices)
