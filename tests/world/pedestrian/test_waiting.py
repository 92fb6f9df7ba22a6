"""People wait beside one another, keep out of the way of what comes close, and never overlap."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Stage
from dorosim.world.signal.state import WalkSignal
from dorosim.world.waypoint import Waypoint
from tests.world.pedestrian.rig import Street


def deepest_overlap(street: Street) -> float:
    """By how much two bodies, as circles, overlap at most [m]; negative for a gap."""
    state, radius = street.people.state, street.plan.radius
    touching = radius[state.model][:, None] + radius[state.model]
    deep = touching - np.hypot(state.x[:, None] - state.x, state.y[:, None] - state.y)
    np.fill_diagonal(deep, -math.inf)
    return float(deep.max())


def test_a_group_waits_side_by_side_behind_the_kerb_and_crosses_together():
    """Eight that walk in single file to one place to wait."""
    street = Street()
    for k in range(8):
        street.add(50.0, -8.0 - 1.2 * k, yaw=math.pi / 2, way=(Waypoint(50.0, 8.0),))
    street.walk[0] = WalkSignal.STAY
    worst = max(street.run(25.0, lambda _: deepest_overlap(street)))
    state = street.people.state
    assert worst < 0.02
    assert np.count_nonzero(state.stage == Stage.WAIT) >= 3, "the others stand in the second row"
    assert (state.y < -4.2).all(), "none on the road"
    assert np.ptp(state.x) > 1.2, "not in single file"
    assert np.abs(state.x - 50.0).max() < 2.6, "about the width of the crosswalk"
    assert state.speed.max() < 0.15, "they stand still"
    street.walk[0] = WalkSignal.GO
    street.run(25.0)
    assert (street.people.state.stage == Stage.ARRIVED).all()


@pytest.mark.parametrize("seed", [1, 3])
def test_crowds_of_all_kinds_that_cross_in_opposite_directions_do_not_overlap(seed):
    """Forty each way on a crosswalk of 4 m, on foot and on wheels, all to one place: by forces alone 15 to 39 cm."""
    rng = np.random.default_rng(seed)
    street = Street(tick=0.05)
    for k in range(80):
        north, model = k % 2 == 0, int(rng.integers(len(PEDESTRIAN_MODELS) - 1))
        x, y = 48.6 + 0.7 * (k // 2 % 5), 7.0 + 2.0 * (k // 10)
        speed, end = PEDESTRIAN_MODELS[model].speed, (Waypoint(50.0, 6.0 if north else -6.0),)
        street.add(x, -y if north else y, yaw=math.pi / 2, model=model, speed=speed, way=end)
    street.walk[0] = WalkSignal.STAY
    street.run(10.0)
    street.walk[0] = WalkSignal.GO
    worst = max(street.run(30.0, lambda _: deepest_overlap(street)))
    assert worst < 0.05
    beyond = np.where(np.arange(80) % 2 == 0, 1.0, -1.0) * street.people.state.y
    assert (beyond > 4.0).mean() > 0.6, "and they get over"
