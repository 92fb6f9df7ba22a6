"""A program that is forked is as one that was started: its words, its surroundings, its signals and its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.app.cli.exit_code import ExitCode
from tests.loaded import COMMAND, loaded_command

RUN = ("run", "--network", "net.toml", "--data", ".", "--grpc", "off", "--ros-server", "off", "--no-view")

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="programs are started there")


@pytest.mark.parametrize("words", [("--version",), ("packet", "list"), ("run", "--bad"), ("replay", "none.rec")])
def test_it_says_the_same_and_ends_in_the_same_way(words, tmp_path):
    both = [
        subprocess.run([*command, *words], capture_output=True, text=True, cwd=tmp_path, check=False)
        for command in (COMMAND, loaded_command())
    ]
    one, other = ((done.returncode, done.stdout, done.stderr.replace("python -m dorosim", "dorosim")) for done in both)
    assert one == other


def running(folder: Path) -> subprocess.Popen[str]:
    """A program that runs."""
    (folder / "net.toml").write_text("listen = []\nsend = []\n")
    process = subprocess.Popen([*loaded_command(), *RUN], stderr=subprocess.PIPE, text=True, cwd=folder)
    assert process.stderr is not None
    assert any("Ctrl-C ends" in line for line in process.stderr)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_it(number, tmp_path):
    with running(tmp_path) as process:
        process.send_signal(number)
        assert process.wait(30.0) in (0, ExitCode.INTERRUPTED), "that of a start that is interrupted"


def test_it_is_killed_with_what_stands_for_it(tmp_path):
    with running(tmp_path) as process:
        process.kill()
        assert process.wait(30.0) == -signal.SIGKILL
        assert process.stderr is not None
        process.stderr.read()  # its own end of the pipe is closed, so it has ended


def test_its_surroundings_are_those_of_whoever_starts_it(tmp_path):
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path), "COLUMNS": "200"}
    command = [*loaded_command(), "doctor", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert str(tmp_path) in done.stdout
