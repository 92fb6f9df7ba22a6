"""Answers that take long, such as those that read a scenario file: made beside the loop, in their order."""

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

MAX_WAITING_ANSWERS = 16
"""Most answers that may wait; one more is refused."""


class _Task(NamedTuple):
    later: Later
    sender: str
    awaited: Awaited


class DeferredWork:
    """Makes answers on a thread of its own, which begins with the first of them.

    Args:
        now: returns the last snapshot. journal: counts and logs refusals and notices.
        wake: is called when commands are there.
    """

    def __init__(self, now: Callable[[], Snapshot], journal: Journal, wake: Callable[[], None]) -> None:
        self._now, self._journal, self._wake = now, journal, wake
        self._tasks: queue.Queue[_Task | None] = queue.Queue(MAX_WAITING_ANSWERS + 1)
        self._thread: threading.Thread | None = None
        self._closed = False

    def take(self, later: Later, sender: str) -> Awaited | None:
        """Queue an answer to be made.

        Args:
            later: the answer.
            sender: the sender of the message, for the journal.

        Returns:
            The commands to come; None, with a refusal in the journal, where too many answers wait.
        """
        if self._tasks.qsize() >= MAX_WAITING_ANSWERS:
            self._journal.report("refused", f"{sender}: {MAX_WAITING_ANSWERS} messages that read files wait already")
            return None
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="dorosim-late", daemon=True)
            self._thread.start()
        awaited = Awaited()
        self._tasks.put_nowait(_Task(later, sender, awaited))
        return awaited

    def close(self) -> None:
        """Drop the answers that wait. An answer that reads a file is not waited for: its disk may not answer."""
        self._closed = True
        if self._thread is not None:
            self._tasks.put_nowait(None)
        self._now, self._wake = _no_snapshot, _nothing  # so the run to which they belong can be freed at once

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
    """Replaces `now` after `close`; it is not called, since the thread checks first whether it is closed."""
    raise RuntimeError("the run is over")


def _nothing() -> None:
    """Replaces `wake` after `close`; does nothing."""
