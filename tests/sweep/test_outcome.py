"""What becomes of cells: retries, stacks that run freely, addresses of cells that run at once, and failures again."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from dorosim.app.sweep.lock import SweepLock
from dorosim.app.sweep.ray_pool import RayHost
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from dorosim.app.sweep.sampler import PlanCells
from dorosim.app.sweep.sweep_folder import make_folder
from dorosim.app.sweep.worker_event import CellOrder, WorkerEvent
from tests.app.command import dorosim
from tests.loaded import COMMAND
from tests.sweep.sweep_case import lines, plan, plan_file, rows_of

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")

EXAMPLES = Path(__file__).parents[2] / "examples/scenario"
FLAKY = """
import os
from pathlib import Path

def times(name):
    "How often a cell of this speed has begun, this time included."
    file = Path(__file__).with_name(name)
    with file.open("a") as log:
        log.write("x")
    return len(file.read_text())

class Flaky:
    def __call__(self, moment):
        if moment.time == 0:
            speed = round(moment.ego.velocity_x)
            begun = times(f"begun-{speed}")
            if speed in (2, 5) and begun == 1 or speed == 3:
                raise ValueError("not yet")
            if speed == 4 and begun < 3:
                os._exit(5)
            if speed == 6:
                if begun == 1:
                    raise ValueError("not yet")
                os._exit(5)
        return 0.0, 0.1, 0.0
"""


def test_a_cell_that_breaks_is_tried_again_as_often_as_the_plan_says(tmp_path):
    (tmp_path / "stack.py").write_text(FLAKY)
    made = plan(
        tmp_path,
        stack={"function": "stack.py:Flaky"},
        parameters={"v": {"values": [1, 2, 3, 4, 5]}},
        limits={"retries": 2},
        criteria={"no_collision": True},
    )
    run_sweep(made, tmp_path, SweepOptions(out=tmp_path / "out", workers=1))
    found = lines(tmp_path / "out")
    assert [line.row.verdict for line in found] == ["pass", "pass", "broken", "pass", "pass"]
    assert [line.work.attempts for line in found] == [1, 2, 3, 3, 2]
    assert [len((tmp_path / f"begun-{speed}").read_text()) for speed in range(1, 6)] == [1, 2, 3, 3, 2]
    assert "not yet" in found[2].row.why
    told = json.loads(dorosim("sweep", "report", tmp_path / "out", "--no-worst", "--json").stdout)
    assert (told["passed"], told["failed"], told["broken"], told["cells"]) == (4, 0, 1, 5)
    work = list(csv.DictReader((tmp_path / "out/report/work.csv").read_text().splitlines()))
    assert [row["attempts"] for row in work] == ["1", "2", "3", "3", "2"]


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_a_cell_that_breaks_in_several_ways_is_tried_no_more_often(tmp_path, retries):
    """By an error in its worker first, by a crash of the worker then. Workers of Ray count as those of this machine."""
    (tmp_path / "stack.py").write_text(FLAKY)
    made = plan(
        tmp_path,
        stack={"function": "stack.py:Flaky"},
        parameters={"v": {"values": [6, 1]}},
        limits={"retries": retries},
    )
    make_folder(tmp_path / "out", made, tmp_path, 2, resume=False)
    cells = PlanCells(made)
    orders = [CellOrder(cell=cells.cell(number)) for number in range(cells.total)]
    host = RayHost(str(tmp_path / "out"), "w", made.limits, "test")
    try:
        content, why = host.run(msgspec.json.encode(orders))
    finally:
        host.close()
    assert why == ""
    events = msgspec.json.decode(content, type=list[WorkerEvent])
    assert sorted((one.number, one.verdict) for one in events) == [(0, "broken"), (1, "pass")]
    assert [line.work.attempts for line in lines(tmp_path / "out")] == [retries + 1, 1]
    assert [len((tmp_path / f"begun-{speed}").read_text()) for speed in (6, 1)] == [retries + 1, 1]


SHOWS = f"""
import json, os, runpy, sys
from pathlib import Path

