"""`dorosim scenario run --stack`: a program that drives is started with each run, and ended after it."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.app.command import dorosim
from tests.source import ROOT

EXAMPLES = ROOT / "examples/scenario"
PEDESTRIAN = EXAMPLES / "pedestrian.xosc"
LOCKSTEP = ("--lockstep", "--ports", "auto", "--no-collision")


def command(*words: str) -> str:
    return shlex.join([sys.executable, *words])


def sdk_stack(*options: str) -> str:
    return command(str(EXAMPLES / "sdk_stack.py"), *options)


def run(ego: str, stack: str, *options: str, file: Path = PEDESTRIAN) -> tuple[int, str]:
    """Exit status and last line of a run."""
    done = dorosim("scenario", "run", file, "--ego", ego, "--stack", stack, *LOCKSTEP, *options)
    return done.returncode, (done.stdout.splitlines() or done.stderr.splitlines())[-1]


def test_one_that_brakes_passes_by_grpc_with_the_same_bits_each_time(tmp_path):
    traces = []
    for name in ("one.csv", "two.csv"):
        status, line = run("grpc", sdk_stack(), "--trace", str(tmp_path / name))
        assert (status, line[:5]) == (0, "pass:"), line
        traces.append((tmp_path / name).read_bytes())
    assert traces[0] == traces[1]


def test_one_that_does_not_brake_fails_by_grpc():
    status, line = run("grpc", sdk_stack("--blind"))
    assert status == 1
    assert line.startswith("fail: no collision: collision at ")


def test_one_by_udp_finds_its_ports():
    status, line = run("udp", command(str(EXAMPLES / "brake_stack.py")), file=EXAMPLES / "cut_in.xosc")
    assert (status, line[:5]) == (0, "pass:"), line


@pytest.mark.parametrize(
    ("stack", "status", "problem"),
    [
        (command("-c", "raise SystemExit(3)"), 1, "broken: the program that drives ended with status 3"),
        (command("-c", "import os; os.kill(os.getpid(), 9)"), 1, "broken: the program that drives ended by signal 9"),
        ("/no/such/program", 2, "broken: --stack /no/such/program: there is no such program"),
        ("one 'two", 2, "is no command: No closing quotation"),
    ],
)
def test_one_that_fails_breaks_the_run(stack, status, problem):
    found, line = run("udp", stack)
    assert found == status
    assert problem in line


def test_what_it_has_started_is_ended_with_it(tmp_path):
    told = tmp_path / "told"
    child = f"import os, pathlib, time; pathlib.Path({str(told)!r}).write_text(str(os.getpid())); time.sleep(100)"
    parent = f"""
import pathlib, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {child!r}])
told = pathlib.Path({str(told)!r})
while not (told.exists() and told.read_text()):
    time.sleep(0.01)
sys.exit(1)
"""
    assert run("udp", command("-c", parent))[0] == 1
    state = Path(f"/proc/{told.read_text()}/stat")
    # one that has ended stays in the table until its parent, or that of all, has looked at it
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


def test_it_needs_a_way_to_drive():
    result = dorosim("scenario", "run", PEDESTRIAN, "--stack", "true")
    assert result.returncode == 2
    assert "add --ego udp, ros or grpc" in result.stderr


def test_the_line_that_repeats_a_run_has_the_program():
    stack = command("-c", "raise SystemExit(3)")
    done = dorosim("scenario", "run", PEDESTRIAN, "--ego", "udp", "--stack", stack, *LOCKSTEP)
    (again,) = (line.removeprefix("again: ") for line in done.stdout.splitlines() if line.startswith("again: "))
    words = shlex.split(again)
    assert words[words.index("--stack") + 1] == stack
    assert {"--ego", "udp", "--lockstep", "--ports", "auto", "--no-collision"} <= set(words)
