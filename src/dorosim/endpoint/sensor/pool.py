"""Threads for the sensors: the pool that `dorosim.sensor` needs and may not make itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, cast

A = TypeVar("A")
B = TypeVar("B")


class ThreadPool:
    """Threads that share work; the caller's thread works too.

    Args:
        threads: how many, the caller's among them.
    """

    def __init__(self, threads: int) -> None:
        self._executor = ThreadPoolExecutor(max(threads - 1, 1), "dorosim-sensor") if threads > 1 else None
        self.threads = threads

    def map(self, function: Callable[[A], B], items: Iterable[A]) -> list[B]:
        """The function's value for each item, in order."""
        work = list(items)
        if self._executor is None or len(work) < 2:
            return [function(item) for item in work]
        found: list[B | None] = [None] * len(work)
        left = iter(range(len(work)))

        def take() -> None:
            # each thread takes the next item that no other thread has: all of them work until none is left
            for number in left:
                found[number] = function(work[number])

        helpers = [self._executor.submit(take) for _ in range(min(self.threads, len(work)) - 1)]
        try:
            take()
        finally:
            for helper in helpers:
                helper.cancel()  # one that has not begun is not waited for
        for helper in helpers:
            if not helper.cancelled():
                helper.result()
        return cast("list[B]", found)

    def close(self) -> None:
        """End the threads."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
