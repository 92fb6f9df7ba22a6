"""What stands still on the page, and its bytes."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.bridge.view.scenery import PageScenery, page_origin, page_scenery_of
from dorosim.ground.error import InputError
from tests.bridge.view.shown import ORIGIN, shown_street
from tests.world.world import street


def street_scenery() -> PageScenery:
    shown = shown_street()
    return page_scenery_of(shown.static, shown.scene.network, ORIGIN)


def test_bytes_hold_all_of_it():
    made = street_scenery()
    read = PageScenery.from_bytes(made.to_bytes())
    assert len(read.town.tiles) == len(made.town.tiles) > 1
    for one, other in zip(read.town.tiles, made.town.tiles, strict=True):
        assert one._replace(colour=None) == other._replace(colour=None)
        assert np.array_equal(one.colour, other.colour)
    assert read.town.notice == made.town.notice
    assert np.array_equal(read.albedo, made.albedo)
    for one, other in zip(read.lenses, made.lenses, strict=True):
        assert np.array_equal(one, other)
        assert one.dtype == other.dtype


def test_a_map_of_nothing_has_bytes_too():
    read = PageScenery.from_bytes(PageScenery.empty().to_bytes())
    assert read.town.tiles == ()
    assert len(read.lenses.place) == 0


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more", street_scenery().to_bytes()[:-2000]])
def test_broken_bytes_are_refused(content):
    with pytest.raises(InputError, match="scenery of the page"):
        PageScenery.from_bytes(content)


def test_the_frame_begins_about_the_middle_of_the_map():
    network = street(10.0).network
    x, y, z = page_origin(network)
    low, high = network.lines.points.min(axis=0), network.lines.points.max(axis=0)
    assert abs(x - 0.5 * (low[0] + high[0])) <= 50.0
    assert abs(y - 0.5 * (low[1] + high[1])) <= 50.0
    assert (x % 100.0, y % 100.0, z) == (0.0, 0.0, 0.0)
