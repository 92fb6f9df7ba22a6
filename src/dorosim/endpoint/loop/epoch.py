"""Which wall time is time 0 in the stamps of messages.

Stamps are that moment, the epoch, plus simulated time. While time passes by the clock they are to be the wall time, so
the epoch is looked up when the clock starts, and again when it starts anew: after a reset and after synchronous mode.
While clients step the run, stamps count from the simulator's start (documents/udp-messages-en.txt: "When using Sync
Mode, the calculations are based on the simulator start time"). See docs/decisions/0039-what-stamps-count-from.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

MILLISECOND = 1_000_000
MIN_CALM = 10_000_000_000
"""Wall time without a loss after which one is an accident, and not that the machine is too slow for real time [ns]."""


class Stamped(Protocol):
    """What stamps are made with; only the loop's thread changes it, between two ticks.

    Attributes:
        epoch: wall time of simulated time 0 [ns since 1970].
    """

    epoch: int


@dataclass(slots=True)
class Stamps:
    """An epoch [ns since 1970] alone (`Stamped`)."""

    epoch: int = 0


class Epoch:
    """Sets the epoch of a run when its pace begins or changes.

    Args:
        stamped: has the epoch.
        by_clock: epoch while time passes by the clock [ns]; None: such that stamps are the wall time.
        by_steps: epoch while clients step the run [ns]; 0: stamps count from the simulator's start.
        wall: the wall clock [ns since 1970].

    Attributes:
        stamped: as given.
    """

    def __init__(
        self,
        stamped: Stamped,
        by_clock: int | None = None,
        by_steps: int = 0,
        wall: Callable[[], int] = time.time_ns,
    ) -> None:
        self.stamped = stamped
        self._by_clock, self._by_steps, self._wall = by_clock, by_steps, wall
        self._lost: int | None = None

    def begin(self, now: int, *, stepped: bool) -> None:
        """A pace begins at a simulated time [ns].

        Args:
            now: that time.
            stepped: whether clients step the run.
        """
        if stepped:
            self.stamped.epoch = self._by_steps
        elif self._by_clock is not None:
            self.stamped.epoch = self._by_clock
        else:
            # whole milliseconds, as the product's stamps (facts/udp-wire.md, 3.2)
            self.stamped.epoch = (self._wall() - now) // MILLISECOND * MILLISECOND

    def lose(self, now: int) -> None:
        """The clock was so late that it has started anew: simulated time has lost some wall time for good.

        After an accident, such as a machine that slept, stamps are the wall time again. A machine that is too slow for
        real time loses some all the time; stamps keep their pace then, since one that jumps again and again is of no
        use.

        Args:
            now: simulated time [ns].
        """
        moment, last = self._wall(), self._lost
        self._lost = moment
        if self._by_clock is None and (last is None or moment - last >= MIN_CALM):
            self.begin(now, stepped=False)
