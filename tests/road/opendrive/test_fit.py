"""Curves and cubics fitted to points: properties for any of them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.road.opendrive.curve import SpiralCurve
from dorosim.road.opendrive.export.plan_fit import plan_from_points
from dorosim.road.opendrive.export.profile_fit import cubics_from_values, values_of_cubics
from dorosim.road.opendrive.export.spiral_fit import spiral_to
from dorosim.road.opendrive.plan_record import ArcShape, StraightShape
from dorosim.road.opendrive.reference_line import ReferenceLine

BEND = st.floats(-0.08, 0.08)
HEADING = st.floats(-3.0, 3.0)


def course(bends, heading, step=0.5):
    """Points on arcs of 20 m with the given curvatures, one after the other, and the headings there."""
    places = [np.zeros(2)]
    headings = [heading]
    for bend in bends:
        for _ in range(int(20.0 / step)):
            middle = headings[-1] + bend * step / 2.0
            chord = step * np.sinc(bend * step / 2.0 / math.pi)
            places.append(places[-1] + chord * np.array([math.cos(middle), math.sin(middle)]))
            headings.append(headings[-1] + bend * step)
    return np.array(places), np.array(headings)


@given(st.lists(BEND, min_size=1, max_size=5), HEADING)
@settings(max_examples=30, deadline=None)
def test_a_plan_passes_its_points_without_gaps(bends, heading):
    points, headings = course(bends, heading)
    plan = plan_from_points(points, headings)
    assert [one.s for one in plan] == pytest.approx(np.cumsum([0.0, *(one.length for one in plan[:-1])]))
    for before, after in pairwise(plan):
        end = ReferenceLine([before]).at(np.array([before.s + before.length]))
        assert (end.x[0], end.y[0]) == pytest.approx((after.x, after.y), abs=1e-9)
        assert math.remainder(end.heading[0] - after.hdg, math.tau) == pytest.approx(0.0, abs=1e-9)
    length = plan[-1].s + plan[-1].length
    line = ReferenceLine(plan).at(np.linspace(0.0, length, int(length / 0.02)))
    away = np.hypot(line.x[:, None] - points[:, 0], line.y[:, None] - points[:, 1]).min(axis=0)
    assert away.max() < 0.003 + 0.011
    assert (line.x[-1], line.y[-1]) == pytest.approx(tuple(points[-1]), abs=3e-4)
    assert math.cos(line.heading[-1] - headings[-1]) == pytest.approx(1.0, abs=1e-6)


def test_a_straight_line_is_one_line_and_a_circle_one_arc_a_radian():
    assert [type(one.shape) for one in plan_from_points(*course([0.0, 0.0], 0.3))] == [StraightShape]
    plan = plan_from_points(*course([0.05], 0.3))
    assert {type(one.shape) for one in plan} == {ArcShape}
    assert plan[0].shape.curvature == pytest.approx(0.05, abs=1e-6)


@given(st.floats(-1.2, 1.2), st.floats(-1.2, 1.2), st.floats(0.1, 500.0), HEADING)
def test_a_spiral_leads_where_it_should(first, last, chord, course_heading):
    dx, dy = chord * math.cos(course_heading), chord * math.sin(course_heading)
    found = spiral_to(dx, dy, course_heading + first, course_heading + last)
    assert found is not None
    u, v, heading, _ = SpiralCurve(found.start, found.end, found.length).at(np.array([found.length]))
    turn = course_heading + first
    x, y = u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn)
    assert (x[0], y[0]) == pytest.approx((dx, dy), abs=1e-8 * chord)
    assert heading[0] == pytest.approx(last - first, abs=1e-9)


def test_there_is_no_spiral_to_nowhere_or_back():
    assert spiral_to(0.0, 0.0, 0.0, 0.0) is None
    assert spiral_to(-1.0, 0.0, 0.0, 0.0) is None


@given(st.lists(st.floats(-5.0, 5.0), min_size=2, max_size=40), st.floats(0.001, 0.1))
def test_cubics_are_near_the_values_and_between_them(values, tolerance):
    s = np.arange(len(values)) * 1.5
    value = np.array(values)
    cubics = cubics_from_values(s, value, tolerance)
    assert np.abs(values_of_cubics(cubics, s) - value).max() <= tolerance + 2e-5
    middle = (s[1:] + s[:-1]) / 2.0
    assert np.abs(values_of_cubics(cubics, middle) - (value[1:] + value[:-1]) / 2.0).max() <= tolerance + 2e-5


def test_values_that_do_not_change_are_one_cubic():
    assert len(cubics_from_values(np.arange(9.0), np.full(9, 3.5), 0.001)) == 1
