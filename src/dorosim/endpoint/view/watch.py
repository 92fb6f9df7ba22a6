"""What a page is told of that happens between the snapshots that it sees: who drives, and what is refused."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

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
"""Refusals that are remembered."""


class RunWatch:
    """Looks at each tick of a run. The loop calls `see`, another thread the rest."""

    def __init__(self) -> None:
        self._driven: dict[int, float] = {}
        self._refused: deque[tuple[int, int, str]] = deque(maxlen=MOST_KEPT)
        self._count = 0

    def see(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """A tick is over, with these commands."""
        for command, outcome in zip(commands, now.outcomes, strict=False):
            if outcome.refusal:
                self._count += 1
                self._refused.append((self._count, now.time, outcome.refusal))
            elif isinstance(command, DRIVING):
                self._driven[command.actor] = time.monotonic()

    def driven(self) -> dict[int, float]:
        """How long ago each vehicle was last driven from outside [s of wall time], by id."""
        now = time.monotonic()
        return {actor: now - last for actor, last in tuple(self._driven.items())}

    def refused(self) -> tuple[tuple[int, int, str], ...]:
        """The last refusals: their number from 1 on, simulated time [ns] and reason."""
        return tuple(self._refused)
