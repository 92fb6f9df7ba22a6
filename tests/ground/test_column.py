"""Tables of state: a class is the table, two blocks hold it."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.column import Columns, float64, float64_vector, int64
from dorosim.ground.state_tree import arrays_of
from dorosim.ground.unit import METRE, RADIAN_PER_SECOND


class Body(Columns):
    """A table for these tests."""

    x = float64(METRE, "east", frame="map")
    wheel = float64_vector(4, RADIAN_PER_SECOND, "FL FR RL RR")
    y = float64(METRE, "north", frame="map")
    link = int64("index of the link")
    gear = int64("gear")


def test_columns_are_views_of_two_blocks():
    body = Body.zeros(3)
    body.x[1], body.wheel[2, 0], body.gear[2] = 5.0, 7.0, 4
    assert body.floats.shape == (6, 3)
    assert body.ints.shape == (2, 3)
    assert body.floats[Body.x.index, 1] == 5.0
    assert body.floats[Body.wheel.index + 2, 0] == 7.0
    assert body.ints[Body.gear.index, 2] == 4
    assert body.y.flags["C_CONTIGUOUS"]
    assert len(body) == 3


def test_a_column_knows_its_name_unit_and_meaning():
    assert (Body.y.name, Body.y.unit, Body.y.doc, Body.y.frame) == ("y", METRE, "north", "map")
    assert [column.name for column in Body.float_columns] == ["x", "wheel", "y"]


def test_a_copy_is_another_table_and_a_frozen_one_cannot_be_written():
    body = Body.zeros(2)
    copy = body.copy()
    copy.x[0] = 1.0
    assert body.x[0] == 0.0
    body.freeze()
    for block in arrays_of(body):
        with pytest.raises(ValueError, match="read-only"):
            block[0, 0] = 1


def test_rows_are_appended():
    first, second = Body.zeros(1), Body.zeros(2)
    second.x[:] = (1.0, 2.0)
    np.testing.assert_array_equal(first.append(second).x, [0.0, 1.0, 2.0])
