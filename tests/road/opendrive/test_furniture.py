"""Crosswalks, stop lines, signs, priorities and controllers of OpenDRIVE files act on the network."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.conflict import conflicts_of_network
from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.world.traffic.plan import lit_links
from dorosim.world.traffic.right_of_way import minor_links, yields_of_conflicts
from tests.road.opendrive.sample import LANES, crossing, line, road, town
from tests.shared import shared

SIDEWALKS = """
<laneSection s="0">
  <left><lane id="2" type="sidewalk" level="false"><width sOffset="0" a="2" b="0" c="0" d="0"/>
    <height sOffset="0" inner="0.12" outer="0.14"/></lane>
    <lane id="1" type="driving" level="false"><width sOffset="0" a="3" b="0" c="0" d="0"/></lane></left>
  <center><lane id="0" type="none" level="false"/></center>
  <right><lane id="-1" type="driving" level="false"><width sOffset="0" a="4" b="0" c="0" d="0"/></lane></right>
</laneSection>
"""


def converted(*parts):
    return map_from_opendrive(town(*parts), "sample")


def with_objects(*objects, signals=""):
    inside = f"<objects>{''.join(objects)}</objects><signals>{signals}</signals>"
    return converted(road(more=inside))


def signal(name, s, t, kind, orientation="+", more="", content=""):
    place = f's="{s}" t="{t}" zOffset="0" orientation="{orientation}"'
    return f'<signal id="{name}" {place} dynamic="no" country="DE" type="{kind}" {more}>{content}</signal>'


def walk_light(name, s, t, content=""):
    place = f's="{s}" t="{t}" zOffset="2.5" orientation="+"'
    return f'<signal id="{name}" {place} dynamic="yes" country="OpenDRIVE" type="1000002">{content}</signal>'


CROSSING = """<object id="7" type="crosswalk" s="50" t="0" zOffset="0" hdg="0.5" orientation="none">
<outlines><outline id="0" closed="true">
  <cornerLocal u="-2" v="-4" z="0"/><cornerLocal u="2" v="-4" z="0"/>
  <cornerLocal u="2" v="3" z="0"/><cornerLocal u="-2" v="3" z="0"/><cornerLocal u="-2" v="-4" z="0"/>
