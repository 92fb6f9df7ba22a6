"""Calls of Ray with an end: some wait for ever for a process that was killed, and no signal reaches them there."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

from dorosim.app.sweep.worker_host import SweepPauseError

_Work = tuple[Callable[[], Any], "queue.SimpleQueue[tuple[Any, BaseException | None]]"]


class RayCalls:
    """Makes calls in a thread of their own, so that the runner waits for each of them for a limited time only.

    It is one thread for all of them: the kernel ends Ray's processes with the thread that has started them.

    Attributes:
        stuck: whether a call has not come back; no other one is made then.
    """

    def __init__(self) -> None:
        self.stuck = False
        self._work: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="ray", daemon=True)
        self._thread.start()

    def call(self, made: Callable[[], Any], seconds: float, aim: str) -> Any:
        """Make a call.

        Args:
            made: it.
            seconds: wall time for it [s].
            aim: what it does, for the message.

        Returns:
            What it returns. What it raises is raised here.

        Raises:
            SweepPauseError: it, or one before it, has not come back.
        """
        answer: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        if not self.stuck:
            self._work.put((made, answer))
            try:
                value, error = answer.get(timeout=seconds)
            except queue.Empty:
                self.stuck = True
            else:
                if error is not None:
                    raise error
                return value
        raise SweepPauseError(f"Ray does not answer: to {aim} takes more than {seconds:g} s; start Ray again")

    def close(self) -> None:
        """End the thread, if it can be ended."""
        self._work.put(None)
        if not self.stuck:
            self._thread.join()

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            made, answer = work
            try:
                answer.put((made(), None))
            except BaseException as error:  # the caller has to know of any
                answer.put((None, error))
