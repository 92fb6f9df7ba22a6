"""CARLA reads what is written, and has lanes where they are here."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from dorosim.road.opendrive.lane_line import RoadLines
from tests.peers.environment import ROADS, run
from tests.road.opendrive.exported import ALL_MAPS, written_map

pytestmark = [pytest.mark.peer, pytest.mark.parametrize("name", ALL_MAPS)]
CENTRE = 0.02
"""CARLA's numbers have single precision [m]."""

SHARES = (0.1, 0.5, 0.9)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("carla")


@cache
def drivable(name):
    """Rows of links that vehicles use, with road and lane of each."""
    one = written_map(name)
    rows = [row for row in range(one.network.link_count) if one.network.link_drivable[row]]
    links = [one.network.link_ids[row] for row in rows]
    return [(row, int(one.exported.road[link]), one.exported.lane[link]) for row, link in zip(rows, links, strict=True)]


_views = {}


def view(name, folder):
    """What CARLA says of each drivable link, in their order, and of points amid them."""
    if name not in _views:
        one = written_map(name)
        lengths = {road.id: road.length for road in one.read.roads}
        network = one.network
        lanes = [
            [road, lane, [share * lengths[str(road)] for share in SHARES], lengths[str(road)]]
            for _, road, lane in drivable(name)
        ]
        points = [network.point_at(row, network.link_length[row] / 2.0)[0].tolist() for row, _, _ in drivable(name)]
        path, question = folder / f"{name}.xodr", folder / f"{name}.json"
        path.write_bytes(one.content)
        question.write_text(json.dumps({"lanes": lanes, "points": points}))
        _views[name] = run(ROADS, "carla_view.py", path, question) | {"asked": points}
    return _views[name]


def test_it_finds_all_lanes_and_lights(name, folder):
    one, found = written_map(name), view(name, folder)
    assert set(found["roads"]) == {road for _, road, _ in drivable(name)}
    assert found["lights"] >= sum(light.kind != "pedestrian" for light in one.network.signals.lights)
    assert np.array(found["nearest"])[:, :2] == pytest.approx(np.array(found["asked"])[:, :2], abs=0.5)


def test_lanes_are_where_they_are_here(name, folder):
    roads = {road.id: RoadLines(road) for road in written_map(name).read.roads}
    found = view(name, folder)["lanes"]
    for (_, road, lane), there in zip(drivable(name), found, strict=True):
        lines = roads[str(road)]
        here = lines.lanes_at(0, np.array(SHARES) * lines.road.length)[lane]
        places = np.array(there["places"])
        assert places[:, :2] == pytest.approx(np.column_stack((here.x, here.y)), abs=CENTRE)
        level = [lines.place_at(share * lines.road.length, 0.0)[2] for share in SHARES]  # it leaves banking out
        assert places[:, 2] == pytest.approx(level, abs=CENTRE)
        assert there["widths"] == pytest.approx(here.width, abs=CENTRE)


def test_it_finds_the_ways_out_of_every_lane(name, folder):
    network = written_map(name).network
    place = {row: (road, lane) for row, road, lane in drivable(name)}
    for (row, _, _), there in zip(drivable(name), view(name, folder)["lanes"], strict=True):
        wanted = {place[after] for after in network.successors.of(row).tolist() if after in place}
        assert {tuple(one) for one in there["after"] or ()} == wanted, network.link_ids[row]
