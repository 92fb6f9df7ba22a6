"""Broken copies of files, read one after the other in bounded time and memory."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterable

MAX_CPU_TIME = 30.0
"""Of the thread, for one file [s]; most need some milliseconds, on a busy machine several times as many."""

MAX_MEMORY = 1 << 30
"""So much more than before the process may hold [bytes]."""


def survives(seeds: Iterable[int], read: Callable[[int], bool]) -> int:
    """How many broken copies were read.

    Args:
        seeds: of the copies.
        read: breaks a copy by its seed and reads it; whether it could be read. Refusals are not raised.
    """
    memory, found = _peak(), 0
    for seed in seeds:
        start = time.thread_time()
        try:
            found += read(seed)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        assert time.thread_time() - start < MAX_CPU_TIME, f"seed {seed} took too long"
        assert _peak() - memory < MAX_MEMORY, f"seed {seed} took too much memory"
    return found


def _peak() -> int:
    """The most memory that the process has held [bytes]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
