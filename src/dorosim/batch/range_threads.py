"""Does work for many worlds on threads, each of which has a range of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from dorosim.ground.cores import usable_cores


class RangeThreads:
    """Threads that are begun when they are first needed.

    Args:
        threads: 1: none besides the caller's; 0: as many as there are processors.

    Attributes:
        threads: how many.

    Raises:
        ValueError: there are fewer than 0.
    """

    def __init__(self, threads: int) -> None:
        if threads < 0:
            raise ValueError(f"threads are 0 (one a processor) or more, not {threads}")
        self.threads = threads or usable_cores()
        self._pool: ThreadPoolExecutor | None = None

    def run(self, work: Callable[[int, int], None], count: int) -> None:
        """Do work for all worlds, each thread a range of them; what one raises is raised once all are done.

        Args:
            work: what is done for the worlds from one number to another, the last not included.
            count: how many worlds there are.
        """
        parts = min(self.threads, count)
        if parts < 2:
            work(0, count)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, "dorosim-batch")
        bounds = [count * part // parts for part in range(parts + 1)]
        waiting = [self._pool.submit(work, *bounds[part : part + 2]) for part in range(parts)]
        errors = [error for error in (one.exception() for one in waiting) if error is not None]
        if errors:
            raise errors[0]

    def close(self) -> None:
        """Let go of the threads; the next work has new ones."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
