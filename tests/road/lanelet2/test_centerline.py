"""Centre lines between bounds."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.lanelet2 import centerline
from dorosim.road.lanelet2.centerline import Work, centerline_of


def line(*points):
    return np.array([(*point, 0.0)[:3] for point in points], np.float64)


def arc(radius, count, turn=1.5, z=0.0):
    angle = np.linspace(0.0, turn, count)
    return np.column_stack((radius * np.cos(angle), radius * np.sin(angle), np.full(count, z)))


def test_between_straight_bounds_it_is_in_the_middle():
    found = centerline_of(line((0, 4), (5, 4), (10, 4)), line((0, 0), (10, 0)), Work())
    assert found[:, 1] == pytest.approx(2.0)
    assert found[[0, -1], 0].tolist() == [0.0, 10.0]


def test_heights_are_the_mean_of_both_bounds():
    left, right = line((0, 4, 1), (10, 4, 3)), line((0, 0, 2), (10, 0, 6))
    assert centerline_of(left, right, Work())[[0, -1], 2].tolist() == [1.5, 4.5]


@pytest.mark.parametrize(("outer", "inner"), [(60, 60), (60, 13), (9, 40)])
def test_of_a_bend_it_is_the_middle_however_bounds_are_sampled(outer, inner):
    found = centerline_of(arc(20.0, inner), arc(24.0, outer), Work())
    sagitta = max(20.0 * (1.5 / (inner - 1)) ** 2, 24.0 * (1.5 / (outer - 1)) ** 2) / 8.0
    radius = np.hypot(found[:, 0], found[:, 1])
    assert np.abs(radius - 22.0).max() < sagitta + 0.15
    assert (np.diff(np.arctan2(found[:, 1], found[:, 0])) > -1e-9).all()


def test_a_lanelet_may_begin_in_one_point():
    found = centerline_of(line((0, 0), (10, 3)), line((0, 0), (10, 0)), Work())
    assert found[0].tolist() == [0.0, 0.0, 0.0]
    assert found[-1].tolist() == [10.0, 1.5, 0.0]


def test_it_does_not_cross_a_spike_of_a_bound():
    left = line((0, 4), (9, 4), (10, 0.5), (11, 4), (20, 4))
    found = centerline_of(left, line((0, 0), (20, 0)), Work())
    at_spike = np.interp(10.0, found[:, 0], found[:, 1])
    assert 0.0 < at_spike < 0.5


def test_no_two_points_in_a_row_are_the_same():
    left = line((0, 4), (0, 4), (5, 4), (5, 4), (10, 4), (10, 4))
    found = centerline_of(left, left - [0.0, 4.0, 0.0], Work())
    assert (np.hypot(*np.diff(found[:, :2], axis=0).T) > 0.0).all()


def test_bounds_of_very_many_points_are_joined_by_parts(monkeypatch):
    monkeypatch.setattr(centerline, "_MAX_PAIRS", 100)
    found = centerline_of(arc(20.0, 50), arc(24.0, 40), Work())
    assert len(found) == 50
    assert np.hypot(found[:, 0], found[:, 1]) == pytest.approx(22.0, abs=0.01)


def test_work_for_a_file_is_bounded():
    luck = np.random.default_rng(1)
    work = Work(comparisons=100_000)
    for _ in range(20):
        left, right = (np.column_stack((luck.uniform(0, 50, (60, 2)), np.zeros(60))) for _ in range(2))
        assert np.isfinite(centerline_of(left, right, work)).all()
    assert work.comparisons <= 0
    work = Work(pairs=10_000)
    lines = [arc(20.0, 60), arc(24.0, 60)]
    found = [centerline_of(lines[0], lines[1], work) for _ in range(3)]
    assert [len(one) for one in found] == [119, 119, 60]
