"""Takes the ticks that compiled code has made for the only client of a run.

What a client may ask for once it is answered is done before: the snapshot counts, statuses and datagrams are sent, and
observers have seen it. Observers that have nothing to do with ordinary ticks (`RestingObserver`) see none of them, and
watches see them after the answer, as of all ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, runtime_checkable

from dorosim.endpoint.loop.loop import Loop, Observer
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot


@runtime_checkable
class RestingObserver(Protocol):
    """An observer or a watch of the loop that may have nothing to do."""

    @property
    def rests(self) -> bool:
        """Whether it need not see ordinary ticks without commands, after the snapshot that it has seen last.

        That changes only in ticks that have commands or are not ordinary, or between two series of such ticks.
        """

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """See a snapshot."""


class SeldomObserver:
    """An observer made of a function.

    Args:
        see: is called with each snapshot that it has to see, and the commands before it.
        rests: as of `RestingObserver`.
    """

    def __init__(self, see: Observer, rests: Callable[[], bool]) -> None:
        self._see, self._rests = see, rests

    @property
    def rests(self) -> bool:
        """See `RestingObserver`."""
        return self._rests()

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """See a snapshot."""
        self._see(now, commands)


class TickTaker:
    """Takes ticks for a loop, on its thread: for each first `take`, then `show`, and `end` once the client is answered.

    Args:
        loop: of the run.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._client = ""
        self._made = loop.now
        self._observers: Sequence[Observer] = ()
        self._watches: Sequence[Observer] = ()

    def begin(self, client: str) -> None:
        """Begin a series of ticks, whose predecessor was made otherwise.

        Args:
            client: that steps.
        """
        self._client = client
        self._observers, self._watches = map(_awake, (self._loop.observers, self._loop.watches))

    def take(self, made: Snapshot) -> bool:
        """Let the run go on to the snapshot after its present one, made by an ordinary tick without commands.

        Returns:
            Whether it has; False: something else comes first, or others are waited for.
        """
        loop = self._loop
        if not loop.is_free or len(loop.inbox) or loop.script is not None or loop.lockstep is not None:
            return False
        self._made = made
        return loop.gate.go_on(self._client, loop.scene.tick, self._go)

    def show(self) -> None:
        """Let observers see the tick, and send what is due."""
        loop, made = self._loop, self._made
        if self._observers:
            loop.turn_timer.begin(loop.clock, None)
            for observer in self._observers:
                observer(made, ())
        if loop.endpoint is not None:
            loop.endpoint.publish(made)

    def end(self) -> None:
        """Let all others know of the tick."""
        loop, made = self._loop, self._made
        loop.standstill.move()
        loop.notifier.ring()
        for watch in self._watches:
            watch(made, ())

    def _go(self) -> None:
        loop = self._loop
        loop.now = self._made
        loop.ticks += 1
        loop.simulated += loop.scene.tick


def _awake(observers: Iterable[Observer]) -> list[Observer]:
    """Those that do not rest."""
    return [one for one in observers if not (isinstance(one, RestingObserver) and one.rests)]
