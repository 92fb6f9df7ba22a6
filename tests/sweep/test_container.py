"""A stack in a container, by a command template: with a service of the tests' own, since no container may run here."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.app.sweep.marked import marked
from tests.source import ROOT
from tests.sweep.sweep_case import plan, plan_file, rows_of, start
from tests.timing import wait_for

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")
OPTIONS = "run --rm --init --network host --name {name} -v {runs}:{runs}:ro -e DOROSIM_RUN -e DOROSIM_RUN_FOLDER"
STOP = "rm --force {name}"
"""Those of the commands in docs/how-to/sweep.md."""


@pytest.fixture
def service(tmp_path):
    """The command that asks the service, and what the service has done, line by line."""
    program = [sys.executable, str(Path(__file__).with_name("container.py"))]
    place, log = tmp_path / "socket", tmp_path / "service.log"
    process = subprocess.Popen([*program, "serve", str(place), str(log)])
    try:
        wait_for(place.is_socket)
        yield shlex.join([*program, str(place)]), lambda: log.read_text().splitlines() if log.is_file() else []
    finally:
        process.kill()
        process.wait()


def changes(container: str, program: str):
    """Of a plan of one cell, whose stack the service starts."""
    return {
        "scenario": [{"file": str(ROOT / "examples/scenario/cut_in.xosc")}],
        "parameters": {"EgoSpeed": {"values": [12]}},
        "criteria": {"no_collision": True},
        "measures": ["min_distance"],
        "stack": {"container": f"{container} {OPTIONS} {program}", "stop": f"{container} {STOP}"},
    }


def test_a_container_drives_and_is_ended_by_its_name(service, tmp_path):
    container, done = service
    stack = ROOT / "examples/scenario/brake_stack.py"
    made = plan(tmp_path, **changes(container, f"{sys.executable} {stack} --patience 600"))
    (row,) = rows_of(made, tmp_path)
    assert (row.verdict, row.why) == ("pass", "the stop trigger is met; 1 criterion held")
    lines = wait_for(lambda: len(done()) >= 3 and done())
    (begun, name, _), *rest = [line.split() for line in lines]
    assert begun == "begun"
    assert re.fullmatch(rf"dorosim-sweep-{os.getpid()}\.\d+-0", name), "no two starts have the same name"
    assert sorted(rest) == [["ended", name, "-9"], ["killed", name, "0"]]


def test_a_container_that_hangs_is_ended_where_its_runner_is_killed(service, tmp_path):
    container, done = service
    hangs = shlex.join([sys.executable, "-c", "import time; time.sleep(900)"])
    file = plan_file(tmp_path, **changes(container, hangs))
    process = start(file, "--out", tmp_path / "out", "--workers", "1", folder=tmp_path)
    try:
        (begun,) = wait_for(lambda: process.poll() is None and done(), 180.0)
    finally:
        process.kill()
        process.communicate()
    name = begun.split()[1]
    lines = wait_for(lambda: len(done()) >= 3 and done(), 60.0)
    assert sorted(lines[1:]) == [f"ended {name} -9", f"killed {name} 0"]
    mark = (tmp_path / "out/lock").read_text().split()[1]
    wait_for(lambda: not marked(mark), 60.0)


def test_the_options_are_those_of_the_documentation():
    page = (ROOT / "docs/how-to/sweep.md").read_text()
    assert f'"docker {OPTIONS} my-image"' in page
    assert f'stop = "docker {STOP}"' in page
