"""Arrays grow row by row without being copied each time, and versions of them stay what they were."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.column import Columns, float64, int64
from dorosim.ground.growable_array import GrowableArray
from dorosim.ground.unit import METRE


class Place(Columns):
    x = float64(METRE, "somewhere, east")
    y = float64(METRE, "somewhere, north")
    id = int64("who")


def place(number: int) -> Place:
    table = Place.zeros(1)
    table.x[0], table.id[0] = 0.5 * number, number
    return table


def test_tables_of_both_ways_of_appending_are_equal_and_kernels_get_contiguous_ones():
    growth, grown, plain = GrowableArray(), Place.zeros(0), Place.zeros(0)
    for number in range(300):
        grown, plain = grown.append(place(number), growth), plain.append(place(number))
    assert not grown.floats.flags.c_contiguous
    packed = grown.packed()
    assert packed.floats.flags.c_contiguous
    assert packed.packed() is packed
    np.testing.assert_array_equal(packed.floats, plain.floats)
    np.testing.assert_array_equal(packed.ints, plain.ints)


def test_blocks_are_copied_only_when_they_are_full():
    growth, array, blocks = GrowableArray(), np.zeros(0), set()
    for number in range(10_000):
        array = growth.join(array, np.array([float(number)]))
        blocks.add(array.base.ctypes.data)
    assert len(blocks) <= 12, "room doubles"
    np.testing.assert_array_equal(array, np.arange(10_000.0))


def test_versions_that_part_do_not_write_over_each_other():
    growth = GrowableArray()
    stem = growth.join(np.zeros(0), np.arange(3.0))
    one, other = growth.join(stem, np.array([7.0])), growth.join(stem, np.array([8.0]))
    assert (one.tolist(), other.tolist(), stem.tolist()) == ([0, 1, 2, 7], [0, 1, 2, 8], [0, 1, 2])
    assert growth.join(one, np.array([9.0])).tolist() == [0, 1, 2, 7, 9]


@pytest.mark.parametrize("row", [0, 2, 4])
def test_rows_that_are_cut_out_are_gone_and_others_come_in_behind(row):
    growth = GrowableArray()
    five = growth.join(np.zeros(0), np.arange(5.0))
    left = growth.cut(five, row, row + 1)
    assert growth.join(left, np.array([9.0])).tolist() == [*(k for k in range(5) if k != row), 9]
    assert five.tolist() == [0, 1, 2, 3, 4]
