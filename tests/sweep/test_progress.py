"""How far a sweep is: rate, time that is left and failures so far, for terminals and as lines of JSON."""

from __future__ import annotations

import json
import math

import pytest

from dorosim.app.sweep import progress
from dorosim.app.sweep.progress import SweepProgress
from tests.app.command import dorosim
from tests.app.terminal import on_terminal
from tests.sweep.sweep_case import plan_file


@pytest.fixture
def clock(monkeypatch):
    """Sets the time that has passed [s]."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])

    def wait(seconds):
        now[0] += seconds

    return wait


def counted(made, **counts):
    for verdict, count in counts.items():
        for _ in range(count):
            made.count(verdict)


def test_rate_and_time_left_are_of_this_run_alone(clock, capfd):
    made = SweepProgress(1_000, json=True)
    counted(made, **{"pass": 190, "fail": 10})  # finished before, and read from journals
    clock(50.0)
    made.begin()
    counted(made, **{"pass": 60, "fail": 15, "broken": 5})
    clock(20.0)
    made.show()
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [line.pop("event") for line in lines] == ["begin", "progress"]
    assert lines[1] == {
        "done": 280,
        "total": 1_000,
        "passed": 250,
        "failed": 25,
        "broken": 5,
        "rate_hz": 4.0,
        "left_s": 180.0,
        "why": "",
    }
    assert (lines[0]["done"], lines[0]["rate_hz"], lines[0]["left_s"]) == (200, 0.0, None)
    assert made.text() == "280 of 1,000 cells, 25 fail, 5 broken, 4.0 a second, 3 min 00 s left"


@pytest.mark.parametrize(
    ("rate", "left", "said"), [(1, 59, "59 s left"), (1, 61, "1 min 01 s left"), (1, 3600 + 120, "1 h 02 min left")]
)
def test_times_are_in_words(clock, rate, left, said):
    made = SweepProgress(10 * rate + left * rate)
    made.begin()
    counted(made, **{"pass": 10 * rate})
    clock(10.0)
    assert made.text().endswith(said)
    assert made.left_s == pytest.approx(left)


def test_lines_come_once_a_second(clock, capfd):
    made = SweepProgress(9, json=True)
    made.begin()
    for _ in range(25):
        clock(0.2)
        made.show()
    made.end()
    events = [json.loads(line)["event"] for line in capfd.readouterr().out.splitlines()]
    assert events == ["begin", *["progress"] * events.count("progress"), "end"]
    assert 4 <= events.count("progress") <= 5


def test_a_sweep_tells_a_program_and_a_terminal(tmp_path):
    file = plan_file(tmp_path, parameters={"v": {"values": [1, 8, 2]}})
    words = ("sweep", file, "--workers", "1", "--out")
    told = [json.loads(line) for line in dorosim(*words, tmp_path / "a", "--json").stdout.splitlines()]
    assert (told[0]["event"], told[-1]["event"]) == ("begin", "end")
    assert [told[-1][name] for name in ("done", "total", "passed", "failed", "broken")] == [3, 3, 2, 1, 0]
    assert all(math.isfinite(line["rate_hz"]) for line in told)
    status, written = on_terminal(*words, tmp_path / "b")
    assert status == 1
    assert "0 of 3 cells, 0 fail" in written
    assert "3 cells: 2 pass, 1 fail" in written
