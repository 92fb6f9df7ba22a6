"""When the present turn of the loop began, on the wall clock: for whoever tells how well a run keeps its pace."""

from __future__ import annotations

import time

from dorosim.endpoint.clock import Clock


class Stopwatch:
    """Looks at the wall clock once a turn. Nothing that it tells may reach the world.

    Attributes:
        begun: when the turn began [ns on the monotonic clock].
        late: by how much that was later than it was due [ns]; None where nothing was due: as fast as possible, or in
            synchronous mode.
    """

    __slots__ = ("begun", "late")

    def __init__(self) -> None:
        self.begun = 0
        self.late: int | None = None

    def begin(self, clock: Clock, due: int | None) -> None:
        """A turn begins.

        Args:
            clock: of the run.
            due: time of its tick [ns]; None where it is not due at a moment.
        """
        self.begun = time.monotonic_ns()
        origin, factor = clock.origin, clock.factor
        if due is None or origin is None or factor is None:
            self.late = None
        else:
            self.late = self.begun - round(origin + due / factor)
