"""The lap through a generated town."""

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.mapmaking.lap import lap
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


def test_the_lap_begins_on_a_fast_street_outside_junctions():
    town = town_of(8, Size.DEFAULT)
    link = next(link for link in town.links if link.idx == lap(town)[0])
    assert link.related_signal is None
    assert link.max_speed == 60


def test_a_map_without_ring_has_no_lap():
    with pytest.raises(InputError, match="no ring road"):
        lap(MGeoMap("nowhere"))
