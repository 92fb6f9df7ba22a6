"""A run as endpoints on other threads see it: its last snapshot, and a gateway at which commands are answered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.error import DorosimError
from dorosim.world.command.actor import Source
from dorosim.world.command.catalogue import Command
from dorosim.world.command.inbox import CommandBatch
from dorosim.world.snapshot import Outcome, Snapshot

PATIENCE = 10.0
"""Wall time that an answer may take [s]; a tick takes a hundredth of that."""


class RunOverError(DorosimError):
    """The run ended, or began anew, before it came to the commands."""


class NoAnswerError(DorosimError):
    """The run does not get on."""


class Done(NamedTuple):
    """What became of commands.

    Attributes:
        now: the snapshot after the tick that applied them. outcomes: one a command.
    """

    now: Snapshot
    outcomes: tuple[Outcome, ...]


class CommandGateway:
    """A run, safe to use from any thread.

    Args:
        loop: steps it.
        source: rank of the commands.
    """

    def __init__(self, loop: Loop, source: Source = Source.PEER) -> None:
        self.loop = loop
        self._source = source

    @property
    def now(self) -> Snapshot:
        """The last snapshot."""
        return self.loop.now

    def do(
        self, commands: Sequence[Command], patience: float = PATIENCE, then: Callable[[Snapshot], None] | None = None
    ) -> Done:
        """Apply commands together in the next tick, and wait for it.

        Args:
            commands: in order; none are done at once.
            patience: wall time to wait [s].
            then: is done after that tick and before the next one, on the thread of the loop.

        Raises:
            RunOverError: the run ended or was reset before.
            NoAnswerError: there was no tick in time.
        """
        if not commands:
            return Done(self.now, ())
        return self._next(commands, then or (lambda _: None), patience)

    def put(self, commands: Sequence[Command]) -> None:
        """Apply commands together in the next tick, and do not wait for it; the run tells of those that it refuses."""
        if not commands:
            return
        self.loop.inbox.put_all(self._source, commands)
        if self.loop.gate.holds:
            self.loop.gate.wake()

    def between_ticks(self, act: Callable[[Snapshot], None], patience: float = PATIENCE) -> Done:
        """Do something on the thread of the loop, after the next tick and before the one after that.

        Args:
            act: is given the snapshot then; what it raises is raised here.
            patience: wall time to wait [s].

        Raises:
            RunOverError: the run ended or was reset before.
            NoAnswerError: there was no tick in time.
        """
        return self._next((), act, patience)

    def begin_again(
        self, commands: Sequence[Command] = (), patience: float = PATIENCE, *, stepped: bool | None = None
    ) -> Done:
        """Let the run go back to its first snapshot, and wait for the first tick of it.

        Args:
            commands: of that tick.
            patience: wall time to wait [s].
            stepped: as of `Loop.reset`.

        Raises:
            RunOverError: the run ended, or was reset once more, before.
            NoAnswerError: there was no tick in time.
        """
        return self._next(commands, lambda _: None, patience, lambda batch: self.loop.reset(batch, stepped=stepped))

    def _put(self, batch: CommandBatch) -> None:
        self.loop.inbox.put_all(*batch)

    def _next(
        self,
        commands: Sequence[Command],
        act: Callable[[Snapshot], None],
        patience: float,
        put: Callable[[CommandBatch], None] | None = None,
    ) -> Done:
        """Give in commands, and wait for the tick that applies them."""
        if self.loop.stopping:
            raise RunOverError("the run is over")
        answer: list[Done | Exception] = []
        come = threading.Lock()
        come.acquire()

        def told(now: Snapshot | None, outcomes: tuple[Outcome, ...]) -> None:
            if now is None:
                answer.append(RunOverError("the run ended or began anew before it came to the commands"))
            else:
                try:
                    act(now)
                    answer.append(Done(now, outcomes))
                except Exception as error:  # of the caller, who hears of it there
                    answer.append(error)
            come.release()

        (put or self._put)(CommandBatch(self._source, commands, told))
        if self.loop.ended:  # just now: nobody else answers
            self.loop.inbox.clear()
        if self.loop.gate.holds:
            self.loop.gate.wake()
        if not come.acquire(timeout=patience):
            raise NoAnswerError(f"no tick in {patience:g} s; the commands wait")
        done = answer[0]
        if isinstance(done, Exception):
            raise done
        return done
