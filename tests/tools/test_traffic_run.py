"""Traffic is the same each time, and the same when it is stopped and goes on in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dorosim.mapmaking.track import grid_map
from dorosim.road.network import network_from_mgeo
from tests.app.continuation import run_on
from tools.traffic_run import TrafficRun

PROJECT = Path(__file__).parents[2]


def other_process(*arguments: object, threads: int = 1) -> str:
    """The digest that `tests.app.continuation` prints, with other hashes of texts and so many threads allowed."""
    surroundings = {**os.environ, "PYTHONHASHSEED": str(threads), "NUMBA_NUM_THREADS": str(threads)}
    surroundings["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-m", "tests.app.continuation", *map(str, arguments)]
    done = subprocess.run(command, cwd=PROJECT, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def check_equal(side: int, vehicles: int, ticks: int, folder: Path) -> None:
    """Run once in two processes, and once in two halves in two more."""
    whole = other_process(side, vehicles, ticks, threads=2)
    first = other_process(side, vehicles, ticks // 2, folder / "middle")
    second = other_process(side, vehicles, ticks - ticks // 2, folder / "middle", folder / "end")
    assert run_on(side, vehicles, ticks) == whole == second != first


def test_two_runs_are_equal_and_so_is_one_in_two_parts(tmp_path: Path) -> None:
    check_equal(3, 100, 3_000, tmp_path)


@pytest.mark.soak
def test_two_long_runs_of_a_thousand_vehicles_are_equal_and_so_is_one_in_two_parts(tmp_path: Path) -> None:
    check_equal(9, 1_000, 100_000, tmp_path)


def test_the_digest_sees_every_change() -> None:

    run = TrafficRun.fill(network_from_mgeo(grid_map(2)), 10, 1)
    before = run.digest()
    run.traffic.s[3] = np.nextafter(run.traffic.s[3], 1e9)
    assert run.digest() != before
    run.traffic.s[3] = np.nextafter(run.traffic.s[3], 0.0)
    assert run.digest() == before
    run.turn += 1
    assert run.digest() != before
