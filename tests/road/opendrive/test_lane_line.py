"""Lane centres of small roads, for which they can be said in a line."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.lane_sample import places_along
from tests.road.opendrive.sample import LANES, road, town

ARC = '<geometry s="0" x="0" y="0" hdg="0" length="100"><arc curvature="0.02"/></geometry>'


def lanes_at(s=50.0, **parts):
    """The lanes of a road at a place: lane id to field to number."""
    lines = RoadLines(town(road(**parts)).roads[0])
    section = int(lines.sections_at(np.array([s]))[0])
    found = lines.lanes_at(section, np.array([s]))
    return {lane: {name: float(value[0]) for name, value in points._asdict().items()} for lane, points in found.items()}


def lane(number, content, attributes=""):
    return f'<lane id="{number}" type="driving" {attributes}>{content}</lane>'


def section(left="", right="", s=0, attributes=""):
    sides = f'<left>{left}</left><center><lane id="0" type="none"/></center><right>{right}</right>'
    return f'<laneSection s="{s}" {attributes}>{sides}</laneSection>'


WIDTH = '<width sOffset="0" a="4" b="0" c="0" d="0"/>'


def test_lanes_lie_left_and_right_of_the_line():
    found = lanes_at()
    assert list(found) == [1, 0, -1]
    assert [found[one]["y"] for one in found] == [1.5, 0.0, -2.0]
    assert [found[one]["width"] for one in found] == [3.0, 0.0, 4.0]
    assert [found[one]["heading"] for one in found] == pytest.approx([math.pi, math.pi, 0.0])


def test_left_hand_traffic_turns_them():
    found = lanes_at(attributes='id="1" rule="LHT"')
    assert [found[one]["heading"] for one in (1, -1)] == pytest.approx([0.0, math.pi])


def test_a_reversed_lane_points_the_other_way():
    found = lanes_at(lanes=section(right=lane(-1, WIDTH, 'direction="reversed"') + lane(-2, WIDTH, 'direction="both"')))
    assert [found[one]["heading"] for one in (-1, -2)] == pytest.approx([math.pi, 0.0])


def test_width_wins_over_border():
    both = WIDTH + '<border sOffset="0" a="9" b="0" c="0" d="0"/>'
    assert lanes_at(lanes=section(left=lane(1, both)))[1]["width"] == 4.0


@pytest.mark.parametrize("sign", ["", "-"])
def test_a_border_is_a_place_beside_the_line(sign):
    border = f'<border sOffset="0" a="{sign}7" b="0" c="0" d="0"/>'
    found = lanes_at(lanes=section(right=lane(-1, WIDTH) + lane(-2, border)))
    assert (found[-2]["width"], found[-2]["t"]) == (3.0, -5.5)


def test_a_lane_offset_moves_all_lanes():
    offset = '<laneOffset s="0" a="1" b="0" c="0" d="0"/><laneOffset s="20" a="1" b="0.1" c="0" d="0"/>'
    found = lanes_at(lanes=offset + LANES)
    assert [found[one]["t"] for one in found] == pytest.approx([5.5, 4.0, 2.0])
    assert found[-1]["heading"] == pytest.approx(math.atan(0.1))


def test_width_counts_from_its_section():
    widths = '<width sOffset="0" a="3" b="0" c="0" d="0"/><width sOffset="10" a="3" b="0.1" c="0" d="0"/>'
    found = lanes_at(lanes=LANES + section(right=lane(-1, widths), s=30))
    assert found[-1]["width"] == pytest.approx(4.0)
    assert list(found) == [0, -1]


def test_a_section_of_one_side_keeps_the_other():
    found = lanes_at(lanes=LANES + section(left=lane(1, WIDTH) + lane(2, WIDTH), s=30, attributes='singleSide="true"'))
    assert [found[one]["width"] for one in found] == [4.0, 4.0, 0.0, 4.0]


def test_a_bend_changes_the_curvature_of_lanes():
    found = lanes_at(plan=ARC)
    for one in found.values():
        assert 1.0 / one["curvature"] == pytest.approx(50.0 - one["t"])
        assert math.hypot(one["x"], one["y"] - 50.0) == pytest.approx(50.0 - one["t"])


def test_elevation_is_grade_and_pitch_in_the_direction_of_driving():
    found = lanes_at(profiles='<elevationProfile><elevation s="0" a="2" b="0.1" c="0" d="0"/></elevationProfile>')
    assert [found[one]["z"] for one in found] == pytest.approx([7.0] * 3)
    assert [found[one]["pitch"] for one in (1, -1)] == pytest.approx([math.atan(0.1), -math.atan(0.1)])


def lateral(content):
    return f"<lateralProfile>{content}</lateralProfile>"


def test_superelevation_lifts_the_left():
    found = lanes_at(profiles=lateral('<superelevation s="0" a="0.05" b="0" c="0" d="0"/>'))
    assert [found[one]["z"] for one in found] == pytest.approx([1.5 * math.tan(0.05), 0.0, -2.0 * math.tan(0.05)])
    assert [found[one]["roll"] for one in (1, -1)] == pytest.approx([-0.05, 0.05])


@pytest.mark.parametrize(("side", "left", "right"), [("both", 1, 1), ("left", 1, 0), ("right", 0, 1)])
def test_crossfall_falls_outwards(side, left, right):
    found = lanes_at(profiles=lateral(f'<crossfall side="{side}" s="0" a="0.05" b="0" c="0" d="0"/>'))
    slope = math.tan(0.05)
    assert [found[one]["z"] for one in (1, -1)] == pytest.approx([-1.5 * slope * left, -2.0 * slope * right])


def test_shapes_change_evenly_between_cross_sections():
    crown = '<shape s="{}" t="-5" a="{}" b="0.1" c="0" d="0"/><shape s="{}" t="0" a="{}" b="-0.1" c="0" d="0"/>'
    found = lanes_at(profiles=lateral(crown.format(0, 0.0, 0, 0.5) + crown.format(100, 1.0, 100, 1.5)))
    assert [found[one]["z"] for one in found] == pytest.approx([0.5 + 0.35, 0.5 + 0.5, 0.5 + 0.3])


def test_a_level_lane_stays_at_its_inner_border():
    kerb = '<height sOffset="0" inner="0.1" outer="0.2"/>'
    found = lanes_at(
        lanes=section(left=lane(1, WIDTH) + lane(2, WIDTH + kerb, 'level="true"') + lane(3, WIDTH, 'level="true"')),
        profiles=lateral('<superelevation s="0" a="0.05" b="0" c="0" d="0"/>'),
    )
    edge = 4.0 * math.tan(0.05)
    assert [found[one]["z"] for one in (2, 3)] == pytest.approx([edge + 0.15, edge])
    assert (found[2]["roll"], found[1]["roll"]) == (0.0, -0.05)


@given(st.floats(-0.02, 0.02), st.floats(-0.05, 0.05), st.floats(-0.001, 0.001))
def test_heading_is_the_direction_of_the_lane_but_for_how_bends_shorten_it(curvature, slope, bend):
    """The turn to the road's heading is that by dt/ds; the lane's own line has its length per s, 1 - t k, in it."""
    plan = f'<geometry s="0" x="0" y="0" hdg="0.3" length="100"><arc curvature="{curvature}"/></geometry>'
    widths = f'<width sOffset="0" a="5" b="{slope}" c="{bend}" d="0"/>'
    lines = RoadLines(town(road(plan=plan, lanes=section(right=lane(-1, widths)))).roads[0])
    s = np.linspace(1.0, 30.0, 50)
    before, here, after = (lines.lanes_at(0, s + shift)[-1] for shift in (-1e-4, 0.0, 1e-4))
    direction = np.arctan2(after.y - before.y, after.x - before.x)
    turned = np.tan(here.heading - lines.reference.at(s).heading) / (1.0 - here.t * curvature)
    expected = lines.reference.at(s).heading + np.arctan(turned)
    assert np.abs(np.sin(direction - expected)).max() < 1e-7


@given(st.floats(0.01, 1e5), st.floats(0.1, 100.0))
def test_places_go_from_end_to_end(length, step):
    places = places_along(length, step)
    assert 0.0 < places[0] <= 1e-3
    assert places[0] == pytest.approx(length - places[-1], abs=1e-9 * length)
    assert (np.diff(places) > 0.0).all()
    assert len(places) == max(1, int(length // step)) + 1


SURFACE = """<lateralProfile><crossSectionSurface>
  <tOffset><coefficients s="0" a="0.5" b="0.01"/></tOffset>
  <surfaceStrips>
    <strip id="1">
      <width><coefficients s="0" a="2" b="0.02"/></width>
      <constant><coefficients s="0" a="0.1"/></constant><linear><coefficients s="0" a="-0.03" b="0.0001"/></linear>
    </strip>
    <strip id="2" mode="{}"><linear><coefficients s="0" a="-0.05"/></linear></strip>
    <strip id="-1"><quadratic><coefficients s="0" a="-0.002"/><coefficients s="40" a="-0.001"/></quadratic>
      <cubic><coefficients s="0" a="0.0001"/></cubic></strip>
  </surfaceStrips>
</crossSectionSurface></lateralProfile>"""


@pytest.mark.parametrize("mode", ["relative", "independent"])
def test_strips_of_a_cross_section_surface(mode):
    """Heights by the formulas of ASAM OpenDRIVE 1.8, 10.5.4."""
    lines = RoadLines(town(road(profiles=SURFACE.format(mode))).roads[0])
    for s in (0.0, 25.0, 60.0):
        offset, width, slope = 0.5 + 0.01 * s, 2 + 0.02 * s, -0.03 + 0.0001 * s
        for t in (-6.0, -1.0, offset, offset + 0.5 * width, offset + width + 1.5):
            away = t - offset
            if away <= 0.0:
                expected = (-0.002 if s < 40 else -0.001) * away**2 + 0.0001 * away**3
            elif away <= width:
                expected = 0.1 + slope * away
            else:
                expected = (0.1 + slope * width if mode == "relative" else 0.0) - 0.05 * (away - width)
            assert lines.place_at(s, t)[2] == pytest.approx(expected, abs=1e-12), (s, t)
