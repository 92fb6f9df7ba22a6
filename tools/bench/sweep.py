"""What a sweep costs beside the ticks of its cells: workers beside bare processes, a cell, and the runner.

    python -m tools.bench.sweep --cells 10000

The rate is measured in turns: two bare processes and two workers have the same cells one after the other.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dorosim.app.run.scenario_run import quick_ticks
from dorosim.app.sweep.cell import Cell, CellLine, CellRow, CellWork, encode_line
from dorosim.app.sweep.cell_run import CellRunner
from dorosim.app.sweep.cell_source import PlannedCells
from dorosim.app.sweep.journal import JournalWriter
from dorosim.app.sweep.local_pool import LocalPool, PoolNews
from dorosim.app.sweep.plan import USUAL_MEASURES, SweepPlan
from dorosim.app.sweep.plan_file import plan_from_tree
from dorosim.app.sweep.progress import SweepProgress
from dorosim.app.sweep.runner import SweepLoop
from dorosim.app.sweep.sampler import PlanCells
from dorosim.app.sweep.sweep_folder import make_folder
from dorosim.app.sweep.worker_event import CellOrder, WorkerEvent
from dorosim.ground.noise import Noise
from tools.bench.figure import Figure, least_seconds

CELLS, CHUNK, WORKERS, SECONDS = 1_200, 400, 2, 10.0
"""Cells of the rate, cells of a turn, processes, and how long a cell is [simulated s]."""
SOME_CELLS, MANY_CELLS = 1_000, 100_000
FOLDER = Path(__file__).parents[2] / "examples" / "scenario"


def sweep_plan(cells: int, seconds: float = SECONDS, measures: Sequence[str] = (), driver: str = "driver") -> SweepPlan:
    """A lead vehicle brakes, and the built-in driver follows it, with so many distances.

    Args:
        cells: of them.
        seconds: how long a cell is [simulated s].
        measures: names of what is measured beside contacts.
        driver: who drives; the default controller keeps its speed, and the lead vehicle brakes less then.
    """
    braking = 1 if driver == "driver" else 0.2
    return plan_from_tree(
        {
            "name": "bench",
            "scenario": [{"file": "slow_lead.xosc", "parameters": {"LeadDeceleration": braking}}],
            "parameters": {"Gap": {"from": 25, "to": 60, "count": cells}},
            "stack": {"driver": driver},
            "criteria": {"no_collision": True},
            "measures": list(measures),
            "time_limit": seconds,
        },
        FOLDER,
    )


def figures(cells: int = CELLS, seconds: float = SECONDS) -> Iterator[Figure]:
    """Rate, overhead of a cell, time and memory of the runner.

    Args:
        cells: of the rate.
        seconds: how long a cell is [simulated s].
    """
    yield rate_figure(cells, seconds)
    yield from cell_figures(seconds)
    yield from runner_figures()


class SomeCells:
    """Cells that are given once: a `CellSource`.

    Args:
        cells: of them.

    Attributes:
        total: how many there are.
    """

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._left, self._open, self.total = deque(cells), len(cells), len(cells)

    def know(self, row: CellRow) -> None:
        """There are none of before."""

    def take(self, count: int) -> list[Cell]:
        """At most so many of them."""
        return [self._left.popleft() for _ in range(min(count, len(self._left)))]

    def finish(self, number: int, verdict: str, margin: float | None) -> None:  # noqa: ARG002
        """One is done."""
        self._open -= 1

    def give_back(self, cell: Cell) -> None:
        """Take back a cell that was not run."""
        self._left.appendleft(cell)

    @property
    def is_over(self) -> bool:
        """Whether all are done."""
        return not self._open


class TurnPool:
    """Workers that several loops use in turns: none begins before all chunks of the one before have been ended.

    Args:
        pool: of the workers.

    Attributes:
        count: of them.
    """

    def __init__(self, pool: LocalPool) -> None:
        self._pool, self._open, self.count = pool, 0, pool.count

    def submit(self, worker: int, orders: Sequence[CellOrder]) -> None:
        """Give cells to a worker that has none."""
        self._open += 1
        self._pool.submit(worker, orders)

    def wait(self, seconds: float) -> PoolNews | None:
        """What a worker says next."""
        news = self._pool.wait(seconds)
        if news is not None and news[1] is None:
            self._open -= 1
        return news

    def end_turn(self) -> None:
        """Wait until the workers have said that their chunks are over: the next loop would take that as its own."""
        while self._open:
            self.wait(1.0)

    def close(self) -> None:
        """End all workers."""
        self._pool.close()


@contextmanager
def bare_processes(cells: int, seconds: float) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that step cells and do nothing else; see `sweep_host`."""
    words = [sys.executable, "-m", "tools.bench.sweep_host", str(cells), str(seconds)]
    made = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(WORKERS)]
    try:
        yield made
    finally:
        for one in made:
            one.communicate()


def bare_seconds(processes: Sequence[subprocess.Popen[str]], numbers: Sequence[int]) -> float:
    """How long they need for some cells [s]."""
    began = time.perf_counter()
    for at, one in enumerate(processes):
        assert one.stdin is not None
        one.stdin.write(json.dumps(list(numbers)[at::WORKERS]) + "\n")
        one.stdin.flush()
    for one in processes:
        assert one.stdout is not None
        one.stdout.readline()
    return time.perf_counter() - began


