"""Finds what a sweep has left behind, by a variable in the surroundings of its processes. Linux only.

    python -I -S marked.py MARK SECONDS

waits until standard input ends, however its other end dies, and ends all with a mark that do not end by themselves in
so many seconds. It needs the standard library only.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

MARK = "DOROSIM_SWEEP_MARK"
"""Variable that all processes of a runner of a sweep have."""
_END_PATIENCE_S = 5.0


def marked(mark: str) -> list[int]:
    """Process ids of those with a mark, but for this process.

    Args:
        mark: value of the variable.
    """
    wanted, found = f"{MARK}={mark}".encode(), []
    if not sys.platform.startswith("linux"):
        return []
    for name in os.listdir("/proc"):  # noqa: PTH208 - no Path for each of them
        if name.isdigit() and int(name) != os.getpid():
            with suppress(OSError):
                if wanted in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                    found.append(int(name))
    return found


def end_marked(mark: str, patience: float = 0.0) -> int:
    """End all processes with a mark.

    Args:
        mark: value of the variable.
        patience: wall time that they have to end by themselves [s].

    Returns:
        How many had to be ended.
    """
    end = time.monotonic() + patience
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.02)
    ended: set[int] = set()
    give_up = time.monotonic() + _END_PATIENCE_S
    while (left := marked(mark)) and time.monotonic() < give_up:
        for one in left:
            ended.add(one)
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        time.sleep(0.01)
    return len(ended)


if __name__ == "__main__":
    sys.stdin.buffer.read()
    end_marked(sys.argv[1], float(sys.argv[2]))
