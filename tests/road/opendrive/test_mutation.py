"""Broken OpenDRIVE files: each is refused with its place, or gives finite lanes, in bounded time."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.check import check_opendrive, left_out_of
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.lane_sample import places_along
from dorosim.road.opendrive.reader import read_opendrive
from tests.broken_file import survives
from tests.road.opendrive.mutation import mutated
from tests.road.opendrive.sample import document, every_element, road
from tests.shared import SHARED

MAX_PLACES = 50


def originals():
    """The file with every element, and those of the shared material that are there and small."""
    files = sorted((SHARED / "openscenario").rglob("*.xodr"))
    return [every_element(), *(path.read_bytes() for path in files if path.stat().st_size < 100_000)]


def use(content, convert=True):
    """Read a file and calculate its lanes, and make a network of it; whether it was read."""
    try:
        town = read_opendrive("broken.xodr", content)
    except InputError as error:
        message = str(error)
    else:
        message = ""
    if message:
        assert message.startswith("broken.xodr: ")
        assert len(message) < 400
        return False
    for problem in check_opendrive(town):
        assert "\n" not in str(problem)
    left_out_of(town)
    for one in town.roads:
        lines = RoadLines(one)
        places = places_along(one.length, max(5.0, one.length / MAX_PLACES))
        sections = lines.sections_at(places)
        for section in np.unique(sections) if one.lane_sections else ():
            for points in lines.lanes_at(int(section), places[sections == section]).values():
                assert all(np.isfinite(part).all() for part in points)
    if convert:
        try:
            network_from_mgeo(map_from_opendrive(town, "broken"))
        except InputError as error:
            message = str(error)
        assert len(message) < 400
    return True


def survivors(seeds, convert_each):
    """How many broken copies were read; one in so many is made a network of."""
    files = originals()
    return survives(seeds, lambda seed: use(mutated(files[seed % len(files)], seed), seed % convert_each == 0))


def test_the_originals_are_read():
    assert all(use(content, convert=len(content) < 20_000) for content in originals())


def test_broken_files():
    read = survivors(range(2_000), 13)
    assert 200 < read < 1_800, "some are still whole, some are not"


@pytest.mark.soak
def test_many_broken_files():
    survivors(range(10_000, 110_000), 3)


def test_a_file_of_many_spirals_takes_bounded_time():
    """A road turns by so much at most, so that the pieces of its spirals are bounded."""
    spiral = '<geometry s="{}" x="0" y="0" hdg="0" length="1"><spiral curvStart="0" curvEnd="{}"/></geometry>'
    assert use(document(road(plan="".join(spiral.format(s, 90) for s in range(100)))), convert=False)
    assert not use(document(road(plan="".join(spiral.format(s, 900) for s in range(100)))), convert=False)
