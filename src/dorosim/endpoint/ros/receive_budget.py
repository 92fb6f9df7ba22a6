"""Limits how much is read from other programs: decoding holds the interpreter lock, so a flood would slow the run.

What may not be read yet waits in its connection, where TCP slows the sender.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

PULSE_S = 0.01
"""Refill period of the token buckets [s]."""
NODE_BUDGET = (40, 1 << 14)
"""Messages and bytes from all publishers of a ROS node in a pulse.

To read and check an entry of NpcGhostCmd, of 74 bytes, costs 18 us, so these are 4 ms of 10, for 220 vehicles.
"""
ROSBRIDGE_BUDGET = (40, 64 << 10)
"""Frames and their bytes from all clients of rosbridge in a pulse."""
MAX_FRAME = 1 << 20
"""Bytes of a frame that rosbridge takes unless a user says otherwise: decoding it takes tens of milliseconds."""


class ReceiveBudget:
    """A bucket of messages and one of bytes that several connections share. Safe from any thread.

    A message may be larger than a bucket: the ones after it wait until that is made up for.

    Args:
        messages: in a pulse, on average. size: bytes in a pulse, on average.
        clock: wall time [s].
    """

    def __init__(self, messages: int, size: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_messages, self._max_bytes = float(messages), float(size)
        self._messages, self._bytes = self._max_messages, self._max_bytes
        self._clock = clock
        self._lock = threading.Lock()
        self._filled = clock()

    def wait(self, over: threading.Event) -> None:
        """Return when the next message may be read, or `over` is set."""
        while (pause := self.pause()) > 0.0:
            if over.wait(pause):
                return

    async def turn(self, size: int) -> None:
        """Wait until a message of so many bytes may be taken, and count it."""
        while (pause := self.pause()) > 0.0:
            await asyncio.sleep(pause)
        self.charge(size)

    def pause(self) -> float:
        """Time until the next message may be read [s], 0 if it may be now."""
        with self._lock:
            now = self._clock()
            pulses = (now - self._filled) / PULSE_S
            self._filled = now
            self._messages = min(self._max_messages, self._messages + pulses * self._max_messages)
            self._bytes = min(self._max_bytes, self._bytes + pulses * self._max_bytes)
            missing = max((1.0 - self._messages) / self._max_messages, (1.0 - self._bytes) / self._max_bytes)
            return max(0.0, missing * PULSE_S)

    def charge(self, size: int) -> None:
        """Count a message of so many bytes that was taken."""
        with self._lock:
            self._messages -= 1.0
            self._bytes -= size