def rate_figure(cells: int, seconds: float) -> Figure:
    """Cells a second of two workers beside two bare processes, turn by turn."""
    plan, ratios, ours, floor = sweep_plan(cells, seconds), list[float](), 0.0, 0.0
    chosen = PlanCells(plan)
    with tempfile.TemporaryDirectory() as name, bare_processes(cells, seconds) as processes:
        folder = make_folder(Path(name), plan, FOLDER, cells, resume=False)
        pool = TurnPool(LocalPool(folder.path, 1, WORKERS, plan.limits, "bench"))
        try:
            # the first turn starts the processes, and does not count
            for numbers in (range(WORKERS), *(range(at, min(at + CHUNK, cells)) for at in range(0, cells, CHUNK))):
                bare = bare_seconds(processes, numbers)
                began = time.perf_counter()
                source = SomeCells([chosen.cell(one) for one in numbers])
                SweepLoop(plan, source, pool, SweepProgress(source.total)).run()
                pool.end_turn()
                if len(numbers) > WORKERS:
                    spent = time.perf_counter() - began
                    ratios.append(bare / spent)
                    ours, floor = ours + spent, floor + bare
        finally:
            pool.close()
    detail = f"{cells / ours:.1f} cells/s, bare {cells / floor:.1f}; median of {len(ratios)} turns of {CHUNK} cells"
    return Figure("rate of two workers beside two bare processes", statistics.median(ratios), "x", 0.9, detail=detail)


def cell_figures(seconds: float) -> Iterator[Figure]:
    """A cell with its line in the journal, beside its ticks alone, in processor time of one thread.

    The ticks alone are made in rows, as those of the cell are, and held against nothing.
    """
    nothing: tuple[str, ...] = ()
    for measures, driver in ((nothing, "driver"), (USUAL_MEASURES, "driver"), (USUAL_MEASURES, "default")):
        plan = sweep_plan(3, seconds, measures, driver)
        runner, cell = CellRunner(plan, FOLDER, FOLDER), PlanCells(plan).cell(1)
        with tempfile.TemporaryDirectory() as name:
            journal = JournalWriter(Path(name) / "bench.jsonl")
            try:
                with_it, alone = _cell_seconds(runner, cell, plan, journal)
            finally:
                journal.close()
        title = "a cell beyond its ticks" + (f", with {' and '.join(measures)}" if measures else "")
        title += "" if driver == "driver" else ", of the default controller"
        detail = f"{with_it * 1e3:.1f} ms, its ticks alone {alone * 1e3:.1f} ms: start, judging, verdict, journal"
        yield Figure(title, (with_it - alone) * 1e3, "ms", 20.0, at_most=True, detail=detail)


def _cell_seconds(runner: CellRunner, cell: Cell, plan: SweepPlan, journal: JournalWriter) -> tuple[float, float]:
    """A cell with its line, and its ticks alone [s]."""
    world = runner.scene(cell).world

    def whole() -> None:
        journal.write(encode_line(CellLine(row=runner.run(cell), work=CellWork())))

    def ticks() -> None:
        deque(quick_ticks(world, Noise(cell.seed), plan.time_limit, ()), maxlen=0)

    return least_seconds(whole, ticks, 5.0)


class SaidWorkers:
    """Workers that say at once that their cells are done.

    Args:
        count: of them.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._news: deque[PoolNews] = deque()

    def submit(self, worker: int, orders: Sequence[CellOrder]) -> None:
        """Give cells to a worker."""
        for one in orders:
            self._news.append((worker, WorkerEvent(kind="done", number=one.cell.number, verdict="pass", wall=0.01)))
        self._news.append((worker, None))

    def wait(self, seconds: float) -> PoolNews | None:  # noqa: ARG002
        """What a worker says next."""
        return self._news.popleft() if self._news else None

    def close(self) -> None:
        """There is nothing to end."""


def loop(plan: SweepPlan) -> None:
    """Let the runner hand out the cells of a plan."""
    source = PlannedCells(plan)
    SweepLoop(plan, source, SaidWorkers(100), SweepProgress(source.total)).run()


def runner_figures() -> Iterator[Figure]:
    """Time and memory of the runner, with a hundred workers that need no time."""
    few_cells, many_cells = sweep_plan(SOME_CELLS), sweep_plan(MANY_CELLS)
    began = time.thread_time()
    loop(many_cells)
    spent = (time.thread_time() - began) / MANY_CELLS
    yield Figure("the runner, for a cell", spent * 1e3, "ms", 1.0, at_most=True, detail=f"mean of {MANY_CELLS:,} cells")
    few, many = _peak(few_cells), _peak(many_cells)
    name = f"memory of the runner, from {SOME_CELLS:,} to {MANY_CELLS:,} cells"
    yield Figure(
        name, (many - few) / 1e6, "MB", 50.0, at_most=True, detail=f"peaks {few / 1e6:.2f} and {many / 1e6:.2f} MB"
    )


def _peak(plan: SweepPlan) -> int:
    """The most memory that objects of the runner take [bytes]."""
    tracemalloc.start()
    try:
        loop(plan)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main(arguments: Sequence[str]) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Figures of sweeps.")
    parser.add_argument("--cells", type=int, default=CELLS, help="of the rate; 10000 take about ten minutes")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a cell [simulated s]")
    given: Any = parser.parse_args(arguments)
    for one in figures(given.cells, given.seconds):
        print(f"{one.name}: {one.value:.3f} {one.unit} (target {one.target}); {one.detail}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
