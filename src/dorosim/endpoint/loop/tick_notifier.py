"""A notifier that rings after every tick, for threads that wait for snapshots."""

from __future__ import annotations

import threading
from collections.abc import Callable


class TickNotifier:
    """Wakes those who wait; rung while nobody waits, it costs the look at a number."""

    def __init__(self) -> None:
        self._rung = threading.Condition()
        self._waiting = 0

    def ring(self) -> None:
        """Let all who wait look again whether what they wait for has come."""
        if self._waiting:
            with self._rung:
                self._rung.notify_all()

    def wait(self, come: Callable[[], bool], timeout: float) -> bool:
        """Wait until something has come; whether it has.

        Args:
            come: tells it. Who lets it come rings afterwards.
            timeout: wall time [s].
        """
        with self._rung:
            # counted before the first look: who lets it come after that look finds somebody to wake
            self._waiting += 1
            try:
                return self._rung.wait_for(come, timeout)
            finally:
                self._waiting -= 1
