"""Commands that wait for the next tick."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dorosim.world.command.actor import Source
from dorosim.world.command.catalogue import Command

if TYPE_CHECKING:
    from dorosim.world.snapshot import Outcome, Snapshot

Told = Callable[["Snapshot | None", "tuple[Outcome, ...]"], None]
"""Is told what became of commands, in their order, and of the snapshot after them; None and nothing where they were
forgotten."""


class Letter(NamedTuple):
    """Commands that came together, and apply together.

    Attributes:
        source: its rank is their order among those of others.
        commands: in order. told: who wants to know what became of them.
    """

    source: Source
    commands: Sequence[Command]
    told: Told | None = None


class Inbox:
    """Commands that wait for the next tick. Endpoints on other threads may put while the loop takes."""

    def __init__(self) -> None:
        self._waiting: deque[Letter] = deque()

    def __len__(self) -> int:
        """How many letters wait."""
        return len(self._waiting)

    def put(self, source: Source, command: Command) -> None:
        """Add a command; arrival is the order of calls."""
        self._waiting.append(Letter(source, (command,)))

    def put_all(self, source: Source, commands: Sequence[Command], told: Told | None = None) -> None:
        """Add commands of which all or none are in the next tick, and say whom to tell of them."""
        self._waiting.append(Letter(source, commands, told))

    def take(self) -> list[Letter]:
        """All letters in the order of (source rank, arrival), and an empty inbox again."""
        waiting = []
        for _ in range(len(self._waiting)):
            try:
                waiting.append(self._waiting.popleft())
            except IndexError:  # another thread cleared it meanwhile
                break
        waiting.sort(key=_rank)
        return waiting

    def clear(self) -> None:
        """Forget all commands that wait, and say so."""
        for letter in self.take():
            if letter.told is not None:
                letter.told(None, ())


def commands_of(letters: Sequence[Letter]) -> tuple[Command, ...]:
    """The commands of letters, in their order."""
    return tuple([command for letter in letters for command in letter.commands])


def _rank(letter: Letter) -> int:
    return letter.source
