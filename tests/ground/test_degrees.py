"""Angles that were given in degrees are told as they were given."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.ground.unit import DEGREE, degrees_of


def test_the_quotient_alone_is_another_number():
    assert 30.0 * DEGREE.factor / DEGREE.factor == 29.999999999999996
    assert degrees_of(30.0 * DEGREE.factor) == 30.0


@given(st.integers(-1_800_000, 1_800_000))
def test_decimals_come_back(number):
    angle = number / 10_000
    assert degrees_of(angle * DEGREE.factor) == angle


@given(st.floats(-180.0, 180.0))
def test_any_number_comes_back_but_for_its_last_digits(angle):
    there = angle * DEGREE.factor
    assert abs(degrees_of(there) - angle) <= max(5.0 * math.ulp(angle), 1.5e-13)


@pytest.mark.parametrize("angle", [210.0, 270.0, 330.0, 400.25, -190.5])
def test_what_was_brought_into_half_a_turn_is_told_there(angle):
    wrapped = math.remainder(angle * DEGREE.factor, math.tau)
    assert degrees_of(wrapped) == math.remainder(angle, 360.0)


def test_angles_that_nobody_gave_are_off_by_no_more_than_their_last_digits():
    for angle in np.random.default_rng(3).uniform(-math.pi, math.pi, 2000).tolist():
        assert abs(degrees_of(angle) - math.degrees(angle)) <= 1.5e-13


def test_nothing_and_what_is_no_number_stay():
    assert degrees_of(0.0) == 0.0
    assert degrees_of(math.inf) == math.inf
    assert math.isnan(degrees_of(math.nan))
