"""Bars and status lines for long work, on terminals only.

They go to standard error, so what a command prints can be piped, and nothing is written where that is no terminal. A
bar looks at the clock, not at every item, so counting costs far less than any work that is counted.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

T = TypeVar("T")
_PERIOD = 0.1
"""Wall time between two pictures of a bar [s]."""
REFRESH = 4.0
"""Pictures of a moving line a second: few, since they take time from the work, and from what the bench measures."""
FIRST = 0.3
"""Wall time before the first one [s]: short work shows none."""


def is_shown() -> bool:
    """Whether there is a terminal to show progress on.

    Only the main thread shows progress: other threads work beside a run, whose table is shown on the terminal.
    """
    return threading.current_thread() is threading.main_thread() and sys.stderr is not None and sys.stderr.isatty()


def counted(items: Iterable[T], total: Callable[[], int | None], label: str, unit: str = "") -> Iterator[T]:
    """The same items, with a bar of how many have been done.

    Args:
        items: whatever is worked on.
        total: returns how many there are, None if the number is not known; called for a bar only.
        label: what is done to them.
        unit: what they are.
    """
    return _counted(items, total(), label, unit) if is_shown() else iter(items)


def _counted(items: Iterable[T], total: int | None, label: str, unit: str) -> Iterator[T]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeRemainingColumn(),
        console=_console(),
        transient=True,
        auto_refresh=False,
    )
    task = progress.add_task(label, total=total)
    clock, shown = time.monotonic, False
    due = clock() + FIRST
    try:
        for done, item in enumerate(items):
            now = clock()
            if now >= due:
                if not shown:
                    progress.start()
                    shown = True
                progress.update(task, completed=done, refresh=True)
                due = now + _PERIOD
            yield item
    finally:
        if shown:
            progress.stop()


_lines: list[Status] = []
"""The line that moves at present, if there is one."""


@contextmanager
def working(label: str) -> Iterator[Callable[[str], None]]:
    """A line that moves while work goes on whose duration is not known.

    Work inside other work shows its label in the same line.

    Args:
        label: what is done.

    Yields:
        A function that changes the label.
    """
    if not is_shown():
        yield lambda _: None
    elif _lines:
        line, before = _lines[0], _lines[0].status
        line.update(label)
        try:
            yield line.update
        finally:
            line.update(before)
    else:
        with _console().status(label, refresh_per_second=REFRESH) as line:
            _lines.append(line)
            try:
                yield line.update
            finally:
                _lines.clear()


def waited(items: Iterable[T], label: str) -> Iterator[T]:
    """The same items; while each of them is waited for, a line moves."""
    rest = iter(items)
    while True:
        with working(label):
            item = next(rest, _END)
        if item is _END:
            return
        yield item  # type: ignore[misc]


_END = object()


def _console() -> Console:
    from rich.console import Console

    return Console(stderr=True)
