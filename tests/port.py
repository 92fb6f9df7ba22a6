"""Ports for programs that a test starts."""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path

FIRST, BLOCK, BLOCKS = 10_000, 500, 40
"""Below the ports that systems give to those who ask for any; a process of the tests has one block for itself."""


def free_port() -> int:
    """A loopback port that nobody uses, by UDP or TCP, and that no other test gets before a program has taken it."""
    for _, port in zip(range(BLOCK), _ports(), strict=False):
        if all(_is_free(port, kind) for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM)):
            return port
    raise AssertionError("all ports are in use")


def ports_free_together(count: int) -> int:
    """A free port so that those 100, 200, ... on are free as well, as further ego vehicles have them.

    All lie in the block of this process, so that no other one takes one of them meanwhile.
    """
    end = FIRST + BLOCK * (_block() + 1)
    for _ in range(BLOCK):
        first = free_port()
        together = range(first, first + 100 * count, 100)
        if together[-1] < end and all(_is_free(port, socket.SOCK_DGRAM) for port in together):
            return first
    raise AssertionError("no such ports are free")


def in_use_here() -> str:
    """What dorosim says of a port that this process has."""
    return f"is in use by {Path('/proc/self/comm').read_text().strip()} (process {os.getpid()})"


@cache
def _ports() -> Iterator[int]:
    """The ports of this process's block, again and again."""
    begin = FIRST + BLOCK * _block()
    return cycle(range(begin, begin + BLOCK))


@cache
def _block() -> int:
    """A block of ports that no other process of the tests has, of this session or another; locked until it ends."""
    folder = Path(tempfile.gettempdir()) / f"dorosim-test-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    for number in range(BLOCKS):
        file = os.open(folder / str(number), os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
        else:
            return number
    raise AssertionError("all blocks of ports are in use")


def _is_free(port: int, kind: socket.SocketKind) -> bool:
    with socket.socket(socket.AF_INET, kind) as tried:
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
