"""A run goes on from anywhere: in another process, from a file, with other threads, hash for hash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TICKS, SPLIT = 160, 97
THREADS = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def driven(data: Path, ticks: int, *more: object, **environment: str) -> tuple[list[str], int]:
    """Digests of a world that is driven in another process, and its threads."""
    return result_of(started(data, ticks, *more, **environment))


def started(data: Path, ticks: int, *more: object, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.system.continued", str(data), str(ticks), *map(str, more)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment)


def result_of(process: subprocess.Popen[str]) -> tuple[list[str], int]:
    output, _ = process.communicate()
    assert process.returncode == 0
    *digests, threads = output.split()
    return digests, int(threads)


@pytest.fixture(scope="module")
def straight(tmp_path_factory) -> tuple[Path, list[str]]:
    """A run that never stopped, and the snapshot that it left on its way."""
    folder = tmp_path_factory.mktemp("straight")
    many = dict.fromkeys(THREADS, "2")
    digests, threads = driven(folder, TICKS, "--save", SPLIT, folder / "split.snapshot", **many)
    assert len(set(digests)) == TICKS
    assert threads == 2
    return folder, digests


def test_a_snapshot_that_goes_on_in_another_process_equals_the_run_that_never_stopped(straight):
    folder, digests = straight
    assert driven(folder, TICKS - SPLIT, "--from", folder / "split.snapshot")[0] == digests[SPLIT:]


def test_the_number_of_threads_changes_nothing(straight):
    folder, digests = straight
    again, threads = driven(folder, TICKS, **dict.fromkeys(THREADS, "1"), PYTHONHASHSEED="1")
    assert threads == 1
    assert again == digests


def test_snapshots_of_snapshots_go_on_too(straight):
    """Every tick is a place to stop at: a chain of files, the last of which is the run's own."""
    folder, digests = straight
    start, seen = folder / "split.snapshot", []
    for number, ticks in enumerate((1, 20)):
        file = folder / f"{number}.snapshot"
        at = SPLIT + len(seen) + ticks
        seen += driven(folder, ticks, "--from", start, "--save", at, file)[0]
        start = file
    assert seen == digests[SPLIT : SPLIT + 21]


@pytest.mark.parametrize(
    ("cars", "ticks", "every"), [(100, 500, 10), pytest.param(1000, 100_000, 100, marks=pytest.mark.soak)]
)
def test_much_traffic_gives_the_same_hashes_twice_and_when_split(tmp_path, cars, ticks, every):
    split, file = ticks * 2 // 5, tmp_path / "split.snapshot"
    world = ("--cars", cars, "--every", every)
    twice = [started(tmp_path, ticks, *world, "--save", split, file), started(tmp_path, ticks, *world)]
    straight, again = (result_of(process)[0] for process in twice)
    assert len(set(straight)) == ticks // every
    assert again == straight
    assert driven(tmp_path, ticks - split, *world, "--from", file)[0] == straight[split // every :]
