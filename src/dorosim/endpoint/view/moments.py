"""Snapshots of a run that are kept for its page, to go back to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dorosim.bridge.view.event import PageEvent
from dorosim.bridge.view.transition import transition_text
from dorosim.ground.error import InputError
from dorosim.world.snapshot import Snapshot

MAX_KEPT_SNAPSHOTS = 120
"""Snapshots that are kept at equal distances, at most; their distance doubles when there are more."""
MAX_MOMENTS = 100
"""Snapshots before transitions of a storyboard that are kept, the last ones."""
FIRST_SPACING = 1_000_000_000
"""Simulated time from one of them to the next, at first [ns]."""


class _Moment(NamedTuple):
    """A snapshot, and what happened right after it."""

    now: Snapshot
    text: str


class MomentKeeper:
    """Keeps snapshots of one run. A snapshot never changes, so keeping one costs a reference.

    The loop calls `begin` and `see`, other threads the rest.
    """

    def __init__(self) -> None:
        self._elements: Sequence[str] = ()
        self._regular: tuple[Snapshot, ...] = ()
        self._moments: tuple[_Moment, ...] = ()
        self._last: Snapshot | None = None
        self._spacing = FIRST_SPACING

    def begin(self, first: Snapshot, elements: Sequence[str], *, goes_on: bool) -> None:
        """Keep those of another run from now on.

        Args:
            first: its first snapshot.
            elements: what the elements of its storyboard are called (`dorosim.bridge.view.transition`).
            goes_on: whether it goes on from a moment of the run before, so that earlier ones are its own, too.
        """
        self._elements = elements
        self._forget(first.time if goes_on else -1)
        if not self._regular:
            self._spacing, self._regular = FIRST_SPACING, (first,)
        self._last = first

    def see(self, now: Snapshot) -> None:
        """Look at a tick."""
        last, self._last = self._last, now
        if last is None or now.time == last.time:
            return
        if now.time < last.time:  # the run has begun anew
            self._forget(now.time)
        if not self._regular or now.time - self._regular[-1].time >= self._spacing:
            self._keep(now)
        if now.storyboard_report.happened and now.tick == last.tick + 1:
            texts = [transition_text(self._elements, one) for one in now.storyboard_report.happened]
            text = next((one for one in texts if one), "")
            if text:
                self._moments = (*self._moments, _Moment(last, text))[-MAX_MOMENTS:]

    def _keep(self, now: Snapshot) -> None:
        self._regular = (*self._regular, now)
        if len(self._regular) > MAX_KEPT_SNAPSHOTS:
            self._regular = self._regular[::2]
            self._spacing *= 2

    def _forget(self, time: int) -> None:
        """Forget all that is later than a time [ns]."""
        self._regular = tuple(one for one in self._regular if one.time <= time)
        self._moments = tuple(one for one in self._moments if one.now.time <= time)

    def listed(self) -> tuple[PageEvent, ...]:
        """The moments before something happened in the storyboard, in order, with what happened."""
        return tuple(PageEvent(one.now.time * 1e-9, f"before {one.text}") for one in self._moments)

    def last_before(self, seconds: float) -> Snapshot:
        """The last snapshot that is kept at or before a simulated time [s].

        Raises:
            InputError: none is.
        """
        time = round(seconds * 1e9)
        known = [*self._regular, *(one.now for one in self._moments)]
        found = max((one for one in known if one.time <= time), key=lambda one: one.time, default=None)
        if found is None:
            first = min((one.time for one in known), default=0) * 1e-9
            cure = f"moments are kept from {first:.2f} s on"
            raise InputError("go back", "", f"no moment at or before {seconds:g} s is kept", cure)
        return found
