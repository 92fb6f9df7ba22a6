"""Broken Lanelet2 files: each is refused with its place, or gives finite lanes, in bounded time and memory."""

from __future__ import annotations

import time

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.check import check_map
from dorosim.road.lanelet2.reader import read_lanelet2
from dorosim.road.network import network_from_mgeo
from tests.broken_file import MAX_CPU_TIME, survives
from tests.road.lanelet2.sample import Sheet, crossing, two_lanes
from tests.road.opendrive.mutation import mutated


def originals():
    return [crossing(), crossing("before", local=False), two_lanes(one_way="no"), two_lanes(local=False)]


def use(content, convert=True):
    """Read a file, and make a network of it; whether it was read."""
    try:
        m = read_lanelet2("broken.osm", content, "broken")
        for link in m.links:
            assert np.isfinite(link.points).all()
        for problem in check_map(m):
            assert "\n" not in str(problem)
        if convert:
            network_from_mgeo(m)
    except InputError as error:
        message = str(error)
        assert message.startswith(("broken.osm: ", "map broken: "))
        assert len(message) < 400
        return False
    return True


def survivors(seeds, convert_each):
    """How many broken copies were read; one in so many is made a network of."""
    files = originals()
    return survives(seeds, lambda seed: use(mutated(files[seed % len(files)], seed), seed % convert_each == 0))


def test_the_originals_are_read():
    assert all(use(content) for content in originals())


def test_broken_files():
    read = survivors(range(2_000), 13)
    assert 200 < read < 1_800, "some are still whole, some are not"


@pytest.mark.soak
def test_many_broken_files():
    survivors(range(10_000, 110_000), 3)


def test_a_bound_that_many_lanelets_have_takes_bounded_time():
    sheet = Sheet()
    luck = np.random.default_rng(3)
    sides = [sheet.way(luck.uniform(0.0, 100.0, (1000, 2)).tolist()) for _ in range(2)]
    for _ in range(3000):
        sheet.lanelet(*sides)
    start = time.process_time()
    assert not use(sheet.content())
    assert time.process_time() - start < MAX_CPU_TIME
