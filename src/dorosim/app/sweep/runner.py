"""Runs a sweep: hands its cells to workers, in chunks, until all are finished."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dorosim.app.sweep.branch import branch_groups
from dorosim.app.sweep.cell import Cell
from dorosim.app.sweep.cell_source import CellSource, source_of
from dorosim.app.sweep.journal import journals_of, wait_for_writers
from dorosim.app.sweep.local_pool import LocalPool, WorkerPool
from dorosim.app.sweep.lock import SweepLock
from dorosim.app.sweep.marked import end_marked
from dorosim.app.sweep.plan import SweepPlan
from dorosim.app.sweep.progress import SweepProgress
from dorosim.app.sweep.sweep_folder import SweepFolder, make_folder
from dorosim.app.sweep.worker_event import CellOrder, WorkerEvent
from dorosim.app.sweep.worker_host import WRITER_PATIENCE_S
from dorosim.ground.error import InputError

CHUNK_S = 1.0
"""Wall time of a chunk of cells [s]."""
MAX_CHUNK = 256
_WAIT_S = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepOptions:
    """How a sweep is run.

    Attributes:
        out: its folder. workers: how many. ray: address of a cluster, "local" for one that is started here, None for
            processes of this machine. resume: whether it is gone on with. json: whether progress is lines of JSON.
    """

    out: Path
    workers: int = 1
    ray: str | None = None
    resume: bool = False
    json: bool = False


def run_sweep(plan: SweepPlan, base: Path, options: SweepOptions) -> SweepProgress:
    """Run a sweep, or what is left of it.

    Args:
        plan: of the sweep.
        base: folder of the files that it names.
        options: how.

    Returns:
        What became of all cells.

    Raises:
        InputError: it cannot begin.
        SweepPauseError: it cannot go on; what is finished is kept.
    """
    if not sys.platform.startswith("linux"):
        raise InputError("sweep", "", f"runs on Linux only, and this is {sys.platform}", "use a machine with Linux")
    source = source_of(plan)
    lock = SweepLock(options.out)
    try:
        folder = make_folder(options.out, plan, base, source.total, resume=options.resume)
        run_text, _, mark = lock.last.partition(" ")
        if mark:
            end_marked(mark, WRITER_PATIENCE_S)
            wait_for_writers(journals_of(options.out), WRITER_PATIENCE_S)  # those of other machines
        run = int(run_text) + 1 if run_text.isdigit() else 1
        mark = secrets.token_hex(8)
        lock.leave(f"{run} {mark}")
        progress = SweepProgress(source.total, json=options.json)
        for line in folder.lines():
            source.know(line.row)
            progress.count(line.row.verdict, line.row.why)
        progress.begin()
        if not source.is_over:
            pool = _pool(folder, run, plan, options, mark)
            try:
                SweepLoop(plan, source, pool, progress).run()
            finally:
                pool.close()
                end_marked(mark)
        progress.end()
        return progress
    finally:
        lock.close()


def _pool(folder: SweepFolder, run: int, plan: SweepPlan, options: SweepOptions, mark: str) -> WorkerPool:
    """The workers."""
    if options.ray is None:
        return LocalPool(folder.path.absolute(), run, options.workers, plan.limits, mark)
    from dorosim.app.sweep.ray_pool import RayPool

    return RayPool(folder.path.absolute(), run, options.workers, plan.limits, mark, options.ray)


class SweepLoop:
    """Hands cells to workers.

    Args:
        plan: of the sweep. source: its cells. pool: the workers. progress: counts what becomes of them.
        clock: wall time [s].
    """

    def __init__(
        self,
        plan: SweepPlan,
        source: CellSource,
        pool: WorkerPool,
        progress: SweepProgress,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source, self._pool, self._progress, self._clock = source, pool, progress, clock
        # a worker has whole groups, as long as there is work for all
        self._group = max(min(branch_groups(plan), source.total // (2 * pool.count), MAX_CHUNK), 1)
        self._given: dict[int, dict[int, Cell]] = {}
        self._mean = 0.0

    def run(self) -> None:
        """Run until no cell is left.

        Raises:
            SweepPauseError: the sweep cannot go on.
        """
        while not self._source.is_over:
            for worker in range(self._pool.count):
                if worker not in self._given:
                    self._give(worker)
            news = self._pool.wait(_WAIT_S)
            if news is not None:
                self._take(*news)
            self._progress.show()

    def _give(self, worker: int) -> None:
        """Give a worker its next chunk, if there are cells."""
        cells = self._source.take(self._chunk())
        if cells:
            self._given[worker] = {one.number: one for one in cells}
            self._pool.submit(worker, [CellOrder(cell=one) for one in cells])

    def _chunk(self) -> int:
        """How many cells are given at once: about a second of them, and few where few are left; whole groups."""
        if not self._mean:
            return self._group
        left = self._source.total - self._progress.done
        wanted = min(CHUNK_S / self._mean, left / (2 * self._pool.count), MAX_CHUNK)
        return max(round(wanted / self._group), 1) * self._group

    def _take(self, worker: int, event: WorkerEvent | None) -> None:
        """Take what a worker says."""
        given = self._given[worker]
        if event is None:
            for cell in given.values():  # that it could not run
                self._source.give_back(cell)
            del self._given[worker]
            return
        if given.pop(event.number, None) is None:
            return
        if event.wall:
            self._mean = event.wall if not self._mean else 0.9 * self._mean + 0.1 * event.wall
        self._source.finish(event.number, event.verdict, event.margin)
        self._progress.count(event.verdict, event.why)
