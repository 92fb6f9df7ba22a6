"""A user's tests with the fixtures of `dorosim.testing`: side by side, failing, and killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.timing import wait_for

CONFTEST = 'pytest_plugins = ["dorosim.testing"]\n'
BARE = '@pytest.mark.dorosim("--no-view", "--ros-server", "off")\n'
"""Interfaces that the tests do not use, left out so that they start sooner."""
GOOD = f"""
import pytest

{BARE}
@pytest.mark.parametrize("turn", range(3))
def test_each_begins_anew_and_is_the_same(ego, turn):
    assert ego.state.time < 0.2
    ego.drive(accelerator=0.5, steer=0.1)
    state = ego.step(30)
    print("at", state.position, ego.simulator.run.id)
    assert state.speed > 1.0
"""
BAD = f"""
import pytest

{BARE}
def test_it_drives(ego):
    ego.drive(accelerator=0.5)
    assert ego.step(20).speed < 0.1, "it drives"

{BARE}
def test_after_one_that_failed(town):
    assert town.time < 0.2

{BARE}
def test_the_simulator_dies(town):
    town.program.end()
    town.step()

{BARE}
def test_after_one_whose_simulator_died(town):
    town.step()
"""


def start(folder: Path, tests: str, *options: str) -> subprocess.Popen[str]:
    """Begin to run a user's tests with pytest in a folder of their own."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_stack.py").write_text(tests)
    (folder / "pytest.ini").write_text("[pytest]\ndorosim_video = false\n")
    (folder / "run").mkdir(mode=0o700)
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder / "run"), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def run(folder: Path, tests: str, *options: str) -> tuple[int, str]:
    """Run a user's tests. Returns pytest's exit status and what it printed."""
    with start(folder, tests, *options) as process:
        output, _ = process.communicate(timeout=240)
    return process.returncode, output


def locks(folder: Path) -> list[Path]:
    """The locks of runs in a folder of tests."""
    return list((folder / "run" / "dorosim").glob("*.lock"))


def processes_of(folder: Path) -> list[str]:
    """Numbers of the simulators that were started by tests in a folder."""
    return [
        one.name
        for one in Path("/proc").iterdir()
        if one.name.isdigit()
        and str(folder).encode() in _read(one / "environ")
        and b"dorosim\0run" in _read(one / "cmdline")
    ]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_each_test_begins_anew_and_drives_the_same_side_by_side_too(tmp_path):
    status, output = run(tmp_path, GOOD, "-n", "2", "-rP")
    assert status == 0, output
    places = re.findall(r"at (\(.*?\)) ([0-9a-f]{8})", output)
    assert len(places) == 3
    assert len({place for place, _ in places}) == 1, "every test drives the same, bit for bit"
    assert not locks(tmp_path)
    assert not processes_of(tmp_path)


@pytest.mark.parametrize("options", [(), ("-n", "1")])
def test_what_fails_leaves_recording_and_log_and_does_not_disturb_the_next(tmp_path, options):
    status, output = run(tmp_path, BAD, *options)
    assert status == 1
    assert "2 failed, 2 passed" in output, output
    kept = tmp_path / "dorosim-failures" / "test_stack.py-test_it_drives"
    assert (kept / "test.rec").stat().st_size > 1000
    assert (kept / "dorosim.log").read_text()
    if options:
        assert f"log, recording and video of the test: {kept}; " in output
    else:
        assert f"recording: {kept / 'test.rec'}" in output
        assert "the simulator ended during the test" in output
    assert sorted(one.name for one in (tmp_path / "dorosim-failures").iterdir()) == [
        "test_stack.py-test_it_drives",
        "test_stack.py-test_the_simulator_dies",
    ]
    assert not processes_of(tmp_path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a program with its parent")
def test_the_simulator_ends_when_pytest_is_killed(tmp_path):
    process = start(tmp_path, f"import pytest, time\n{BARE}\ndef test_it(town):\n    time.sleep(600.0)\n")
    wait_for(lambda: process.poll() is not None or list((tmp_path / "run" / "dorosim").glob("*.json")), 240.0)
    assert process.poll() is None
    assert processes_of(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_for(lambda: not processes_of(tmp_path))
    if process.stdout is not None:
        process.stdout.close()


def test_a_wrong_argument_is_an_error_that_shows_what_the_simulator_says(tmp_path):
    tests = 'import pytest\n@pytest.mark.dorosim("--map", "nowhere")\ndef test_it(simulator):\n    pass\n'
    status, output = run(tmp_path, tests)
    assert status == 1
    assert "map 'nowhere': there is no such map" in output


MANY = f"""
import pytest

{BARE}
@pytest.mark.parametrize("turn", range(20))
def test_it(ego, turn):
    ego.drive(accelerator=0.2 + 0.03 * turn)
    assert ego.step(20).speed > 0.1
"""


@pytest.mark.soak
def test_a_suite_of_twenty_side_by_side_fifty_times(tmp_path):
    for number in range(50):
        folder = tmp_path / str(number)
        folder.mkdir()
        status, output = run(folder, MANY, "-n", "4")
        assert status == 0, output
        assert not processes_of(folder)
        assert not locks(folder)
