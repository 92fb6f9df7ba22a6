"""How sensors get several threads: their caller gives them a pool, since this floor starts none.

Work is split by index, and each part writes to rows of its own, so that results do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Pool(Protocol):
    """Several threads."""

    @property
    def threads(self) -> int:
        """How many parts of a work are worked on at a time."""
        ...

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> list[B]:
        """The function's value for each item, in order."""
        ...


class SerialPool:
    """A pool without threads: the caller's own does all."""

    threads = 1

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> list[B]:
        """The function's value for each item, in order."""
        return [function(item) for item in items]


def parts(count: int, pool: Pool, least: int = 1) -> list[tuple[int, int]]:
    """Ranges (first, end) of `count` rows, one for each thread of a pool; of several, none has less than `least`."""
    pieces = max(min(pool.threads, count // max(least, 1)), 1)
    bounds = [count * piece // pieces for piece in range(pieces + 1)]
    return list(pairwise(bounds))
