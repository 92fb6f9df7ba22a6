"""Programs of others that tests have beside them, each in an environment of its own with a constraints file of its own.

`make test-peers` makes the environments, in `.venv-peers`, and runs the tests. What cannot be installed here, for want
of a Python or of an index, is skipped, and the reason is shown. All that a peer does takes `LIMIT` seconds at most.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".venv-peers"
LIMIT = 20 * 60.0
"""Seconds for a peer, with its installation."""


class Peer(NamedTuple):
    """A peer.

    Attributes:
        name: of its folder here, which has its constraints.txt.
        python: version of the Python that its packages are for.
        packages: what is installed.
        built: those of them, and of what they need, that are built here from their sources.
    """

    name: str
    python: tuple[int, int]
    packages: tuple[str, ...]
    built: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where its constraints and the programs that it runs lie."""
        return Path(__file__).parent / self.name


ROADS = Peer("roads", (3, 11), ("carla", "lanelet2"))
ASAM = Peer("asam", (3, 11), ("asam-qc-opendrive", "asam-qc-openscenarioxml"))
CRITICALITY = Peer("criticality", (3, 11), ("commonroad-crime",), built=("polygon3",))
JUNIT = Peer("junit", (3, 11), ("junitparser",))
LEARN = Peer("learn", (3, 11), ("stable-baselines3", "torch"))
_deadline: dict[str, float] = {}


def run(peer: Peer, program: str, *arguments: Any) -> Any:
    """Run a program of a peer's folder in its environment; what it prints, as JSON.

    Skips the test where the environment cannot be had here.
    """
    command = [_interpreter(peer), peer.folder / program, *arguments]
    done = _call(peer, [str(part) for part in command])
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def program_of(peer: Peer, name: str) -> Path:
    """A program that the peer's packages have installed. Skips the test where the environment cannot be had here."""
    return _interpreter(peer).with_name(name)


def packages_of(peer: Peer) -> Path:
    """The folder with the peer's packages. Skips the test where the environment cannot be had here."""
    return next(_interpreter(peer).parents[1].glob("lib/python*/site-packages"))


def call(peer: Peer, *command: Any) -> subprocess.CompletedProcess[str]:
    """Run a command in the time that is left for a peer."""
    return _call(peer, [str(part) for part in command])


@cache
def _reason(peer: Peer) -> str:
    """Make the environment of a peer; why that cannot be done here, or nothing."""
    _deadline.setdefault(peer.name, time.monotonic() + LIMIT)
    python = _python(peer)
    if python is None:
        return f"peer {peer.name}: there is no Python {peer.python[0]}.{peer.python[1]} here"
    constraints = peer.folder / "constraints.txt"
    key = hashlib.sha256(constraints.read_bytes() + repr((peer, python)).encode()).hexdigest()
    place, mark = FOLDER / peer.name, FOLDER / peer.name / "made"
    if mark.is_file() and mark.read_text() == key:
        return ""
    shutil.rmtree(place, ignore_errors=True)
    made = _call(peer, [python, "-m", "venv", str(place)])
    if made.returncode:
        return f"peer {peer.name}: no environment can be made: {_last_line(made)}"
    pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    built = [word for package in peer.built for word in ("--no-binary", package)]
    options = ["--only-binary", ":all:", *built, "--constraint", str(constraints), *peer.packages]
    done = _call(peer, [*pip, *options])
    if done.returncode:
        return f"peer {peer.name}: {', '.join(peer.packages)} cannot be installed: {_last_line(done)}"
    mark.write_text(key)
    return ""


def _interpreter(peer: Peer) -> Path:
    reason = _reason(peer)
    if reason:
        pytest.skip(reason)
    return FOLDER / peer.name / "bin" / "python"


def _python(peer: Peer) -> str | None:
    """A Python of the version of a peer."""
    if sys.version_info[:2] == peer.python and sys.implementation.name == "cpython":
        return sys.executable
    return shutil.which(f"python{peer.python[0]}.{peer.python[1]}")


def _call(peer: Peer, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command, and end it with all that it has started where the time of the peer is over."""
    left = max(1.0, _deadline[peer.name] - time.monotonic())
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    process = subprocess.Popen(
        command,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, error = process.communicate(timeout=left)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, error = process.communicate()
        pytest.fail(f"peer {peer.name}: its {LIMIT / 60:.0f} minutes are over in {' '.join(command)[:200]}")
    return subprocess.CompletedProcess(command, process.returncode, out, error)


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr or done.stdout).strip().splitlines()
    return next((line for line in reversed(lines) if "ERROR" in line), lines[-1] if lines else "no reason is given")
