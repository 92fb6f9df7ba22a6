"""The lap through a generated town."""

import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.mapmaking.lap import lap, lap_start
from dorosim.mapmaking.plan import Size
from dorosim.road.mgeo.record import MGeoMap
from tests.road.generated_town import lanes_of, legs, town_of


@pytest.mark.parametrize(("seed", "size"), [(1, Size.DEFAULT), (8, Size.DEFAULT), (2, Size.SMALL)])
def test_the_lap_is_closed_and_needs_no_lane_change(seed, size):
    town = town_of(seed, size)
    links = {link.idx: link for link in lanes_of(town)}
    way = lap(town)
    assert len(set(way)) == len(way)
    for here, there in zip(way, way[1:] + way[:1], strict=True):
        assert links[here].to_node_idx == links[there].from_node_idx


@pytest.mark.parametrize("seed", [1, 8])
def test_the_lap_of_a_default_town_has_junctions_slopes_and_ring(seed):
    town = town_of(seed, Size.DEFAULT)
    links = {link.idx: link for link in lanes_of(town)}
    way = [links[idx] for idx in lap(town)]
    lengths = [legs(link.points)[0].sum() for link in way]
    assert 1500 < sum(lengths) < 2500
    assert sum(length for link, length in zip(way, lengths, strict=True) if link.max_speed == 80) > 600
    assert sum(link.related_signal is not None for link in way) >= 4
    heights = np.concatenate([link.points[:, 2] for link in way])
    assert np.ptp(heights) > 4
    steepest = max(np.max(np.abs(np.diff(link.points[:, 2])) / legs(link.points)[0]) for link in way)
    assert steepest > 0.02


def test_the_start_is_on_the_first_lane_and_along_it():
    town = town_of(8, Size.DEFAULT)
    start = lap_start(town)
    link = next(link for link in town.links if link.idx == start.link_idx)
    assert start.link_idx == lap(town)[0]
    assert link.related_signal is None
    assert link.max_speed == 60
    _, heading = legs(link.points)
    reached = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(link.points, axis=0), axis=1))))
    before = int(np.searchsorted(reached, start.s)) - 1
    assert math.dist(start.point, link.points[before]) == pytest.approx(start.s - reached[before], abs=1e-6)
    assert math.remainder(start.heading - heading[before], math.tau) == pytest.approx(0.0, abs=1e-9)


def test_a_map_without_ring_has_no_lap():
    with pytest.raises(InputError, match="no ring road"):
        lap(MGeoMap("nowhere"))
