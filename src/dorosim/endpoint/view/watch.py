"""What a page is told of that happens between the snapshots that it sees: who drives, who is hit, what is refused."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

from dorosim.bridge.actor import Names
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
"""Refusals, and contacts, that are remembered."""
Happening = tuple[int, int, str]
"""Number among those of its kind from 1 on, simulated time [ns], and what it was."""


class RunWatch:
    """Looks at each tick of a run. The loop calls `see`, another thread the rest."""

    def __init__(self) -> None:
        self._driven: dict[int, float] = {}
        self._refused: deque[Happening] = deque(maxlen=MOST_KEPT)
        self._met: deque[Happening] = deque(maxlen=MOST_KEPT)
        self._counts = [0, 0]
        self._touching: frozenset[tuple[int, int, int]] | None = None

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
