"""The process that runs cells: it takes them from standard input, and says what became of each on standard output.

    python -m dorosim.app.sweep.worker FOLDER JOURNAL

A line that comes is a list of cells; a line that goes is an event. A cell is finished as its line is in the journal.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from dorosim.app.sweep.branch import BranchError
from dorosim.app.sweep.cell import CellLine, CellWork, encode_line
from dorosim.app.sweep.cell_run import CellRunner, is_full, quiet_output
from dorosim.app.sweep.journal import JournalWriter
from dorosim.app.sweep.sweep_folder import SweepFolder
from dorosim.app.sweep.worker_event import CellOrder, WorkerEvent
from dorosim.ground.error import DorosimError


class CellWorker:
    """Runs cells.

    Args:
        folder: of the sweep. journal: the file for their lines. out: descriptor for events.
    """

    def __init__(self, folder: SweepFolder, journal: str, out: int) -> None:
        self._out, self._encode = out, msgspec.json.Encoder().encode
        self._plan = folder.plan()
        self._runner = CellRunner(self._plan, folder.base, folder.path)
        self._journal = JournalWriter(folder.path / "journal" / f"{journal}.jsonl")
        self._name, self._host, self._folder = journal, platform.node() or "localhost", folder

    def say(self, event: WorkerEvent) -> None:
        """Write an event."""
        left = memoryview(self._encode(event) + b"\n")
        while left:
            left = left[os.write(self._out, left) :]

    def run(self, order: CellOrder) -> bool:
        """Run a cell, again as often as it breaks and the plan allows. Returns whether the next one may be run."""
        began, attempts = time.time(), order.attempts
        begin = time.perf_counter()
        full = self._folder.fullness(self._plan.limits.free_mib)
        if full:
            self.say(WorkerEvent(kind="full", number=order.cell.number, why=full))
            return False
        try:
            while True:
                attempts += 1
                self.say(WorkerEvent(kind="begun", number=order.cell.number))
                row = self._runner.run(order.cell)
                if row.verdict != "broken":
                    break
                full = self._folder.fullness(max(self._plan.limits.free_mib, 1))
                if full:  # which a stack may have found before this worker did
                    self.say(WorkerEvent(kind="full", number=order.cell.number, why=full))
                    return False
                if attempts > self._plan.limits.retries:
                    break
            wall = time.perf_counter() - begin
            work = CellWork(wall=round(wall, 6), began=began, host=self._host, worker=self._name, attempts=attempts)
            self._journal.write(encode_line(CellLine(row=row, work=work)))
        except BranchError as error:
            self.say(WorkerEvent(kind="unable", number=order.cell.number, why=str(error)))
            return False
        except OSError as error:
            if not is_full(error):
                raise
            self.say(WorkerEvent(kind="full", number=order.cell.number, why="the disk is full"))
            return False
        number, verdict, margin = order.cell.number, row.verdict, row.margin
        self.say(WorkerEvent(kind="done", number=number, verdict=verdict, margin=margin, why=row.why, wall=wall))
        return True


def main(arguments: list[str]) -> int:
    """Run cells until standard input ends. Returns the exit status."""
    with quiet_output() as out:
        return _serve(arguments, out)


def _serve(arguments: list[str], out: int) -> int:
    decode: Any = msgspec.json.Decoder(list[CellOrder]).decode
    try:
        worker = CellWorker(SweepFolder(Path(arguments[0])), arguments[1], out)
    except DorosimError as error:
        os.write(out, msgspec.json.encode(WorkerEvent(kind="unable", why=str(error))) + b"\n")
        return 2
    worker.say(WorkerEvent(kind="ready"))
    for line in sys.stdin.buffer:
        if not all(worker.run(one) for one in decode(line)):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
