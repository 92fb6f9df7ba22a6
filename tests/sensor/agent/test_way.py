"""The points of a way are what the network says of their places, to the last bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.batch import WorldMap
from dorosim.sensor.agent.way import WAY_STEP, choose_links, way_along_links


def lines_along(network, governed, links, begins, ends):
    """Where along a way lights stand, and whose they are."""
    for number, row in enumerate(links):
        if row not in governed:
            continue
        own = network.signals.stop_line[row]
        if math.isfinite(own):
            yield begins[number] + own, row
        elif number:
            before = network.signals.stop_line[links[number - 1]]
            yield (begins[number - 1] + before if math.isfinite(before) else ends[number - 1]), row


@pytest.mark.parametrize("name", ["town", "motorway"])
def test_points_of_ways(name):
    scene = WorldMap.open(name).scene
    network, governed = scene.network, scene.signal_plan.links.governed
    stream, lights = np.random.default_rng(5), 0
    lanes = np.flatnonzero(network.link_drivable)
    for _ in range(60):
        link, length = int(stream.choice(lanes)), float(stream.choice([1.0, 60.0, 500.0]))
        start = float(stream.uniform(0.0, network.link_length[link]))
        links = choose_links(network, link, start, length, stream)
        way = way_along_links(network, governed, links, start, length)
        ends = np.cumsum(network.link_length[list(links)]) - start
        begins = np.append(-start, ends[:-1])
        along = np.arange(way.rows) * WAY_STEP
        assert along[-1] >= min(length, ends[-1]) - 0.5 * WAY_STEP or way.rows == 2
        part = np.minimum(np.searchsorted(ends, along, side="right"), len(links) - 1)
        rows, s = np.array(links)[part], along - begins[part]
        pose = network.pose_at(rows, s)
        assert np.array_equal(np.stack((way.x, way.y)), pose.point[:, :2].T)
        assert np.array_equal(way.heading, np.unwrap(pose.heading))
        assert np.array_equal(way.curvature, network.curvature_at(rows, s))
        assert np.array_equal(np.stack((way.left, way.right)), np.stack(network.boundary_distances(rows, s)))
        assert np.array_equal(way.limit, network.link_speed_limit[rows])
        assert np.array_equal(way.link, rows)
        light, line = np.full(way.rows, -1), np.zeros(way.rows)
        for at, row in lines_along(network, governed, links, begins, ends):
            point = int(np.searchsorted(along, at, side="right"))
            if 0 < point < way.rows:
                light[point], line[point] = row, at
        assert np.array_equal(way.light, light)
        assert np.array_equal(way.line, line)
        lights += int((light >= 0).sum())
    assert (lights > 20) == (name == "town")
