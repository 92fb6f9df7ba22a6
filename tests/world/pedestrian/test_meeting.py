"""People make way for one another, alone and in crowds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.pedestrian.state import Stage
from dorosim.world.signal.state import WalkSignal
from dorosim.world.waypoint import Waypoint
from tests.world.pedestrian.rig import Street


def least_gap(people) -> float:
    state = people.state
    distance = np.hypot(state.x[:, None] - state.x, state.y[:, None] - state.y)
    np.fill_diagonal(distance, math.inf)
    return float(distance.min())


@pytest.mark.parametrize("aside", [0.0, 0.1, -0.2])
def test_two_who_meet_head_on_pass_each_other(aside):
    street = Street()
    street.add(10.0, 20.0, way=(Waypoint(20.0, 20.0),))
    street.add(20.0, 20.0 + aside, yaw=math.pi, way=(Waypoint(10.0, 20.0 + aside),))
    gaps = street.run(12.0, least_gap)
    assert min(gaps) > 0.5, "bodies of 0.5 m do not overlap"
    assert (street.people.state.stage == Stage.ARRIVED).all()


def test_a_fast_one_overtakes_a_slow_one():
    street = Street()
    street.add(10.0, 20.0, speed=0.6, way=(Waypoint(30.0, 20.0),))
    street.add(8.0, 20.0, speed=1.8, way=(Waypoint(30.0, 20.0),))
    gaps = street.run(14.0, least_gap)
    assert min(gaps) > 0.48
    assert street.people.state.x[1] > street.people.state.x[0] + 1.0


def test_a_crowd_crosses_a_crowd_without_overlap():
    street = Street()
    for k in range(40):
        north = k % 2 == 0
        x, y = 49.0 + 0.8 * (k // 2 % 4), 8.0 + 0.9 * (k // 8)
        street.add(x, -y if north else y, yaw=math.pi / 2, way=(Waypoint(x, y if north else -y),))
    street.walk[0] = WalkSignal.STAY
    street.run(6.0)
    street.walk[0] = WalkSignal.GO
    gaps = street.run(60.0, least_gap)
    assert min(gaps) > 0.55, "bodies of 0.5 m"
    assert (street.people.state.stage == Stage.ARRIVED).all()


def test_the_order_of_rows_and_the_split_of_ticks_do_not_matter():
    """Two runs are equal bit for bit; the same people in another order end in the same places."""
    starts = [(10.0 + 0.7 * (k % 7), 20.0 + 0.8 * (k // 7), 0.3 * k) for k in range(30)]

    def end(order) -> np.ndarray:
        street = Street()
        for x, y, yaw in order:
            street.add(x, y, yaw=yaw, move_distance=6.0)
        street.run(6.0)
        return street.people.state.floats[:2].copy()

    first = end(starts)
    assert np.array_equal(first, end(starts))
    assert np.allclose(first, end(starts[::-1])[:, ::-1], atol=1e-6)
