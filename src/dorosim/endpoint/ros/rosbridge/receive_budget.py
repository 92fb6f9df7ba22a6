"""Limits how fast frames are read: decoding holds the interpreter lock, so a flood would slow the run."""

from __future__ import annotations

import asyncio
import time

PULSE, FRAMES, BYTES = 0.01, 40, 64 << 10
"""At most so many frames, and bytes of frames, are taken in each of these slices of wall time [s]."""
MAX_FRAME = 1 << 20
"""Bytes of a frame that is taken unless a user says otherwise: decoding it takes tens of milliseconds."""


class ReceiveBudget:
    """Slices of wall time for frames from outside; used on one thread.

    A frame of more than a slice is taken whole, and its excess counts against the slices after it.
    """

    def __init__(self) -> None:
        self._slice, self._taken = 0.0, 0.0

    async def turn(self, size: int) -> None:
        """Wait until another frame may be taken.

        Args:
            size: bytes of it.
        """
        while True:
            now = time.monotonic()
            past = int((now - self._slice) / PULSE)
            if past:
                self._slice, self._taken = now, max(self._taken - past * FRAMES, 0.0)
            if self._taken < FRAMES:
                self.charge(size)
                return
            await asyncio.sleep(max(self._slice + self._taken // FRAMES * PULSE - now, 0.0))

    def charge(self, size: int) -> None:
        """Count a frame that is taken without a turn of its own, as one made of fragments [bytes]."""
        self._taken += max(1.0, size * FRAMES / BYTES)
