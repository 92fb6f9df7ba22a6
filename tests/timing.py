"""Time in tests: a clock that a test sets, and waits for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class ManualClock:
    """A clock that stands still until a test advances it.

    Attributes:
        now: its time [s]. count: how often it was read.
    """

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now
        self.count = 0

    def __call__(self) -> float:
        self.count += 1
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


def wait_for(value: Callable[[], T], seconds: float = 60.0) -> T:
    """Wait until a function returns something true, and return that; fail after so many seconds of wall time."""
    end = time.monotonic() + seconds
    while not (found := value()):
        assert time.monotonic() < end, f"not so within {seconds:g} s"
        time.sleep(0.005)
    return found
