"""What kernels find of plans but for rounding decides nothing: all of it in doubt gives the same plan."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.app.store.map import network_of, read_map_files
from dorosim.mapmaking.track import grid_map
from dorosim.road.conflict import conflicts_of_network
from dorosim.road.mgeo.record import Link, MGeoMap, NodeRecord
from dorosim.road.network import network_from_mgeo
from dorosim.world.traffic import lane_beside, right_of_way
from dorosim.world.traffic.plan import curve_speeds, lit_links
from dorosim.world.traffic.road import BESIDE, CURVE_ACCELERATION
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


def test_turns(roads):
    network, conflicts = roads
    for link, start in ((conflicts.link, conflicts.start), (np.arange(network.link_count), network.link_length)):
        heading, turn, doubtful = right_of_way._turns(network, link, start)
        wanted, turned = right_of_way._directions(network, link, start)
        assert np.abs(right_of_way._wrapped(heading - wanted)).max() < 1e-9
        assert np.abs(turn - turned)[~doubtful].max() < 1e-9
        assert np.count_nonzero(doubtful) < 0.1 * len(link)


def winding_lanes(rng):
    """A map of lanes of any form: circles and more than circles, points that are there twice, straight ones."""
    made = MGeoMap(name="winding")
    for number in range(40):
        share = np.linspace(0.0, 1.0, int(rng.integers(2, 30)))
        angle = rng.uniform(-9.0, 9.0) * share * (number % 3)
        points = rng.uniform(5.0, 40.0) * np.column_stack((np.cos(angle), np.sin(angle), 0.0 * share))
        points[:, 0] += share * rng.uniform(0.0, 60.0)
        if number % 4 == 0:
            points = np.repeat(points, rng.integers(1, 3, len(points)), axis=0)
        made.links.append(
            Link(idx=str(number), from_node_idx=f"n{number // 3}", to_node_idx=f"n{number // 3 + 1}", points=points)
        )
    made.nodes = [NodeRecord(idx=f"n{number}", point=(0.0, 0.0, 0.0)) for number in range(15)]
    return made


@pytest.mark.parametrize("seed", range(3))
def test_turns_and_curve_speeds_of_lanes_of_any_form(seed):
    network = network_from_mgeo(winding_lanes(np.random.default_rng(seed)))
    link = np.repeat(np.arange(network.link_count), 9)
    start = np.tile(np.linspace(0.0, 1.0, 9), network.link_count) * network.link_length[link]
    heading, turn, doubtful = right_of_way._turns(network, link, start)
    wanted, turned = right_of_way._directions(network, link, start)
    assert np.abs(right_of_way._wrapped(heading - wanted)).max() < 1e-9
    assert np.abs(turn - turned)[~doubtful].max() < 1e-9
    np.testing.assert_array_equal(curve_speeds(network), curve_speeds_of_all_steps(network))


def curve_speeds_of_all_steps(network):
    """As `curve_speeds`, by the headings of all steps of all lanes."""
    found = []
    for link, length in enumerate(network.link_length.tolist()):
        steps = max(int(np.ceil(length / 2.5)), 2)
        spacing = length / steps
        heading = network.heading_at(np.full(steps + 1, link), np.arange(steps + 1) * spacing)
        turn = np.abs(np.mod(np.diff(heading) + np.pi, 2 * np.pi) - np.pi)
        found.append(np.sqrt(CURVE_ACCELERATION / max((turn / max(spacing, 1e-3)).max(), 1e-4)))
    return np.array(found)


def test_curve_speeds(roads):
    network, _ = roads
    np.testing.assert_array_equal(curve_speeds(network), curve_speeds_of_all_steps(network))


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
