"""Processes of a figure, which read requests and write answers line by line, and ports that are free for them."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import IO, Any

from dorosim.endpoint.udp.socket import Address, open_listener


def started(
    stack: ExitStack, command: Sequence[str], environment: Mapping[str, str], log: IO[bytes]
) -> subprocess.Popen[str]:
    """A process that ends with a stack; its standard error goes to a log."""
    process: Any = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
    )
    stack.callback(_end, process)
    return process  # type: ignore[no-any-return]


def ask(process: subprocess.Popen[str], line: str) -> None:
    """Write a line to the standard input of a process."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line of a process, "" if it has ended."""
    assert process.stdout is not None
    return process.stdout.readline()


def expect(process: subprocess.Popen[str], word: str) -> None:
    """Wait until a process prints a word as a line; other lines come from its tools and are dropped.

    Raises:
        ChildProcessError: it ended before.
    """
    while (line := line_of(process)) != f"{word}\n":
        if not line:
            raise ChildProcessError(f"process {process.pid} ended before it said {word!r}")


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def free_port() -> int:
    """A loopback UDP port that no process uses."""
    with open_listener(Address("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
    return port
