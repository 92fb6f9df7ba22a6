"""Commands that wait for the next tick."""

from __future__ import annotations

from collections import deque

from dorosim.world.command.actor import Source
from dorosim.world.command.catalogue import Command


class Inbox:
    """Commands that wait for the next tick. Endpoints on other threads may put while the loop takes."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Source, Command]] = deque()

    def put(self, source: Source, command: Command) -> None:
        """Add a command; arrival is the order of calls."""
        self._waiting.append((source, command))

    def take(self) -> tuple[Command, ...]:
        """All commands in the order of (source rank, arrival), and an empty inbox again."""
        waiting = []
        for _ in range(len(self._waiting)):
            try:
                waiting.append(self._waiting.popleft())
            except IndexError:  # another thread cleared it meanwhile
                break
        waiting.sort(key=_rank)
        return tuple([command for _, command in waiting])

    def clear(self) -> None:
        """Forget all commands that wait."""
        self._waiting.clear()


def _rank(entry: tuple[Source, Command]) -> int:
    return entry[0]
