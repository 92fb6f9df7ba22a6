"""Reports ghosts whose published id differs from the number that their sender gave, each once."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.bridge.npc import renamed_ghosts
from dorosim.endpoint.journal import Journal
from dorosim.world.command import Command
from dorosim.world.ordinary.kept import kept_frame
from dorosim.world.snapshot import Snapshot

KIND = "ghost id"
REPORT_INTERVAL = 1_000_000_000
"""Ghosts that appear within this time are reported together [ns of ticks]."""
MAX_PER_LINE = 20
"""Most ghosts in one line."""


class GhostIds:
    """An observer of the loop that reports renumbered ghosts.

    Args:
        journal: counts and logs them.
        tick: length of a tick [ns].
    """

    def __init__(self, journal: Journal, tick: int) -> None:
        self._journal, self._tick = journal, tick
        self._known: frozenset[tuple[int, int]] = frozenset()
        self._waiting: list[tuple[int, int]] = []
        self._frame: object = None
        self._next = -REPORT_INTERVAL

    def __call__(self, now: Snapshot, _: Sequence[Command]) -> None:
        """Note the ghosts that are new, and report them at most once in `REPORT_INTERVAL`."""
        frame = kept_frame(now)
        if frame is None or frame is not self._frame:
            self._frame = frame
            self._look(now)
        if not self._waiting:
            return
        at = now.tick * self._tick
        # earlier than when the last line was logged: the run has been reset
        if not self._next - REPORT_INTERVAL <= at < self._next:
            self._next = at + REPORT_INTERVAL
            self.end()

    @property
    def rests(self) -> bool:
        """Whether nothing waits to be reported; see `dorosim.endpoint.loop.at_once.RestingObserver`."""
        return self._frame is not None and not self._waiting

    def _look(self, now: Snapshot) -> None:
        """Note the ghosts that are new."""
        pairs = renamed_ghosts(now)
        if pairs or self._known:
            self._waiting += [pair for pair in pairs if pair not in self._known]
            self._known = frozenset(pairs)

    def end(self) -> None:
        """Report the ghosts that have not been reported yet."""
        waiting, self._waiting = self._waiting, []
        for first in range(0, len(waiting), MAX_PER_LINE):
            some = waiting[first : first + MAX_PER_LINE]
            self._journal.counts[KIND] += len(some)
            pairs_text = ", ".join(f"{alias} as {actor}" for alias, actor in some)
            self._journal.write_line(
                f"{KIND}: published by ids of their own, since another actor has the sender's number: {pairs_text}"
            )
