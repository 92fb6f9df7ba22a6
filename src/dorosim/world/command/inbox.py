"""Commands that wait for the next tick."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from dorosim.world.command.actor import Source
from dorosim.world.command.catalogue import Command

if TYPE_CHECKING:
    from dorosim.world.snapshot import Outcome, Snapshot

OutcomeCallback = Callable[["Snapshot | None", "tuple[Outcome, ...]"], None]
"""Is told what became of commands, in their order, and of the snapshot after them; None and nothing where they were
forgotten."""


class CommandBatch(NamedTuple):
    """Commands that came together, and apply together.

    Attributes:
        source: its rank is their order among those of others.
        commands: in order. told: who wants to know what became of them.
    """

    source: Source
    commands: Sequence[Command]
    told: OutcomeCallback | None = None


class Awaited:
    """Commands that are still being worked out, on another thread.

    They apply together, in one tick once they are there, and as if they had arrived when this was put.

    Attributes:
        commands: None until they are there; none at all where nothing comes of it.
    """

    __slots__ = ("commands",)

    def __init__(self) -> None:
        self.commands: Sequence[Command] | None = None


class _Place(NamedTuple):
    """Where commands belong that are awaited."""

    source: Source
    awaited: Awaited


class Inbox:
    """Commands that wait for the next tick. Endpoints on other threads may put while the loop takes."""

    def __init__(self) -> None:
        self._waiting: deque[CommandBatch | _Place] = deque()
        self._awaited: list[Awaited] = []

    def __len__(self) -> int:
        """How many batches can be taken."""
        return len(self._waiting) - sum(not one.commands for one in self._awaited)

    @property
    def asks(self) -> bool:
        """Whether there are commands besides those of clients that wait for no answer."""
        waiting = [one for one in tuple(self._waiting) if isinstance(one, CommandBatch)]
        return any(one.told is not None or one.source is not Source.PEER for one in waiting)

    @property
    def awaits(self) -> bool:
        """Whether commands are awaited that are not there yet. On the thread that takes."""
        return any(one.commands is None for one in self._awaited)

    def put(self, source: Source, command: Command | Awaited) -> None:
        """Add a command; arrival is the order of calls."""
        if isinstance(command, Awaited):
            self._awaited.append(command)
            self._waiting.append(_Place(source, command))
        else:
            self._waiting.append(CommandBatch(source, (command,)))

    def put_all(self, source: Source, commands: Sequence[Command], told: OutcomeCallback | None = None) -> None:
        """Add commands of which all or none are in the next tick, and say whom to tell of them."""
        self._waiting.append(CommandBatch(source, commands, told))

    def take(self) -> list[CommandBatch]:
        """All batches in the order of (source rank, arrival); only commands that are awaited stay."""
        waiting, absent = list[CommandBatch](), list[_Place]()
        for _ in range(len(self._waiting)):
            try:
                one = self._waiting.popleft()
            except IndexError:  # another thread cleared it meanwhile
                break
            if isinstance(one, CommandBatch):
                waiting.append(one)
            elif one.awaited.commands is None:
                absent.append(one)
            else:
                self._forget(one.awaited)
                waiting.append(CommandBatch(one.source, one.awaited.commands))
        self._waiting.extendleft(reversed(absent))
        waiting.sort(key=_rank)
        return waiting

    def clear(self) -> None:
        """Forget all commands that wait, and say so; also those that are awaited."""
        for _ in range(len(self._waiting)):
            try:
                one = self._waiting.popleft()
            except IndexError:  # the thread that takes was quicker
                break
            if isinstance(one, CommandBatch):
                if one.told is not None:
                    one.told(None, ())
            else:
                one.awaited.commands = ()
                self._forget(one.awaited)

    def _forget(self, awaited: Awaited) -> None:
        with suppress(ValueError):  # another thread was quicker
            self._awaited.remove(awaited)


def commands_of(batches: Sequence[CommandBatch]) -> tuple[Command, ...]:
    """The commands of batches, in their order."""
    return tuple([command for batch in batches for command in batch.commands])


def _rank(batch: CommandBatch) -> int:
    return batch.source
