"""Programs that need dorosim and the packages of a peer in one process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.peers.environment import LIMIT, Peer, packages_of
from tests.source import ROOT

BESIDE = Path(__file__).with_name("beside.py")


def learnt(peer: Peer, place: str, program: Path, *arguments: object) -> str:
    """What a program prints that has dorosim and the peer's packages."""
    command = [sys.executable, BESIDE, packages_of(peer), place, program, *arguments]
    paths = [str(ROOT / "src"), str(ROOT)]
    if place == "first":
        paths.insert(0, str(packages_of(peer)))  # Ray starts processes of its own, which have to find it
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, timeout=LIMIT, env=surroundings
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout
