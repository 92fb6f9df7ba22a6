"""Synchronous mode while no client steps.

After a time the loop reports which clients the run waits for, and statuses go on as in a pause. No tick is made for
it: how long a client takes to step is wall time, which must not reach the world.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from dorosim.endpoint.loop.gate import STEP_TIMEOUT_S

REPORT_PERIOD_S = 60.0
"""Wall time after which the loop reports again which clients the run waits for [s]."""
CURE = (
    "SetSynchronousMode with type 1, /SyncModeCmd with start_sync_mode false, or time mode 1 over TCP, "
    "lets time pass by the clock"
)


class Standstill:
    """How long simulated time has stood in synchronous mode.

    Args:
        clock: wall time from any moment on [s].
        timeout: wall time after which the loop reports which clients the run waits for, and statuses go on [s].
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, timeout: float = STEP_TIMEOUT_S) -> None:
        self._clock, self.timeout = clock, timeout
        self._since: float | None = None
        self._next_report = timeout

    def move(self) -> None:
        """Note that simulated time passes: the standstill is over."""
        self._since = None

    @property
    def waited(self) -> float:
        """For how long time has stood [s], from the first time that this is read after `move`."""
        if self._since is None:
            self._since, self._next_report = self._clock(), self.timeout
        return self._clock() - self._since

    @property
    def is_long(self) -> bool:
        """Whether time has stood for longer than the patience."""
        return self._since is not None and self._clock() - self._since >= self.timeout

    def is_report_due(self) -> bool:
        """Whether the loop is to report now which clients the run waits for; not again before `REPORT_PERIOD_S`."""
        due = self.waited >= self._next_report
        if due:
            self._next_report = self.waited + REPORT_PERIOD_S
        return due


def waiting_text(waited: float, late: Sequence[str], last: str) -> str:
    """Returns a sentence that says which clients the run waits for, and how to let time pass by the clock.

    Args:
        waited: for how long time has stood [s].
        late: names of the clients that step the run and have not made their next step.
        last: the client that stepped last, "" for none.
    """
    if late:
        for_what = f"for {', '.join(late)} to step"
    elif last:
        for_what = f"for a client to step; the last was {last}, which has gone"
    else:
        for_what = (
            "for a first step (Tick of gRPC, /SyncModeWaitForTick, or FixedStep over TCP), which no client has made yet"
        )
    return f"time has stood for {waited:.0f} s, the run waits {for_what}; {CURE}"
