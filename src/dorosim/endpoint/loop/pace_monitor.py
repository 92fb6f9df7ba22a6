"""How well a run keeps the pace: when each of its last ticks was done, and how long after its time.

`dorosim.endpoint.loop.turn_timer` notes when a turn began; its docstring says why they are two.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dorosim.endpoint.loop.clock import PacedClock
from dorosim.ground.column import FloatArray
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

MAX_TICKS = 1024
"""Ticks that figures are made of; ten seconds of a run in real time."""


@dataclass(frozen=True, slots=True)
class PaceFigures:
    """How a run kept the pace lately.

    Attributes:
        ticks: that the figures are made of.
        factor: simulated over wall time; None: too little is known yet.
        late_p50, late_p99, late_most: wall time from when a tick was due until it was done [s]; None: there is none,
            since the run goes as fast as possible or is stepped.
    """

    ticks: int = 0
    factor: float | None = None
    late_p50: float | None = None
    late_p99: float | None = None
    late_most: float | None = None


class PaceMonitor:
    """Notes when each tick is done; an observer of the loop (`dorosim.endpoint.loop.loop.Observer`).

    It need not be called for all ticks: the caller that wants figures lets it note those of the time in which the
    figures are looked at. It costs half a microsecond a tick; the figures are computed when the caller asks.

    Args:
        clock: of the run; it gives the time at which ticks are due.
    """

    def __init__(self, clock: PacedClock) -> None:
        self._clock, self._tick = clock, 0
        self._notes: deque[tuple[int, int, int, float | None]] = deque(maxlen=MAX_TICKS)
        self._note = self._notes.append

    def begin(self, tick: int) -> None:
        """Forget the ticks of the last run: another one begins, with ticks of this length [ns]."""
        self._tick = tick
        self._notes.clear()

    def __call__(self, now: Snapshot, _: Sequence[Command], moment: Callable[[], int] = time.monotonic_ns) -> None:
        """Note that a tick is done."""
        self._note((moment(), now.tick, now.time, self._clock.origin))

    @property
    def can_wait(self) -> bool:
        """As of `dorosim.endpoint.loop.at_once.PatientObserver`."""
        return True

    def figures(self, seconds: float = 10.0) -> PaceFigures:
        """Returns figures of the last ticks. Safe from any thread: a tick that is just noted may count in part.

        Args:
            seconds: wall time to look back [s], as far as its ticks are noted.
        """
        wall, times, late = self._lately(seconds)
        if len(wall) < 2:
            return PaceFigures()
        span = float(wall[-1] - wall[0])
        known = late[late >= 0.0] * 1e-9
        p50, p99 = np.percentile(known, (50, 99)).tolist() if len(known) else (None, None)
        factor = float(times[-1] - times[0]) / span if span > 0.0 and times[-1] >= times[0] else None
        return PaceFigures(len(wall) - 1, factor, p50, p99, float(known.max()) if len(known) else None)

    def late(self, seconds: float) -> FloatArray:
        """`(N,)` by how much each tick of the last wall time was late [s]; those that were due at no time are left out.

        Args:
            seconds: wall time to look back [s], as far as its ticks are noted.
        """
        found = self._lately(seconds)[2]
        known: FloatArray = found[found >= 0.0] * 1e-9
        return known

    def _lately(self, seconds: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Wall time, simulated time and lateness of the last ticks [ns], the oldest first; -1 for one that was not due.

        A clock that began anew, or runs at another factor, says nothing of the ticks before.
        """
        origin, factor = self._clock.origin, self._clock.factor
        first = time.monotonic_ns() - seconds * 1e9
        notes = [note for note in self._notes.copy() if note[0] > first]
        wall, tick, simulated = (np.array([note[row] for note in notes], np.float64) for row in range(3))
        if origin is None or factor is None:
            return wall, simulated, np.full(len(notes), -1.0)
        due = origin + tick * (self._tick / factor)
        known = np.array([note[3] == origin for note in notes], bool)
        return wall, simulated, np.where(known, np.maximum(wall - due, 0.0), -1.0)
