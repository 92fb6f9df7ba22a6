"""The tables of the scenery: kept, read again, and the same for the same map and seed."""

from __future__ import annotations

import time

import numpy as np
import pytest

from dorosim.app.store.map import read_records
from dorosim.ground.error import InputError
from dorosim.road.scenery.layout import scenery_from_map
from dorosim.road.scenery.table import ObjectKind, Scenery, object_id, object_row
from dorosim.road.terrain.field import RoadField
from tests.road.scenery.maps import built

WARM, COLD = 0.1, 4.0
"""Processor time that the scenery of the town may take [s]: from the cache, and from the map and its ground.

Of the thread that makes it. On a busy machine all takes twice as much; of what is short the least of some times counts.
"""


def test_what_was_kept_is_the_same_and_is_read_at_once():
    scenery = built("town").scene.scenery
    content = scenery.to_bytes()
    times = []
    for _ in range(5):
        begin = time.thread_time()
        again = Scenery.from_bytes(content)
        assert len(again.grid.part) >= again.parts.rows
        times.append(time.thread_time() - begin)
    assert min(times) < WARM
    assert again.digest == scenery.digest
    assert np.array_equal(again.parts.floats, scenery.parts.floats)
    for broken in (b"", content[:-1], content[:30] + b"x" + content[31:]):
        with pytest.raises(InputError, match="broken"):
            Scenery.from_bytes(broken)


def test_it_is_made_in_time_and_the_same_again():
    made = built("town")
    town, network = read_records(made.map_files), made.scene.network
    assert made.scene.terrain is not None
    scenery_from_map(town, network, RoadField(network, town), made.scene.terrain, 1)  # loads the kernels
    begin = time.thread_time()
    again = scenery_from_map(town, network, RoadField(network, town), made.scene.terrain, made.scenery_seed)
    assert time.thread_time() - begin < COLD
    assert again.digest == made.scene.scenery.digest


def test_all_kinds_stand_in_the_town_and_their_ids_are_no_actors():
    scenery = built("town").scene.scenery
    of_maps = {ObjectKind.POLE, ObjectKind.WALL, ObjectKind.BLOCK}  # what only maps of OpenDRIVE have
    assert all(bool(len(scenery.rows_of(kind))) != (kind in of_maps) for kind in ObjectKind)
    assert [object_row(object_id(row)) for row in (0, 7)] == [0, 7]
    assert object_id(0) < 0
    assert object_row(5) == -1


def test_nothing_is_solid_where_that_is_turned_off():
    scenery = built("town").scene.scenery
    picture = scenery.without_solids()
    assert not picture.parts.rows
    assert picture.objects is scenery.objects
    assert picture.digest != scenery.digest
