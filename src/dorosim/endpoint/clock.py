"""When the next tick is due.

Deadlines are computed from the start, not from the tick before, so a late tick makes no later one late and the
clock does not drift.
"""

from __future__ import annotations

import time
from typing import Protocol

RESYNC = 1_000_000_000
"""A clock that is later than this [ns], as after a suspended laptop, starts anew instead of hurrying."""


class Clock(Protocol):
    """Says when the world may go on to a simulation time.

    Attributes:
        resyncs: how often it started anew since it was too late.
    """

    resyncs: int

    def start(self, now: int) -> None:
        """The run starts, or goes on, at simulation time `now` [ns]."""

    def remaining(self, due: int) -> float:
        """Wall time [s] until simulation time `due` [ns] may begin; 0 or less: now."""


class PacedClock:
    """Simulation time runs at a factor of the wall clock.

    Args:
        factor: 1 is real time, 2 twice as fast.
    """

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor
        self.resyncs = 0
        self._origin = 0.0

    def start(self, now: int) -> None:
        """Tie simulation time `now` [ns] to the present moment."""
        self._origin = time.monotonic_ns() - now / self.factor

    def remaining(self, due: int) -> float:
        """Wall time [s] until simulation time `due` [ns]."""
        left = self._origin + due / self.factor - time.monotonic_ns()
        if left < -RESYNC:
            self.resyncs += 1
            self.start(due)
            return 0.0
        return left * 1e-9


class FreeClock:
    """As fast as possible: the next tick is always due."""

    resyncs: int = 0

    def start(self, now: int) -> None:
        """Nothing to tie."""

    def remaining(self, due: int) -> float:  # noqa: ARG002 - the time plays no role
        """Never a wait."""
        return 0.0
