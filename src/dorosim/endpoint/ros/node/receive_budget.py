"""Limits what is read from all publishers together; the rest waits in their connections, where TCP slows the sender."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

PULSE, MESSAGES, BYTES = 0.01, 40, 1 << 14
"""At most so many messages and bytes on average in such a time of the wall [s]: they hold the interpreter lock.

To read and check an entry of NpcGhostCmd, of 74 bytes, costs 18 us, so these are 4 ms of 10, for 220 vehicles.
"""


class ReceiveBudget:
    """A bucket of messages and one of bytes that all links share. Safe from any thread.

    A message may be larger than a bucket: the ones after it wait until that is made up for.

    Args:
        clock: wall time [s].
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._filled = clock()
        self._messages, self._bytes = float(MESSAGES), float(BYTES)

    def wait(self, over: threading.Event) -> None:
        """Return when the next message may be read, or `over` is set."""
        while (pause := self.pause()) > 0.0:
            if over.wait(pause):
                return

    def pause(self) -> float:
        """Time until the next message may be read [s], 0 if it may be now."""
        with self._lock:
            now = self._clock()
            slices = (now - self._filled) / PULSE
            self._filled = now
            self._messages = min(float(MESSAGES), self._messages + slices * MESSAGES)
            self._bytes = min(float(BYTES), self._bytes + slices * BYTES)
            lacking = max((1.0 - self._messages) / MESSAGES, (1.0 - self._bytes) / BYTES)
            return max(0.0, lacking * PULSE)

    def took(self, size: int) -> None:
        """A message of so many bytes was read."""
        with self._lock:
            self._messages -= 1.0
            self._bytes -= size
