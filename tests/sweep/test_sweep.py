"""Whole sweeps: with workers that are processes, killed and resumed, and stacks that misbehave."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from dorosim.app.sweep.marked import MARK, marked
from dorosim.app.sweep.plan_file import plan_from_file
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from tests.app.command import dorosim
from tests.sweep.sweep_case import lines, plan_file, rows_of, start
from tests.timing import wait_for

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")

STACK = """
import os, subprocess, sys, time
class Bad:
    def __call__(self, moment):
        speed = round(moment.ego.velocity_x) if moment.time == 0 else 0
        if speed == 2:
            os._exit(7)
        if speed == 3:
            while True:
                time.sleep(1.0)
        if speed == 4:
            hog = bytearray(600 << 20)
            for at in range(0, len(hog), 4096):
                hog[at] = 1
            time.sleep(600.0)
        if speed == 5:
            subprocess.Popen(["sleep", "1000"], start_new_session=True)
        return 0.0, 0.2, 0.0
"""


def rows(folder):
    return [line.row for line in lines(folder)]


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A sweep whose driver is killed in the middle, and then resumed with another number of workers."""
    folder = tmp_path_factory.mktemp("killed")
    file = plan_file(folder, parameters={"v": {"from": 1, "to": 10, "count": 40}})
    process = start(file, "--out", folder / "out", "--workers", "1", "--json", folder=folder)
    try:
        wait_for(lambda: (folder / "out/sweep.json").is_file() and len(lines(folder / "out")) >= 3, 180.0)
    finally:
        process.kill()
        process.communicate()
    mark = (folder / "out/lock").read_text().split()[1]
    wait_for(lambda: not marked(mark))
    before = {line.row.cell.number: line for line in lines(folder / "out")}
    result = dorosim("sweep", file, "--out", folder / "out", "--workers", "2", "--resume", "--json")
    return folder, before, result


def test_kill_loses_no_finished_cell_and_resume_repeats_none(killed):
    folder, before, result = killed
    assert 3 <= len(before) < 40
    after = {line.row.cell.number: line for line in lines(folder / "out")}
    assert after.keys() == set(range(40))
    assert {number: after[number] for number in before} == before
    written = sum(path.read_bytes().count(b'"row"') for path in (folder / "out/journal").glob("*"))
    assert written == 40
    assert result.returncode == 1
    end = json.loads(result.stdout.splitlines()[-1])
    assert end["event"] == "end"
    assert end["passed"] + end["failed"] + end["broken"] == end["done"] == end["total"] == 40


def test_the_rows_are_those_of_one_process(killed):
    folder, _, _ = killed
    found, problems = plan_from_file(folder / "plan.toml")
    assert problems == []
    assert rows(folder / "out") == rows_of(found, folder)


def test_a_folder_keeps_its_sweep(killed):
    folder, _, _ = killed
    result = dorosim("sweep", folder / "plan.toml", "--out", folder / "out")
    assert "has a sweep already" in result.stderr
    other = folder / "other.toml"
    other.write_text((folder / "plan.toml").read_text().replace('"count": 40', '"count": 41'))
    result = dorosim("sweep", other, "--out", folder / "out", "--resume")
    assert "a sweep of another plan" in result.stderr
    assert "[sweep]" in result.stderr


def test_a_cell_is_run_again(killed):
    folder, _, _ = killed
    result = dorosim("sweep", "again", folder / "out", "0", "--record", folder / "again.rec")
    assert result.returncode == 0
    assert "as before, bit for bit" in result.stdout
    assert (folder / "again.rec").stat().st_size > 1000
    result = dorosim("sweep", "again", folder / "out", "39", "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout)["same"] is True
    assert dorosim("sweep", "again", folder / "out", "40").returncode == 2
    assert dorosim("sweep", "again", folder, "1").returncode == 2


def test_stacks_that_crash_hang_leak_and_fork_break_their_own_cells_only(tmp_path):
    (tmp_path / "stack.py").write_text(STACK)
    file = plan_file(
        tmp_path,
        stack={"function": "stack.py:Bad"},
        parameters={"v": {"from": 1, "to": 6, "step": 1}},
        limits={"wall_s": 20.0, "retries": 0, "memory_mib": 450},
        criteria={"no_collision": True},
    )
    made, _ = plan_from_file(file)
    before = set(_sleepers())
    run_sweep(made, tmp_path, SweepOptions(out=tmp_path / "out"))
    found = rows(tmp_path / "out")
    assert [one.verdict for one in found] == ["pass", "broken", "broken", "broken", "pass", "pass"]
    assert "ended with status 7" in found[1].why
    assert "more than 20 s" in found[2].why
    assert "more than 450 MiB" in found[3].why
    assert set(_sleepers()) <= before
    told = dorosim("sweep", file, "--out", tmp_path / "out", "--resume").stdout.splitlines()
    assert told[:2] == ["6 cells: 3 pass, 3 broken", f"a broken one: {found[1].why}"]


def _sleepers():
    """Processes that are marked by a sweep and sleep."""
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            process, number = entry, int(entry.name)
            asleep = b"sleep\0" in (process / "cmdline").read_bytes()
            if asleep and MARK.encode() in (process / "environ").read_bytes():
                yield number


def test_a_disk_without_room_pauses_the_sweep(tmp_path):
    file = plan_file(tmp_path, limits={"free_mib": 1 << 29})
    result = dorosim("sweep", file, "--out", tmp_path / "out", "--workers", "1")
    assert result.returncode == 2
    assert "the sweep pauses: the disk has" in result.stderr
    assert "--resume" in result.stderr
    assert lines(tmp_path / "out") == []


def test_ctrl_c_ends_a_sweep_with_all_its_processes(tmp_path):
    file = plan_file(tmp_path, parameters={"v": {"from": 1, "to": 10, "count": 4000}})
    process = start(file, "--out", tmp_path / "out", "--workers", "1", folder=tmp_path)
    try:
        wait_for(lambda: (tmp_path / "out/sweep.json").is_file() and lines(tmp_path / "out"), 180.0)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=120)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert "go on with it" in error
    assert not marked((tmp_path / "out/lock").read_text().split()[1])
