"""Traffic on a grid of signalised crossroads."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.mapmaking.track import grid_map
from dorosim.road.mgeo.record import MGeoMap
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
    assert np.isfinite(run.state.floats).all()
    assert way.min() > 200.0
    assert (run.state.present == 1).all()


def mirrored(original: MGeoMap) -> MGeoMap:
    """The same roads with north and south exchanged, where one drives on the left."""
    turn = {"left_unprotected": "right_unprotected", "right_unprotected": "left_unprotected"}
    flip = np.array((1.0, -1.0, 1.0))
    for link in original.links:
        link.points = link.points * flip
        link.related_signal = turn.get(link.related_signal, link.related_signal)
        link.can_move_left_lane, link.can_move_right_lane = link.can_move_right_lane, link.can_move_left_lane
        link.left_lane_change_dst_link_idx, link.right_lane_change_dst_link_idx = (
            link.right_lane_change_dst_link_idx,
            link.left_lane_change_dst_link_idx,
        )
    for node in original.nodes:
        node.point = tuple(flip * node.point)
    original.info.traffic_dir = "LHT"
    return original


def test_traffic_on_the_left_flows_like_traffic_on_the_right(grid):
    """A little slower: the turn on red is one of right-hand traffic."""
    network = network_from_mgeo(mirrored(grid_map(3)))
    assert network.left_hand_traffic
    speed = []
    for roads in (grid, network):
        run = run_on(roads, 80, seed=2, bodies=MIXED)
        speed.append(0.0)
        for tick in range(2000):
            run.step()
            speed[-1] += run.state.speed.mean() / 2000
            assert tick % 3 or not overlaps(run.state)
    assert 0.7 < speed[1] / speed[0] < 1.05


def test_two_runs_of_one_seed_are_equal_and_another_seed_is_not(grid):
    digest = []
    for seed in (3, 3, 4):
        run = run_on(grid, 80, seed)
        for _ in range(600):
            run.step()
        digest.append((run.state.floats.tobytes(), run.state.ints.tobytes()))
    assert digest[0] == digest[1]
    assert digest[0] != digest[2]


def test_a_run_goes_on_from_a_copy_of_its_state(grid):
    run, other = run_on(grid, 80, 5), run_on(grid, 80, 5)
    for _ in range(200):
        run.step()
        other.step()
    other.state = type(other.state)(run.state.floats.copy(), run.state.ints.copy())
    for _ in range(400):
        run.step()
        other.step()
    assert run.state.floats.tobytes() == other.state.floats.tobytes()
    assert run.state.ints.tobytes() == other.state.ints.tobytes()
