"""Which run there is, and how another one takes its place while clients ask for it on other threads.

A run is built on the thread that asks for it, while the present run goes on. Then the main thread ends the present
run, keeps the sockets that both use, and plays the new one.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import NamedTuple

from dorosim.app.run.session import RunResources, RunSession
from dorosim.app.serve.sensor.start import LateStation
from dorosim.endpoint.command_gateway import CommandGateway, RunOverError
from dorosim.endpoint.loop.loop import Loop

RUN_SWITCH_TIMEOUT_S = 60.0
"""Wall time that the present run may take to end [s]."""


class NoRunError(RunOverError):
    """There is no run just now, or the program ends."""


class CurrentRun(NamedTuple):
    """A run that goes on.

    Attributes:
        session: what it was built of. loop: steps it. gateway: takes commands from other threads.
        station: its sensors. number: 1 for the first of the program.
    """

    session: RunSession
    loop: Loop
    gateway: CommandGateway
    station: LateStation
    number: int


@dataclass(slots=True)
class _Successor:
    """A run that waits to begin, with the event that wakes the thread which asked for it."""

    session: RunSession
    resources: RunResources
    begun: threading.Event = field(default_factory=threading.Event)
    failure: RunOverError | None = None


class RunSwitch:
    """The present run and its successor."""

    def __init__(self) -> None:
        self._changed = threading.Lock()
        self._asking = threading.Lock()
        self._current: CurrentRun | None = None
        self._next: _Successor | None = None
        self._beginning: _Successor | None = None
        self._over = False
        self._count = 0

    @property
    def asking(self) -> threading.Lock:
        """Held by the thread that builds a successor: one at a time."""
        return self._asking

    @property
    def current(self) -> CurrentRun:
        """The present run.

        Raises:
            NoRunError: there is none.
        """
        current = self._current
        if current is None:
            raise NoRunError("no run is there just now; ask again")
        return current

    @property
    def next_sockets(self) -> Collection[socket.socket]:
        """UDP sockets of the run that waits to begin."""
        waiting = self._next
        return () if waiting is None else tuple(waiting.session.endpoint.sockets.values())

    def stop(self) -> None:
        """End the program after the present tick. Safe from a signal handler or another thread."""
        self._over = True
        if self._current is not None:
            self._current.loop.stop()
            self._current.station.hurry()

    @property
    def busy(self) -> bool:
        """Whether ticks of the present run go on."""
        current = self._current
        return current is not None and current.loop.running

    def begin(self, session: RunSession, loop: Loop, station: LateStation) -> CurrentRun:
        """A run is about to begin: it is the present one from now on."""
        self._count += 1
        current = CurrentRun(session, loop, CommandGateway(loop), station, self._count)
        self._current = current
        if self._over:
            loop.stop()
        return current

    def begun(self) -> None:
        """Everything is ready for the present run: wake the thread that waits for it."""
        if self._beginning is not None:
            self._beginning.begun.set()
            self._beginning = None

    def replace_by(self, session: RunSession, resources: RunResources) -> None:
        """End the present run, begin another one, and wait until it is there.

        Raises:
            NoRunError: the program ends.
        """
        successor = _Successor(session, resources)
        with self._changed:
            if self._over:
                _discard(successor, ())
                raise NoRunError("the simulator ends")
            self._next = successor
        self.current.loop.stop()
        session.endpoint.wake()
        self.current.session.endpoint.wake()
        if not successor.begun.wait(RUN_SWITCH_TIMEOUT_S):
            raise NoRunError(f"the present run does not end in {RUN_SWITCH_TIMEOUT_S:g} s")
        if successor.failure is not None:
            raise successor.failure

    def take_next(self) -> tuple[RunSession, RunResources] | None:
        """The run that waits to begin; None: there is none, and the program ends."""
        with self._changed:
            waiting, self._next = self._next, None
            if waiting is None or self._over:
                self._over = True
                if waiting is not None:
                    waiting.failure = NoRunError("the simulator ends")
                    _discard(waiting, ())
                    waiting.begun.set()
                return None
            self._beginning = waiting
            return waiting.session, waiting.resources

    def fail(self, error: Exception) -> None:
        """The program ends by an error: threads that wait for a run get `NoRunError`."""
        with self._changed:
            self._over = True
            waiting = [one for one in (self._beginning, self._next) if one is not None]
            self._beginning = self._next = None
        for one in waiting:
            one.failure = NoRunError(f"the simulator ends: {error}")
            _discard(one, ())
            one.begun.set()


def _discard(successor: _Successor, keep: Collection[socket.socket]) -> None:
    """Close the files, sensors and sockets of a run that does not begin, except the sockets to keep."""
    successor.resources.output.close()
    successor.resources.station.close()
    successor.session.endpoint.close(keep)
