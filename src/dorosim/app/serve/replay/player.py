"""Plays a recording: on and on, paused, tick by tick, or from another moment.

Each snapshot is made of the one before by the recorded commands alone, and compared with its recorded digest, so
nothing that a viewer does reaches what is replayed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dorosim.app.analyse.trace.recorded import Recorded
from dorosim.app.serve.replay.index import RecordingIndex
from dorosim.bridge.view.event import PageEvent
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step

IDLE_S = 0.03
"""Wall time from one look at a player that stands to the next [s]."""

Show = Callable[[Snapshot, Snapshot, Sequence[Command]], None]
"""Is called with a snapshot, the one before it, and the commands between; after a jump both snapshots are one."""


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    """How far a recording is played on the page.

    Attributes:
        name: of its file. playing: whether it goes on. problem: why it cannot go on, "" while it can.
        begin, end, time: simulated time of its beginning, its end and what is shown [s].
        known: up to which simulated time events are listed and jumps are quick [s].
        events: how many are listed so far.
    """

    name: str
    begin: float
    end: float
    time: float
    known: float
    playing: bool
    events: int
    problem: str = ""


class RecordingPlayer:
    """Plays a recording. `run` goes on in one thread; all else is safe from any thread.

    Args:
        recorded: the recording.
        index: what is known of it.
        clock: the pace.
        waits: whether it stands at its beginning until a visitor looks at it.

    Attributes:
        now: the last snapshot. frame: how many ticks it is after the first.
        playing: whether it goes on. waits: whether it does so as soon as a visitor looks at it.
        problem: why it cannot go on, "" while it can.
    """

    def __init__(self, recorded: Recorded, index: RecordingIndex, clock: PacedClock, *, waits: bool = False) -> None:
        self.recorded, self.index, self.clock = recorded, index, clock
        self.now, self.frame = recorded.ready.first, 0
        self.playing, self.waits, self.problem = not waits, waits, ""
        self._noise = Noise(recorded.header.seed)
        self._changed = threading.Condition()
        self._target: int | None = None
        self._steps = 0
        self._stopping = False

    # what a viewer asks for

    def play(self) -> None:
        """Go on; from the beginning where the end has been reached."""
        with self._changed:
            if self._is_over and self._target is None:
                self._target = 0
            self.playing, self.waits = True, False
            self._changed.notify_all()

    def pause(self) -> None:
        """Stand at the present tick."""
        with self._changed:
            self.playing, self.waits, self._steps = False, False, 0
            self._changed.notify_all()

    def step(self) -> None:
        """Stand, after one tick more."""
        with self._changed:
            self.playing = self.waits = False
            self._steps += 1
            self._changed.notify_all()

    def seek(self, seconds: float) -> None:
        """Go to a simulated time [s]; where it stands or goes on, it does so from there.

        Raises:
            InputError: the recording has no such time.
            DorosimError: it is not known yet how to get there.
        """
        begin, end = self.recorded.ready.first.time, self.index.end
        if not begin * 1e-9 - 1e-6 <= seconds <= end * 1e-9 + 1e-6:
            problem = f"{seconds:g} s is not within the recording"
            raise InputError("recording", "", problem, f"give {begin * 1e-9:g} to {end * 1e-9:g}")
        frame = self.index.frame_at(round(seconds * 1e9))
        with self._changed:
            self._target, self._steps = frame, 0
            self._changed.notify_all()

    def events(self, first: int = 0) -> tuple[PageEvent, ...]:
        """What happened, as far as it is known, in order; from the event of this number on, counted from 0."""
        return self.index.events(first)

    @property
    def status(self) -> RecordingStatus:
        """How far it is."""
        index = self.index
        return RecordingStatus(
            name=self.recorded.path.name,
            begin=self.recorded.start,
            end=index.end * 1e-9,
            time=self.now.time * 1e-9,
            known=index.time_of(index.known) * 1e-9,
            playing=self.playing,
            events=len(index.events()),
            problem=self.problem or index.problem,
        )

    # its own thread

    def stop(self) -> None:
        """End `run`. Safe from a signal handler."""
        self._stopping = True

    def run(self, show: Show, idle: Callable[[], None]) -> None:
        """Play until `stop`.

        Args:
            show: is called with each snapshot.
            idle: is called again and again while it stands.
        """
        self._restart()
        while not self._stopping:
            if self._jump(show):
                continue
            if not self._goes_on():
                idle()
                self._wait(IDLE_S)
                self._restart()
                continue
            stepped = not self.playing
            left = 0.0 if stepped else self.clock.remaining((self.frame + 1) * self.recorded.ready.scene.tick)
            if left > 0.0:
                self._wait(min(left, IDLE_S))
                continue
            self._advance(show)
            with self._changed:
                self._steps = max(self._steps - 1, 0)

    def _goes_on(self) -> bool:
        """Whether the next tick is made; at the end it stands, unless a viewer has just asked for another moment."""
        with self._changed:
            if self._is_over and self._target is None:
                self.playing, self._steps = False, 0
            return (self.playing or self._steps > 0) and not self._is_over

    @property
    def _is_over(self) -> bool:
        return self.frame >= len(self.recorded.ticks) or bool(self.problem)

    def _wait(self, seconds: float) -> None:
        with self._changed:
            if self._target is None:
                self._changed.wait(seconds)

    def _restart(self) -> None:
        """Let the clock count from the present tick on."""
        self.clock.start(self.frame * self.recorded.ready.scene.tick)

    def _advance(self, show: Show) -> None:
        tick, before = self.recorded.ticks[self.frame], self.now
        now = step(self.recorded.ready.scene, before, tick.commands, self._noise, paused=tick.held)
        if not tick.is_of(now):
            self.problem = f"differs from the recording from tick {tick.tick:,} on"
            return
        self.now, self.frame = now, self.frame + 1
        show(now, before, tick.commands)

    def _jump(self, show: Show) -> bool:
        """Go to where a viewer wants to be. Returns whether one did."""
        with self._changed:
            target, self._target = self._target, None
        if target is None:
            return False
        frame, now = self.index.snapshot_before(target)
        if frame <= self.frame <= target:
            frame, now = self.frame, self.now
        scene, ticks = self.recorded.ready.scene, self.recorded.ticks
        for tick in ticks[frame:target]:
            now = step(scene, now, tick.commands, self._noise, paused=tick.held)
        self.now, self.frame, self.problem = now, target, ""
        self._restart()
        show(now, now, ())
        return True
