"""Processes of a figure, which read requests and write answers line by line, and ports that are free for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from dorosim.endpoint.udp.socket import Address, open_listener

SENDER = """
import socket, sys, time
port, rate, count, datagram = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), bytes.fromhex(sys.argv[4])
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.connect(("127.0.0.1", port))
start, sent = time.monotonic(), 0
while sent < count:
    due = min(int((time.monotonic() - start) * rate), count) if rate else count
    for _ in range(min(due - sent, 500)):
        try:
            sock.send(datagram)
        except OSError:
            pass
    sent = min(due, sent + 500)
    if sent == due:
        time.sleep(0.0002)
print(time.monotonic() - start)
"""
"""Sends a datagram again and again, and prints how long it took [s]."""


def sender(port: int, rate: float, count: int, datagram: bytes) -> subprocess.Popen[bytes]:
    """A process that sends a datagram `count` times, so many a second; 0: as fast as possible."""
    arguments = [sys.executable, "-c", SENDER, str(port), str(rate), str(count), datagram.hex()]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE)


def started(
    stack: ExitStack, command: Sequence[str], environment: Mapping[str, str] = os.environ
) -> subprocess.Popen[str]:
    """A process that ends with a stack; what it writes to its standard error is dropped."""
    process: Any = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    stack.callback(_end, process)
    return process  # type: ignore[no-any-return]


def started_module(stack: ExitStack, module: str, *arguments: str) -> subprocess.Popen[str]:
    """A module as a process that ends with a stack."""
    return started(stack, [sys.executable, "-m", module, *arguments])


def ask(process: subprocess.Popen[str], line: str) -> None:
    """Write a line to the standard input of a process."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line of a process, "" if it has ended."""
    assert process.stdout is not None
    return process.stdout.readline()


def answer_of(process: subprocess.Popen[str], line: str = "") -> dict[str, Any]:
    """What a process writes as JSON after a line on its standard input."""
    ask(process, line)
    found: dict[str, Any] = json.loads(line_of(process))
    return found


def expect(process: subprocess.Popen[str], word: str) -> None:
    """Wait until a process prints a word as a line; other lines come from its tools and are dropped.

    Raises:
        ChildProcessError: it ended before.
    """
    while (line := line_of(process)) != f"{word}\n":
        if not line:
            raise ChildProcessError(f"process {process.pid} ended before it said {word!r}")


def play_in_turns(hosts: Iterable[subprocess.Popen[str]], rounds: int, seconds: float) -> None:
    """Let processes publish one after another, each for a time in each round [s]."""
    for one in [*hosts] * rounds:
        ask(one, str(seconds))
        expect(one, "done")


def say(word: str) -> None:
    """Print a line for the process that started this one."""
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def free_port() -> int:
    """A loopback UDP port that no process uses."""
    with open_listener(Address("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
    return port


def free_address() -> str:
    """A loopback address with such a port."""
    return f"127.0.0.1:{free_port()}"
