"""Every page does what it says: its blocks are played in a clone of the project, in a network of their own."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.block import ROOT, blocks_of, pages
from tests.docs.player import is_played
from tests.docs.shared_network import SharedNetwork, shared_network

PLAYED = [page for page in pages() if any(is_played(block) for block in blocks_of(page))]
PORTS = (909, 9093, 7789, 9090)
"""Some of the default ports: where these are free, the others are."""


@pytest.fixture(scope="module")
def network() -> Iterator[SharedNetwork]:
    """A network of their own for the pages that a process of the tests plays.

    Where none can be had, one process at a time has the machine's.
    """
    with shared_network() as made:
        if made is not None:
            yield made
            return
    with (Path(tempfile.gettempdir()) / "dorosim-pages.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield SharedNetwork((), {})


@pytest.mark.parametrize("page", PLAYED)
def test_a_page_does_what_it_says(page, tmp_path, network):
    if not network.words and (taken := [port for port in PORTS if not is_free(port)]):
        pytest.skip(f"port {taken[0]} is not free, and there is no network of its own here (unshare --net)")
    done = subprocess.run(
        [*network.words, sys.executable, "-m", "tests.docs.player", page, str(tmp_path / "clone")],
        cwd=ROOT,
        env=os.environ | network.environment | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout


def is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
