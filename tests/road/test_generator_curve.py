"""The curves that roads follow."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.mapmaking.curve import (
    LEVEL,
    Blend,
    Chain,
    Curve,
    CurvePose,
    Reversed,
    Spiral,
    connection,
    line,
    spaced,
    turn,
)


def end_of(curve: Curve) -> CurvePose:
    return curve.pose(curve.length)


def assert_same_place(a: CurvePose, b: CurvePose, tolerance: float = 1e-6) -> None:
    assert (a.x, a.y) == pytest.approx((b.x, b.y), abs=tolerance)
    assert math.remainder(a.heading - b.heading, math.tau) == pytest.approx(0.0, abs=tolerance)


def test_an_arc_is_a_circle():
    arc = Spiral(CurvePose(3.0, 4.0, 0.0, 0.1), 10 * math.pi)
    assert_same_place(end_of(arc), CurvePose(3.0, 24.0, math.pi), 1e-8)
    points = arc.at(np.linspace(0, arc.length, 20))[:, :2]
    assert np.hypot(*(points - (3.0, 14.0)).T) == pytest.approx(10.0, abs=1e-8)


def test_a_clothoid_is_the_fresnel_spiral():
    # with curvature pi * s the end after one metre is (C(1), S(1)) (Abramowitz and Stegun, table 7.7)
    end = end_of(Spiral(CurvePose(0.0, 0.0, 0.0), 1.0, math.pi))
    assert (end.x, end.y) == pytest.approx((0.7798934, 0.4382591), abs=1e-7)
    assert end.heading == pytest.approx(math.pi / 2)
    assert end.curvature == pytest.approx(math.pi)


@given(
    angle=st.floats(0.2, 2.4) | st.floats(-2.4, -0.2),
    ahead=st.floats(8.0, 60.0),
    beyond=st.floats(8.0, 60.0),
    heading=st.floats(-math.pi, math.pi),
)
def test_a_turn_ends_where_it_should_and_has_no_jump_in_curvature(angle, ahead, beyond, heading):
    start = CurvePose(5.0, -7.0, heading)
    corner = start.moved(ahead)
    end = CurvePose(corner.x, corner.y, heading + angle).moved(beyond)
    curve = turn(start, end)
    assert_same_place(curve.pose(0.0), start)
    assert_same_place(end_of(curve), end)
    at = curve.at(np.linspace(0.0, curve.length, 2000))
    assert np.abs(np.diff(at[:, 3])).max() < 0.1 * np.abs(at[:, 3]).max()
    assert np.sign(at[:, 3][np.abs(at[:, 3]) > 1e-9]) == pytest.approx(math.copysign(1.0, angle))


def test_a_right_angled_turn_uses_most_of_its_tangent():
    curve = turn(CurvePose(0.0, 0.0, 0.0), CurvePose(10.0, 10.0, math.pi / 2))
    radius = 1 / curve.at(np.linspace(0, curve.length, 500))[:, 3].max()
    assert 7.0 < radius < 10.0  # 10 m would be an arc without easing


@given(
    x=st.floats(30.0, 80.0),
    y=st.floats(-20.0, 20.0),
    heading=st.floats(-0.6, 0.6),
    curvatures=st.tuples(st.floats(-0.01, 0.01), st.floats(-0.01, 0.01)),
)
def test_a_connection_meets_place_heading_and_curvature(x, y, heading, curvatures):
    start, end = CurvePose(0.0, 0.0, 0.0, curvatures[0]), CurvePose(x, y, heading, curvatures[1])
    curve = connection(start, end)
    assert_same_place(curve.pose(0.0), start)
    assert_same_place(end_of(curve), end)
    assert curve.pose(0.0).curvature == pytest.approx(start.curvature, abs=1e-9)
    assert end_of(curve).curvature == pytest.approx(end.curvature, abs=1e-9)


def test_arc_length_of_a_connection_is_arc_length():
    curve = connection(CurvePose(0.0, 0.0, 0.0), CurvePose(40.0, 12.0, 0.3))
    points = curve.at(np.linspace(0.0, curve.length, 4001))[:, :2]
    assert np.hypot(*np.diff(points, axis=0).T) == pytest.approx(curve.length / 4000, rel=5e-3)


def test_a_closed_chain_goes_round():
    round_ = Chain(
        [Spiral(CurvePose(0.0, 0.0, 0.0, 0.1), 10 * math.pi), Spiral(CurvePose(0.0, 20.0, math.pi, 0.1), 10 * math.pi)],
        closed=True,
    )
    s = np.array([3.0, 40.0])
    assert round_.at(s + round_.length)[:, :2] == pytest.approx(round_.at(s)[:, :2], abs=1e-8)
    assert round_.at(s - round_.length)[:, :2] == pytest.approx(round_.at(s)[:, :2], abs=1e-8)


def test_a_reversed_curve_has_its_left_where_the_right_was():
    curve = Spiral(CurvePose(0.0, 0.0, 0.0, 0.02), 30.0)
    back = Reversed(curve)
    assert_same_place(back.pose(0.0, left=2.0), curve.pose(30.0, left=-2.0).turned())
    assert back.pose(5.0).curvature == pytest.approx(-0.02)


def test_a_blend_steps_smoothly_and_is_mirrored_for_the_other_direction():
    blend = Blend(-1.0, ((10.0, 20.0, 3.0), (50.0, 10.0, -1.0)))
    s = np.array([0.0, 10.0, 20.0, 30.0, 55.0, 60.0, 80.0])
    assert blend(s) == pytest.approx([-1.0, -1.0, 0.5, 2.0, 1.5, 1.0, 1.0])
    assert blend.mirrored(80.0)(80.0 - s) == pytest.approx(-blend(s))
    dense = blend(np.linspace(9.0, 31.0, 2201))
    assert np.abs(np.diff(dense, 2)).max() / 0.01**2 < 5.8 * 3.0 / 20.0**2  # 10 / sqrt(3) times rise by length squared


def test_stations_bound_segments_and_bends():
    curve = turn(CurvePose(0.0, 0.0, 0.0), CurvePose(60.0, 15.0, math.pi / 2), 12.0)
    s = spaced(curve, (0.0, curve.length), LEVEL, step=4.0, bend=math.radians(2))
    way = np.diff(curve.at(s)[:, :2], axis=0)
    assert np.hypot(*way.T).max() <= 4.0 + 1e-6
    assert np.degrees(np.abs(np.diff(np.arctan2(way[:, 1], way[:, 0])))).max() < 2.1
    assert s[0] == 0.0
    assert s[-1] == pytest.approx(curve.length)


def test_a_line_has_few_stations():
    assert len(spaced(line(CurvePose(0.0, 0.0, 1.0), 20.0), (0.0, 20.0), LEVEL, step=5.0, bend=0.02)) == 5
