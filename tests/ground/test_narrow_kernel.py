"""Narrow tables hold whole numbers, threads write marks beside each other, and columns are read through rows."""

from __future__ import annotations

import numpy as np

from dorosim.ground.bare_kernel import bare, hold
from dorosim.ground.jit import kernel
from dorosim.ground.narrow_kernel import columns_behind, marks_at, narrow_list_at, narrow_rows_at


@kernel
def write_numbers(space, values):
    rows = narrow_rows_at(space.ctypes.data, 3, 4)
    for k in range(12):
        rows[k // 4, k % 4] = values[k]
    rows[1, 1] += 5
    found = narrow_list_at(space.ctypes.data, 12)
    total = 0
    for k in range(12):
        total += found[k]
    hold(space)
    return total


@kernel
def mark(space, place):
    marks_at(space.ctypes.data, 8 * space.shape[0])[place] = 1
    hold(space)


@kernel
def through(table, numbers, column, record, value):
    rows = narrow_rows_at(numbers.ctypes.data, 3, 2)
    behind = columns_behind(bare(table), rows, 1)
    before = behind[column, record]
    behind[column, record] = value
    hold(numbers)
    return before


def test_numbers_of_32_bits_keep_their_signs():
    space, values = np.zeros(6, np.int64), np.array([-1, 2**31 - 1, -(2**31), 0, 7, 8, -9, 1, 2, 3, 4, 5])
    assert write_numbers(space, values) == values.sum() + 5
    expected = values.copy()
    expected[5] += 5
    assert space.view(np.int32).tolist() == expected.tolist()


def test_a_mark_is_one_byte():
    space = np.zeros(2, np.int64)
    for place in (0, 9, 15):
        mark(space, place)
    assert np.flatnonzero(space.view(np.int8)).tolist() == [0, 9, 15]


def test_columns_are_read_and_written_through_rows():
    table = np.arange(10.0).reshape(2, 5)
    numbers = np.array([[-1, 4], [-1, 0], [-1, 2]], np.int32)
    assert through(table, numbers, 1, 2, 30.0) == 7.0
    assert through(table, numbers, 0, 0, 20.0) == 4.0
    assert (table[1, 2], table[0, 4]) == (30.0, 20.0)
    assert sorted(set(table.reshape(-1).tolist()) - {20.0, 30.0}) == [0, 1, 2, 3, 5, 6, 8, 9]
