"""Runs the command on a terminal of its own, as a user sees it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from tests.loaded import loaded_command


def on_terminal(
    *arguments: object,
    columns: int = 100,
    rows: int = 40,
    timeout: float = 240,
    watch: Callable[[str], None] | None = None,
    command: Sequence[str] = (),
    more: Mapping[str, str] = MappingProxyType({}),
) -> tuple[int, str]:
    """Exit status and all that was written to the terminal, standard output and error together.

    The command is `dorosim` unless another one is given. `watch` is called again and again with what has been written
    so far; `more` is added to the environment.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen(
        [*(command or loaded_command()), *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment | {"TERM": "xterm-256color"} | dict(more),
    )
    os.close(theirs)
    written, end = b"", time.monotonic() + timeout
    try:
        while time.monotonic() < end:
            ready, _, _ = select.select([ours], [], [], 0.1)
            if ready:
                try:
                    read = os.read(ours, 1 << 16)
                except OSError:  # the other side is closed
                    break
                if not read:
                    break
                written += read
            if watch is not None:
                watch(written.decode(errors="replace"))
        return process.wait(max(end - time.monotonic(), 1.0)), written.decode(errors="replace")
    finally:
        process.kill()
        process.wait()
        os.close(ours)
