"""Sections are cut where the speed limit or the meaning of a mark changes, and completed where they are of one side."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.lane_speed import SpeedLimits
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.opendrive.section_split import split_map
from tests.road.opendrive.sample import road, town
from tests.shared import shared

WIDTH = '<width sOffset="0" a="3" b="0.01" c="0.001" d="-0.00001"/>'
FLAT = '<width sOffset="0" a="3" b="0" c="0" d="0"/>'


def lane(number, inside="", width=WIDTH):
    return f'<lane id="{number}" type="driving">{width}{inside}</lane>'


def section(left="", right="", centre="", s=0, attributes=""):
    middle = f'<lane id="0" type="none">{centre}</lane>'
    sides = f"<left>{left}</left>" * bool(left), f"<right>{right}</right>" * bool(right)
    return f'<laneSection s="{s}" {attributes}>{sides[0]}<center>{middle}</center>{sides[1]}</laneSection>'


def links_of(lanes, more=""):
    found = map_from_opendrive(town(road(lanes=lanes, more=more)), "sample")
    return {link.idx: link for link in found.links}, found


def speed_sign(s, value, orientation="+"):
    place = f's="{s}" t="-6" zOffset="2" orientation="{orientation}"'
    return f'<signal id="{s}{orientation}" {place} dynamic="no" country="DE" type="274" value="{value}" unit="km/h"/>'


def test_a_lane_whose_speed_changes_is_two_links():
    speeds = '<speed sOffset="0" max="30" unit="km/h"/><speed sOffset="40" max="70" unit="km/h"/>'
    links, found = links_of(section(right=lane(-1, speeds)))
    assert {name: link.max_speed for name, link in links.items()} == {"1_0_-1": 30.0, "1_0.1_-1": 70.0}
    assert links["1_0_-1"].points[-1, 0] == pytest.approx(40.0, abs=1e-5)
    assert links["1_0_-1"].to_node_idx == links["1_0.1_-1"].from_node_idx
    network = network_from_mgeo(found)
    assert network.successors.of(network.link_index("1_0_-1")).tolist() == [network.link_index("1_0.1_-1")]


def test_a_change_of_the_road_cuts_lanes_without_a_speed_of_their_own():
    kinds = "".join(f'<type s="{s}" type="town"><speed max="{v}" unit="km/h"/></type>' for s, v in ((0, 50), (60, 30)))
    own = '<speed sOffset="0" max="80" unit="km/h"/>'
    links, _ = links_of(section(left=lane(1), right=lane(-1, own)), kinds)
    speeds = {name: link.max_speed for name, link in links.items()}
    # the lane on the left is driven by falling s; that on the right is the same all along and stays one link
    assert speeds == {"1_0.1_1": 30.0, "1_0_1": 50.0, "1_0_-1": 80.0}


def test_signs_count_where_neither_lane_nor_road_has_a_speed():
    signs = f"<signals>{speed_sign(20, 30)}{speed_sign(70, 60)}{speed_sign(90, 40, '-')}</signals>"
    links, _ = links_of(section(left=lane(1), right=lane(-1)), signs)
    forward = {name: link.max_speed for name, link in links.items() if name.endswith("_-1")}
    assert list(forward.values()) == [50.0, 30.0, 60.0]
    assert [links[name].points[0, 0] for name in forward] == pytest.approx([0.0, 20.0, 70.0], abs=1e-5)
    back = [link for name, link in links.items() if name.endswith("_1")]
    assert sorted((round(link.points[0, 0]), link.max_speed) for link in back) == [(90, 40.0), (100, 50.0)]
    typed = '<type s="0" type="town"><speed max="50" unit="km/h"/></type>'
    links, _ = links_of(section(right=lane(-1)), typed + signs)
    assert {link.max_speed for link in links.values()} == {50.0}


@pytest.mark.parametrize(
    ("attributes", "speed"),
    [
        ('country="DE" type="274" value="80"', 80.0),
        ('country="DE" type="274" subtype="55"', 50.0),
        ('country="OpenDRIVE" type="274" subtype="60"', 60.0),
        ('country="DE" type="274" value="-1" subtype="30"', 30.0),
        ('country="US" type="R2-1" value="25"', 40.2336),
        ('country="se" type="c" subtype="31" value="7"', 70.0),
        ('country="DE" type="274" value="20" unit="m/s"', 72.0),
        ('country="DE" type="274"', 50.0),
    ],
)
def test_what_signs_of_countries_say(attributes, speed):
    sign = f'<signals><signal id="1" s="0" t="-6" orientation="+" dynamic="no" {attributes}/></signals>'
    links, _ = links_of(section(right=lane(-1)), sign)
    assert [link.max_speed for link in links.values()] == [pytest.approx(speed)]


def test_a_mark_that_forbids_from_a_place_on():
    marks = '<roadMark sOffset="0" type="broken"/><roadMark sOffset="55" type="solid"/>'
    links, found = links_of(section(right=lane(-1, marks) + lane(-2)))
    allowed = {name: (link.can_move_left_lane, link.can_move_right_lane) for name, link in links.items()}
    assert allowed == {
        "1_0_-1": (False, True),
        "1_0_-2": (True, False),
        "1_0.1_-1": (False, False),
        "1_0.1_-2": (False, False),
    }
    shapes = {one.idx: one.lane_shape for one in found.lane_boundaries}
    assert (shapes["1_0_-1_border"], shapes["1_0.1_-1_border"]) == (["Broken"], ["Solid"])


def test_paint_that_changes_without_a_meaning_cuts_the_boundary_only():
    marks = '<roadMark sOffset="0" type="solid" color="white"/><roadMark sOffset="30" type="solid" color="yellow"/>'
    links, found = links_of(section(right=lane(-1, marks)))
    assert list(links) == ["1_0_-1"]
    assert links["1_0_-1"].lane_mark_right == ["1_0_-1_border", "1_0_-1_border_1"]
    lines = {one.idx: one for one in found.lane_boundaries}
    white, yellow = (lines[name] for name in links["1_0_-1"].lane_mark_right)
    assert (white.lane_color, yellow.lane_color) == (["white"], ["yellow"])
    assert white.points[-1] == pytest.approx(yellow.points[0])
    assert white.points[-1, 0] == pytest.approx(30.0)


def test_a_section_of_one_side_leaves_the_other_as_it_is():
    """Three lanes on the right become two at 60 m, and the lane on the left goes through."""
    straight = '<width sOffset="0" a="3" b="0" c="0" d="0"/>'
    first = section(left=lane(1), right=lane(-1, width=straight) + lane(-2, width=straight))
    first = first.replace(
        '<lane id="-1" type="driving">', '<lane id="-1" type="driving"><link><successor id="-1"/></link>'
    )
    second = section(right=lane(-1, width=straight), s=60, attributes='singleSide="true"')
    links, _ = links_of(first + second)
    assert {name: round(float(np.linalg.norm(link.points[-1] - link.points[0]))) for name, link in links.items()} == {
        "1_1_1": 100,
        "1_0_-1": 60,
        "1_0_-2": 60,
        "1_1_-1": 40,
    }


def test_a_cut_section_has_the_same_lines():
    speeds = "".join(f'<speed sOffset="{s}" max="{10 + s}" unit="km/h"/>' for s in (0, 17, 43, 71))
    whole = town(road(lanes=section(left=lane(1, speeds), right=lane(-1) + lane(-2))))
    cut = split_map(whole, SpeedLimits(whole)).town
    assert len(cut.roads[0].lane_sections) == 4
    for s in np.linspace(0.0, 99.9, 57):
        places = np.array([s])
        before, after = RoadLines(whole.roads[0]), RoadLines(cut.roads[0])
        one = before.lanes_at(int(before.sections_at(places)[0]), places)
        other = after.lanes_at(int(after.sections_at(places)[0]), places)
        assert one.keys() == other.keys()
        for number, points in one.items():
            for name in ("width", "x", "y", "z", "heading"):
                assert getattr(other[number], name) == pytest.approx(getattr(points, name), abs=1e-9), (s, number)


def test_signs_of_a_file_of_the_shared_material_are_read_as_it_names_them():
    """Its types of road say the same as its signs, which stand at their beginnings."""
    name = "openscenario/resources/xodr/straight_500m_signs.xodr"
    found = map_from_opendrive(read_opendrive("s", shared(name).read_bytes()), "s")
    forward = sorted((float(link.points[0, 0]), link.max_speed) for link in found.links if link.ego_lane < 0)
    assert [speed for _, speed in forward] == [50.0, 30.0, 50.0]
    assert [s for s, _ in forward] == pytest.approx([0.0, 100.0, 200.0], abs=1e-3)
    shown = [sign.value for sign in found.traffic_signs if sign.sub_type == ["224"]]
    assert set(shown) == {"30", "50"}


def test_a_road_of_a_virtual_junction_meets_the_main_road_where_it_says():
    """A way out to a yard from lane -1 of road 1, at 40 m: one may go on or turn off there."""
    main = road(lanes=section(left=lane(1, width=FLAT), right=lane(-1, width=FLAT)))
    link = '<link><predecessor elementType="road" elementId="1" elementS="40" elementDir="+"/></link>'
    plan = '<geometry s="0" x="40" y="0" hdg="0" length="20"><arc curvature="-0.05"/></geometry>'
    own = lane(-1, '<link><predecessor id="-1"/></link>', FLAT)
    yard = road(plan, section(right=own), 20.0, 'id="2" junction="9"', more=link)
    junction = """<junction id="9" type="virtual" mainRoad="1" sStart="35" sEnd="60" orientation="+">
      <connection id="0" type="virtual" incomingRoad="1" connectingRoad="2" contactPoint="start"/></junction>"""
    network = network_from_mgeo(map_from_opendrive(town(main, yard, junction), "virtual"))
    ways = {
        name: sorted(network.link_ids[row] for row in network.successors.of(network.link_index(name)))
        for name in network.link_ids
    }
    assert ways == {"1_0_-1": ["1_0.1_-1", "2_0_-1"], "1_0.1_-1": [], "1_0.1_1": [], "2_0_-1": []}
    assert network.points_of(network.link_index("1_0_-1"))[-1, 0] == pytest.approx(40.0, abs=1e-5)


@pytest.mark.parametrize(
    ("lanes", "notice"),
    [
        (lane(-1).replace(">", ' direction="both">', 1), "1 lanes for both directions are used in one"),
        (lane(-1, '<access sOffset="0" rule="allow" restriction="bus"/>'), "1 lanes are open to some vehicles only"),
    ],
)
def test_what_of_lanes_has_no_effect_is_said(lanes, notice):
    _, found = links_of(section(right=lanes))
    assert any(notice in one for one in found.notices)


def test_a_sign_counts_on_the_roads_behind_up_to_the_next_one():
    """Roads 1, 2 and 3 one after the other, road 3 laid from its other end; a sign on the first, one on the last."""

    def place(number, x, heading, links, signs=""):
        plan = f'<geometry s="0" x="{x}" y="0" hdg="{heading}" length="100"><line/></geometry>'
        inside = f"<link>{links}</link><signals>{signs}</signals>"
        lanes = section(left=lane(1, width=FLAT), right=lane(-1, width=FLAT))
        return road(plan, lanes, 100.0, f'id="{number}" junction="-1"', more=inside)

    def to(end, number, contact):
        return f'<{end} elementType="road" elementId="{number}" contactPoint="{contact}"/>'

    parts = (
        place(1, 0, 0, to("successor", 2, "start"), speed_sign(98, 30)),
        place(2, 100, 0, to("predecessor", 1, "end") + to("successor", 3, "end")),
        place(3, 300, 3.141592653589793, to("successor", 2, "end"), speed_sign(40, 80, "-")),
    )
    links = map_from_opendrive(town(*parts), "signs").links
    speeds = {link.idx: link.max_speed for link in links}
    assert speeds["1_0_-1"] == 50.0, "the sign stands at its end"
    assert speeds["2_0_-1"] == 30.0
    assert speeds["3_0.1_1"] == 30.0, "the lane that goes on from it, up to the sign at s = 40 m"
    assert speeds["3_0_1"] == 80.0
    assert {speeds[name] for name in ("1_0_1", "2_0_1", "3_0_-1")} == {50.0}
