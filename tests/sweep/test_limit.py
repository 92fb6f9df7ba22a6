"""Limits of cells: stacks that misbehave spoil their own cells only, and a full disk pauses the sweep."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.app.run import session
from dorosim.app.sweep.marked import marked
from dorosim.app.sweep.plan_file import plan_from_file
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from dorosim.app.sweep.worker_host import SweepPauseError
from dorosim.endpoint.udp.socket import AddressInUseError
from tests.app.command import dorosim
from tests.sweep.sweep_case import lines, plan, plan_file, rows_of

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")

EXAMPLES = Path(__file__).parents[2] / "examples/scenario"
SMALL_DISK = "48k"

STACK = f"""
import os, runpy, signal, subprocess, sys, time
from pathlib import Path

folder = Path(os.environ["DOROSIM_CELL_FOLDER"])
number = int(sys.argv[1] if len(sys.argv) > 1 else os.environ["DOROSIM_CELL_NAME"].rpartition("-")[2])
if number == 0:  # leaks
    kept = []
    while True:
        kept.append(b"x" * (64 << 20))
if number == 1:  # writes in many files, into a folder of its own
    (folder / "logs").mkdir()
    for name in range(10_000):
        (folder / "logs" / str(name)).write_bytes(bytes(1 << 20))
if number == 2:  # leaves the run, and two processes in sessions of their own
    for _ in range(2):
        subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(900)"], start_new_session=True)
    sys.exit(3)
if number == 4:  # hangs, and does not end as it is asked to
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
    time.sleep(900)
sys.argv[1:] = ["--speed", "12"]
runpy.run_path({str(EXAMPLES / "brake_stack.py")!r}, run_name="__main__")
"""


def of_programs(folder, speeds, word="", **limits):
    """A plan whose cells are driven by `STACK`."""
    (folder / "stack.py").write_text(STACK)
    return plan(
        folder,
        scenario=[{"file": str(EXAMPLES / "cut_in.xosc")}],
        parameters={"EgoSpeed": {"values": speeds}},
        criteria={"no_collision": True},
        measures=["min_distance"],
        limits={"retries": 0, "memory_mib": 400, "disk_mib": 8} | limits,
        stack={"command": f"{{python}} {folder / 'stack.py'} {word}"},
    )


def rows_of_sweep(made, folder):
    """Rows of a sweep that leaves nothing behind."""
    run_sweep(made, folder, SweepOptions(out=folder / "out", workers=2))
    assert not marked((folder / "out/lock").read_text().split()[1])
    return [line.row for line in lines(folder / "out")]


def test_programs_that_leak_write_and_fork_spoil_their_own_cells_only(tmp_path):
    rows = rows_of_sweep(of_programs(tmp_path, [12, 12, 12, 12], wall_s=300), tmp_path)
    assert [one.verdict for one in rows] == ["broken"] * 3 + ["pass"], [one.why for one in rows]
    assert rows[0].why == "the stack took more than 400 MiB of memory"
    assert rows[1].why == "the stack wrote more than 8 MiB to its folder"
    assert rows[2].why.endswith("status 3")
    assert list((tmp_path / "out/cells").iterdir()) == []


NOISY = """
import os, stat

def writes(moment):
    \"\"\"Writes to the pipes of its process, in the first tick of every second cell.\"\"\"
    if moment.time < 11_000_000 and round(moment.ego.speed_along(moment.ego.heading)) % 2:
        for number in range(3, 64):
            try:
                if stat.S_ISFIFO(os.fstat(number).st_mode):
                    os.write(number, b"noise\\n")
            except OSError:
                pass
    return 0.0, 0.0, 0.0
"""


def test_a_function_that_writes_to_all_pipes_breaks_its_own_cell(tmp_path):
    (tmp_path / "stack.py").write_text(NOISY)
    values = {"v": {"values": [1, 2, 3, 4]}}
    made = plan(tmp_path, stack={"function": "stack.py:writes"}, limits={"retries": 0}, parameters=values)
    rows = rows_of_sweep(made, tmp_path)
    assert [one.verdict == "broken" for one in rows] == [True, False, True, False], [one.why for one in rows]
    assert rows[0].why == "its stack wrote among the events of its worker"


def test_a_program_that_hangs_and_ignores_sigterm_is_ended(tmp_path):
    """Its cell takes as long as it may, and nothing is left."""
    (row,) = rows_of_sweep(of_programs(tmp_path, [12], "4", wall_s=3), tmp_path)
    assert (row.verdict, row.why) == ("broken", "it took more than 3 s")


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of its own that has room for some cells, and what makes it larger."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    if os.geteuid() or mount is None:
        pytest.skip("a disk of its own needs root and mount")
    words = [mount, "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "tmpfs", str(folder)]
    made = subprocess.run(words, capture_output=True, check=False, text=True)
    if made.returncode:
        pytest.skip(f"no disk of its own here: {made.stderr.strip()}")
    yield folder, lambda: subprocess.run([mount, "-o", "remount,size=64m", str(folder)], check=True)
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_really_full_pauses_the_sweep_and_resume_goes_on(small_disk, tmp_path):
    folder, enlarge = small_disk
    parameters = {"v": {"from": 1, "to": 10, "count": 80}}
    file = plan_file(tmp_path, parameters=parameters, limits={"free_mib": 0})
    made, _ = plan_from_file(file)
    with pytest.raises(SweepPauseError, match="the disk is full"):
        run_sweep(made, tmp_path, SweepOptions(out=folder / "out"))
    before = {line.row.cell.number: line for line in lines(folder / "out")}
    assert 3 < len(before) < 80
    told = dorosim("sweep", file, "--out", folder / "out", "--workers", "1", "--resume")
    assert told.returncode == 2
    assert "the sweep pauses" in told.stderr
    assert "--resume" in told.stderr
    enlarge()
    run_sweep(made, tmp_path, SweepOptions(out=folder / "out", resume=True))
    after = {line.row.cell.number: line for line in lines(folder / "out")}
    assert {number: after[number] for number in before} == before
    assert [line.row for line in lines(folder / "out")] == rows_of(made, tmp_path)


def test_a_port_that_another_program_took_meanwhile_costs_no_cell(tmp_path, monkeypatch):
    """Ports are chosen and bound one after the other; others may do so between."""
    opened = []
    opens = session.open_session

    def taken_at_first(settings, context):
        opened.append(settings.port_offset)
        if len(opened) < 3:
            raise AddressInUseError("udp", "", "is in use by another program", "")
        return opens(settings, context)

    monkeypatch.setattr(session, "open_session", taken_at_first)
    (row,) = rows_of(of_programs(tmp_path, [12], "3"), tmp_path)
    assert (row.verdict, len(opened)) == ("pass", 3), row.why
