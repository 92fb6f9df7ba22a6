"""Processes with the mark of a runner are found, and ended as the runner has gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.app.sweep import marked
from tests.timing import wait_for

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")


@pytest.fixture
def sleeper(tmp_path):
    """A process with a mark that no other one has, and the mark."""
    mark = f"mark-{tmp_path.name}-{os.getpid()}"
    process = subprocess.Popen(["sleep", "1000"], env=os.environ | {marked.MARK: mark}, start_new_session=True)
    try:
        yield process, mark
    finally:
        process.kill()
        process.wait()


def test_what_has_a_mark_ends_as_the_one_that_holds_the_pipe_has_gone(sleeper):
    process, mark = sleeper
    wait_for(lambda: marked.marked(mark) == [process.pid])
    words = [sys.executable, "-I", "-S", marked.__file__, mark, "0.1", "600"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=os.environ | {marked.MARK: mark}) as guard:
        wait_for(lambda: set(marked.marked(mark)) == {process.pid, guard.pid})
        assert process.poll() is None
        guard.stdin.close()
        assert guard.wait(60) == 0
    assert process.wait(60) == -9
    assert marked.marked(mark) == []


def test_what_does_not_start_in_time_is_ended(sleeper):
    """A runner that waits for it cannot do so by itself."""
    process, mark = sleeper
    words = [sys.executable, "-I", "-S", marked.__file__, mark, "0.1", "0.1"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as guard:
        assert process.wait(60) == -9
        assert guard.poll() is None, "it still waits for the end of the runner"
        _, said = guard.communicate(timeout=60)
    assert said == "dorosim: Ray does not start within 0.1 s; its processes are ended; go on with --resume\n"


def test_a_process_of_ray_that_has_written_over_its_variables_is_found(tmp_path, monkeypatch):
    """Agents of Ray do so with their title, and outlive the node that has started them."""
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    mark, other = "0123456789abcdef", "fedcba9876543210"
    logs = Path(marked.ray_folder(mark)) / "session_1" / "logs"
    logs.mkdir(parents=True)
    with (logs / "agent.out").open("wb") as log:
        process = subprocess.Popen(["ray::Agent", "1000"], executable=shutil.which("sleep"), env={}, stdout=log)
    try:
        wait_for(lambda: marked.marked(mark) == [process.pid])
        assert marked.marked(other) == []
        assert marked.end_marked(other) == 0
        assert marked.end_marked(mark) == 1
        assert process.wait(60) == -9
    finally:
        process.kill()
        process.wait()
