"""What kernels find of plans but for rounding decides nothing: all of it in doubt gives the same plan."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.app.store.map import network_of, read_map_files
from dorosim.mapmaking.track import grid_map
from dorosim.road.conflict import conflicts_of_network
from dorosim.road.network import network_from_mgeo
from dorosim.world.traffic import lane_beside, right_of_way
from dorosim.world.traffic.plan import lit_links
from dorosim.world.traffic.road import BESIDE
from tests.shared import shared


@pytest.fixture(scope="module", params=["grid", "town", "village", "V_RHT_Suburb_03"])
def roads(request):
    """Roads and their conflicts."""
    if request.param == "grid":
        network = network_from_mgeo(grid_map(3))
    elif request.param in ("town", "village"):
        network = network_of(read_map_files(request.param))
    else:
        network = network_of(read_map_files(str(shared(f"maps/{request.param}"))))
    return network, conflicts_of_network(network)[0]


def test_right_of_way(roads, monkeypatch):
    network, conflicts = roads
    lit = lit_links(network)
    found = right_of_way.yields_of_conflicts(network, conflicts, lit)
    monkeypatch.setattr(right_of_way, "_DOUBT", 100.0)
    np.testing.assert_array_equal(found, right_of_way.yields_of_conflicts(network, conflicts, lit))
    assert found.any()


def test_lanes_beside(roads):
    network, conflicts = roads
    first, found = lane_beside.stations_beside(network, conflicts)
    rows = np.flatnonzero(found[:, BESIDE.link] >= 0)
    counts = np.diff(first)
    link = np.repeat(np.arange(network.link_count), counts)
    number = np.arange(len(link)) - first[link]
    s = network.link_length[link] * (number / np.maximum(counts[link] - 1, 1))
    again = found.copy()
    lane_beside._settle(network, rows, link, s, again)
    np.testing.assert_array_equal(found, again)
    assert len(rows)


def test_a_lane_that_is_not_parallel_is_taken_out(roads, monkeypatch):
    network, conflicts = roads
    monkeypatch.setattr(lane_beside, "PARALLEL_COSINE", 2.0)
    first, found = lane_beside.stations_beside(network, conflicts)
    row = int(np.flatnonzero(found[:, BESIDE.link] >= 0)[0])
    counts = np.diff(first)
    link = np.repeat(np.arange(network.link_count), counts)
    again = found.copy()
    lane_beside._settle(network, np.array([row]), link, np.zeros(len(link)), again)
    assert again[row, BESIDE.link] == -1.0
    assert again[row, BESIDE.room] == found[row, BESIDE.own_room]
    assert again[row, BESIDE.place] == again[row, BESIDE.distance] == again[row, BESIDE.direction] == 0.0
