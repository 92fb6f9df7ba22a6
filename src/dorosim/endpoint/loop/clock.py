"""When the next tick is due.

Deadlines are computed from the start, not from the tick before, so a late tick makes no later one late and the
clock does not drift.

Clocks count ticks and not simulated time, which stands still while a run is paused. So a paused run ticks on at the
same rate, which keeps its statuses and its answers coming, and one that goes on again has nothing to catch up with.
"""

from __future__ import annotations

import time

MAX_LATENESS = 1_000_000_000
"""A clock that is later than this [ns], as after a suspended laptop, starts anew instead of hurrying."""
PAUSED_TICK_S = 0.01
"""Wall time of a tick of no duration [s] in a run that goes as fast as possible: it would never be done with them."""


class PacedClock:
    """Computes when the next tick may begin: at a factor of the wall clock, or at once, which can change meanwhile.

    Its time [ns] is the number of ticks times their length.

    Args:
        factor: 1 is real time, 2 twice as fast, None as fast as possible.

    Attributes:
        resyncs: how often it started anew since it was too late.
        origin: when time 0 was or would have been, on the monotonic clock [ns]; None: no time is due at any moment.
    """

    def __init__(self, factor: float | None = 1.0) -> None:
        self.resyncs = 0
        self._factor = self._asked = factor
        self.origin: float | None = None

    @property
    def factor(self) -> float | None:
        """Simulated over wall time; None: as fast as possible."""
        return self._asked

    def change(self, factor: float | None) -> None:
        """Run at another factor from the next look at the clock on. Safe from another thread."""
        self._asked = factor

    def start(self, now: int) -> None:
        """Tie time `now` [ns] to the present moment."""
        self._factor = self._asked
        self.origin = None if self._factor is None else time.monotonic_ns() - now / self._factor

    def remaining(self, due: int, *, paused: bool = False) -> float:
        """Wall time [s] until time `due` [ns]."""
        if self._asked != self._factor:
            # what was left by the old factor is left by the new one: the moment of `due` is scaled about the present
            before, origin = self._factor, self.origin
            left = 0.0 if before is None or origin is None else origin + due / before - time.monotonic_ns()
            self.start(due)
            if before is not None and self._factor is not None and self.origin is not None:
                self.origin += left * before / self._factor
        if self._factor is None:
            return PAUSED_TICK_S if paused else 0.0
        if self.origin is None:
            self.start(due)
            return 0.0
        left = self.origin + due / self._factor - time.monotonic_ns()
        if left < -MAX_LATENESS:
            self.resyncs += 1
            self.start(due)
            return 0.0
        return left * 1e-9
