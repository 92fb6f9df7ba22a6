"""Holds a worker process: gives it cells, ends it where a cell takes too long, and starts another one where it dies.

Local processes and Ray run sweeps by this class: here in a thread for each worker, there in an actor.
"""

from __future__ import annotations

import os
import platform
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from dorosim.app.sweep.cell import CellLine, CellWork, broken_row, decode_line, encode_line
from dorosim.app.sweep.journal import JournalWriter, read_journal
from dorosim.app.sweep.limits import SweepLimits
from dorosim.app.sweep.marked import MARK
from dorosim.app.sweep.supervised import supervised
from dorosim.app.sweep.supervisor import MEMORY_STATUS
from dorosim.app.sweep.worker_event import CellOrder, WorkerEvent

WORKER_PATIENCE_S = 300.0
"""Wall time that a worker has to start: kernels may have to be compiled [s]."""
WRITER_PATIENCE_S = 10.0
"""Wall time in which a worker ends with the process that holds it [s]."""
_END_PATIENCE_S, _LOOK_S = 9.0, 0.2
_MAX_DEATHS = 3
"""Workers that may die, or fall silent, one after the other before they have begun a cell."""
IDLE_PATIENCE_S = 60.0
"""Wall time that a worker has to begin a cell, where the plan gives cells less [s]."""


class SweepPauseError(Exception):
    """The sweep cannot go on for now; the text says why."""


