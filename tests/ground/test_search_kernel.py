"""Bisection in kernels, beside that of numpy."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import IntArray
from dorosim.ground.jit import kernel
from dorosim.ground.search_kernel import first_beyond, row_of_item


@kernel
def find(floats: np.ndarray, ints: IntArray, start: int, stop: int, item: float) -> tuple[int, int, int]:
    """Both searches of floats and ints, for a test; of a bare array, too."""
    whole = int(item)
    return (
        first_beyond(floats, start, stop, item),
        first_beyond(ints, start, stop, whole),
        row_of_item(bare(ints[start:stop]), whole),
    )


@pytest.mark.parametrize("size", [0, 1, 2, 7, 64])
def test_it_is_the_search_of_numpy(size):
    draw = np.random.default_rng(size)
    ints = np.sort(draw.choice(200, size + 4, replace=False))
    floats = ints * 1.0
    for start, stop in ((0, size), (2, size + 2), (size // 2, size + 4)):
        for item in (-1.0, 500.0, *floats):
            at, same, row = find(floats, ints, start, stop, item)
            assert at == same == start + np.searchsorted(floats[start:stop], item, side="right")
            assert row == (at - start - 1 if item in floats[start:stop] else -1)


def test_values_that_are_equal_are_passed_together():
    values = np.array([1.0, 2.0, 2.0, 2.0, 3.0])
    assert find(values, values.astype(np.int64), 0, 5, 2.0) == (4, 4, 3)
