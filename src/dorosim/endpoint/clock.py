"""When the next tick is due.

Deadlines are computed from the start, not from the tick before, so a late tick makes no later one late and the
clock does not drift.

Clocks count ticks and not simulated time, which stands still while a run is paused. So a paused run ticks on at the
same rate, which keeps its statuses and its answers coming, and one that goes on again has nothing to catch up with.
"""

from __future__ import annotations

import time
from typing import Protocol

RESYNC = 1_000_000_000
"""A clock that is later than this [ns], as after a suspended laptop, starts anew instead of hurrying."""


IDLE = 0.01
"""Wall time of a tick of no duration [s] in a run that goes as fast as possible: it would never be done with them."""


class Clock(Protocol):
    """Says when the world may go on.

    Its time [ns] is the number of ticks times their length.

    Attributes:
        resyncs: how often it started anew since it was too late.
    """

    resyncs: int

    def start(self, now: int) -> None:
        """The run starts, or goes on, at time `now` [ns]."""

    def remaining(self, due: int, *, paused: bool = False) -> float:
        """Wall time [s] until time `due` [ns] may begin; 0 or less: now.

        Args:
            due: time of the next tick [ns].
            paused: whether simulated time stands still meanwhile.
        """

    def lateness(self, due: int) -> float:
        """How late it is for time `due` [ns], in seconds of wall time; 0 where nothing is ever due. Changes nothing."""


class PacedClock:
    """Time runs at a factor of the wall clock.

    Args:
        factor: 1 is real time, 2 twice as fast.
    """

    def __init__(self, factor: float = 1.0) -> None:
        self.factor = factor
        self.resyncs = 0
        self._origin = 0.0

    def start(self, now: int) -> None:
        """Tie time `now` [ns] to the present moment."""
        self._origin = time.monotonic_ns() - now / self.factor

    def remaining(self, due: int, *, paused: bool = False) -> float:  # noqa: ARG002 - it makes no difference here
        """Wall time [s] until time `due` [ns]."""
        left = self._origin + due / self.factor - time.monotonic_ns()
        if left < -RESYNC:
            self.resyncs += 1
            self.start(due)
            return 0.0
        return left * 1e-9

    def lateness(self, due: int) -> float:
        """How late it is for time `due` [ns], in seconds of wall time; negative before it."""
        return (time.monotonic_ns() - self._origin - due / self.factor) * 1e-9


class FreeClock:
    """As fast as possible: the next tick is always due, except while the run is paused."""

    resyncs: int = 0

    def start(self, now: int) -> None:
        """Nothing to tie."""

    def remaining(self, due: int, *, paused: bool = False) -> float:  # noqa: ARG002 - the time plays no role
        """No wait, or a short one while the run is paused."""
        return IDLE if paused else 0.0

    def lateness(self, due: int) -> float:  # noqa: ARG002 - nothing is due
        """Nothing is ever late."""
        return 0.0
