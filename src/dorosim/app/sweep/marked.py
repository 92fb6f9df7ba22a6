"""Finds what a sweep has left behind, by a variable in the surroundings of its processes. Linux only.

    python -I -S marked.py MARK SECONDS START

waits until standard input ends, however its other end dies, and ends all with a mark that do not end by themselves in
so many seconds. It ends them, too, where nothing is read within START seconds: a byte says that they have started. It
needs the standard library only.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

MARK = "DOROSIM_SWEEP_MARK"
"""Variable that all processes of a runner of a sweep have."""
_END_PATIENCE_S = 5.0
_FOLDER_DIGITS = 8


def marked(mark: str) -> list[int]:
    """Process ids of those with a mark, and of those of its Ray, but for this process.

    Args:
        mark: value of the variable.
    """
    wanted, found = f"{MARK}={mark}".encode(), []
    if not sys.platform.startswith("linux"):
        return []
    for name in os.listdir("/proc"):  # noqa: PTH208 - no Path for each of them
        if name.isdigit() and int(name) != os.getpid():
            with suppress(OSError):
                if wanted in Path(f"/proc/{name}/environ").read_bytes().split(b"\0") or _of_ray(name, mark):
                    found.append(int(name))
    return found


def ray_folder(mark: str) -> str:
    """Where the Ray of a runner has its files; short, since it makes sockets there."""
    top = os.environ.get("RAY_TMPDIR") or tempfile.gettempdir()
    return os.path.join(top, "ray", mark[:_FOLDER_DIGITS])  # noqa: PTH118 - a word for Ray


def _of_ray(name: str, mark: str) -> bool:
    """Whether a process belongs to the Ray of a runner: some of them write their title over their variables."""
    if not Path(f"/proc/{name}/cmdline").read_bytes().startswith(b"ray::"):
        return False
    part = f"/ray/{mark[:_FOLDER_DIGITS]}/session_"
    files = Path(f"/proc/{name}/fd")
    return any(part in _target(files / one) for one in os.listdir(files))  # noqa: PTH208 - no Path for each of them


def _target(link: Path) -> str:
    """Where a link leads, "" for one that is gone meanwhile."""
    try:
        return str(link.readlink())
    except OSError:
        return ""


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


def _guard(mark: str, patience: float, start: float) -> None:
    """Wait for the end of the runner, and end what it has left."""
    if not select.select([sys.stdin.buffer], [], [], start)[0]:
        why = f"Ray does not start within {start:g} s; its processes are ended; go on with --resume"
        sys.stderr.write(f"dorosim: {why}\n")
        sys.stderr.flush()
        end_marked(mark)
    sys.stdin.buffer.read()
    end_marked(mark, patience)


if __name__ == "__main__":
    _guard(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]))
