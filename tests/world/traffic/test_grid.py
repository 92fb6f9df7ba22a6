"""Traffic on a grid of signalised crossroads."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.generator.signalised_grid import grid_map
from dorosim.road.network import RoadNetwork, network_from_mgeo
from tests.world.traffic.rig import MIXED, overlaps, run_on


@pytest.fixture(scope="module")
def grid() -> RoadNetwork:
    return network_from_mgeo(grid_map(3))


def test_nobody_touches_anybody_and_all_get_on(grid):
    run = run_on(grid, 100, seed=1, bodies=MIXED)
    way = np.zeros(100)
    for _ in range(3000):
        run.step()
        way += run.state.speed * run.dt
        assert not overlaps(run.state)
    assert np.isfinite(run.state.real).all()
    assert way.min() > 500.0
    assert (run.state.present == 1).all()


def test_two_runs_of_one_seed_are_equal_and_another_seed_is_not(grid):
    digest = []
    for seed in (3, 3, 4):
        run = run_on(grid, 80, seed)
        for _ in range(600):
            run.step()
        digest.append((run.state.real.tobytes(), run.state.whole.tobytes()))
    assert digest[0] == digest[1]
    assert digest[0] != digest[2]


def test_a_run_goes_on_from_a_copy_of_its_state(grid):
    run, other = run_on(grid, 80, 5), run_on(grid, 80, 5)
    for _ in range(200):
        run.step()
        other.step()
    other.state = type(other.state)(run.state.real.copy(), run.state.whole.copy())
    for _ in range(400):
        run.step()
        other.step()
    assert run.state.real.tobytes() == other.state.real.tobytes()
    assert run.state.whole.tobytes() == other.state.whole.tobytes()
