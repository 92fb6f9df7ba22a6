"""Lights of OpenDRIVE files govern the lanes through the junction that they lead to."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.reader import read_opendrive
from tests.road.opendrive.sample import LANES, road, town
from tests.shared import shared

JUNCTION = """<junction id="9"><connection id="0" incomingRoad="1" connectingRoad="2" contactPoint="start">
<laneLink from="-1" to="-1"/></connection></junction>"""
INTO = '<link><successor elementType="junction" elementId="9"/></link>'
OUT = '<link><predecessor elementType="road" elementId="1" contactPoint="end"/></link>'
BEHIND = '<geometry s="0" x="100" y="0" hdg="0" length="100"><line/></geometry>'


def light(s=95, orientation="+", kind="1000001", content=""):
    place = f's="{s}" t="-6" zOffset="4" orientation="{orientation}"'
    return f'<signal id="L" {place} dynamic="yes" type="{kind}">{content}</signal>'


def lights(on_approach="", on_connection=""):
    """The lights of an approach with a lane in each direction, and a connecting road behind it."""
    approach = road(lanes=LANES, attributes='id="1" junction="-1"', more=f"{INTO}<signals>{on_approach}</signals>")
    connection = road(plan=BEHIND, attributes='id="2" junction="9"', more=f"{OUT}<signals>{on_connection}</signals>")
    found = map_from_opendrive(town(approach, connection, JUNCTION), "sample")
    return found.traffic_lights, found.notices


def test_a_light_at_the_end_of_a_road_governs_what_goes_on_from_there():
    (one,), _ = lights(light())
    assert (one.idx, one.link_id_list, one.sub_type) == ("L", ["2_0_-1"], ["red", "yellow", "straight"])
    assert one.point == pytest.approx((95.0, -6.0, 4.0))
    assert one.heading == pytest.approx(180.0), "it faces those that come"


def test_a_light_on_a_connecting_road_governs_its_lanes():
    (one,), _ = lights(on_connection=light(s=10, content='<validity fromLane="-1" toLane="-1"/>'))
    assert one.link_id_list == ["2_0_-1"]


def test_a_reference_makes_it_count_on_another_road():
    reference = '<signalReference id="L" s="90" t="0" orientation="+"/>'
    (one,), _ = lights(on_approach=light(s=2, orientation="+"), on_connection=reference)
    assert one.link_id_list == ["2_0_-1"]


@pytest.mark.parametrize(
    "signal",
    [
        light(orientation="-"),
        light(s=5),
        light(content='<validity fromLane="1" toLane="1"/>'),
    ],
    ids=["for the other direction", "far from the junction", "for another lane"],
)
def test_a_light_that_governs_nothing_is_left_out(signal):
    found, notices = lights(signal)
    assert found == []
    assert "1 lights are not used, since they are at no junction" in notices[0]


def test_other_lights_are_counted():
    found, notices = lights(light(kind="1000004"))
    assert found == []
    assert "1 lights for others than vehicles and people are not used" in notices[0]


def test_lights_of_a_map_of_the_shared_material_switch():
    name = "openscenario/resources/xodr/multi_intersections.xodr"
    network = network_from_mgeo(map_from_opendrive(read_opendrive("m", shared(name).read_bytes()), "m"))
    signals = network.signals
    vehicles = [one for one in signals.lights if one.kind == "car"]
    assert (len(vehicles), len(signals.controllers)) == (34, 5)
    assert all(controller.states for controller in signals.controllers)
    governed = np.diff(signals.lights_of_link.first) > 0
    assert governed.sum() == sum(bool(movement) for movement in network.link_movements)
    for one in vehicles:
        before = {int(link) for way in one.links for link in network.predecessors.of(way)}
        for link in before:
            end = network.lines.tangent[network.lines.first[link + 1] - 1]
            facing = (math.cos(one.heading), math.sin(one.heading))
            assert float(np.dot(end, facing)) < -0.9, "it faces those whom it governs"
