"""Takes the ticks that compiled code has made for the only client of a run.

What a client may ask for once it is answered is done before: the snapshot counts, statuses and datagrams are sent, and
observers have seen it. Observers that have nothing to do with ordinary ticks (`RestingObserver`) see none of them, and
watches see them after the answer, as of all ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from dorosim.endpoint.loop.loop import Loop, Observer
from dorosim.world.command import Command
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.snapshot import Snapshot


class RestingObserver(Protocol):
    """An observer or a watch of the loop that may have nothing to do."""

    @property
    def rests(self) -> bool:
        """Whether it need not see ordinary ticks without commands, after the snapshot that it has seen last.

        That changes only in ticks that have commands or are not ordinary, or between two series of such ticks.
        """

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """See a snapshot."""


class PatientObserver(Protocol):
    """An observer of the loop that may see a tick after its client has been answered."""

    @property
    def can_wait(self) -> bool:
        """Whether nothing that a client asks for depends on it; it changes as `RestingObserver.rests` does."""

    def __call__(self, now: Snapshot, commands: Sequence[Command]) -> None:
        """See a snapshot."""


class AlertObserver(Protocol):
    """A watch of the loop that has nothing to do with ordinary ticks of a frame while some numbers are 0."""

    def zeros(self, frame: TickFrame) -> slice | None:
        """Which words of the blocks of a frame these are; None where it has to see each tick."""

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


class StepTaker:
    """Takes ticks for a loop, on its thread: for each first `take`, then `show`, and `end` once the client is answered.

    Args:
        loop: of the run.

    Attributes:
        shows: whether `show` has anything to do in the present series.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop, self._gate, self._go_on = loop, loop.gate, self._go
        self._client = ""
        self._made = loop.now
        self._observers: Sequence[Observer] = ()
        self._watches: list[Observer] = []
        self._alert: Observer | None = None
        self.shows = True

    def begin(self, client: str, frame: TickFrame) -> slice:
        """Begin a series of ticks, whose predecessor was made otherwise.

        Args:
            client: that steps.
            frame: of the ticks.

        Returns:
            Words of their blocks of which `end` is to know whether any is not 0.
        """
        self._client = client
        endpoint = self._loop.endpoint
        sends = endpoint is not None and getattr(endpoint, "sends", True)
        awake, watches = map(_awake, (self._loop.observers, self._loop.watches))
        patient = [one for one in awake if getattr(one, "can_wait", False)]
        self._observers, self._watches = [one for one in awake if one not in patient], [*patient, *watches]
        self.shows, self._alert = sends or bool(self._observers), None
        for one in watches:
            zeros: slice | None = one.zeros(frame) if hasattr(one, "zeros") else None
            if zeros is not None:
                self._alert = one
                self._watches.remove(one)
                return zeros  # one is enough: there is one such watch
        return slice(0, 0)

    def take(self, made: Snapshot) -> bool:
        """Let the run go on to the snapshot after its present one, made by an ordinary tick without commands.

        Returns:
            Whether it has; False: something else comes first, or others are waited for.
        """
        loop, self._made = self._loop, made
        if loop.inbox.is_used or not loop.is_free or loop.script is not None or loop.lockstep is not None:
            return False
        return self._gate.go_on(self._client, loop.scene.tick, self._go_on)

    def show(self) -> None:
        """Let observers see the tick, and send what is due."""
        loop, made = self._loop, self._made
        if self._observers:
            loop.turn_timer.begin(loop.clock, None)
            for observer in self._observers:
                observer(made, ())
        if loop.endpoint is not None:
            loop.endpoint.publish(made)

    def end(self, *, alert: bool) -> None:
        """Let all others know of the tick; alert: whether any of the words of `begin` is not 0."""
        loop, made = self._loop, self._made
        loop.standstill.move()
        loop.notifier.ring()
        for watch in self._watches:
            watch(made, ())
        if alert and self._alert is not None:
            self._alert(made, ())

    def _go(self) -> None:
        loop = self._loop
        loop.now = self._made
        loop.ticks += 1
        loop.simulated += loop.scene.tick


def _awake(observers: Iterable[Observer]) -> list[Observer]:
    """Those that do not rest."""
    # by the attribute alone, since to ask for the protocol takes ten times as long as a tick
    return [one for one in observers if not getattr(one, "rests", False)]
