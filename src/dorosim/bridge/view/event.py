"""What happened lately, one line an event: collisions, faults, refusals, runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from dorosim.bridge.view.fault import active_faults
from dorosim.world.snapshot import Snapshot

MOST_LINES = 8
"""Events that are shown."""


class Event(NamedTuple):
    """Something that happened.

    Attributes:
        time: simulated [s]. text: what.
    """

    time: float
    text: str


class EventLog:
    """Finds events between the snapshots that it is shown, and takes those that the run tells of.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int = MOST_LINES) -> None:
        self._events: deque[Event] = deque(maxlen=most)
        self._faults: frozenset[str] = frozenset()
        self._refused = self._met = 0
        self._time = 0

    @property
    def events(self) -> tuple[Event, ...]:
        """The last ones, newest first."""
        return tuple(reversed(self._events))

    def begin(self, text: str, now: Snapshot) -> None:
        """Another run begins, whose refusals and contacts are counted from 1 on."""
        self._refused = self._met = 0
        self._start(text, now)

    def see(self, now: Snapshot) -> None:
        """Look at a snapshot."""
        if now.time < self._time:
            self._start("the run begins anew", now)  # what it tells is counted on
        self._time, seconds = now.time, now.time * 1e-9
        faults = frozenset(active_faults(now))
        self._events.extend(Event(seconds, f"fault: {one}") for one in sorted(faults - self._faults))
        self._events.extend(Event(seconds, f"fault ended: {one}") for one in sorted(self._faults - faults))
        self._faults = faults

    def hear(self, refused: Sequence[tuple[int, int, str]], met: Sequence[tuple[int, int, str]] = ()) -> None:
        """What the run tells of each tick, however many of them are between two snapshots here. Each is noted once.

        Args:
            refused: number, simulated time [ns] and reason, in order.
            met: number, simulated time [ns] and who met whom, in order.
        """
        found = [Event(time * 1e-9, f"refused: {reason}") for count, time, reason in refused if count > self._refused]
        found += [Event(time * 1e-9, f"collision of {pair}") for count, time, pair in met if count > self._met]
        self._refused = max((self._refused, *(one[0] for one in refused)))
        self._met = max((self._met, *(one[0] for one in met)))
        for event in sorted(found, key=lambda one: one.time):
            again = bool(self._events) and self._events[-1].text == event.text
            if not again or not event.text.startswith("refused"):  # a client that asks again and again says one thing
                self._events.append(event)

    def _start(self, text: str, now: Snapshot) -> None:
        self._faults, self._time = frozenset(active_faults(now)), now.time
        self._events.append(Event(now.time * 1e-9, text))
