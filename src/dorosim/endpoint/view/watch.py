"""What a page is told of that happens between the snapshots that it sees: who drives, who is hit, what fails."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

from dorosim.bridge.actor import Names
from dorosim.bridge.view.event import Happening
from dorosim.bridge.view.fault import active_faults
from dorosim.world.command.catalogue import Command
from dorosim.world.command.vehicle import (
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    PlaceGhost,
    SteerVehicle,
)
from dorosim.world.snapshot import Snapshot

DRIVING = (DriveVehicle, DriveGroundVehicle, DriveGroundState, SteerVehicle, FollowTrajectory, PlaceGhost)
"""Commands of who drives a vehicle from outside."""
MOST_KEPT = 16
"""Refusals, contacts, and faults that begin or end, that are remembered, of each."""


class RunWatch:
    """Looks at each tick of a run. The loop calls `see`, another thread the rest."""

    def __init__(self) -> None:
        self._driven: dict[int, float] = {}
        self._refused: deque[Happening] = deque(maxlen=MOST_KEPT)
        self._met: deque[Happening] = deque(maxlen=MOST_KEPT)
        self._failed: deque[Happening] = deque(maxlen=MOST_KEPT)
        self._counts = [0, 0, 0]
        self._touching: frozenset[tuple[int, int, int]] | None = None
        self._faults: frozenset[str] | None = None
        self._time = 0

    def see(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """A tick is over, with these commands."""
        for command, outcome in zip(commands, now.outcomes, strict=False):
            if outcome.refusal:
                self._counts[0] += 1
                self._refused.append((self._counts[0], now.time, outcome.refusal))
            elif isinstance(command, DRIVING):
                self._driven[command.actor] = time.monotonic()
        if self._touching is None or self._touching or now.contact.rows:
            self._note_contacts(now)
        if self._faults is None or self._faults or len(now.fault):
            self._note_faults(now)
        self._time = now.time

    def _note_contacts(self, now: Snapshot) -> None:
        """Remember who has begun to touch whom. Contacts that are older than the watch are not its own."""
        table = now.contact
        rows = zip(table.begin.tolist(), table.first_id.tolist(), table.second_id.tolist(), strict=True)
        touching, before = frozenset(rows), self._touching
        self._touching = touching
        begun = touching - before if before is not None else {one for one in touching if one[0] >= now.time}
        names = Names(now.label)
        for begin, first, second in sorted(begun):
            self._counts[1] += 1
            self._met.append((self._counts[1], begin, f"{names.text_of(first)} and {names.text_of(second)}"))

    def _note_faults(self, now: Snapshot) -> None:
        """Remember which faults have begun and ended; not those that are there when the watch or the run begins."""
        before, self._faults = self._faults, frozenset(active_faults(now))
        if before is None or now.time < self._time:
            return
        told = [f"fault: {one}" for one in sorted(self._faults - before)]
        told += [f"fault ended: {one}" for one in sorted(before - self._faults)]
        for text in told:
            self._counts[2] += 1
            self._failed.append((self._counts[2], now.time, text))

    def driven(self) -> dict[int, float]:
        """How long ago each vehicle was last driven from outside [s of wall time], by id."""
        now = time.monotonic()
        return {actor: now - last for actor, last in tuple(self._driven.items())}

    def refused(self) -> tuple[Happening, ...]:
        """The last refusals, with their reasons."""
        return tuple(self._refused)

    def met(self) -> tuple[Happening, ...]:
        """The last contacts, with who met whom."""
        return tuple(self._met)

    def failed(self) -> tuple[Happening, ...]:
        """The last faults that began and ended, with whose they are."""
        return tuple(self._failed)
