"""Workers that say nothing more, and journals whose writers still live."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dorosim.app.sweep import worker_host
from dorosim.app.sweep.journal import JournalWriter, read_journal, wait_for_writers
from dorosim.app.sweep.sampler import PlanCells
from dorosim.app.sweep.sweep_folder import make_folder
from dorosim.app.sweep.worker_event import CellOrder
from dorosim.app.sweep.worker_host import SweepPauseError, WorkerHost
from tests.sweep.sweep_case import lines, plan, rows_of

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")
SILENT = """
import signal, sys

def drive(moment):
    return 0.0, 0.0, 0.0

worker = getattr(sys.modules["__main__"], "CellWorker", None)
if worker is not None:  # else this is the test
    say = worker.say

    def say_no_more(self, event):
        say(self, event)
        if event.kind == "WORD":
            signal.pause()

    worker.say = say_no_more
"""
"""A function whose worker does not go on after a word of its own."""


@pytest.fixture
def held(tmp_path):
    """Holds a worker that falls silent after a word; it has ended after the test."""
    hosts = []

    def hold(word: str, idle_s: float):
        (tmp_path / "stack.py").write_text(SILENT.replace("WORD", word))
        values = {"v": {"values": [1, 2]}}
        made = plan(
            tmp_path, stack={"function": "stack.py:drive"}, limits={"retries": 0, "wall_s": 600}, parameters=values
        )
        make_folder(tmp_path / "out", made, tmp_path, 2, resume=False)
        hosts.append(WorkerHost(tmp_path / "out", "w", made.limits, "test", idle_s=idle_s))
        return made, hosts[0].run([CellOrder(cell=PlanCells(made).cell(number)) for number in range(2)])

    yield hold
    for one in hosts:
        one.close()


def test_a_worker_that_is_silent_between_cells_is_ended_and_no_cell_suffers(held, tmp_path):
    made, events = held("done", 5.0)
    assert [event.number for event in events] == [0, 1]
    found = lines(tmp_path / "out")
    assert [line.row for line in found] == rows_of(made, tmp_path)
    assert [line.row.verdict for line in found] != ["broken", "broken"]
    assert [line.work.attempts for line in found] == [1, 1]
    assert len({line.work.worker for line in found}) == 2, "another worker has run the second one"


def test_workers_that_begin_nothing_pause_the_sweep(held, tmp_path, monkeypatch):
    monkeypatch.setattr(worker_host, "_MAX_DEATHS", 1)
    _, events = held("ready", 0.3)
    with pytest.raises(SweepPauseError, match=r"workers say nothing for 0\.3 s before they begin; see .*w-1\.log"):
        list(events)
    assert lines(tmp_path / "out") == []


WRITER = """
import sys
from pathlib import Path
from dorosim.app.sweep import worker_host
from dorosim.app.sweep.journal import JournalWriter

writer = JournalWriter(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
writer.write(b"late")
"""


def test_a_journal_is_waited_for_while_its_writer_lives(tmp_path):
    path = tmp_path / "journal.jsonl"
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "ready\n"
        assert not wait_for_writers([path], 0.0)
        process.stdin.write("\n")
        process.stdin.flush()
        assert wait_for_writers([path, tmp_path / "none.jsonl"], 120.0)
    assert list(read_journal(path)) == [b"late"]


def test_a_writer_that_has_closed_its_journal_is_not_waited_for(tmp_path):
    path = tmp_path / "journal.jsonl"
    writer = JournalWriter(path)
    try:
        assert not wait_for_writers([path], 0.0)
    finally:
        writer.close()
    assert wait_for_writers([path], 0.0)
