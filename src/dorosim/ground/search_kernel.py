"""Bisection in ascending arrays, inside kernels."""

from __future__ import annotations

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.jit import inner_kernel


@inner_kernel
def first_beyond(ascending: FloatArray | IntArray, start: int, stop: int, item: float) -> int:
    """The first index from `start` on, before `stop`, whose value is greater than an item; `stop` if none is.

    Args:
        ascending: values, which ascend from `start` to `stop`.
        start: index of the first one that is looked at.
        stop: index after the last one.
        item: of the type of the values; where it is NaN all count as greater.
    """
    low, high = start, stop
    while low < high:
        middle = low + high >> 1
        if ascending[middle] <= item:
            low = middle + 1
        else:
            high = middle
    return low


@inner_kernel
def row_of_item(ascending: IntArray, item: int) -> int:
    """Index of the last of the ascending numbers that is an item, -1 if none is."""
    row = first_beyond(ascending, 0, ascending.shape[0], item) - 1
    return row if row >= 0 and ascending[row] == item else -1
