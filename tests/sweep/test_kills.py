"""Soak: sweeps whose workers and driver are killed at random moments come to the rows of an undisturbed one."""

from __future__ import annotations

import os
import random
import sys
import time
from contextlib import suppress

import pytest

from dorosim.app.sweep.marked import marked
from dorosim.app.sweep.plan_file import plan_from_file
from tests.sweep.sweep_case import lines, plan_file, rows_of, start
from tests.timing import wait_for

KILLS = 200
pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only"),
]


def test_200_kills_lose_and_repeat_nothing(tmp_path):
    file = plan_file(tmp_path, parameters={"v": {"from": 1, "to": 10, "count": 4000}}, limits={"retries": 100})
    out, chance = tmp_path / "out", random.Random(24)
    killed, known = 0, {}
    while killed < KILLS:
        process = start(file, "--out", out, "--workers", "2", "--resume", folder=tmp_path)
        try:
            for _ in range(chance.randrange(1, 6)):
                time.sleep(chance.uniform(0.0, 6.0))
                if process.poll() is not None:
                    break
                mark = wait_for(lambda: (out / "lock").exists() and (out / "lock").read_text(), 60).split()[1]
                victims = marked(mark)
                if victims:
                    with suppress(ProcessLookupError):
                        os.kill(chance.choice(victims), 9)
                        killed += 1
            if process.poll() is None:
                process.kill()
                killed += 1
        finally:
            process.kill()
            process.communicate()
        mark = (out / "lock").read_text().split()[1]
        wait_for(lambda mark=mark: not marked(mark), 10.0)
        if (out / "sweep.json").exists():
            found = {line.row.cell.number: line for line in lines(out)}
            assert {number: found.get(number) for number in known} == known
            known = found
    process = start(file, "--out", out, "--workers", "2", "--resume", folder=tmp_path)
    process.communicate(timeout=3600)
    made, _ = plan_from_file(file)
    assert [line.row for line in lines(out)] == rows_of(made, tmp_path)
