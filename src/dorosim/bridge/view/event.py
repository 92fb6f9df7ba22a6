"""What happened lately, one line an event: collisions, faults, refusals, runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from dorosim.bridge.actor import Names
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
    """Finds events between the snapshots that it is shown.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int = MOST_LINES) -> None:
        self._events: deque[Event] = deque(maxlen=most)
        self._contacts: frozenset[tuple[int, int, int]] | None = None
        self._faults: frozenset[str] = frozenset()
        self._refused = 0
        self._time = 0

    @property
    def events(self) -> tuple[Event, ...]:
        """The last ones, newest first."""
        return tuple(reversed(self._events))

    def begin(self, text: str, now: Snapshot) -> None:
        """Another run begins, whose refusals are counted from 1 on."""
        self._refused = 0
        self._start(text, now)

    def see(self, now: Snapshot) -> None:
        """Look at a snapshot."""
        if now.time < self._time:
            self._start("the run begins anew", now)  # its refusals are counted on
        self._time, seconds = now.time, now.time * 1e-9
        table = now.contact
        rows = zip(table.first_id.tolist(), table.second_id.tolist(), table.begin.tolist(), strict=True)
        contacts, before = frozenset(rows), self._contacts
        self._contacts = contacts
        if before is not None:
            names = Names(now.label)
            for first, second, begin in sorted(contacts - before, key=lambda one: one[2]):
                pair = f"{names.text_of(first)} and {names.text_of(second)}"
                self._events.append(Event(begin * 1e-9, f"collision of {pair}"))
        faults = frozenset(active_faults(now))
        self._events.extend(Event(seconds, f"fault: {one}") for one in sorted(faults - self._faults))
        self._events.extend(Event(seconds, f"fault ended: {one}") for one in sorted(self._faults - faults))
        self._faults = faults

    def hear(self, refused: Iterable[tuple[int, int, str]]) -> None:
        """Refusals as the run tells of them: number, simulated time [ns], reason. Each is noted once."""
        for count, time, reason in refused:
            if count > self._refused:
                self._refused = count
                last = self._events[-1].text if self._events else ""
                if last != f"refused: {reason}":  # a client that asks again and again says one thing
                    self._events.append(Event(time * 1e-9, f"refused: {reason}"))

    def _start(self, text: str, now: Snapshot) -> None:
        self._contacts, self._faults, self._time = None, frozenset(active_faults(now)), now.time
        self._events.append(Event(now.time * 1e-9, text))
