"""Junctions stay clear, nobody stops across two lanes for long, and drivers differ."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.mapmaking.track import grid_map
from dorosim.road.network import network_from_mgeo
from dorosim.world.traffic.placement import CAR, place_traffic
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.road import LINK
from tests.world.traffic.rig import run_on

STANDING_LIMIT = 3.0
"""How long anybody may stand in a junction or across two lanes [s]."""


def test_nobody_stands_in_a_junction_or_across_two_lanes():
    run = run_on(network_from_mgeo(grid_map(3)), 150, seed=2)
    road, state = run.plan.road, run.state
    inside, across = np.zeros(150), np.zeros(150)
    stood, changed = False, False
    for _ in range(3000):
        run.step()
        stands = state.speed < 0.1
        stood, changed = stood or stands.any(), changed or (state.change_from >= 0).any()
        beyond = state.s > np.maximum(
            road.link[state.link, LINK.wait_place], road.link[state.link, LINK.long_wait_place]
        )
        body = stands & (road.link_ints[state.link, LINK.conflicting] == 1) & (beyond & (state.s > 1.0))
        inside = np.where(body, inside + run.dt, 0.0)
        share = (state.s - state.change_start) / np.maximum(state.change_length, 1e-9)
        halfway = stands & (state.change_from >= 0) & (share > 0.2) & (share < 0.8)
        across = np.where(halfway, across + run.dt, 0.0)
        assert inside.max() < STANDING_LIMIT
        assert across.max() < STANDING_LIMIT
    assert stood
    assert changed


@pytest.mark.parametrize("column", ["desired_speed", "time_gap", "politeness", "reaction_time"])
def test_drivers_differ_by_seed_and_id(column):
    plan = TrafficPlan.from_network(network_from_mgeo(grid_map(3)))
    first, again, other = (
        getattr(place_traffic(plan, range(1, 201), [CAR] * 200, Noise(seed)), column) for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).mean() > 0.9
    assert first.std() > 0.05 * first.mean()
    assert len(np.unique(first)) > 190
