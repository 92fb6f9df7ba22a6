"""Synchronous mode while no client steps.

After a time the loop reports which clients the run waits for, and statuses go on as in a pause. No tick is made for
it: how long a client takes to step is wall time, which must not reach the world.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from dorosim.endpoint.loop.gate import PATIENCE

REMINDER = 60.0
"""Wall time after which the loop reports again which clients the run waits for [s]."""
HOW_ON = "SetSynchronousMode with type 1, or /SyncModeCmd with start_sync_mode false, lets time pass by the clock"


class Standstill:
    """How long simulated time has stood in synchronous mode.

    Args:
        clock: wall time from any moment on [s].
        patience: wall time after which the loop reports which clients the run waits for, and statuses go on [s].
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, patience: float = PATIENCE) -> None:
        self._clock, self.patience = clock, patience
        self._since: float | None = None
        self._telling = patience

    def move(self) -> None:
        """Note that simulated time passes: the standstill is over."""
        self._since = None

    @property
    def waited(self) -> float:
        """For how long time has stood [s], from the first time that this is read after `move`."""
        if self._since is None:
            self._since, self._telling = self._clock(), self.patience
        return self._clock() - self._since

    @property
    def is_long(self) -> bool:
        """Whether time has stood for longer than the patience."""
        return self._since is not None and self._clock() - self._since >= self.patience

    def is_to_tell(self) -> bool:
        """Whether the loop is to report now which clients the run waits for; not again before `REMINDER`."""
        due = self.waited >= self._telling
        if due:
            self._telling = self.waited + REMINDER
        return due


def waiting_text(waited: float, late: Sequence[str], last: str) -> str:
    """Returns a sentence that says which clients the run waits for, and how to let time pass by the clock.

    Args:
        waited: for how long time has stood [s].
        late: names of the clients that step the run and have not made their next step.
        last: the client that stepped last, "" for none.
    """
    if late:
        whom = f"for {', '.join(late)} to step"
    elif last:
        whom = f"for somebody to step; the last was {last}, who has gone"
    else:
        whom = "for a first step (Tick of gRPC, or /SyncModeWaitForTick), which nobody has made yet"
    return f"time has stood for {waited:.0f} s, the run waits {whom}; {HOW_ON}"
