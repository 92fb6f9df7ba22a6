"""A sweep on Ray: the rows of one on processes of this machine, its pace, its network, and kills of Ray's processes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.app.sweep.plan_file import plan_from_file
from tests.docs.loopback import own_network
from tests.peers.environment import LIMIT, RLLIB
from tests.peers.rayed import RaySweep, done_cells, left_of, ray_variables
from tests.sweep.sweep_case import lines, plan_file, rows_of

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only"),
]
CELLS, TURNS = 300, 2
LEFT_S = 30.0
"""Time after a kill in which all of a sweep ends; 10 s on a machine with nothing else to do [s]."""
VICTIMS = ("ray::RayHost", "raylet/raylet", "runner")
"""Of the sweep that is killed: an actor, which is replaced; the node, without which a sweep pauses; the runner."""


@pytest.fixture(scope="module")
def variables():
    with ray_variables() as made:
        yield made


@pytest.fixture(scope="module")
def turns(tmp_path_factory, variables):
    """One plan on processes of this machine and on Ray, in turns; in a network of its own where that can be had."""
    folder = tmp_path_factory.mktemp("turns")
    file = plan_file(folder, parameters={"v": {"from": 1, "to": 10, "count": CELLS}})
    words = [*own_network(), sys.executable, RLLIB.folder / "sweep_ray.py", file, folder, TURNS]
    done = subprocess.run(
        list(map(str, words)), env=variables, capture_output=True, text=True, check=False, timeout=LIMIT
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return folder, file, json.loads(done.stdout.splitlines()[-1])


def rows(out: Path):
    return [line.row for line in lines(out)]


def test_a_sweep_on_ray_has_the_rows_of_this_machine(turns):
    folder, _, _ = turns
    local = rows(folder / "local-0")
    assert [row.cell.number for row in local] == list(range(CELLS))
    assert {row.verdict for row in local} == {"pass", "fail"}
    for turn in range(TURNS):
        assert rows(folder / f"ray-{turn}") == local
        assert rows(folder / f"local-{turn}") == local


def test_it_needs_no_network(turns):
    if not own_network():
        pytest.skip("there is no network of its own here (unshare --net)")
    assert turns[2]["alone"]


def test_no_dashboard_is_served_and_no_usage_is_told(turns, variables):
    assert not turns[2]["dashboard"]
    sessions = Path(variables["RAY_TMPDIR"]) / "ray"
    assert list(sessions.glob("*/session_*/logs/raylet.out"))
    assert not list(sessions.glob("*/session_*/usage_stats.json"))  # Ray's own record of what it would send


def test_ray_is_at_most_15_percent_slower(turns):
    spans = turns[2]["spans"]
    ratio = min(spans["ray"]) / min(spans["local"])
    print(f"{CELLS} cells on two workers: Ray takes {ratio:.2f} of the time of local processes")
    assert ratio <= 1.15


def test_kills_lose_and_repeat_no_finished_cell(tmp_path, variables):
    file, out, known = long_plan(tmp_path), tmp_path / "out", {}
    for name in VICTIMS:
        with RaySweep(file, out, variables) as sweep:
            sweep.wait_for_cells(len(known) + 10)
            sweep.kill(sweep.victim(name))
            if name == "ray::RayHost":  # another actor takes its place
                sweep.wait_for_cells(done_cells(out) + 60)
                sweep.kill(sweep.process.pid)
            shown = sweep.end()
        assert name != "raylet/raylet" or "no node of Ray's cluster" in shown or "--resume" in shown
        assert left_of(variables["RAY_TMPDIR"], LEFT_S) == {}
        known = checked(out, known)
    with RaySweep(file, out, variables) as sweep:
        sweep.end(LIMIT)
    finished(file, out, known)


@pytest.mark.soak
def test_20_kills_at_random_lose_and_repeat_no_finished_cell(tmp_path, variables):
    file, out, known, chance = long_plan(tmp_path, 1200), tmp_path / "out", {}, random.Random(24)
    killed = 0
    while killed < 20:
        with RaySweep(file, out, variables) as sweep:
            while killed < 20 and not sweep.is_over:
                sweep.wait_for_cells(done_cells(out) + 1 + chance.randrange(40))
                sweep.kill(chance.choice(list(sweep.processes) or [sweep.process.pid]))
                killed += 1
                if chance.random() < 0.4:
                    sweep.kill(sweep.process.pid)
            sweep.end()
        assert left_of(variables["RAY_TMPDIR"], LEFT_S) == {}
        known = checked(out, known)
    with RaySweep(file, out, variables) as sweep:
        sweep.end(LIMIT)
    finished(file, out, known)


def long_plan(folder: Path, count: int = 600) -> Path:
    return plan_file(folder, parameters={"v": {"from": 1, "to": 10, "count": count}}, limits={"retries": 100})


def checked(out: Path, known):
    """The lines of a sweep by number; those that were known are there as they were."""
    found = {line.row.cell.number: line for line in lines(out)}
    assert {number: found.get(number) for number in known} == known
    return found


def finished(file: Path, out: Path, known) -> None:
    """Hold a sweep against its plan: every cell once, as it is where nothing is killed."""
    made, _ = plan_from_file(file)
    checked(out, known)
    assert rows(out) == rows_of(made, file.parent)
    assert sum(path.read_bytes().count(b'"row"') for path in (out / "journal").glob("*")) == len(lines(out))