class WorkerHost:
    """Runs cells in a worker process.

    Args:
        folder: of the sweep. name: of the worker, no other has it. limits: of the plan. mark: of the runner.
        stopped: whether the sweep is to end.
        idle_s: wall time without a word in which the worker has to begin a cell; None for that of a cell, but for
            `IDLE_PATIENCE_S` at least [s].
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        limits: SweepLimits,
        mark: str,
        stopped: Callable[[], bool] = lambda: False,
        idle_s: float | None = None,
    ) -> None:
        self._folder, self._name, self._limits, self._mark, self._stopped = folder, name, limits, mark, stopped
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe = -1
        self._starts = self._deaths = 0
        self._own: JournalWriter | None = None
        self._encode = msgspec.json.Encoder().encode
        self._decode: Any = msgspec.json.Decoder(WorkerEvent).decode
        self._rest = b""
        self._idle_s = max(limits.wall_s, IDLE_PATIENCE_S) if idle_s is None else idle_s

    def run(self, orders: Sequence[CellOrder]) -> Iterator[WorkerEvent]:
        """Run cells.

        Args:
            orders: of them.

        Yields:
            An event "done" for each, as it is finished.

        Raises:
            SweepPauseError: the disk is full, or no worker can start.
        """
        left = {one.cell.number: one for one in orders}
        while left and not self._stopped():
            process = self._started()
            self._give(process, left)
            yield from self._followed(process, left)

    def _give(self, process: subprocess.Popen[bytes], left: dict[int, CellOrder]) -> None:
        """Give a worker its cells; one that does not take them is found out as it begins none."""
        assert process.stdin is not None
        words = memoryview(self._encode(list(left.values())) + b"\n")
        end = time.monotonic() + self._idle_s
        with suppress(BrokenPipeError):
            while words and not self._stopped() and time.monotonic() < end:
                if select.select([], [process.stdin], [], _LOOK_S)[1]:
                    words = words[os.write(process.stdin.fileno(), words[: select.PIPE_BUF]) :]

    def _followed(self, process: subprocess.Popen[bytes], left: dict[int, CellOrder]) -> Iterator[WorkerEvent]:
        """Events of a worker, until it has done all that is left, or has ended."""
        present, since = -1, time.monotonic()
        while left and not self._stopped():
            try:
                event = self._event(process)
            except msgspec.MsgspecError:  # a function may write to any descriptor of its process
                yield from self._ended(present, left, "its stack wrote among the events of its worker")
                return
            if event is None:
                silent_s = time.monotonic() - since
                if present >= 0 and silent_s > self._limits.wall_s:
                    yield from self._ended(present, left, f"it took more than {self._limits.wall_s:g} s")
                    return
                if present < 0 and silent_s > self._idle_s:
                    yield from self._ended(present, left, "")
                    self._fell(f"say nothing for {self._idle_s:g} s")
                    return
                if process.poll() is None:
                    continue
                status, journal = process.returncode, self._journal
                self.end()
                yield from self._finished(journal, left)
                yield from self._died(present, left, status)
                return
            if event.kind == "begun":
                present, since, self._deaths = event.number, time.monotonic(), 0
                if present in left:  # each attempt counts, also those that break without a crash
                    order = left[present]
                    left[present] = CellOrder(cell=order.cell, attempts=order.attempts + 1)
            elif event.kind == "done":
                left.pop(event.number, None)
                present, since = -1, time.monotonic()
                yield event
            elif event.kind in ("full", "unable"):
                self.end()
                raise SweepPauseError(event.why)

    def _ended(self, present: int, left: dict[int, CellOrder], why: str) -> Iterator[WorkerEvent]:
        """End a worker; the cell that it runs has spoilt it, unless its line is there."""
        journal = self._journal
        self.end()
        yield from self._finished(journal, left)
        if present in left:
            yield from self._broke(present, left, why)

    def _finished(self, journal: Path, left: dict[int, CellOrder]) -> Iterator[WorkerEvent]:
        """Cells whose line a worker wrote before it died, and could not say so."""
        for content in read_journal(journal) if journal.exists() else ():
            row = decode_line(content).row
            if left.pop(row.cell.number, None) is not None:
                yield WorkerEvent(kind="done", number=row.cell.number, verdict=row.verdict, margin=row.margin)

    def _died(self, present: int, left: dict[int, CellOrder], status: int) -> Iterator[WorkerEvent]:
        """A worker has ended by itself."""
        if present in left:
            why = f"its process ended {_how(status)}"
            if status == MEMORY_STATUS:
                why = f"its process took more than {self._limits.memory_mib} MiB of memory"
            yield from self._broke(present, left, why)
        elif left:
            self._fell(f"end {_how(status)}")

    def _fell(self, how: str) -> None:
        """A worker has begun no cell; it may be the machine's fault, and is no cell's.

        Raises:
            SweepPauseError: it is not the first one.
        """
        self._deaths += 1
        if self._deaths >= _MAX_DEATHS:
            raise SweepPauseError(f"workers {how} before they begin; see {self._log}")

    def _broke(self, number: int, left: dict[int, CellOrder], why: str) -> Iterator[WorkerEvent]:
        """A cell has taken its worker with it: it runs again, or is broken for good."""
        order = left[number]
        if order.attempts <= self._limits.retries:
            return
        if self._own is None:
            self._own = JournalWriter(self._folder / "journal" / f"{self._name}-host.jsonl")
        work = CellWork(
            began=time.time(), host=platform.node() or "localhost", worker=self._name, attempts=order.attempts
        )
        self._own.write(encode_line(CellLine(row=broken_row(order.cell, why), work=work)))
        del left[number]
        yield WorkerEvent(kind="done", number=number, verdict="broken", why=why)

    def _event(self, process: subprocess.Popen[bytes]) -> WorkerEvent | None:
        """What a worker says next; None if it says nothing for a moment, or has ended."""
        assert process.stdout is not None
        if b"\n" not in self._rest:
            ready, _, _ = select.select([process.stdout], [], [], _LOOK_S)
            if ready:
                more = os.read(process.stdout.fileno(), 65536)
                if not more and process.poll() is None:
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(_LOOK_S)
                self._rest += more
        line, end, rest = self._rest.partition(b"\n")
        if not end:
            return None
        self._rest = rest
        event: WorkerEvent = self._decode(line)
        return event

    def _started(self) -> subprocess.Popen[bytes]:
        """The worker, ready for cells.

        Raises:
            SweepPauseError: it does not start.
        """
        while self._process is None:
            self._start()
        return self._process

    def _start(self) -> None:
        """Start the worker; there is none afterwards where it has died, which it may do a few times.

        Raises:
            SweepPauseError: it does not start.
        """
        self._starts += 1
        name = f"{self._name}-{self._starts}"
        self._journal = self._folder / "journal" / f"{name}.jsonl"
        self._log = self._folder / "log" / f"{name}.log"
        ours, theirs = os.pipe()  # theirs is read by the supervisor
        guard = supervised(memory_mib=self._limits.memory_mib, pipe=ours)
        words = [*guard, sys.executable, "-m", "dorosim.app.sweep.worker", str(self._folder), name]
        surroundings = os.environ | {MARK: self._mark}
        with self._log.open("ab") as log:
            self._process = process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=surroundings,
                pass_fds=(ours,),
                start_new_session=True,
            )
        os.close(ours)
        self._pipe, self._rest = theirs, b""
        self._wait_until_ready(process)

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + WORKER_PATIENCE_S
        while not self._stopped():
            event = self._event(process)
            if event is not None and event.kind == "ready":
                return
            ended = process.poll() is not None
            if event is None and ended and _signal_of(process.returncode) and self._deaths + 1 < _MAX_DEATHS:
                self._deaths += 1
                self.end()
                return
            if event is not None or ended or time.monotonic() > end:
                why = event.why if event is not None else f"a worker does not start; see {self._log}"
                self.end()
                raise SweepPauseError(why)

    def end(self) -> None:
        """End the worker, with all that it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        os.close(self._pipe)
        for file in (process.stdin, process.stdout):
            with suppress(OSError):
                file.close()  # type: ignore[union-attr]
        try:
            process.wait(_END_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def close(self) -> None:
        """End the worker, and close what is open."""
        self.end()
        if self._own is not None:
            self._own.close()
            self._own = None


def _how(status: int) -> str:
    """How a process ended, in words."""
    return f"by signal {_signal_of(status)}" if _signal_of(status) else f"with status {status}"


def _signal_of(status: int) -> int:
    """The signal that ended a worker, or the supervisor over it; 0 for none."""
    return -status if status < 0 else status - 128 if 128 < status < MEMORY_STATUS else 0
