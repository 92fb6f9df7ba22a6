"""The simulation loop: one thread that waits, takes commands, steps and publishes.

The order of a turn:
  1. wait until the next tick is due; endpoints read their sockets meanwhile
  2. take the commands that are there, in the order of (source rank, arrival)
  3. `step`
  4. tell observers (recorder, page) of the tick and its commands
  5. endpoints publish what is due at the new snapshot's time

While the snapshot is paused, turns go on at the same pace with ticks of no duration, so commands still apply.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from dorosim.endpoint.clock import Clock
from dorosim.endpoint.journal import Journal
from dorosim.ground.noise import Noise
from dorosim.world.command.actor import Source
from dorosim.world.command.catalogue import Command
from dorosim.world.command.inbox import Inbox
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step


class Endpoint(Protocol):
    """Something that brings commands and takes snapshots."""

    def wait(self, seconds: float, put: Callable[[Source, Command], None], now: Snapshot) -> None:
        """Bring commands for a time; with 0, those that are there."""

    def publish(self, now: Snapshot) -> None:
        """Send what is due."""

    def close(self) -> None:
        """Let go of sockets."""


Observer = Callable[[Snapshot, Sequence[Command]], None]
"""Is told of each new snapshot and the commands that made it."""


class Loop:
    """A run.

    Args:
        scene: what does not change.
        first: the snapshot to start from.
        noise: the run's randomness.
        clock: the pace.
        endpoint: waits and publishes, or None for a run that only its caller drives.
        observers: are told of each tick.
        journal: where commands that the world refused are told of.
        opening: commands of the first tick, also of that after a reset: a scenario, for instance.
    """

    def __init__(
        self,
        scene: Scene,
        first: Snapshot,
        noise: Noise,
        clock: Clock,
        endpoint: Endpoint | None = None,
        observers: Iterable[Observer] = (),
        journal: Journal | None = None,
        opening: Iterable[Command] = (),
    ) -> None:
        self.scene = scene
        self.now = first
        self.inbox = Inbox()
        self.stopping = False
        self._first = first
        self._resetting = False
        self._noise = noise
        self._clock = clock
        self._endpoint = endpoint
        self._observers = tuple(observers)
        self._journal = journal
        self._opening = tuple(opening)
        self._open()

    def put(self, source: Source, command: Command) -> None:
        """Queue a command for the next tick."""
        self.inbox.put(source, command)

    def stop(self) -> None:
        """End `run` after the present tick. Safe from a signal handler or another thread."""
        self.stopping = True

    def reset(self) -> None:
        """Go back to the first snapshot at the next tick boundary. Safe from another thread.

        Commands that wait are forgotten with the world that they were meant for; those that come from now on apply in
        the first tick of the new one.
        """
        self.inbox.clear()
        self._resetting = True

    def turn(self) -> Snapshot:
        """One tick, without waiting: the caller keeps the time."""
        if self._resetting:
            self._resetting = False
            self.now = self._first
            self._clock.start(self._paced(self.now))
            self._open()
        commands = self.inbox.take()
        now = step(self.scene, self.now, commands, self._noise)
        self.now = now
        for observer in self._observers:
            observer(now, commands)
        if now.refusals and self._journal is not None:
            for refusal in now.refusals:
                self._journal.report("refused", refusal)
        if self._endpoint is not None:
            self._endpoint.publish(now)
        return now

    def run(self, duration: int | None = None) -> None:
        """Run until `stop`, or for a duration [ns] of simulated time, in which pauses do not count."""
        end = None if duration is None else self.now.time + duration
        self._clock.start(self._paced(self.now))
        endpoint, remaining, put = self._endpoint, self._clock.remaining, self.inbox.put
        if endpoint is not None:
            endpoint.publish(self.now)
        while not self.stopping and (end is None or self.now.time < end):
            left = remaining(self._paced(self.now) + self.scene.tick, paused=self.now.paused)
            if endpoint is not None:
                endpoint.wait(max(left, 0.0), put, self.now)
            elif left > 0.0:
                time.sleep(left)
            self.turn()

    def _open(self) -> None:
        for command in self._opening:
            self.inbox.put(Source.SCENARIO, command)

    def _paced(self, now: Snapshot) -> int:
        """The time [ns] at which a snapshot stands on the clock."""
        return now.tick * self.scene.tick
