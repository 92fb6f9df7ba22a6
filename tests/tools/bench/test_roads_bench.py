"""The file that stands for a large town: copies of a small one that do not meet."""

from __future__ import annotations

import numpy as np

from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.reader import read_opendrive
from tests.road.opendrive.sample import crossing, document
from tools.bench.roads import joined


def test_copies_have_ids_of_their_own_and_lie_side_by_side():
    one = read_opendrive("one", document(*crossing()))
    three = read_opendrive("three", joined(document(*crossing()), 3))
    assert (len(three.roads), len(three.junctions)) == (3 * len(one.roads), 3)
    single, many = map_from_opendrive(one, "one"), map_from_opendrive(three, "three")
    assert len(many.links) == 3 * len(single.links)
    assert len(many.nodes) == 3 * len(single.nodes)
    for number in range(3):
        for row, link in enumerate(single.links):
            copy = many.links[number * len(single.links) + row]
            assert np.allclose(copy.points - link.points, (600.0 * number, 0.0, 0.0))
