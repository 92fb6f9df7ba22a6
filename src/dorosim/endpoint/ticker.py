"""Lets threads wait for the next tick of a run. It costs the loop nothing while nobody waits."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from dorosim.world.command.catalogue import Command
from dorosim.world.snapshot import Snapshot


class Turn(NamedTuple):
    """A turn of the loop.

    Attributes:
        number: counts turns, also those without duration and those after a reset; never goes back.
        now: the snapshot that it made.
    """

    number: int
    now: Snapshot


class Ticker:
    """An observer of the loop; one serves run after run.

    A thread that streams calls `wait` with the number of the last turn that it has seen, again and again, and looks
    between whether anybody still listens. It gets the newest snapshot, so one that is slow skips turns.

    Attributes:
        turn: the last one, None before the first.
    """

    def __init__(self) -> None:
        self.turn: Turn | None = None
        self._come = threading.Condition()
        self._waiting = 0
        self._closed = False

    def __call__(self, now: Snapshot, _: Sequence[Command] = ()) -> None:
        """The loop has made a snapshot."""
        last = self.turn
        self.turn = Turn(1 if last is None else last.number + 1, now)
        if self._waiting:  # one who begins to wait now looks at `turn` after it counted itself, so it misses nothing
            with self._come:
                self._come.notify_all()

    def close(self) -> None:
        """Nobody shall wait any longer."""
        with self._come:
            self._closed = True
            self._come.notify_all()

    def wait(self, seen: int, timeout: float) -> Turn | None:
        """Wait for a turn after one that was seen.

        Args:
            seen: number of the last turn that the caller knows, 0 for none.
            timeout: wall time to wait [s].

        Returns:
            The newest turn; None if none came in time or the ticker was closed.
        """
        with self._come:
            self._waiting += 1
            try:
                self._come.wait_for(lambda: self._closed or self.number != seen, timeout)
            finally:
                self._waiting -= 1
            turn = self.turn
            return None if self._closed or turn is None or turn.number == seen else turn

    @property
    def number(self) -> int:
        """Of the last turn, 0 before the first."""
        return 0 if self.turn is None else self.turn.number
