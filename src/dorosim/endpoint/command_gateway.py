"""What endpoints on other threads use of a run: its last snapshot, and a gateway that takes and answers commands."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.error import DorosimError
from dorosim.world.command import Command, Source
from dorosim.world.inbox import CommandBatch, OutcomeCallback
from dorosim.world.snapshot import Outcome, Snapshot

COMMAND_TIMEOUT_S = 10.0
"""Wall time that a caller waits for an answer by default [s]; a tick takes a hundredth of that."""


class RunOverError(DorosimError):
    """The run ended or was reset before the loop came to the commands."""


class TickTimeoutError(DorosimError):
    """There was no tick in the time that the caller waits."""


class Done(NamedTuple):
    """The result of commands.

    Attributes:
        now: the snapshot after the tick that applied them. outcomes: one for each command.
    """

    now: Snapshot
    outcomes: tuple[Outcome, ...]


class CommandGateway:
    """A run, safe to use from any thread.

    Args:
        loop: steps the run.
        source: rank of the commands.
        sender: interface whose clients send them, as "grpc"; "" for none.
    """

    def __init__(self, loop: Loop, source: Source = Source.PEER, sender: str = "") -> None:
        self.loop = loop
        self._source, self._sender = source, sender

    def of(self, sender: str) -> CommandGateway:
        """The same for commands that clients send over an interface."""
        return CommandGateway(self.loop, self._source, sender)

    @property
    def now(self) -> Snapshot:
        """The last snapshot."""
        return self.loop.now

    def do(
        self,
        commands: Sequence[Command],
        timeout: float = COMMAND_TIMEOUT_S,
        then: Callable[[Snapshot], None] | None = None,
    ) -> Done:
        """Apply commands together in the next tick, and wait for that tick.

        Args:
            commands: in order; without commands it returns at once.
            timeout: wall time to wait [s].
            then: is called with the snapshot after that tick and before the next one, on the thread of the loop.

        Raises:
            RunOverError: the run ended or was reset before.
            TickTimeoutError: there was no tick in time.
        """
        if not commands:
            return Done(self.now, ())
        return self._next(commands, then or (lambda _: None), timeout)

    def put(self, commands: Sequence[Command]) -> None:
        """Apply commands together in the next tick without waiting for it; the run reports those that it refuses."""
        if not commands:
            return
        self.loop.inbox.put_all(self._source, commands, None, self._sender)
        if self.loop.gate.holds:
            self.loop.gate.wake()

    def between_ticks(self, act: Callable[[Snapshot], None], timeout: float = COMMAND_TIMEOUT_S) -> Done:
        """Call a function on the thread of the loop, after the next tick and before the one after that.

        Args:
            act: is called with the snapshot; what it raises is raised here.
            timeout: wall time to wait [s].

        Raises:
            RunOverError: the run ended or was reset before.
            TickTimeoutError: there was no tick in time.
        """
        return self._next((), act, timeout)

    def begin_again(
        self, commands: Sequence[Command] = (), timeout: float = COMMAND_TIMEOUT_S, *, stepped: bool | None = None
    ) -> Done:
        """Reset the run to its first snapshot, and wait for the first tick after that.

        Args:
            commands: are applied in that tick.
            timeout: wall time to wait [s].
            stepped: as of `Loop.reset`.

        Raises:
            RunOverError: the run ended, or was reset once more, before.
            TickTimeoutError: there was no tick in time.
        """
        return self._next(commands, lambda _: None, timeout, lambda batch: self.loop.reset(batch, stepped=stepped))

    def _put(self, batch: CommandBatch) -> None:
        self.loop.inbox.put_all(*batch)

    def ask(self, commands: Sequence[Command]) -> Callable[[float], Done]:
        """Apply commands together in the next tick, and go on meanwhile.

        Args:
            commands: in order, one at least.

        Returns:
            A function that waits for that tick, at most for a wall time [s], and returns or raises as `do`.

        Raises:
            RunOverError: the run is over.
        """
        return self._asked(commands, lambda _: None, self._put)

    def call(self, commands: Sequence[Command], on_outcomes: OutcomeCallback) -> None:
        """Apply commands together in the next tick, and call a function with their outcomes on the loop's thread.

        Args:
            commands: in order, one at least.
            on_outcomes: is called once; with None and no outcomes where the commands are forgotten.
        """
        self.loop.inbox.put_all(self._source, commands, on_outcomes, self._sender)
        if self.loop.ended:
            self.loop.inbox.clear()

    def _next(
        self,
        commands: Sequence[Command],
        act: Callable[[Snapshot], None],
        timeout: float,
        put: Callable[[CommandBatch], None] | None = None,
    ) -> Done:
        """Put commands into the inbox, and wait for the tick that applies them."""
        return self._asked(commands, act, put or self._put)(timeout)

    def _asked(
        self, commands: Sequence[Command], act: Callable[[Snapshot], None], put: Callable[[CommandBatch], None]
    ) -> Callable[[float], Done]:
        """Put commands into the inbox; what waits for the tick that applies them."""
        if self.loop.stopping:
            raise RunOverError("the run is over")
        answer: list[Done | Exception] = []
        ready = threading.Lock()
        ready.acquire()

        def answered(now: Snapshot | None, outcomes: tuple[Outcome, ...]) -> None:
            if now is None:
                answer.append(RunOverError("the run ended or began anew before it came to the commands"))
            else:
                try:
                    act(now)
                    answer.append(Done(now, outcomes))
                except Exception as error:  # of the caller's `act`: it is raised on the caller's thread
                    answer.append(error)
            ready.release()

        put(CommandBatch(self._source, commands, answered, self._sender))
        if self.loop.ended:  # ended just now: the loop answers no more, so the inbox is cleared here
            self.loop.inbox.clear()
        if self.loop.gate.holds:
            self.loop.gate.wake()

        def wait(timeout: float) -> Done:
            if not ready.acquire(timeout=timeout):
                raise TickTimeoutError(f"no tick in {timeout:g} s; the commands wait")
            done = answer[0]
            if isinstance(done, Exception):
                raise done
            return done

        return wait
