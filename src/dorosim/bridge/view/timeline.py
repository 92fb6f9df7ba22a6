"""The time line of a recording that is replayed: its events, and the times to jump to."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.bridge.view.event import PageEvent
from dorosim.ground.error import InputError

LEAD = 2.0
"""A jump to an event leads to so long before it [s]."""
MAX_TIMELINE_EVENTS = 200
"""Events that a time line keeps; later ones are left out."""


class TimeLine:
    """The time line of one recording. Events are known once they have been replayed, and then stay.

    All times are simulated ones: a recording that was paused, or waited for steps, is no longer for it.

    Args:
        name: of the recording.
        length: how long it is [s].

    Attributes: as the arguments, and
        begin: simulated time of its beginning [s]; None until the first snapshot.
    """

    def __init__(self, name: str, length: float) -> None:
        self.name, self.length = name, length
        self.begin: float | None = None
        self._events: dict[tuple[float, str], None] = {}

    @property
    def events(self) -> tuple[PageEvent, ...]:
        """Those that have been replayed, in order of time, each with the time since the beginning [s]."""
        return tuple(PageEvent(time, text) for time, text in sorted(self._events))

    def note(self, events: Sequence[PageEvent]) -> bool:
        """Keep events, with their simulated times. Returns whether one of them is new."""
        before = len(self._events)
        if self.begin is not None:
            for event in events:
                since = round(event.time - self.begin, 3)
                if 0.0 <= since <= self.length and len(self._events) < MAX_TIMELINE_EVENTS:
                    self._events[since, event.text] = None
        return len(self._events) > before

    def checked(self, since: float) -> float:
        """A time since the beginning [s].

        Raises:
            InputError: it is not within the recording.
        """
        if not 0.0 <= since <= self.length:
            raise InputError("replay", "", f"{since:g} s is not within its {self.length:.1f} s", "choose a time in it")
        return since

    def time_before(self, event: PageEvent) -> float:
        """The time since the beginning that leads to an event, `LEAD` before it [s]."""
        return self.checked(max(event.time - LEAD, 0.0))
