"""Lists of indices, one for each row of a table, in two arrays (compressed sparse rows)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
FlagArray = NDArray[np.bool_]
A = TypeVar("A", bound=NDArray[Any])


def frozen(array: A) -> A:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array


@dataclass(frozen=True, slots=True, eq=False)
class Adjacency:
    """For each row a list of indices.

    Attributes:
        first: `(rows + 1,)` where each row's list begins in `item`.
        item: `(sum of lengths,)` the lists, end to end.
    """

    first: IntArray
    item: IntArray

    def of(self, row: int) -> IntArray:
        """`(N,)` the list of one row, a view."""
        return self.item[self.first[row] : self.first[row + 1]]

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.first) - 1


def adjacency_from_lists(lists: Iterable[Sequence[int]]) -> Adjacency:
    """The two arrays of lists of indices, read-only."""
    kept = list(lists)
    first = np.cumsum([0, *map(len, kept)])
    item = np.array([index for items in kept for index in items], np.int64)
    return Adjacency(frozen(first), frozen(item))


def adjacency_from_pairs(rows: IntArray, items: IntArray, count: int) -> Adjacency:
    """The lists of `count` rows from pairs of row and item; a list keeps the order of its pairs.

    Args:
        rows: `(N,)` the row of each pair.
        items: `(N,)` the item of each pair.
        count: how many rows there are.
    """
    order = np.argsort(rows, kind="stable")
    first = np.cumsum(np.append(0, np.bincount(rows, minlength=count)))
    return Adjacency(frozen(first), frozen(items[order].astype(np.int64)))


def rows_and_numbers(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Each row as often as `counts` `(rows,)` says, and the numbers from 0 within each row, `(sum,)` both."""
    row = np.repeat(np.arange(len(counts)), counts)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
