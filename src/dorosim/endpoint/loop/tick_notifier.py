"""A notifier that rings after every tick, for threads that wait for snapshots."""

from __future__ import annotations

import threading
from collections.abc import Callable


class TickNotifier:
    """Wakes the threads that wait; a ring while none waits only looks at a counter."""

    def __init__(self) -> None:
        self._rung = threading.Condition()
        self._waiting = 0

    def ring(self) -> None:
        """Let all threads that wait look again whether what they wait for has come."""
        if self._waiting:
            with self._rung:
                self._rung.notify_all()

    def wait(self, come: Callable[[], bool], timeout: float) -> bool:
        """Wait until something has come. Returns whether it has.

        Args:
            come: returns whether it has come. The thread that lets it come calls `ring` afterwards.
            timeout: wall time [s].
        """
        with self._rung:
            # counted before the first look: a thread that lets it come after that look finds a waiter to wake
            self._waiting += 1
            try:
                return self._rung.wait_for(come, timeout)
            finally:
                self._waiting -= 1
