"""Sweeps whose workers and driver are killed at random moments come to the rows of an undisturbed one."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from dorosim.app.sweep.marked import marked
from dorosim.app.sweep.plan_file import plan_from_file
from tests.sweep.sweep_case import lines, plan_file, rows_of, start
from tests.timing import wait_for

CELLS, KILLS = 400, 200
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")


def finished(out: Path):
    """What the journals have, by number."""
    return {line.row.cell.number: line for line in lines(out)} if (out / "sweep.json").exists() else {}


def mark_of(out: Path) -> str:
    """The mark of the runner that has, or had, the folder."""
    words = (out / "lock").read_text().split() if (out / "lock").exists() else []
    return words[1] if len(words) == 2 else ""


def disturbed(file: Path, out: Path, chance: random.Random, most: int, wait: Callable[[object], None]) -> int:
    """Run a sweep to its end, and kill what belongs to it at moments that `wait` waits for. Returns the kills."""
    killed, known = 0, {}
    while True:
        process = start(file, "--out", out, "--workers", "2", "--resume", folder=file.parent)
        try:
            while killed < most:
                wait(process)
                if process.poll() is not None:
                    break
                victims = [*marked(mark_of(out)), process.pid] if mark_of(out) else [process.pid]
                victim = chance.choice(victims)
                with suppress(ProcessLookupError):
                    os.kill(victim, 9)
                    killed += 1
                if victim == process.pid:
                    break
            output, error = process.communicate(timeout=600)
        finally:
            process.kill()
            process.communicate()
        if mark_of(out):
            wait_for(lambda: not marked(mark_of(out)), 10.0)
        found = finished(out)
        assert {number: found.get(number) for number in known} == known, "a finished cell is neither lost nor repeated"
        known = found
        if process.returncode == 2:  # its workers were killed too often before they began
            assert "the sweep pauses: workers end by signal" in error or "a worker does not start" in error, error
        elif process.returncode >= 0:
            assert process.returncode == 1, (output, error)  # some cells fail
            return killed


def plan_of(folder: Path, cells: int) -> Path:
    parameters = {"v": {"from": 1, "to": 10, "count": cells}}
    return plan_file(folder, parameters=parameters, limits={"retries": 100})


def test_kills_lose_and_repeat_nothing(tmp_path):
    file, out, chance = plan_of(tmp_path, 60), tmp_path / "out", random.Random(7)

    def until_some_more_are_done(process):
        wanted = len(finished(out)) + chance.randrange(1, 6)
        wait_for(lambda: process.poll() is not None or len(finished(out)) >= wanted, 180.0)

    assert disturbed(file, out, chance, 3, until_some_more_are_done) == 3
    made, _ = plan_from_file(file)
    assert [line.row for line in lines(out)] == rows_of(made, tmp_path)


@pytest.mark.soak
def test_200_kills_lose_and_repeat_nothing(tmp_path):
    file, chance, killed, sweeps = plan_of(tmp_path, CELLS), random.Random(24), 0, 0
    made, _ = plan_from_file(file)
    rows = rows_of(made, tmp_path)

    def any_moment(process):
        """Mostly while cells run, and every fifth time at once, as while processes start."""
        if chance.random() < 0.8:
            before = len(finished(out))
            wait_for(lambda: process.poll() is not None or len(finished(out)) > before, 600.0)
        time.sleep(chance.uniform(0.0, 1.0))

    while killed < KILLS:
        sweeps += 1
        out = tmp_path / f"out-{sweeps}"
        killed += disturbed(file, out, chance, KILLS - killed, any_moment)
        assert [line.row for line in lines(out)] == rows
        print(f"{killed} kills in {sweeps} sweeps", flush=True)
