"""Answers that take long to find out, as what a scenario file asks for: worked out beside the loop, in their order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from dorosim.bridge.answer import Answer, Later, dispatch
from dorosim.endpoint.journal import Journal
from dorosim.world.command.inbox import Awaited
from dorosim.world.snapshot import Snapshot

MOST = 16
"""Answers that may wait; one more is refused."""


class _Task(NamedTuple):
    later: Later
    sender: str
    awaited: Awaited


class DeferredWork:
    """Works answers out on a thread of its own, which begins with the first of them.

    Args:
        now: gives the last snapshot. journal: is told of refusals and notices.
        wake: is called when commands are there.
    """

    def __init__(self, now: Callable[[], Snapshot], journal: Journal, wake: Callable[[], None]) -> None:
        self._now, self._journal, self._wake = now, journal, wake
        self._tasks: queue.Queue[_Task | None] = queue.Queue(MOST + 1)
        self._thread: threading.Thread | None = None
        self._closed = False

    def take(self, later: Later, sender: str) -> Awaited | None:
        """Begin to work an answer out; None, and a refusal, where too many wait.

        Args:
            later: the answer.
            sender: whose message it is, for the journal.
        """
        if self._tasks.qsize() >= MOST:
            self._journal.report("refused", f"{sender}: {MOST} messages that read files wait already")
            return None
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="dorosim-late", daemon=True)
            self._thread.start()
        awaited = Awaited()
        self._tasks.put_nowait(_Task(later, sender, awaited))
        return awaited

    def close(self) -> None:
        """Forget what waits. What is being read is not waited for: it may lie on a disk that does not answer."""
        self._closed = True
        if self._thread is not None:
            self._tasks.put_nowait(None)
        self._now, self._wake = _no_snapshot, _nothing  # the run that they are of can be let go of at once

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            answers = list[Answer]()
            try:
                if not self._closed and task.awaited.commands is None:
                    answers = list(task.later.work(self._now()))
            except Exception as error:  # a fault of ours; the run goes on
                self._journal.report("internal error", f"{task.sender}: {type(error).__name__}: {error}")
            finally:
                commands = dispatch(answers, partial(self._journal.report_answer, task.sender))
                task.awaited.commands = tuple(commands)
                if not self._closed:
                    self._wake()


def _no_snapshot() -> Snapshot:
    """Is not called: whoever works looks first whether all is over."""
    raise RuntimeError("the run is over")


def _nothing() -> None:
    """Wakes nobody."""
