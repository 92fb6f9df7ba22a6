"""The shapes of plan views: heading is the direction of the curve, curvature how it turns, and s its length."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.road.opendrive.curve import ArcCurve, PolynomialCurve, SpiralCurve, curve_of
from dorosim.road.opendrive.plan_record import ParamPoly3Shape, PlanGeometry, Poly3Shape, SpiralShape, StraightShape
from dorosim.road.opendrive.reference_line import ReferenceLine
from tests.road.opendrive.sample import road, town

curvatures = st.floats(-0.2, 0.2)
lengths = st.floats(1.0, 200.0)
slopes = st.floats(-0.3, 0.3)


cubics = st.tuples(slopes, slopes).map(lambda pair: (0.0, 0.0, pair[0] / 60.0, pair[1] / 60.0**2))
"""Of 60 m, which bend as roads do."""

curves = st.one_of(
    st.builds(ArcCurve, curvatures),
    st.builds(SpiralCurve, curvatures, curvatures, st.just(60.0)),
    cubics.map(lambda v: PolynomialCurve((0.0, 1.0, 0.0, 0.0), v, 60.0, None)),
)


@given(curves)
def test_heading_is_the_direction_and_curvature_its_change(curve):
    s = np.linspace(1.0, 59.0, 200)
    step = 1e-3
    before, here, after = (curve.at(s + shift) for shift in (-step, 0.0, step))
    direction = np.arctan2(after.y - before.y, after.x - before.x)
    assert np.abs(np.sin(direction - here.heading)).max() < 1e-7
    assert np.abs((after.heading - before.heading) / (2.0 * step) - here.curvature).max() < 1e-5


@given(curves)
def test_s_is_the_length_of_the_curve(curve):
    points = curve.at(np.linspace(0.0, 60.0, 20_001))
    assert np.hypot(np.diff(points.x), np.diff(points.y)).sum() == pytest.approx(60.0, abs=1e-5)


def simpson(start, end, length, count=20_000):
    """The end of a spiral by Simpson's rule."""
    s = np.linspace(0.0, length, 2 * count + 1)
    weights = np.full(len(s), 2.0)
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    heading = start * s + (end - start) / length * s**2 / 2.0
    scale = length / (6.0 * count)
    return scale * (weights @ np.cos(heading)), scale * (weights @ np.sin(heading))


@given(curvatures, curvatures, lengths)
def test_a_spiral_is_the_integral_of_its_heading(start, end, length):
    point = SpiralCurve(start, end, length).at(np.array([length]))
    assert (point.x[0], point.y[0]) == pytest.approx(simpson(start, end, length), abs=1e-9)


def fresnel(x, terms):
    """The Fresnel integrals C and S by their power series, for x of about 1."""
    c = s = 0.0
    half = math.pi / 2.0
    for n in range(terms):
        sign = -1.0 if n % 2 else 1.0
        c += sign * half ** (2 * n) * x ** (4 * n + 1) / (math.factorial(2 * n) * (4 * n + 1))
        s += sign * half ** (2 * n + 1) * x ** (4 * n + 3) / (math.factorial(2 * n + 1) * (4 * n + 3))
    return c, s


@given(st.floats(0.1, 2.0), st.floats(1.0, 500.0))
def test_a_spiral_from_a_straight_line_is_a_pair_of_fresnel_integrals(x, scale):
    length = x * scale
    point = SpiralCurve(0.0, math.pi * length / scale**2, length).at(np.array([length]))
    c, s = fresnel(x, 30)
    assert (point.x[0], point.y[0]) == pytest.approx((scale * c, scale * s), abs=1e-9 * scale)


@given(curvatures, lengths, st.floats(-1e-9, 1e-9))
def test_a_spiral_that_hardly_changes_is_an_arc(curvature, length, change):
    s = np.linspace(0.0, length, 50)
    spiral, arc = SpiralCurve(curvature, curvature + change, length).at(s), ArcCurve(curvature).at(s)
    assert np.hypot(spiral.x - arc.x, spiral.y - arc.y).max() < 1e-9 * length**2
    assert SpiralCurve(curvature, curvature, length).at(s).x == pytest.approx(arc.x, abs=1e-10)


@given(curvatures, lengths)
def test_an_arc_is_a_circle(curvature, length):
    point = ArcCurve(curvature).at(np.array([length]))
    if abs(curvature) < 1e-6:
        assert point.x[0] == pytest.approx(length, rel=1e-6)
    else:
        centre = 1.0 / curvature
        assert math.hypot(point.x[0], point.y[0] - centre) == pytest.approx(abs(centre), rel=1e-12)


@given(slopes, slopes, st.floats(1.0, 100.0))
def test_both_kinds_of_p_range_are_one_curve(c, d, length):
    whole = ParamPoly3Shape(a_u=0, b_u=length, c_u=0, d_u=0, a_v=0, b_v=0, c_v=c * length, d_v=d * length)
    part = ParamPoly3Shape(
        a_u=0, b_u=1, c_u=0, d_u=0, a_v=0, b_v=0, c_v=c / length, d_v=d / length**2, p_range="arcLength"
    )
    s = np.linspace(0.0, length, 20)
    one, other = (
        curve_of(PlanGeometry(s=0, x=0, y=0, hdg=0, length=length, shape=shape)).at(s) for shape in (whole, part)
    )
    for found, expected in zip(one, other, strict=True):
        assert found == pytest.approx(expected, abs=1e-9)


def test_a_parametric_cubic_is_stretched_to_its_length():
    shape = ParamPoly3Shape(a_u=0, b_u=10, c_u=0, d_u=0, a_v=0, b_v=0, c_v=0, d_v=0)
    found = curve_of(PlanGeometry(s=0, x=0, y=0, hdg=0, length=8, shape=shape)).at(np.array([0.0, 4.0, 8.0]))
    assert found.x == pytest.approx([0.0, 5.0, 10.0])


def test_a_cusp_has_finite_heading_and_curvature():
    shape = ParamPoly3Shape(a_u=0, b_u=0, c_u=1, d_u=0, a_v=0, b_v=0, c_v=0, d_v=1)
    found = curve_of(PlanGeometry(s=0, x=0, y=0, hdg=0, length=1.4, shape=shape)).at(np.linspace(0.0, 1.4, 50))
    assert all(np.isfinite(part).all() for part in found)


def test_a_reference_line_goes_from_geometry_to_geometry():
    quarter = math.pi / 2.0
    line = ReferenceLine(
        [
            PlanGeometry(s=0, x=0, y=0, hdg=0, length=10, shape=StraightShape()),
            PlanGeometry(s=10, x=10, y=0, hdg=0, length=10, shape=SpiralShape(curv_start=0, curv_end=0)),
            PlanGeometry(s=20, x=20, y=0, hdg=quarter, length=10, shape=Poly3Shape(a=0, b=0, c=0, d=0)),
        ]
    )
    found = line.at(np.array([25.0, 0.0, 10.0, 15.0, 20.0]))
    assert found.x == pytest.approx([20.0, 0.0, 10.0, 15.0, 20.0])
    assert found.y == pytest.approx([5.0, 0.0, 0.0, 0.0, 0.0])
    assert found.heading == pytest.approx([quarter, 0.0, 0.0, 0.0, quarter])


def test_geometries_are_ordered():
    second, first = (f'<geometry s="{s}" x="{s}" y="0" hdg="0" length="50"><line/></geometry>' for s in ("50", "0"))
    assert [one.s for one in town(road(plan=second + first)).roads[0].geometries] == [0.0, 50.0]