</outline></outlines></object>"""


def test_a_crosswalk_lies_where_its_corners_are():
    found = with_objects(CROSSING)
    c, s = math.cos(0.5), math.sin(0.5)
    corners = [(50 + c * u - s * v, s * u + c * v, 0.0) for u, v in ((-2, -4), (2, -4), (2, 3), (-2, 3))]
    network = network_from_mgeo(found)
    assert network.crosswalks.ids == ("crosswalk 7",)
    assert network.crosswalks.of(0) == pytest.approx(np.array(corners))
    names = [network.link_ids[row] for row in network.crosswalks.link]
    assert names == ["1_0_1", "1_0_-1"]
    # the line y = -2 of lane -1 crosses the sides u = -2 and u = 2, which stand 0.5 rad off upright
    begin = 50 - 2 / c + 2 * math.tan(0.5)
    assert network.crosswalks.begin[1] == pytest.approx(begin, abs=1e-3)
    assert network.crosswalks.end[1] == pytest.approx(begin + 4 / c, abs=1e-3)


def test_corners_may_be_given_along_the_road():
    outline = "".join(
        f'<cornerRoad s="{s}" t="{t}" dz="0" height="0"/>' for s, t in ((40, -4), (44, -4), (44, 3), (40, 3))
    )
    found = with_objects(f'<object id="7" type="crosswalk" s="42" t="0"><outline id="0">{outline}</outline></object>')
    assert found.single_crosswalks[0].points[:4].tolist() == [[40, -4, 0], [44, -4, 0], [44, 3, 0], [40, 3, 0]]


def test_a_crosswalk_without_outline_has_the_box_of_its_extent():
    found = with_objects('<object id="7" type="crosswalk" s="42" t="-0.5" length="4" width="7"/>')
    assert found.single_crosswalks[0].points[:4, :2].tolist() == [[40, -4], [44, -4], [44, 3], [40, 3]]


def test_a_crosswalk_without_extent_is_counted():
    found = with_objects('<object id="7" type="crosswalk" s="42" t="0"/>')
    assert found.single_crosswalks == []
    assert "1 crosswalks have no extent and are not used" in found.notices[-1]


def test_a_painted_crosswalk_is_a_signal_with_its_extent():
    """Value along the road, width across it; without a width it goes over all lanes."""
    wide = signal("c", 60, 0, "1000003", more='value="5" width="6" height="0.01"')
    across = signal("d", 20, 0, "1000003")
    (one, other) = with_objects(signals=wide + across).single_crosswalks
    assert one.points[:4, :2].tolist() == [[57.5, -3], [62.5, -3], [62.5, 3], [57.5, 3]]
    assert other.points[:4, :2].tolist() == [[18, -4], [22, -4], [22, 3], [18, 3]]


def test_lights_for_people_belong_to_the_crosswalk_at_which_they_stand():
    other = CROSSING.replace('id="7"', 'id="8"').replace('s="50"', 's="20"')
    lights = [
        walk_light("a", 50, -5),
        walk_light("b", 50, 4),
        walk_light("far", 80, 4),
        walk_light("named", 50, 4, '<reference elementId="8" elementType="object"/>'),
    ]
    network = network_from_mgeo(with_objects(CROSSING, other, signals="".join(lights)))
    ids = [light.id for light in network.signals.lights]
    kinds = {light.kind for light in network.signals.lights}
    members = [[ids[row] for row in network.crosswalks.lights.of(area)] for area in range(2)]
    assert (kinds, members) == ({"pedestrian"}, [["a", "b"], ["named"]])


def test_a_stop_line_crosses_the_lanes_for_which_it_counts():
    found = with_objects(signals=signal("s", 90, 0, "294"))
    (line,) = [one for one in found.lane_boundaries if one.lane_type == [530]]
    assert line.points == pytest.approx(np.array([[90, -4, 0], [90, 0, 0]]))
    stop = dict(zip(("1_0_1", "1_0_-1"), network_from_mgeo(found).signals.stop_line.tolist(), strict=True))
    assert stop["1_0_-1"] == pytest.approx(90.0, abs=1e-3)
    assert math.isnan(stop["1_0_1"])


@pytest.mark.parametrize(
    "attributes",
    ['type="roadMark" subtype="signalLines"', 'type="stopLine"', 'type="-1" name="StopLine_3"'],
)
def test_a_stop_line_may_be_an_object(attributes):
    found = with_objects(f'<object id="9" {attributes} s="80" t="-2" length="0.4" width="3.6"/>')
    stop = network_from_mgeo(found).signals.stop_line
    assert stop[1] == pytest.approx(80.0, abs=1e-3)
    assert math.isnan(stop[0])


def test_sidewalks_are_links_that_no_vehicle_uses():
    network = network_from_mgeo(converted(road(lanes=SIDEWALKS)))
    kinds = dict(
        zip(network.link_ids, zip(network.link_types, network.link_drivable.tolist(), strict=True), strict=True)
    )
    assert kinds["1_0_2"] == ("sidewalk", False)
    row = network.link_index("1_0_2")
    assert network.points_of(row)[:, 2] == pytest.approx(0.13), "the middle between the heights of its kerbs"
    assert network.width_at(row, 50.0) == pytest.approx(2.0)
    assert network.neighbours.left.tolist() == [-1, -1, -1]


def who_yields(*parts):
    network = network_from_mgeo(converted(*parts))
    conflicts, _ = conflicts_of_network(network)
    yields = yields_of_conflicts(network, conflicts, lit_links(network))
    return {network.link_ids[link] for link in conflicts.link[yields]}


def test_priorities_of_a_junction_say_who_goes_first():
    assert who_yields(*crossing()) == {"11_0_-1"}, "the one from the right, which comes from the south, goes first"
    assert who_yields(*crossing(priority='<priority high="11" low="12"/>')) == {"12_0_-1"}
    assert who_yields(*crossing(priority='<priority high="1" low="2"/>')) == {"12_0_-1"}, "of incoming roads"
    assert who_yields(*crossing(priority='<priority high="12" low="11"/>')) == {"11_0_-1"}


@pytest.mark.parametrize("kind", ["205", "206"])
@pytest.mark.parametrize("where", ["into", "inside"])
def test_signs_make_vehicles_give_way(kind, where):
    s = 78 if where == "into" else 1
    sign = f"<signals>{signal('g', s, -5, kind)}</signals>"
    assert who_yields(*crossing(**{where: sign})) == {"12_0_-1"}
    network = network_from_mgeo(converted(*crossing(**{where: sign})))
    minor = minor_links(network, lit_links(network))
    assert {network.link_ids[row] for row in np.flatnonzero(minor)} == {"2_0_-1", "12_0_-1"}


def test_signs_stand_where_the_file_puts_them():
    found = with_objects(
        signals=signal("a", 30, -6, "206", more='height="0.8"').replace('zOffset="0"', 'zOffset="2"')
        + signal("b", 40, 5, "274", "-", more='value="30" unit="km/h" hOffset="0.1"')
        + signal("c", 45, 5, "306").replace("</signal>", '<positionInertial x="9" y="8" z="3" hdg="1"/></signal>')
        + signal("paint", 45, 0, "297", more='height="0.01"')
    )
    signs = {sign.idx: sign for sign in found.traffic_signs}
    assert list(signs) == ["a", "b", "c"]
    assert signs["a"].point == pytest.approx((30, -6, 2.4))
    assert [signs[name].sub_type for name in "abc"] == [["227"], ["224"], []]
    assert signs["b"].value == "30"
    headings = [signs[name].heading for name in "abc"]
    assert headings == pytest.approx([180.0, math.degrees(0.1), 180.0 + math.degrees(1.0)], abs=1e-3)
    assert signs["c"].point[:2] == (9.0, 8.0)


CONTROLLERS = """<controller id="a"><control signalId="A"/></controller>
<controller id="b"><control signalId="B"/></controller>"""


def vehicle_light(name, s, content=""):
    place = f's="{s}" t="-5" zOffset="4" orientation="+"'
    return f'<signal id="{name}" {place} dynamic="yes" type="1000001">{content}</signal>'


def groups_of(*parts):
    signals = network_from_mgeo(converted(*parts)).signals
    return {
        one.id: [sorted(signals.lights[row].id for row in group) for group in one.groups] for one in signals.controllers
    }


def lit_crossing(junction="", first="", second="", more=""):
    one, two, *rest = crossing(
        into=f"<signals>{vehicle_light('B', 78, second)}</signals>",
        speeds=(f"<signals>{vehicle_light('A', 78, first)}{more}</signals>", ""),
        priority=junction,
    )
    return one, two, *rest


def test_controllers_of_a_junction_are_groups_in_the_order_of_their_sequence():
    named = '<controller id="a" sequence="2"/><controller id="b" sequence="1"/>'
    assert groups_of(*lit_crossing(named), CONTROLLERS) == {"junction 9": [["B"], ["A"]]}


def test_controllers_that_no_junction_names_belong_to_that_of_their_lights():
    assert groups_of(*lit_crossing(), CONTROLLERS) == {"junction 9": [["A"], ["B"]]}


def test_a_light_that_another_switches_is_in_its_group():
    parts = lit_crossing(first='<dependency id="C"/>', more=vehicle_light("C", 70))
    assert groups_of(*parts, CONTROLLERS) == {"junction 9": [["A", "C"], ["B"]]}


def test_lights_without_controller_stay_with_those_of_their_junction():
    only = '<controller id="a"><control signalId="A"/></controller>'
    assert groups_of(*lit_crossing(), only) == {"junction 9": [["A"], ["B"]]}


def test_no_two_roads_that_cross_are_green_at_once():
    network = network_from_mgeo(converted(*lit_crossing(), CONTROLLERS))
    (controller,) = network.signals.controllers
    assert any("SG" in state.colours for state in controller.states)
    assert all(state.colours.count("SG") <= 1 for state in controller.states)


def test_everything_of_a_file_of_the_shared_material():
    name = "openscenario/resources/xodr/multi_intersections.xodr"
    file = read_opendrive("m", shared(name).read_bytes())
    found = map_from_opendrive(file, "m")
    network = network_from_mgeo(found)
    signals = [one for each in file.roads for one in each.signals]
    assert len(network.crosswalks) == sum(one.type == "1000003" for one in signals) == 17
    people = [light for light in network.signals.lights if light.kind == "pedestrian"]
    assert len(people) == sum(one.type == "1000002" for one in signals)
    assert all(light.crosswalk and light.controller >= 0 for light in people)
    groups = {
        tuple(network.signals.lights[row].id for row in group)
        for one in network.signals.controllers
        for group in one.groups
    }
    assert groups == {tuple(each.signal_id for each in one.signals) for one in file.controllers}
    assert [one.id for one in network.signals.controllers] == [
        f"junction {one.id}" for one in file.junctions if one.controllers
    ]
    # each stop line of the file stands at s = 4 m before the junction, and the lanes lead to it
    painted = np.isfinite(network.signals.stop_line) & (network.link_length - network.signals.stop_line > 3.5)
    assert painted.sum() == sum(2 if "2Lane" in one.name else 1 for one in signals if one.type == "294")


def test_a_cross_path_is_a_crosswalk_along_its_road():
    """Road 2, 3 m wide, leads over road 1 at x = 50 m; its own height does not count."""
    walking = """<laneSection s="0"><center><lane id="0" type="none"/></center><right>
      <lane id="-1" type="walking"><width sOffset="0" a="3" b="0" c="0" d="0"/></lane></right></laneSection>"""
    high = '<elevationProfile><elevation s="0" a="9" b="0" c="0" d="0"/></elevationProfile>'
    hill = '<elevationProfile><elevation s="0" a="0" b="0.1" c="0" d="0"/></elevationProfile>'
    across = road(line(48.5, -5, math.pi / 2, 9), walking, 9.0, 'id="2" junction="9"', profiles=high)
    junction = """<junction id="9" type="virtual" mainRoad="1" sStart="45" sEnd="55">
      <crossPath id="0" crossingRoad="2" roadAtStart="1" roadAtEnd="1">
        <startLaneLink s="50" from="-2" to="-1"/><endLaneLink s="50" from="2" to="-1"/></crossPath></junction>"""
    network = network_from_mgeo(converted(road(profiles=hill), across, junction))
    assert network.link_ids == ("1_0_1", "1_0_-1")
    corners = {tuple(round(value, 6) for value in corner) for corner in network.crosswalks.of(0).tolist()}
    assert corners == {(48.5, -5, 5), (48.5, 4, 5), (51.5, 4, 5), (51.5, -5, 5)}
    assert network.crosswalks.link.tolist() == [0, 1]


def test_lights_and_stop_lines_of_left_hand_traffic():
    """Vehicles on the left lane go by rising s, and those are the ones that a signal "+" is for."""
    link = '<link><successor elementType="junction" elementId="9"/></link>'
    back = '<link><predecessor elementType="road" elementId="1" contactPoint="end"/></link>'
    signals = f"<signals>{vehicle_light('A', 98)}{signal('s', 95, 0, '294')}</signals>"
    parts = (
        road(attributes='id="1" junction="-1" rule="LHT"', more=link + signals),
        road(line(100, 0, 0, 30), LANES, 30.0, 'id="11" junction="9" rule="LHT"', more=back),
        """<junction id="9"><connection id="0" incomingRoad="1" connectingRoad="11" contactPoint="start">
        <laneLink from="1" to="1"/></connection></junction>""",
    )
    network = network_from_mgeo(converted(*parts))
    assert network.left_hand_traffic
    (light,) = network.signals.lights
    assert [network.link_ids[row] for row in light.links] == ["11_0_1"]
    assert math.cos(light.heading) == pytest.approx(-1.0), "it faces those that come"
    stop = dict(zip(network.link_ids, network.signals.stop_line.tolist(), strict=True))
    assert stop["1_0_1"] == pytest.approx(95.0, abs=1e-3)
    assert math.isnan(stop["1_0_-1"])
