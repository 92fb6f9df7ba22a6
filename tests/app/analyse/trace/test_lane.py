"""The lanes along a way are those that were driven, also where several begin or end together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dorosim.app.analyse.trace.lane import lanes_along
from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork

STEP = 0.25


@pytest.fixture(scope="module")
def network() -> RoadNetwork:
    return build(Settings(), Path()).scene.network


def forks(network: RoadNetwork) -> list[tuple[int, int, int]]:
    """Each lane of a fork between the one before it and the one behind it."""
    found = []
    for before in range(network.link_count):
        ways = network.successors.of(before).tolist()
        if len(ways) > 1 and network.link_drivable[[before, *ways]].all():
            found += [(before, way, int(network.successors.of(way)[0])) for way in ways]
    return found


def way_of(network: RoadNetwork, lanes: tuple[int, ...], lateral: float):
    """Lane, points `(n, 3)` and heading of a drive beside the centre lines: the last 20 m, all, the first 20 m."""
    length = network.link_length[list(lanes)]
    begin, end = (max(length[0] - 20.0, 0.0), 0.0, 0.0), (length[0], length[1], min(length[2], 20.0))
    arcs = [np.arange(a + STEP / 2, b, STEP) for a, b in zip(begin, end, strict=True)]
    links, s = np.repeat(lanes, [len(arc) for arc in arcs]), np.concatenate(arcs)
    return links, network.point_at(links, s, np.full(len(s), lateral)), network.heading_at(links, s)


@pytest.mark.parametrize("lateral", [-0.3, 0.0, 0.3])
def test_a_fork_and_a_merge_belong_to_the_lane_that_is_driven(network, lateral):
    ways = forks(network)
    nearest_is_wrong = 0
    assert len(ways) > 20
    for lanes in ways:
        links, points, heading = way_of(network, lanes, lateral)
        found = lanes_along(network, points, heading)
        np.testing.assert_array_equal(found.link, links)
        np.testing.assert_allclose(found.error, lateral, atol=0.05)
        np.testing.assert_array_equal(found.limit, network.link_speed_limit[links])
        nearest_is_wrong += int((locate(network, points, heading, drivable_only=True).link != links).sum())
    assert nearest_is_wrong > 0


def test_who_changes_from_one_way_of_a_fork_to_the_other_was_on_both(network):
    """Where the lanes are apart, the nearest counts."""
    pairs = {}
    for before, way, _ in forks(network):
        pairs.setdefault(before, []).append(way)
    first, second = next(
        (a, b)
        for a, b in pairs.values()
        if np.linalg.norm(network.point_at(a, 12.0)[:2] - network.point_at(b, 12.0)[:2]) > 2.0
    )
    s = np.arange(0.5, 15.0, STEP)
    parts = ((first, s[s < 12.0]), (second, s[s >= 12.0]))
    links = np.concatenate([np.full(len(part), link) for link, part in parts])
    found = lanes_along(network, network.point_at(links, s), network.heading_at(links, s))
    assert set(found.link.tolist()) == {first, second}
    assert found.link[int(11.0 / STEP)] == first


def test_nobody_is_on_no_lane(network):
    points = np.full((3, 3), np.nan)
    points[1] = 1e5
    found = lanes_along(network, points, np.zeros(3))
    assert found.link.tolist() == [-1, -1, -1]
    assert np.isnan(found.error).all()
    assert np.isnan(found.limit).all()
