"""Readings on their way from the station to a stream: the newest of each sensor, or those of every tick."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dorosim.endpoint.grpc.call import CallError, Code
from dorosim.sensor.kind import DESCRIPTORS
from dorosim.world.mount.state import Mount

if TYPE_CHECKING:
    from dorosim.endpoint.sensor.interface import DueCall, Heard
    from dorosim.sensor.reading import Reading
    from dorosim.world.snapshot import Snapshot

MAX_WAITING_TICKS = 1000
"""Ticks that wait for a client that wants every one; more end its stream."""


@dataclass(frozen=True, slots=True, eq=False)
class HeardTick:
    """What the sensors of a stream have read in a tick.

    Attributes:
        now: the snapshot. epoch: as of `Heard`.
        readings: of each sensor that has read: one, or the slices of a turn.
    """

    now: Snapshot
    epoch: int
    readings: Sequence[Sequence[Reading]]


@dataclass(slots=True)
class _Turn:
    """Slices of a spinning sensor since the last turn.

    Attributes:
        since: simulated time from which on they are gathered [ns].
    """

    since: int
    slices: list[Reading] = field(default_factory=list)


class ReadingQueue:
    """A listener of a run's sensors. Its thread puts readings in, the stream's takes them out.

    A turn of a spinning sensor is all that it reads from one due time to the next; the part of a turn at the beginning
    is left out.

    Args:
        sensors: numbers of those that are wanted.
        every: whether every tick is wanted, else the newest reading of each sensor.
        begin: simulated time from which on they are heard [ns].
    """

    def __init__(self, sensors: Iterable[int], *, every: bool, begin: int) -> None:
        self._sensors, self._every = frozenset(sensors), every
        self._changed = threading.Condition()
        self._ticks: deque[HeardTick] = deque()
        self._newest: dict[int, HeardTick] = {}
        self._turns: dict[int, _Turn] = {}
        self._begin = self._last = begin
        self._overflowed = False

    def __call__(self, heard: Heard) -> Iterable[DueCall]:
        """Take the readings of a tick (`dorosim.endpoint.sensor.interface.Listener`)."""
        wanted = [one for one in heard.readings if one.sensor in self._sensors]
        if heard.now.time < self._last:  # the run began anew
            self._turns.clear()
            self._begin = self._last = heard.now.time
        found = list(self._whole(wanted, heard))
        passed, self._last = heard.now.time != self._last, heard.now.time
        with self._changed:
            if self._every and (found or passed):
                self._ticks.append(HeardTick(heard.now, heard.epoch, found))
                self._overflowed |= len(self._ticks) > MAX_WAITING_TICKS
            elif found:
                for slices in found:
                    self._newest[slices[-1].sensor] = HeardTick(heard.now, heard.epoch, (slices,))
            self._changed.notify_all()
        return ()

    def take(self, timeout: float) -> HeardTick | None:
        """The next tick, or the newest reading of a sensor; None if there is none within a time [s].

        Raises:
            CallError: every tick is wanted, and too many wait.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ticks or self._newest, timeout)
            if self._overflowed:
                reason = f"{MAX_WAITING_TICKS} ticks wait to be read, and none may be left out; read them, or tick less"
                raise CallError(Code.RESOURCE_EXHAUSTED, reason)
            if self._ticks:
                return self._ticks.popleft()
            if self._newest:
                return self._newest.pop(next(iter(self._newest)))
        return None

    def ring(self) -> None:
        """Let `take` return."""
        with self._changed:
            self._changed.notify_all()

    def _whole(self, wanted: Sequence[Reading], heard: Heard) -> Iterable[Sequence[Reading]]:
        """Readings that are whole: those of most sensors, and the turns that end."""
        mounts, now = heard.now.mounts, heard.now
        came: dict[int, list[Reading]] = {}
        for reading in wanted:
            came.setdefault(reading.sensor, []).append(reading)
        for number in sorted(self._sensors):
            row = mounts.row_of(number)
            if row < 0:
                continue
            mount = mounts.mount(row)
            if not DESCRIPTORS[mount.kind].spins:
                yield from ((one,) for one in came.get(number, ()))
            else:
                yield from self._turn_of(mount, came.get(number, []), now.time)

    def _turn_of(self, mount: Mount, slices: list[Reading], time: int) -> Iterable[Sequence[Reading]]:
        turn = self._turns.setdefault(mount.id, _Turn(max(self._begin, mount.since)))
        turn.slices += slices
        if not mount.is_due(self._last, time):
            return
        last_due = mount.phase + (mount.turn(time) - 1) * mount.period
        if turn.slices and turn.since <= max(last_due, mount.since):
            yield tuple(turn.slices)
        self._turns[mount.id] = _Turn(time)
