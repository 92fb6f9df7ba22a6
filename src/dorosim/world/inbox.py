"""Commands that wait for the next tick."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from dorosim.world.command import Command, Source

if TYPE_CHECKING:
    from dorosim.world.snapshot import Outcome, Snapshot

OutcomeCallback = Callable[["Snapshot | None", "tuple[Outcome, ...]"], None]
"""Is called with the snapshot after some commands and with their outcomes, in their order; with None and no outcomes
if the commands were forgotten."""


class CommandBatch(NamedTuple):
    """Commands that came together, and apply together.

    Attributes:
        source: its rank is their order among the commands of other sources.
        commands: in order. on_outcomes: called with their outcomes; None for no call.
        sender: interface over which a client sent them, as "udp"; "" for none.
    """

    source: Source
    commands: Sequence[Command]
    on_outcomes: OutcomeCallback | None = None
    sender: str = ""


class Awaited:
    """Commands that are still being worked out, on another thread.

    They apply together, in one tick once they are there, and as if they had arrived when this was put.

    Attributes:
        commands: None until they are there; empty if there are none to apply.
    """

    __slots__ = ("commands",)

    def __init__(self) -> None:
        self.commands: Sequence[Command] | None = None


class _Place(NamedTuple):
    """The place of awaited commands in the order of arrival."""

    source: Source
    awaited: Awaited


class Inbox:
    """Commands that wait for the next tick. Endpoints on other threads may put while the loop takes.

    Attributes:
        gatekeeper: is given commands that come, and what takes them; it takes them or does not. None: all are taken.
    """

    def __init__(self) -> None:
        self.gatekeeper: Callable[[CommandBatch, Callable[[CommandBatch], None]], None] | None = None
        self._waiting: deque[CommandBatch | _Place] = deque()
        self._awaited: list[Awaited] = []

    def __len__(self) -> int:
        """How many batches can be taken."""
        if not self._awaited:
            return len(self._waiting)
        return len(self._waiting) - sum(not one.commands for one in self._awaited)

    @property
    def is_used(self) -> bool:
        """Whether anything waits, or is awaited."""
        return bool(self._waiting or self._awaited)

    @property
    def asks(self) -> bool:
        """Whether a command waits that has a callback, or that is of another source than PEER."""
        if not self._waiting:
            return False
        waiting = [one for one in tuple(self._waiting) if isinstance(one, CommandBatch)]
        return any(one.on_outcomes is not None or one.source is not Source.PEER for one in waiting)

    @property
    def awaits(self) -> bool:
        """Whether commands are awaited that are not there yet. Called on the thread that takes."""
        return bool(self._awaited) and any(one.commands is None for one in self._awaited)

    def put(self, source: Source, command: Command | Awaited, sender: str = "") -> None:
        """Add a command; arrival is the order of calls."""
        if isinstance(command, Awaited):
            self._awaited.append(command)
            self._waiting.append(_Place(source, command))
        else:
            self._take_in(CommandBatch(source, (command,), sender=sender))

    def put_all(
        self,
        source: Source,
        commands: Sequence[Command],
        on_outcomes: OutcomeCallback | None = None,
        sender: str = "",
    ) -> None:
        """Add commands of which all or none are in the next tick, and a callback that gets their outcomes."""
        self._take_in(CommandBatch(source, commands, on_outcomes, sender))

    def put_run(self, source: Source, commands: Sequence[Command], sender: str = "") -> None:
        """As `put` of each command, in order. Where nothing has to look at each of them, they stay together."""
        if self.gatekeeper is None:
            self._waiting.append(CommandBatch(source, commands, None, sender))
            return
        for command in commands:
            self._take_in(CommandBatch(source, (command,), None, sender))

    def slot(self, sender: str) -> InboxSlot:
        """Where an interface puts what its clients send."""
        return InboxSlot(self, sender)

    def _take_in(self, batch: CommandBatch) -> None:
        if self.gatekeeper is None:
            self._waiting.append(batch)
        else:
            self.gatekeeper(batch, self._waiting.append)

    def take(self) -> list[CommandBatch]:
        """All batches in the order of (source rank, arrival); only commands that are awaited stay."""
        if not self._waiting:
            return []
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
        """Forget all commands that wait or are awaited; callbacks get None and no outcomes."""
        for _ in range(len(self._waiting)):
            try:
                one = self._waiting.popleft()
            except IndexError:  # the thread that takes was quicker
                break
            if isinstance(one, CommandBatch):
                if one.on_outcomes is not None:
                    one.on_outcomes(None, ())
            else:
                one.awaited.commands = ()
                self._forget(one.awaited)

    def _forget(self, awaited: Awaited) -> None:
        with suppress(ValueError):  # another thread was quicker
            self._awaited.remove(awaited)


class InboxSlot:
    """An inbox, as an interface sees it: called, it puts a command in.

    Args:
        inbox: the inbox.
        sender: the interface, as of `CommandBatch`.
    """

    def __init__(self, inbox: Inbox, sender: str) -> None:
        self._inbox, self._sender = inbox, sender

    def __call__(self, source: Source, command: Command | Awaited) -> None:
        """Add a command; arrival is the order of calls."""
        self._inbox.put(source, command, self._sender)

    def put_run(self, source: Source, commands: Sequence[Command]) -> None:
        """Add commands that came one after another; see `Inbox.put_run`."""
        self._inbox.put_run(source, commands, self._sender)


def put_run(put: Callable[[Source, Command], None], commands: Sequence[Command]) -> None:
    """Put in commands of peers that came one after another, together if what puts them in can do that.

    Args:
        put: an `InboxSlot`, or any other function.
        commands: in order.
    """
    if isinstance(put, InboxSlot):
        put.put_run(Source.PEER, commands)
        return
    for command in commands:
        put(Source.PEER, command)


def commands_of(batches: Sequence[CommandBatch]) -> tuple[Command, ...]:
    """The commands of batches, in their order."""
    return tuple([command for batch in batches for command in batch.commands])


def report_outcomes(batches: Sequence[CommandBatch], now: Snapshot) -> None:
    """Call the callback of each batch with the snapshot after a tick and the outcomes of the commands of that batch.

    Args:
        batches: of the tick, in their order.
        now: the snapshot.
    """
    at = 0
    for batch in batches:
        end = at + len(batch.commands)
        if batch.on_outcomes is not None:
            batch.on_outcomes(now, now.outcomes[at:end])
        at = end


def _rank(batch: CommandBatch) -> int:
    return batch.source
