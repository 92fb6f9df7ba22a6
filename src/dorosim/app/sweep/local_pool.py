"""Workers on this machine: a process for each, held by a thread of the runner."""

from __future__ import annotations

import queue
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from dorosim.app.sweep.limits import SweepLimits
from dorosim.app.sweep.worker_event import CellOrder, WorkerEvent
from dorosim.app.sweep.worker_host import SweepPauseError, WorkerHost
from dorosim.ground.error import one_line, reason_of

PoolNews = tuple[int, WorkerEvent | None]
"""The number of a worker, and what it says; None: it has done all that it was given."""


class WorkerPool(Protocol):
    """Workers, wherever they run.

    Attributes:
        count: how many there are.
    """

    count: int

    def submit(self, worker: int, orders: Sequence[CellOrder]) -> None:
        """Give cells to a worker that has none."""

    def wait(self, seconds: float) -> PoolNews | None:
        """What a worker says next, None if none says anything for so long.

        Raises:
            SweepPauseError: the sweep cannot go on.
        """

    def close(self) -> None:
        """End all workers."""


class LocalPool:
    """Processes of this machine.

    Args:
        folder: of the sweep. run: number of the runner, for names. count: of workers. limits: of the plan.
        mark: of the runner.

    Attributes:
        count: how many there are.
    """

    def __init__(self, folder: Path, run: int, count: int, limits: SweepLimits, mark: str) -> None:
        self.count = count
        self._over = threading.Event()
        self._news: queue.SimpleQueue[PoolNews | SweepPauseError] = queue.SimpleQueue()
        self._work: list[queue.SimpleQueue[Sequence[CellOrder] | None]] = [queue.SimpleQueue() for _ in range(count)]
        names = [f"{run:03}-{number:03}" for number in range(count)]
        self._hosts = [WorkerHost(folder, name, limits, mark, self._over.is_set) for name in names]
        self._threads = [threading.Thread(target=self._serve, args=(one,), daemon=True) for one in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, worker: int, orders: Sequence[CellOrder]) -> None:
        """Give cells to a worker that has none."""
        self._work[worker].put(orders)

    def wait(self, seconds: float) -> PoolNews | None:
        """What a worker says next, None if none says anything for so long."""
        try:
            found = self._news.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(found, SweepPauseError):
            raise found
        return found

    def close(self) -> None:
        """End all workers."""
        self._over.set()
        for one in self._work:
            one.put(None)
        for thread in self._threads:
            thread.join()

    def _serve(self, worker: int) -> None:
        """Hold a worker: it runs what it is given until the pool is closed."""
        host = self._hosts[worker]
        try:
            while (orders := self._work[worker].get()) is not None:
                for event in host.run(orders):
                    self._news.put((worker, event))
                self._news.put((worker, None))
        except SweepPauseError as error:
            self._news.put(error)
        except OSError as error:
            self._news.put(SweepPauseError(reason_of(error)))
        except Exception as error:  # without news the runner would wait for ever
            self._news.put(SweepPauseError(f"a worker cannot be held: {one_line(repr(error))}"))
        finally:
            host.close()
