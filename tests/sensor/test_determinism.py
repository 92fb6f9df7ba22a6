"""Same Snapshot and seed, same bytes: whatever the number of threads, the process, and what else is mounted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.sensor.witness import OTHERS, RIG, digests

ROOT = Path(__file__).parents[2]


@cache
def alone() -> dict[int, str]:
    return digests(RIG)


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_change_no_byte(threads):
    assert digests(RIG, threads) == alone()


def test_another_process_tells_the_same():
    paths = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "77"}
    command = [sys.executable, "-m", "tests.sensor.witness", "3"]
    told = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True).stdout
    assert {int(number): digest for number, digest in json.loads(told).items()} == alone()


@pytest.mark.parametrize("another", OTHERS, ids=lambda settings: settings.KIND.name.lower())
def test_one_sensor_more_changes_no_byte_of_the_others(another):
    """Among them, so that some read before it and some after it."""
    more = digests(dict(sorted({**RIG, 5: another}.items())))
    assert {sensor: more[sensor] for sensor in RIG} == alone()


def test_each_sensor_tells_something_of_its_own():
    assert len(set(alone().values())) == len(RIG)
    twins = digests({4: RIG[4], 5: RIG[4]})
    assert twins[4] == alone()[4]
    assert twins[5] != twins[4], "they draw noise of their own"
