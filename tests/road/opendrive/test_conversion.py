"""OpenDRIVE files as maps of the network: links, nodes, neighbours, boundaries and speeds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.ground.error import InputError
from dorosim.road.check import Severity, check_map
from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.lane_polyline import MAX_CHORD_ERROR, section_polylines
from dorosim.road.opendrive.reader import read_opendrive
from tests.road.opendrive.sample import LANES, every_element, road, town
from tests.shared import shared

WIDTH = '<width sOffset="0" a="3.5" b="0" c="0" d="0"/>'


def converted(*parts, **header):
    return map_from_opendrive(town(*parts, **header), "sample")


def links_of(found):
    return {link.idx: link for link in found.links}


def lane(number, mark="", kind="driving", more=""):
    painted = f'<roadMark sOffset="0" type="{mark}" {more}/>' if mark else ""
    return f'<lane id="{number}" type="{kind}">{WIDTH}{painted}</lane>'


def section(left="", right="", centre="", s=0):
    middle = f'<lane id="0" type="none">{centre}</lane>'
    return f'<laneSection s="{s}"><left>{left}</left><center>{middle}</center><right>{right}</right></laneSection>'


def linked(lanes, successor=None, predecessor=None):
    """Lanes of which lane -1 leads on."""
    inside = "".join(
        f'<{name} id="{number}"/>'
        for name, number in (("predecessor", predecessor), ("successor", successor))
        if number is not None
    )
    return lanes.replace('<lane id="-1" type="driving">', f'<lane id="-1" type="driving"><link>{inside}</link>')


def test_lanes_become_links_in_the_direction_of_driving():
    links = links_of(converted(road()))
    assert list(links) == ["1_0_1", "1_0_-1"]
    assert links["1_0_-1"].points[[0, -1]].tolist() == pytest.approx(np.array([[0, -2, 0], [100, -2, 0]]), abs=1e-5)
    assert links["1_0_1"].points[[0, -1]].tolist() == pytest.approx(np.array([[100, 1.5, 0], [0, 1.5, 0]]), abs=1e-5)
    assert (links["1_0_1"].width_start, links["1_0_-1"].width_end) == (3.0, 4.0)


def test_lanes_for_vehicles_and_people_become_links():
    lanes = section(right=lane(-1) + lane(-2, kind="shoulder") + lane(-3, kind="sidewalk") + lane(-4, kind="onRamp"))
    kinds = {name: link.link_type for name, link in links_of(converted(road(lanes=lanes))).items()}
    assert kinds == {"1_0_-1": "6", "1_0_-3": "sidewalk", "1_0_-4": "6"}


@pytest.mark.parametrize("rule", ["RHT", "LHT"])
def test_neighbours_are_those_of_one_direction(rule):
    lanes = section(left=lane(1) + lane(2), right=lane(-1) + lane(-2))
    found = converted(road(lanes=lanes, attributes=f'id="1" rule="{rule}"'))
    beside = {
        link.idx: (link.left_lane_change_dst_link_idx, link.right_lane_change_dst_link_idx) for link in found.links
    }
    ordered = {
        "1_0_2": ("1_0_1", None),
        "1_0_1": (None, "1_0_2"),
        "1_0_-1": (None, "1_0_-2"),
        "1_0_-2": ("1_0_-1", None),
    }
    assert beside == (ordered if rule == "RHT" else {name: pair[::-1] for name, pair in ordered.items()})
    assert found.info.traffic_dir == rule
    assert network_from_mgeo(found).left_hand_traffic == (rule == "LHT")


@pytest.mark.parametrize(
    ("mark", "more", "to_right", "to_left"),
    [
        ("broken", "", True, True),
        ("solid", "", False, False),
        ("none", "", True, True),
        ("solid broken", "", False, True),
        ("broken solid", "", True, False),
        ("solid", 'laneChange="both"', True, True),
        ("broken", 'laneChange="none"', False, False),
        ("broken", 'laneChange="increase"', False, True),
        ("broken", 'laneChange="decrease"', True, False),
    ],
)
def test_marks_say_where_one_may_change(mark, more, to_right, to_left):
    links = links_of(converted(road(lanes=section(right=lane(-1, mark, more=more) + lane(-2)))))
    assert links["1_0_-1"].can_move_right_lane is to_right
    assert links["1_0_-2"].can_move_left_lane is to_left


def test_marks_become_boundaries():
    centre = '<roadMark sOffset="0" type="solid solid" color="yellow" width="0.2"/>'
    lanes = section(left=lane(1), right=lane(-1, "broken") + lane(-2, "solid"), centre=centre)
    found = converted(road(lanes=lanes))
    lines = {one.idx: one for one in found.lane_boundaries}
    assert [(one.lane_type, one.lane_shape) for one in lines.values()] == [
        ([599], []),
        ([501], ["Solid Solid"]),
        ([503], ["Broken"]),
        ([505], ["Solid"]),
    ]
    middle = lines["1_0_0_border"]
    assert (middle.lane_color, middle.lane_width) == (["yellow"], 0.2)
    assert lines["1_0_-1_border"].points[:, 1] == pytest.approx(-3.5)
    links = links_of(found)
    assert (links["1_0_-1"].lane_mark_left, links["1_0_-1"].lane_mark_right) == (["1_0_0_border"], ["1_0_-1_border"])
    assert (links["1_0_1"].lane_mark_left, links["1_0_1"].lane_mark_right) == (["1_0_0_border"], ["1_0_1_border"])
    network = network_from_mgeo(found)
    assert network.left_width == pytest.approx(1.75, abs=1e-3)
    assert network.right_width == pytest.approx(1.75, abs=1e-3)


def test_the_speed_is_that_of_the_lane_else_of_the_road():
    kinds = '<type s="0" type="town"><speed max="30" unit="km/h"/></type>'
    lanes = section(right=lane(-1) + lane(-2).replace(WIDTH, f'{WIDTH}<speed sOffset="0" max="20" unit="m/s"/>'))
    links = links_of(converted(road(lanes=lanes, more=kinds)))
    assert (links["1_0_-1"].max_speed, links["1_0_-2"].max_speed) == (30.0, 72.0)
    assert links_of(converted(road()))["1_0_1"].max_speed == 50.0


def followers(found):
    """Link to those that it leads to."""
    return {
        link.idx: sorted(other.idx for other in found.links if other.from_node_idx == link.to_node_idx)
        for link in found.links
    }


def test_links_follow_each_other_from_section_to_section():
    one = linked(section(right=lane(-1) + lane(-2)), successor=-1)
    two = linked(section(right=lane(-1) + lane(-2), s=40), predecessor=-1)
    assert followers(converted(road(lanes=one + two))) == {
        "1_0_-1": ["1_1_-1"],
        "1_0_-2": [],
        "1_1_-1": [],
        "1_1_-2": [],
    }


def road_at(number, x, lanes, link="", junction="-1", y=0, heading=0):
    plan = f'<geometry s="0" x="{x}" y="{y}" hdg="{heading}" length="100"><line/></geometry>'
    return road(
        plan=plan,
        lanes=lanes,
        attributes=f'id="{number}" junction="{junction}"',
        more=f"<link>{link}</link>" if link else "",
    )


def slow(lanes):
    """Lanes with a speed limit of their own, so that links do not become one with those before."""
    return lanes.replace(WIDTH, f'{WIDTH}<speed sOffset="0" max="5"/>')


def test_links_follow_each_other_from_road_to_road():
    """Roads that meet end to end: the lane goes on with the opposite sign."""
    one = road_at(
        1,
        0,
        linked(section(right=lane(-1)), successor=1),
        '<successor elementType="road" elementId="2" contactPoint="end"/>',
    )
    two = road_at(2, 200, slow(section(left=lane(1))), heading=3.141592653589793)
    found = converted(one, two)
    assert followers(found) == {"1_0_-1": ["2_0_1"], "2_0_1": []}


def test_junctions_join_incoming_and_connecting_roads():
    into = '<successor elementType="junction" elementId="9"/>'
    out = '<predecessor elementType="road" elementId="1" contactPoint="end"/>'
    lanes = section(right=lane(-1))
    junction = """<junction id="9"><connection id="0" incomingRoad="1" connectingRoad="2" contactPoint="start">
      <laneLink from="-1" to="-1"/></connection>
      <connection id="1" incomingRoad="1" connectingRoad="3" contactPoint="start">
      <laneLink from="-1" to="-1"/></connection>
      </junction>"""
    found = converted(
        road_at(1, 0, lanes, into), road_at(2, 100, lanes, out, "9"), road_at(3, 100, lanes, out, "9"), junction
    )
    assert followers(found)["1_0_-1"] == ["2_0_-1", "3_0_-1"]
    links = links_of(found)
    assert (links["1_0_-1"].related_signal, links["2_0_-1"].related_signal) == (None, "straight")
    assert [node.junction for node in found.nodes if node.idx == links["1_0_-1"].to_node_idx] == [["9"]]


def test_ends_that_lie_apart_are_not_joined():
    one = road_at(
        1,
        0,
        linked(section(right=lane(-1)), successor=-1),
        '<successor elementType="road" elementId="2" contactPoint="start"/>',
    )
    found = converted(one, road_at(2, 105, section(right=lane(-1))))
    assert followers(found) == {"1_0_-1": [], "2_0_-1": []}
    assert "1 links between lanes whose ends lie apart are not used" in found.notices[-1]


def test_a_section_too_short_for_links_is_passed():
    parts = [
        linked(section(right=lane(-1)), successor=-1),
        linked(section(right=lane(-1), s=50), successor=-1),
        slow(section(right=lane(-1), s=50.001)),
    ]
    assert followers(converted(road(lanes="".join(parts)))) == {"1_0_-1": ["1_2_-1"], "1_2_-1": []}


def test_links_without_a_choice_become_one():
    parts = [
        linked(section(right=lane(-1, "broken") + lane(-2)), successor=-1).replace(
            '<lane id="-2" type="driving">', '<lane id="-2" type="driving"><link><successor id="-2"/></link>'
        ),
        section(right=lane(-1, "broken") + lane(-2), s=50),
    ]
    found = converted(road(lanes="".join(parts)))
    links = links_of(found)
    assert list(links) == ["1_0_-1", "1_0_-2"]
    assert links["1_0_-1"].points[[0, -1], 0] == pytest.approx([0.0, 100.0], abs=1e-5)
    assert (np.diff(links["1_0_-1"].points[:, 0]) > 1e-3).all()
    assert links["1_0_-2"].left_lane_change_dst_link_idx == "1_0_-1"
    assert links["1_0_-1"].lane_mark_right == ["1_0_-1_border", "1_1_-1_border"]
    assert len(found.nodes) == 4


def test_links_beside_others_become_one_only_with_these():
    parts = [linked(section(right=lane(-1) + lane(-2)), successor=-1), section(right=lane(-1), s=50)]
    assert list(links_of(converted(road(lanes="".join(parts))))) == ["1_0_-1", "1_0_-2", "1_1_-1"]


def test_a_ring_becomes_one_link():
    ring = '<geometry s="0" x="0" y="0" hdg="0" length="100"><arc curvature="0.06283185307179587"/></geometry>'
    lanes = linked(section(right=lane(-1)), successor=-1, predecessor=-1)
    ends = "".join(
        f'<{end} elementType="road" elementId="1" contactPoint="{at}"/>'
        for end, at in (("predecessor", "end"), ("successor", "start"))
    )
    found = converted(road(plan=ring, lanes=lanes, more=f"<link>{ends}</link>"))
    assert followers(found) == {"1_0_-1": ["1_0_-1"]}


def test_lanes_that_jump_are_refused():
    steep = '<elevationProfile><elevation s="0" a="0" b="0" c="0" d="1e6"/></elevationProfile>'
    with pytest.raises(InputError, match=r"sample\.xodr: road 1: lane 1 of section 0 jumps by"):
        converted(road(profiles=steep))


def test_lanes_that_wind_too_much_are_refused():
    arcs = "".join(
        f'<geometry s="{s}" x="{s}" y="0" hdg="0" length="1"><arc curvature="90"/></geometry>' for s in range(100)
    )
    wide = LANES.replace('a="3"', 'a="90"')
    with pytest.raises(InputError, match="winds too much"):
        converted(road(plan=arcs, lanes=wide))


def test_an_incomplete_projection_gets_what_it_lacks():
    header = '<header revMajor="1" revMinor="4"><geoReference>+lat_0=49.0 +lon_0=8.0</geoReference></header>'
    system = converted(road(), header=header).info.coordinate_system
    assert "+proj=tmerc" in system
    assert "+lat_0=49.0 +lon_0=8.0" in system
    assert converted(road()).info.coordinate_system == ""
    whole = map_from_opendrive(read_opendrive("every.xodr", every_element()), "every")
    assert whole.info.coordinate_system == "+proj=tmerc +lat_0=37 +lon_0=127"
    assert whole.info.origin == (100.0, 200.0, 3.0)


@settings(max_examples=30)
@given(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1), st.floats(-0.001, 0.001), st.floats(-0.05, 0.05))
def test_polylines_stay_within_a_millimetre_of_their_lanes(start, end, bend, widening):
    plan = f'<geometry s="0" x="0" y="0" hdg="1" length="50"><spiral curvStart="{start}" curvEnd="{end}"/></geometry>'
    hill = f'<elevationProfile><elevation s="0" a="0" b="0" c="{bend}" d="0"/></elevationProfile>'
    lanes = LANES.replace('b="0"', f'b="{widening}"')
    lines = RoadLines(town(road(plan=plan, lanes=lanes, profiles=hill, length=50.0)).roads[0])
    found = section_polylines(lines, 0, [1, -1], "sample")
    assert found is not None
    s = np.linspace(0.0, 50.0 - 1e-6, 4001)
    for number, points in found.middles.items():
        lane_points = lines.lanes_at(0, s)[number]
        true = np.column_stack((lane_points.x, lane_points.y, lane_points.z))
        piece = np.clip(np.searchsorted(found.s, s, side="right") - 1, 0, len(found.s) - 2)
        way = points[piece + 1] - points[piece]
        share = np.clip(((true - points[piece]) * way).sum(axis=1) / (way**2).sum(axis=1), 0.0, 1.0)
        assert np.linalg.norm(true - points[piece] - share[:, None] * way, axis=1).max() < 1.2 * MAX_CHORD_ERROR


@pytest.mark.parametrize(
    "name",
    ["opendrive/Town01.xodr", *(f"openscenario/resources/xodr/{name}.xodr" for name in ("fabriksgatan", "soderleden"))],
)
def test_maps_of_the_shared_material_have_no_error(name):
    found = map_from_opendrive(read_opendrive(name, shared(name).read_bytes()), "shared")
    assert [one for one in check_map(found) if one.severity is Severity.ERROR] == []


def test_every_lane_of_town01_leads_on():
    """It has no ends: each lane has a lane before and behind it."""
    found = map_from_opendrive(read_opendrive("a", shared("opendrive/Town01.xodr").read_bytes()), "Town01")
    network = network_from_mgeo(found)
    assert network.link_drivable.sum() > 100
    assert (np.diff(network.successors.first) > 0)[network.link_drivable].all()
    assert (np.diff(network.predecessors.first) > 0)[network.link_drivable].all()
