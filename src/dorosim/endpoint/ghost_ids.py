"""Tells users of ghosts that are not told of by the numbers of their senders, each once."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.bridge.npc import renamed_ghosts
from dorosim.endpoint.journal import Journal
from dorosim.world.command.catalogue import Command
from dorosim.world.snapshot import Snapshot

KIND = "ghost id"
PERIOD = 1_000_000_000
"""Those who come within this time are told of together [ns of ticks]."""
MOST = 20
"""Ghosts in one line."""


class GhostIds:
    """An observer of the loop.

    Args:
        journal: is told.
        tick: length of a tick [ns].
    """

    def __init__(self, journal: Journal, tick: int) -> None:
        self._journal, self._tick = journal, tick
        self._known: frozenset[tuple[int, int]] = frozenset()
        self._waiting: list[tuple[int, int]] = []
        self._next = -PERIOD

    def __call__(self, now: Snapshot, _: Sequence[Command]) -> None:
        """Tell of ghosts that are new."""
        pairs = renamed_ghosts(now)
        if pairs or self._known:
            self._waiting += [pair for pair in pairs if pair not in self._known]
            self._known = frozenset(pairs)
        at = now.tick * self._tick
        # earlier than when the last line was told: the run has been reset
        if self._waiting and not self._next - PERIOD <= at < self._next:
            self._next = at + PERIOD
            self.end()

    def end(self) -> None:
        """Tell of those who wait to be told of."""
        waiting, self._waiting = self._waiting, []
        for first in range(0, len(waiting), MOST):
            some = waiting[first : first + MOST]
            self._journal.count(KIND, len(some))
            told = ", ".join(f"{alias} as {actor}" for alias, actor in some)
            self._journal.tell(f"{KIND}: told of by ids of their own, since an actor has the sender's number: {told}")
