"""When the present turn of the loop began, on the wall clock: for recordings, which keep it of every tick.

`pace_monitor` looks at the clock at the other end of a turn. They are two since they answer two questions at
two costs: a recording wants how long the step took, so the loop itself has to look before it; the page and the table
want when a tick was done and what the last ten seconds were like, and only while they are shown.
"""

from __future__ import annotations

import time

from dorosim.endpoint.loop.clock import PacedClock


class TurnTimer:
    """Looks at the wall clock once a turn. Its figures must not reach the world.

    Attributes:
        begun: when the turn began [ns on the monotonic clock].
        late: by how much that was later than it was due [ns]; None where nothing was due: as fast as possible, or in
            synchronous mode.
    """

    __slots__ = ("_clock", "_due", "begun")

    def __init__(self) -> None:
        self.begun = 0
        self._clock: PacedClock | None = None
        self._due: int | None = None

    @property
    def late(self) -> int | None:
        """By how much the turn began later than it was due [ns]; computed when it is read, within the turn."""
        clock, due = self._clock, self._due
        if clock is None or due is None or clock.origin is None or clock.factor is None:
            return None
        return self.begun - round(clock.origin + due / clock.factor)

    def begin(self, clock: PacedClock, due: int | None) -> None:
        """Note that a turn begins now.

        Args:
            clock: of the run.
            due: time of the turn's tick [ns]; None where it is not due at a moment.
        """
        self.begun, self._clock, self._due = time.monotonic_ns(), clock, due
