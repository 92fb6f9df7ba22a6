"""Where the lines of a run's journal go: to standard error, or above what is shown there."""

from __future__ import annotations

import select
import sys
from collections import deque
from typing import TextIO

MAX_WAITING_LINES = 1_000
"""Lines that wait to be shown; older ones are dropped for newer ones."""


class LogOutput:
    """Writes lines to standard error at once, or keeps them for the table, which shows them above itself."""

    def __init__(self) -> None:
        self._kept: deque[str] | None = None

    def __call__(self, line: str) -> None:
        """Write or keep a line. Safe from any thread, and never waits."""
        kept = self._kept
        if kept is None:
            write_line(line)
        else:
            kept.append(line)

    def keep(self) -> None:
        """Keep lines from now on."""
        self._kept = deque(maxlen=MAX_WAITING_LINES)

    def taken(self) -> list[str]:
        """The lines that were kept, which are kept no longer."""
        kept, lines = self._kept, list[str]()
        while kept:
            lines.append(kept.popleft())
        return lines

    def let_go(self) -> None:
        """Write lines at once again, those that were kept first."""
        kept, self._kept = self._kept, None
        for line in kept or ():
            write_line(line)


def write_line(line: str) -> None:
    """Write a line to standard error; it is dropped where the reader has gone or does not read, so the run goes on.

    It goes past rich, which answers a broken pipe by ending the program.
    """
    try:
        if _takes_more(sys.stderr):
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
    except (OSError, ValueError):
        return


def _takes_more(file: TextIO) -> bool:
    """Whether a line can be written without waiting; True on a system that has no `poll`."""
    if not hasattr(select, "poll"):
        return True
    return bool(select.select([], [file], [], 0.0)[1])
