"""A stack in a container, by a command template: with a service of the tests' own, since no container may run here."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source import ROOT
from tests.sweep.sweep_case import plan, rows_of
from tests.timing import wait_for

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")
OPTIONS = "run --rm --network host --name {name} -v {runs}:{runs}:ro -e DOROSIM_RUN -e DOROSIM_RUN_FOLDER"
"""Those of the command in docs/how-to/sweep.md."""


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


def test_a_container_drives_and_is_ended_by_its_name(service, tmp_path):
    container, done = service
    stack = ROOT / "examples/scenario/brake_stack.py"
    made = plan(
        tmp_path,
        scenario=[{"file": str(ROOT / "examples/scenario/cut_in.xosc")}],
        parameters={"EgoSpeed": {"values": [12]}},
        criteria={"no_collision": True},
        measures=["min_distance"],
        stack={
            "container": f"{container} {OPTIONS} {sys.executable} {stack} --patience 600",
            "stop": f"{container} kill {{name}}",
        },
    )
    (row,) = rows_of(made, tmp_path)
    assert (row.verdict, row.why) == ("pass", "the stop trigger is met; 1 criterion held")
    lines = wait_for(lambda: len(done()) >= 3 and done())
    (begun, name, _), *rest = [line.split() for line in lines]
    assert (begun, name) == ("begun", "dorosim-sweep-0")
    assert sorted(rest) == [["ended", name, "-9"], ["killed", name, "0"]]


def test_the_options_are_those_of_the_documentation():
    assert f'"docker {OPTIONS} my-image"' in (ROOT / "docs/how-to/sweep.md").read_text()
