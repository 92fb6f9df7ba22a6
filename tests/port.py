"""Ports for programs that a test starts."""

from __future__ import annotations

import os
import socket
from itertools import count

FIRST, SHARE, SHARES = 10_000, 2_500, 8
"""Below the ports that systems give to those who ask for any; one share of them for each worker of the tests."""

_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % SHARES
_turn = count(97 * os.getpid())


def free_port() -> int:
    """A loopback port that nobody uses, by UDP or TCP, and that nobody gets before the test gives it to a program."""
    for _ in range(SHARE):
        port = FIRST + SHARE * _WORKER + next(_turn) % SHARE
        if all(_is_free(port, kind) for kind in (socket.SOCK_DGRAM, socket.SOCK_STREAM)):
            return port
    raise AssertionError("all ports are in use")


def ports_free_together(count: int) -> int:
    """A free port so that those 100, 200, ... on are free as well, as further ego vehicles have them."""
    for _ in range(SHARE):
        first = free_port()
        if all(_is_free(first + 100 * n, socket.SOCK_DGRAM) for n in range(count)):
            return first
    raise AssertionError("no such ports are free")


def _is_free(port: int, kind: socket.SocketKind) -> bool:
    with socket.socket(socket.AF_INET, kind) as tried:
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
