"""A simulator in a process of its own, as users start it."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dorosim.client import ClientError, connect
from tests.loaded import COMMAND, loaded_command
from tests.port import free_port

PATIENCE = 240.0
"""Wall time for the start: the first one on a machine compiles kernels [s]."""
NETWORK = '[[listen]]\naddress = "127.0.0.1:0"\n'


def _answers(address: str) -> bool:
    try:
        connect(address, timeout=5.0).close()
    except ClientError:
        return False
    return True


@contextmanager
def program(folder: Path, *options: str, network: str = NETWORK) -> Iterator[str]:
    """The address of a running simulator whose data folder is `folder`; `network` is its network file."""
    with process(folder, *options, network=network, words=loaded_command()) as (address, _):
        yield address


@contextmanager
def process(
    folder: Path, *options: str, network: str = NETWORK, words: Sequence[str] = COMMAND
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """As `program`, with the process, which begins with some words of a command line."""
    address = f"127.0.0.1:{free_port()}"
    (folder / "network.toml").write_text(network)
    command = [*words, "run", "--grpc", address, "--data", str(folder), *options]
    command += ["--network", str(folder / "network.toml")]
    log = folder / "log"
    with log.open("wb") as file:
        started = subprocess.Popen(command, stdout=file, stderr=file)
    try:
        end = time.monotonic() + PATIENCE
        while not _answers(address):
            assert started.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
        yield address, started
    finally:
        started.terminate()
        started.wait(60.0)
