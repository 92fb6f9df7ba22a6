"""Events between the snapshots that a page gets, which are sent to it: driving, contacts, refusals and faults."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

import numpy as np

from dorosim.bridge.actor import names_of
from dorosim.bridge.view.event import Happening
from dorosim.bridge.view.fault import active_faults
from dorosim.bridge.view.transition import STORYBOARD, storyboard_texts
from dorosim.world.collision.contact import ContactTable
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.report import NO_REPORT
from dorosim.world.vehicle.command import (
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    PlaceGhost,
    SteerVehicle,
)
from dorosim.world.vehicle.off_road import off_road

DRIVING = (DriveVehicle, DriveGroundVehicle, DriveGroundState, SteerVehicle, FollowTrajectory, PlaceGhost)
"""Commands by which a client drives a vehicle from outside."""
MAX_HAPPENINGS = 16
"""Refusals, contacts, and faults that begin or end, that are remembered, of each."""


class RunWatch:
    """Looks at each tick of a run. The loop calls `see`, another thread the rest.

    Args:
        elements: what each element of its storyboard is called, "" for those of which nothing is told.
    """

    def __init__(self, elements: Sequence[str] = ()) -> None:
        self._elements = elements
        self._driven: dict[int, float] = {}
        self._last: dict[str, deque[Happening]] = {}
        self._count = 0
        self._touching: frozenset[tuple[int, int, int]] | None = None
        self._faults: frozenset[str] | None = None
        self._off_road: frozenset[int] = frozenset()
        self._time = 0

    def see(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """Note the events of a tick with these commands."""
        for command, outcome in zip(commands, now.outcomes, strict=False):
            if outcome.refusal:
                self._note("refused: ", now.time, outcome.refusal)
            elif isinstance(command, DRIVING):
                self._driven[command.actor] = time.monotonic()
        if self._touching is None or self._touching or now.contact.rows:
            self._note_contacts(now)
        if self._faults is None or self._faults or len(now.fault):
            self._note_faults(now)
        if self._off_road or now.vehicle.wheel_surface.any():
            self._note_off_road(now)
        if now.storyboard_report != NO_REPORT and now.time != self._time:
            for text in storyboard_texts(self._elements, now):
                self._note(STORYBOARD, now.time, text.removeprefix(STORYBOARD))
        self._time = now.time

    def _note_off_road(self, now: Snapshot) -> None:
        """Remember which vehicles have left the road."""
        vehicle, before = now.vehicle, self._off_road
        self._off_road = frozenset(vehicle.id[off_road(vehicle)].tolist())
        for actor in sorted(self._off_road - before):
            row = vehicle.row_of(actor)
            place = f"({float(vehicle.x[row]):.1f}, {float(vehicle.y[row]):.1f})"
            self._note("off the road: ", now.time, f"{names_of(now).text_of(actor)} at {place}")

    def _note_contacts(self, now: Snapshot) -> None:
        """Remember contacts that have begun. Those that are older than this watch are left out."""
        table = now.contact
        rows = zip(table.begin.tolist(), table.first_id.tolist(), table.second_id.tolist(), strict=True)
        touching, before = frozenset(rows), self._touching
        self._touching = touching
        begun = touching - before if before is not None else {one for one in touching if one[0] >= now.time}
        names = names_of(now)
        for begin, first, second in sorted(begun):
            one, other = (names.text_of(actor) if actor > 0 else f"object {actor}" for actor in (first, second))
            place = "" if min(first, second) > 0 else _place_of(table, first, second)
            self._note("collision of ", begin, f"{one} and {other}{place}")

    def _note_faults(self, now: Snapshot) -> None:
        """Remember which faults have begun and ended; not those that are there when the watch or the run begins."""
        before, self._faults = self._faults, frozenset(active_faults(now))
        if before is None or now.time < self._time:
            return
        for one in sorted(self._faults - before):
            self._note("fault", now.time, f": {one}")
        for one in sorted(before - self._faults):
            self._note("fault", now.time, f" ended: {one}")

    def driven(self) -> dict[int, float]:
        """How long ago each vehicle was last driven from outside [s of wall time], by id."""
        now = time.monotonic()
        return {actor: now - last for actor, last in tuple(self._driven.items())}

    def happenings(self) -> tuple[Happening, ...]:
        """The last refusals, contacts, and faults that began and ended, in order."""
        count = self._count  # a later one may be found while an earlier one, of a kind read before it, is not
        return tuple(sorted(one for last in tuple(self._last.values()) for one in tuple(last) if one[0] <= count))

    def _note(self, kind: str, time: int, text: str) -> None:
        """Remember what happened at a simulated time [ns]. Many of one kind do not displace those of another."""
        self._last.setdefault(kind, deque(maxlen=MAX_HAPPENINGS)).append((self._count + 1, time, kind + text))
        self._count += 1


def _place_of(contact: ContactTable, first: int, second: int) -> str:
    """Where two bodies touch, in words, with a space before them."""
    row = int(np.flatnonzero((contact.first_id == first) & (contact.second_id == second))[0])
    return f" at ({contact.x[row]:.1f}, {contact.y[row]:.1f})"
