"""The supervisor: nothing that a program starts is left, whoever dies, and limits are held."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.app.sweep import supervisor
from dorosim.app.sweep.marked import MARK, end_marked, marked
from dorosim.app.sweep.plan_axis import size_of_axis
from dorosim.app.sweep.supervised import supervised
from dorosim.app.sweep.supervisor import DISK_STATUS, MEMORY_STATUS
from tests.sweep.sweep_case import plan, rows_of
from tests.timing import wait_for

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the supervisor runs on Linux only")

TREE = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"], start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    time.sleep(600)
open(sys.argv[1], "w").close()
time.sleep(600)
"""
HOG = "import time; kept = b'x' * (150 << 20); time.sleep(600)"
WRITER = "import sys, time; open(sys.argv[1], 'wb').write(bytes(8 << 20)); time.sleep(600)"


@pytest.fixture
def started(tmp_path):
    """Starts programs under supervisors; all are gone after the test."""
    processes, mark = [], f"test-{os.getpid()}-{tmp_path.name}"

    def start(code: str, *arguments: str, memory_mib: int = 4096, disk_mib: int = 64, stop: str = ""):
        words = supervised(memory_mib=memory_mib, folder=tmp_path, disk_mib=disk_mib, stop=stop)
        process = subprocess.Popen(
            [*words, sys.executable, "-S", "-c", code, *arguments],
            stdin=subprocess.PIPE,
            env=os.environ | {MARK: mark},
        )
        processes.append(process)
        return process, mark

    yield start
    for process in processes:
        process.kill()
        process.communicate()
    end_marked(mark)


@pytest.mark.parametrize("end", ["pipe", "SIGTERM"])
def test_a_tree_that_ignores_sigterm_is_ended(started, tmp_path, end):
    process, mark = started(TREE, str(tmp_path / "ready"))
    wait_for((tmp_path / "ready").exists)
    wait_for(lambda: len(marked(mark)) >= 4)
    if end == "pipe":
        process.stdin.close()
    else:
        process.send_signal(signal.SIGTERM)
    process.wait(120)
    assert marked(mark) == []


@pytest.mark.parametrize("end", ["program", "pipe"])
def test_the_command_for_the_end_is_run_however_the_end_comes(started, tmp_path, end):
    """It names what is none of the descendants, as a container."""
    code = "open(sys.argv[1], 'w').close()" + "; time.sleep(600)" * (end == "pipe")
    stop = f"cp {tmp_path / 'ready'} '{tmp_path / 'it is stopped'}'"
    process, _ = started(f"import sys, time; {code}", str(tmp_path / "ready"), stop=stop)
    if end == "pipe":
        wait_for((tmp_path / "ready").exists)
        process.stdin.close()
    process.wait(120)
    assert (tmp_path / "it is stopped").exists()


def test_a_supervisor_below_another_one_has_the_time_for_it(started, tmp_path):
    """Though its program ignores SIGTERM, and takes all the time that others have."""
    inner = supervised(memory_mib=4096, stop=f"touch {tmp_path / 'stopped'}")
    words = [*inner, sys.executable, "-S", "-c", TREE, str(tmp_path / "ready")]
    outer = f"import subprocess; subprocess.Popen({words}, stdin=subprocess.PIPE, start_new_session=True).wait()"
    process, mark = started(outer)
    wait_for((tmp_path / "ready").exists)
    process.stdin.close()
    process.wait(120)
    assert (tmp_path / "stopped").exists()
    assert marked(mark) == []


def test_the_program_dies_with_its_supervisor_and_its_mark_finds_the_rest(started, tmp_path):
    process, mark = started(TREE, str(tmp_path / "ready"))
    wait_for((tmp_path / "ready").exists)
    process.kill()
    process.wait(120)
    assert end_marked(mark) > 0
    assert marked(mark) == []


def test_the_exit_status_is_that_of_the_program(started):
    assert started("raise SystemExit(5)")[0].wait(120) == 5
    assert started("import os; os.kill(os.getpid(), 9)")[0].wait(120) == 128 + 9
    words = [sys.executable, "-I", "-S", str(supervisor.__file__), "--", "no-such-program"]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 127


def test_limits_of_memory_and_disk(started, tmp_path):
    assert started(HOG, memory_mib=100)[0].wait(120) == MEMORY_STATUS
    assert started(WRITER, str(tmp_path / "big"), disk_mib=4)[0].wait(120) == DISK_STATUS


def test_a_program_that_drives_and_one_that_writes_too_much(tmp_path):
    root = Path(__file__).parents[2]
    writes = (
        "import os, time; open(os.environ['DOROSIM_CELL_FOLDER'] + '/big', 'wb').write(bytes(8 << 20)); time.sleep(60)"
    )
    (tmp_path / "writes.py").write_text(writes)
    changes = {
        "scenario": [{"file": str(root / "examples/scenario/cut_in.xosc")}],
        "parameters": {"EgoSpeed": {"values": [12]}},
        "criteria": {"no_collision": True},
        "measures": ["min_distance"],
        "limits": {"disk_mib": 4},
    }
    drives = plan(tmp_path, **changes, stack={"command": f"{{python}} {root / 'examples/scenario/brake_stack.py'}"})
    assert size_of_axis(drives.axes[0]) == 1
    (row,) = rows_of(drives, tmp_path)
    assert (row.verdict, row.why) == ("pass", "the stop trigger is met; 1 criterion held")
    assert row.digest
    (row,) = rows_of(plan(tmp_path, **changes, stack={"command": f"{{python}} {tmp_path / 'writes.py'}"}), tmp_path)
    assert row.verdict == "broken"
    assert list((tmp_path / "cells").iterdir()) == []
