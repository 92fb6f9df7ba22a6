"""How often something is done, in wall time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Beat:
    """Computes when the page asks for the next snapshot: so many a second, and not faster than they come.

    Args:
        rate: a second of wall time.
        clock: the wall clock [s].
    """

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._period = 1.0 / rate
        self._due = 0.0

    def left(self) -> float:
        """Wall time to wait now [s]."""
        now = self._clock()
        self._due = max(self._due + self._period, now)
        return self._due - now


class Throttle:
    """Limits how often something is done with snapshots or readings.

    Args:
        period: wall time from one time to the next [s].
        clock: the wall clock [s].
    """

    def __init__(self, period: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._period = period
        self._due = -math.inf

    def due(self) -> bool:
        """Returns whether it is time; if so, the next time is a period later."""
        moment = self._clock()
        if moment < self._due:
            return False
        self._due = moment + self._period
        return True

    def wait(self, seconds: float) -> None:
        """Let it not be time for so many seconds; 0: it is time now."""
        self._due = self._clock() + seconds
