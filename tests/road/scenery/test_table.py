"""The tables of the scenery: kept, read again, and the same for the same map and seed."""

from __future__ import annotations

import time

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.scenery.table import ObjectKind, Scenery, object_id, object_row
from tests.road.scenery.maps import built


def test_what_was_kept_is_the_same_and_is_read_at_once():
    scenery = built("town").scene.scenery
    content = scenery.to_bytes()
    begin = time.perf_counter()
    again = Scenery.from_bytes(content)
    assert len(again.grid.part) >= again.parts.rows
    assert time.perf_counter() - begin < 1.0
    assert again.digest == scenery.digest
    assert np.array_equal(again.parts.floats, scenery.parts.floats)
    for broken in (b"", content[:-1], content[:30] + b"x" + content[31:]):
        with pytest.raises(InputError, match="broken"):
            Scenery.from_bytes(broken)


def test_all_kinds_stand_in_the_town_and_their_ids_are_no_actors():
    scenery = built("town").scene.scenery
    assert all(len(scenery.rows_of(kind)) for kind in ObjectKind)
    assert [object_row(object_id(row)) for row in (0, 7)] == [0, 7]
    assert object_id(0) < 0
    assert object_row(5) == -1


def test_nothing_is_solid_where_that_is_turned_off():
    scenery = built("town").scene.scenery
    picture = scenery.without_solids()
    assert not picture.parts.rows
    assert picture.objects is scenery.objects
    assert picture.digest != scenery.digest
