"""Cells in this process: verdicts, margins, digests, functions that drive; and the journal."""

from __future__ import annotations

import os
import zlib

import pytest

from dorosim.app.sweep.cell_run import CellRunner, is_full
from dorosim.app.sweep.journal import JournalWriter, read_journal
from dorosim.app.sweep.lock import SweepLock
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from dorosim.app.sweep.sampler import PlanCells
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import OutputError
from tests.sweep.sweep_case import LIMIT, lines, plan, rows_of

STACK = """
class Brake:
    def __init__(self):
        self.seen = []
    def __call__(self, moment):
        self.seen.append(moment.time)
        assert self.seen == sorted(set(self.seen)), "a run of its own"
        return 0.0, 1.0, 0.0

def raises(moment):
    raise ValueError("no idea")

def wrong(moment):
    return "left"

def nan(moment):
    return float("nan"), 0, 0
"""


def test_verdicts_margins_and_measures(tmp_path):
    rows = rows_of(plan(tmp_path), tmp_path)
    assert [one.verdict for one in rows] == ["pass"] * 4 + ["fail"] * 6
    for number, row in enumerate(rows, 1):
        measured = row.measures["max_deceleration"]
        assert measured == pytest.approx(number, rel=0.05)
        assert row.margin == pytest.approx((LIMIT - measured) / LIMIT, abs=1e-9)
        assert (row.margin < 0) == (row.verdict == "fail")
    assert len({one.digest for one in rows}) == 10
    assert [one.digest for one in rows_of(plan(tmp_path), tmp_path)] == [one.digest for one in rows]


def test_a_function_drives(tmp_path):
    (tmp_path / "stack.py").write_text(STACK)
    made = plan(tmp_path, stack={"function": "stack.py:Brake"}, parameters={"v": {"values": [10, 10]}})
    first, second = rows_of(made, tmp_path)
    assert first.verdict == "fail"  # full brakes are more than the limit
    assert 5.0 < first.measures["max_deceleration"] < 12.0
    assert first.digest == second.digest


@pytest.mark.parametrize(
    ("name", "said"),
    [("raises", "ValueError: no idea (stack.py:11)"), ("wrong", "returned 'left'"), ("nan", "which no pedal can take")],
)
def test_a_function_that_breaks_breaks_its_cell_only(tmp_path, name, said):
    (tmp_path / "stack.py").write_text(STACK)
    (row,) = rows_of(
        plan(tmp_path, stack={"function": f"stack.py:{name}"}, parameters={"v": {"values": [1]}}), tmp_path
    )
    assert row.verdict == "broken"
    assert said in row.why


def test_a_cell_that_cannot_be_read_is_broken(tmp_path):
    made = plan(tmp_path)
    runner, cell = CellRunner(made, tmp_path, tmp_path), PlanCells(made).cell(0)
    (tmp_path / "brake.xosc").write_text("<OpenSCENARIO>")
    row = runner.run(cell)
    assert row.verdict == "broken"
    assert "brake.xosc" in row.why


def test_lines_of_a_journal_that_are_torn_do_not_count(tmp_path):
    path = tmp_path / "journal" / "a.jsonl"
    writer = JournalWriter(path)
    for text in (b"one", b"two"):
        writer.write(text)
    writer.close()
    whole = path.read_bytes()
    assert list(read_journal(path)) == [b"one", b"two"]
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        assert list(read_journal(path)) == [b"one", b"two"][: whole[:cut].count(b"\n")]
    path.write_bytes(whole.replace(b"two", b"twx") + b"\n" + b"%08x three\n" % zlib.crc32(b"three"))
    assert list(read_journal(path)) == [b"one", b"three"]
    with pytest.raises(OutputError, match="cannot be made"):
        JournalWriter(path)


def test_a_cell_whose_line_is_torn_runs_again(tmp_path):
    made, out = plan(tmp_path, parameters={"v": {"values": [1, 2, 8]}}), tmp_path / "out"
    run_sweep(made, tmp_path, SweepOptions(out=out, workers=1))
    whole = lines(out)
    (journal,) = (one for one in (out / "journal").glob("*.jsonl") if one.stat().st_size)
    journal.write_bytes(journal.read_bytes()[:-3])
    assert len(lines(out)) == 2
    run_sweep(made, tmp_path, SweepOptions(out=out, workers=1, resume=True))
    again = lines(out)
    assert [line.row for line in again] == [line.row for line in whole]
    assert sum(new.work != old.work for new, old in zip(again, whole, strict=True)) == 1, "the others did not"


def test_one_runner_at_a_time(tmp_path):
    lock = SweepLock(tmp_path / "sweep")
    try:
        with pytest.raises(InputError, match="another runner works on this sweep"):
            SweepLock(tmp_path / "sweep")
        lock.leave("7 abc")
    finally:
        lock.close()
    after = SweepLock(tmp_path / "sweep")
    assert after.last == "7 abc"
    after.close()


def test_a_full_disk_is_no_verdict(tmp_path, monkeypatch):
    made = plan(tmp_path)
    runner = CellRunner(made, tmp_path, tmp_path)

    def full(_):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(runner, "scene", full)
    with pytest.raises(OSError, match="No space") as caught:
        runner.run(PlanCells(made).cell(0))
    assert is_full(caught.value)
