"""The runner's loop with workers that only say that cells are done: what it gives them, and what it costs."""

from __future__ import annotations

import heapq
import itertools
import time
import tracemalloc
from collections import deque

import numpy as np
import pytest

from dorosim.app.sweep.cell_source import PlannedCells
from dorosim.app.sweep.progress import SweepProgress
from dorosim.app.sweep.runner import SweepLoop
from dorosim.app.sweep.worker_event import WorkerEvent
from dorosim.app.sweep.worker_host import SweepPauseError
from tests.sweep.sweep_case import plan

DELAY_S = 0.02
"""How long a message is on its way to a worker, and back [s]."""


class SaidPool:
    """Workers that say at once that their cells are done; the first ones lose some.

    Attributes:
        given: numbers of the cells of each chunk.
    """

    def __init__(self, count: int, lost: int = 0, full_after: int = -1) -> None:
        self.count, self.given, self._lost, self._full = count, [], lost, full_after
        self._news = deque()

    def submit(self, worker, orders):
        self.given.append([one.cell.number for one in orders])
        for one in orders:
            if self._lost:
                self._lost -= 1
            else:
                self._news.append((worker, WorkerEvent(kind="done", number=one.cell.number, verdict="pass", wall=0.01)))
        self._news.append((worker, None))

    def wait(self, seconds):
        self._full -= 1
        if self._full == 0:
            raise SweepPauseError("the disk is full")
        return self._news.popleft() if self._news else None

    def close(self):
        pass


def loop(made, pool):
    source = PlannedCells(made)
    progress = SweepProgress(source.total)
    SweepLoop(made, source, pool, progress).run()
    return progress


def test_every_cell_is_given_once_and_lost_ones_again(tmp_path):
    made = plan(tmp_path, parameters={"v": {"from": 1, "to": 10, "count": 500}})
    pool = SaidPool(3, lost=7)
    assert loop(made, pool).done == 500
    numbers = [number for chunk in pool.given for number in chunk]
    assert len(numbers) == 507
    assert set(numbers) == set(range(500))
    assert len(pool.given[0]) == 1
    assert max(map(len, pool.given)) > 20  # about a second of cells
    assert len(pool.given[-1]) <= 2


def test_a_pause_ends_the_loop(tmp_path):
    with pytest.raises(SweepPauseError, match="the disk is full"):
        loop(plan(tmp_path), SaidPool(1, full_after=3))


def test_memory_of_the_runner_grows_little(tmp_path):
    def peak(count: int) -> int:
        made = plan(tmp_path, parameters={"v": {"from": 1, "to": 10, "count": count}})
        tracemalloc.start()
        try:
            pool = SaidPool(2)
            pool.given = deque(maxlen=10)
            loop(made, pool)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(4_000) - peak(200) < 1 << 19


class DelayedPool:
    """A hundred workers in a time of their own: cells take a while, and each message a while on its way.

    Attributes:
        now: time [s]. busy: sum of the times in which workers ran cells [s]. given: sizes of chunks.
    """

    def __init__(self, count: int, seed: int) -> None:
        self.count, self.now, self.busy, self.given = count, 0.0, 0.0, []
        self._chance = np.random.default_rng(seed)
        self._news = []
        self._order = itertools.count()

    def submit(self, worker, orders):
        self.given.append(len(orders))
        at = self.now + DELAY_S
        walls = self._chance.uniform(0.1, 0.5, len(orders)).tolist()
        for one, wall in zip(orders, walls, strict=True):
            at += wall
            event = WorkerEvent(kind="done", number=one.cell.number, verdict="pass", margin=1.0, wall=wall)
            heapq.heappush(self._news, (at + DELAY_S, next(self._order), worker, event))
        heapq.heappush(self._news, (at + DELAY_S, next(self._order), worker, None))
        self.busy += sum(walls)

    def wait(self, seconds):
        self.now, _, worker, event = heapq.heappop(self._news)
        return worker, event

    def close(self):
        pass


def test_a_hundred_workers_are_kept_at_work_by_one_runner(tmp_path):
    """Its processor time counts, not what has passed: the machine may have other work."""
    made = plan(tmp_path, parameters={"v": {"from": 1, "to": 10, "count": 20_000}})
    pool = DelayedPool(100, 24)
    begin = time.process_time()
    assert loop(made, pool).done == 20_000
    spent = (time.process_time() - begin) / 20_000
    share = pool.busy / (pool.count * pool.now)
    print(
        f"100 workers: {1e6 * spent:.0f} us a cell, {share:.3f} of the time at work, {np.mean(pool.given):.1f} a chunk"
    )
    assert spent < 1e-3
    assert share > 0.9
    assert np.mean(pool.given) > 2.0
