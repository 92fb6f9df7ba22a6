"""Bare arrays: an address and a shape."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from dorosim.ground.bare_kernel import bare


@njit
def _write(whole, real):
    whole, real = bare(whole), bare(real)
    for i in range(real.shape[0]):
        for j in range(real.shape[1]):
            real[i, j] += 10 * i + j
            whole[i] += int(real[i, j])
    return real.shape


@njit
def _read(cube):
    cube = bare(cube)
    return cube[1, 2, 3], cube.shape[2]


def test_items_are_read_and_written_in_place():
    whole, real = np.ones(2, np.int64), np.full((2, 3), 0.5)
    assert _write(whole, real) == (2, 3)
    np.testing.assert_array_equal(real, [[0.5, 1.5, 2.5], [10.5, 11.5, 12.5]])
    np.testing.assert_array_equal(whole, [1 + 0 + 1 + 2, 1 + 10 + 11 + 12])


def test_any_number_of_dimensions():
    assert _read(np.arange(2 * 3 * 5.0).reshape(2, 3, 5)) == (1 * 15 + 2 * 5 + 3, 5)


def test_a_read_only_array_stays_one():
    real = np.zeros((2, 3))
    real.flags.writeable = False
    with pytest.raises(TypingError):
        _write(np.zeros(2, np.int64), real)


def test_only_arrays_in_one_piece_can_be_bare():
    with pytest.raises(TypingError):
        _read(np.zeros((2, 3, 10))[:, :, ::2])