names = sorted(name for name in os.environ if name.startswith("DOROSIM_ADDRESS_"))
told = {{name: os.environ[name] for name in names}} | {{"folder": os.environ["DOROSIM_CELL_FOLDER"]}}
place = Path(__file__).parent / "told"
place.mkdir(exist_ok=True)
(place / os.environ["DOROSIM_CELL_NAME"]).write_text(json.dumps(told))
import time
for _ in range(6000):  # until the other one runs, too
    if len(list(place.iterdir())) >= 2:
        break
    time.sleep(0.05)
sys.argv[1:] = ["--speed", "12"]
runpy.run_path({str(EXAMPLES / "brake_stack.py")!r}, run_name="__main__")
"""


def of_programs(folder, **changes):
    """Two cells whose stack drives once both run, and writes down its addresses."""
    (folder / "stack.py").write_text(SHOWS)
    usual = {
        "scenario": [{"file": str(EXAMPLES / "cut_in.xosc")}],
        "parameters": {"EgoSpeed": {"values": [12]}},
        "criteria": {"no_collision": True},
        "measures": ["min_distance"],
        "sampling": {"repeats": 2},
        "limits": {"wall_s": 500},
        "stack": {"command": f"{{python}} {folder / 'stack.py'}", "lockstep": False},
    }
    return plan(folder, **(usual | changes))


def test_cells_that_run_at_once_have_addresses_and_folders_of_their_own(tmp_path):
    """They run freely, which tables and the page say, with how often verdicts of repeats differ."""
    made = of_programs(tmp_path)
    run_sweep(made, tmp_path, SweepOptions(out=tmp_path / "out", workers=2))
    one, other = (json.loads(file.read_text()) for file in sorted((tmp_path / "told").iterdir()))
    assert one.keys() == other.keys()
    assert len(one) > 3
    taken = [set(told.values()) for told in (one, other)]
    assert not taken[0] & taken[1]
    found = lines(tmp_path / "out")
    assert {line.row.verdict for line in found} <= {"pass", "fail"}, [line.row.why for line in found]
    told = json.loads(dorosim("sweep", "report", tmp_path / "out", "--no-worst", "--json").stdout)
    assert told["free_running"] is True
    rows = list(csv.DictReader((tmp_path / "out/report/cells.csv").read_text().splitlines()))
    assert {row["free_running"] for row in rows} == {"True"}
    assert "free-running: nothing repeats bit for bit" in (tmp_path / "out/report/index.html").read_text()


VALUES = {"v": {"values": [1, 8, 2]}}


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A sweep in a folder whose name has a space, one cell of which fails, and its folder."""
    folder = tmp_path_factory.mktemp("my sweeps")
    file = plan_file(folder, parameters=VALUES)
    assert dorosim("sweep", file, "--out", folder / "out", "--workers", "1").returncode == 1
    return folder / "out"


def test_a_report_is_made_during_a_run(swept):
    lock = SweepLock(swept)
    try:
        done = dorosim("sweep", "report", swept, "--no-worst")
    finally:
        lock.close()
    assert done.returncode == 0, done.stderr
    assert (swept / "report/cells.csv").is_file()


def test_the_line_of_a_failure_does_it_again_in_a_shell(swept, tmp_path):
    dorosim("sweep", "report", swept, "--no-worst")
    (line,) = (swept / "report/failures.txt").read_text().splitlines()
    program = tmp_path / "bin/dorosim"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
    surroundings = os.environ | {"PATH": path, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, timeout=300, check=False, env=surroundings, cwd=tmp_path
    )
    assert done.returncode == 1, done.stderr
    assert "fail" in done.stdout
    assert "as before, bit for bit" in done.stdout
    page = (swept / "report/index.html").read_text()
    assert "dorosim sweep again" in page


def test_tables_have_no_wall_time_host_or_worker(swept):
    """Those of one worker and of two are the same file; what differs is in a table apart."""
    folder = swept.parent
    made = plan(folder, parameters=VALUES)
    run_sweep(made, folder, SweepOptions(out=folder / "other", workers=2))
    for out in (swept, folder / "other"):
        dorosim("sweep", "report", out, "--no-worst")
    one, other = ((out / "report/cells.csv").read_bytes() for out in (swept, folder / "other"))
    assert one == other
    assert [line.row for line in lines(swept)] == rows_of(made, folder)
    assert all(line.work.wall > 0.0 and line.work.host for line in lines(swept))
