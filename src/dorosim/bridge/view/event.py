"""What happened lately, one line an event: collisions, faults, refusals, runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from dorosim.world.snapshot import Snapshot

SHOWN_EVENTS = 8
"""Events that are shown."""


Happening = tuple[int, int, str]
"""Number among those of its kind from 1 on, simulated time [ns], and what it was."""


class PageEvent(NamedTuple):
    """Something that happened.

    Attributes:
        time: simulated [s]. text: what.
    """

    time: float
    text: str


class EventLog:
    """Collects the events that the run reports, and finds from the snapshots when the run begins anew.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int = SHOWN_EVENTS) -> None:
        self._events: deque[PageEvent] = deque(maxlen=most)
        self._noted = 0
        self._time = 0

    @property
    def events(self) -> tuple[PageEvent, ...]:
        """The last ones, newest first."""
        return tuple(reversed(self._events))

    def begin(self, text: str, now: Snapshot) -> None:
        """Note that another run begins, which counts refusals, contacts and faults from 1 on."""
        self._noted = 0
        self._start(text, now)

    def look(self, now: Snapshot) -> None:
        """Look whether a snapshot is earlier than the last one: then the run begins anew."""
        if now.time < self._time:
            self._start("the run begins anew", now)  # its events are counted on
        self._time = now.time

    def note(self, happenings: Sequence[Happening]) -> list[PageEvent]:
        """Note the events of all ticks of the run, also of those between two snapshots here. Each is noted once.

        Returns:
            those that are new, in order of time.
        """
        found = [PageEvent(time * 1e-9, text) for number, time, text in happenings if number > self._noted]
        self._noted = max((self._noted, *(number for number, *_ in happenings)))
        new = []
        for event in sorted(found, key=lambda one: one.time):
            again = bool(self._events) and self._events[-1].text == event.text
            if not again or not event.text.startswith("refused"):  # a client that asks again and again says one thing
                self._events.append(event)
                new.append(event)
        return new

    def _start(self, text: str, now: Snapshot) -> None:
        self._time = now.time
        self._events.append(PageEvent(now.time * 1e-9, text))
