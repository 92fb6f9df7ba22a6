"""The simulation loop: one thread that waits, takes commands, steps and publishes.

The order of a turn:
  1. wait until the next tick is due; endpoints read their sockets meanwhile
  2. take the commands that are there, in the order of (source rank, arrival)
  3. `step`
  4. call the observers (recorder, sensors, interfaces) with the new snapshot and the commands of the tick
  5. the endpoint publishes what is due at the new snapshot's time
  6. report the outcomes of the commands, to each batch that has a callback, and answer clients that stepped
  7. call the watches, which tell users what happened

The loop may have to await commands that another thread works out, as those of a scenario that it reads. In real time
they apply in the first tick after they are there. Where no wall clock counts, in synchronous mode and in a run as fast
as possible, time stands until they are there: so which tick that is does not depend on the machine.

While the snapshot is paused, turns go on at the same pace with ticks of no duration, so commands still apply. In
synchronous mode a turn waits for the gate; requests that are answered apply at once, in a tick of no duration, and
messages that are not answered apply in the first tick of the next step. Where no client steps for long, statuses go on
as in a pause, but without ticks (`dorosim.endpoint.loop.standstill`), and messages apply at once.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.cue import Reset, Script
from dorosim.endpoint.loop.drive_watchdog import DriveWatchdog
from dorosim.endpoint.loop.endpoint import Endpoint
from dorosim.endpoint.loop.epoch import Epoch
from dorosim.endpoint.loop.gate import Gate
from dorosim.endpoint.loop.lockstep import Lockstep
from dorosim.endpoint.loop.standstill import Standstill, waiting_text
from dorosim.endpoint.loop.tick_notifier import TickNotifier
from dorosim.endpoint.loop.turn_timer import TurnTimer
from dorosim.ground.noise import Noise
from dorosim.world.command import Command, Source
from dorosim.world.inbox import CommandBatch, Inbox, commands_of, report_outcomes
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step

GATE_POLL_S = 0.05
"""Longest wall time that a run which waits at the gate reads its endpoint before it looks at the gate again [s]."""

StandstillObserver = Callable[[Snapshot, float], None]
"""The loop calls it, while no client has stepped for long, with the last snapshot and with how long time has stood [s].
It continues what goes on in a pause, such as statuses."""
Observer = Callable[[Snapshot, Sequence[Command]], None]
"""The loop calls it after each tick with the new snapshot and the commands that made it."""


@dataclass(eq=False)
class Loop:
    """A run.

    Args:
        scene: what does not change.
        first: the snapshot to start from.
        noise: the run's randomness.
        clock: the pace.
        endpoint: waits and publishes, or None for a run that only its caller drives.
        observers: are called after each tick, before those who wait for it go on. watches: the same, after that.
        journal: where the loop reports commands that the world refused, and long standstills.
        opening: commands of the first tick, also of that after a reset: a scenario, for instance.
        gate: of synchronous mode.
        script: sets what happens in each tick, besides the commands of clients, scenario and page.
        turn_timer: notes when each turn begins, for observers that share it.
        watchdog: brakes vehicles whose clients fall silent; None for a run without clients.
        lockstep: lets each tick wait for a program that drives the ego vehicle; None for a run that waits for none.
        epoch: is set when the pace of time begins or changes; None: the run sets no epoch of stamps.

    Attributes:
        now: the last snapshot. inbox: commands that wait.
        stopping: whether `run` is about to end, or has ended. ended: whether the run is over.
        running: whether `run` goes on.
        script: as given; another one may take its place between two ticks.
        begun: is set when the first tick is over, or the run stands in synchronous mode and nothing is to be done.
        standstill_observers: are called while no client has stepped for long. standstill: for how long that has been.
        turn_timer: when the present turn began.
        ticks: how many there were, of any duration. simulated: time that they took [ns]. resets: how often the run
            went back to its first snapshot. None of them goes back with a reset.
    """

    scene: Scene
    first: Snapshot
    noise: Noise
    clock: PacedClock
    endpoint: Endpoint | None = None
    observers: Iterable[Observer] = ()
    journal: Journal | None = None
    opening: Iterable[Command] = ()
    gate: Gate = field(default_factory=Gate)
    script: Script | None = None
    turn_timer: TurnTimer = field(default_factory=TurnTimer)
    epoch: Epoch | None = None
    watchdog: DriveWatchdog | None = None
    lockstep: Lockstep | None = None
    watches: Iterable[Observer] = ()

    def __post_init__(self) -> None:
        """Put the opening into the inbox."""
        self.now = self.first
        self.inbox = Inbox()
        self.stopping = self.ended = self.running = self._started = self._stepped = False
        self.ticks = self.simulated = self.resets = self._resyncs = 0
        self._reset: Reset | None = None
        self._end: float = math.inf  # of `run` [ns of `simulated`]
        self.observers, self.watches, self.opening = tuple(self.observers), tuple(self.watches), tuple(self.opening)
        self._receive_command = self.inbox.slot("udp")
        self.notifier = TickNotifier()
        self.begun = threading.Event()
        self.standstill_observers: list[StandstillObserver] = []
        self.standstill = Standstill()
        if self.endpoint is not None:
            self.gate.wake = self.endpoint.wake
        if self.lockstep is not None and self.endpoint is not None:
            self.lockstep.wake = self.endpoint.wake
            self.inbox.gatekeeper = self.lockstep.take
        self._open()

    def put(self, source: Source, command: Command) -> None:
        """Queue a command for the next tick."""
        self.inbox.put(source, command)

    def stop(self) -> None:
        """End `run` after the present tick. Safe from a signal handler or another thread."""
        self.stopping = True

    def reset(self, batch: CommandBatch | None = None, *, stepped: bool | None = None) -> None:
        """Go back to the first snapshot at the next tick boundary. Safe from another thread.

        Commands that wait are forgotten with the world that they were meant for; those that come from now on apply in
        the first tick of the new one.

        Args:
            batch: commands of that first tick.
            stepped: whether synchronous mode begins or goes on with it (True), or ends (False); None: as it is. Where
                it begins, no time passes before a client steps.
        """
        self.inbox.clear()
        self._reset = Reset(stepped, batch)

    def start(self) -> None:
        """Let time pass: by the clock from this moment on, or by steps. `run` calls it where the caller has not."""
        self._started, self._stepped = True, self.gate.holds
        self.standstill.move()
        self.clock.start(self._paced(self.now))
        if self.epoch is not None:
            self.epoch.begin(self.now.time, stepped=self._stepped)

    def hold(self) -> None:
        """Begin synchronous mode at the last snapshot. For the loop's own thread, between two ticks."""
        self.gate.close(self.now.time)
        self._follow_gate()

    def turn(self, *, held: bool = False) -> Snapshot:
        """Make one tick without waiting, as the caller keeps the time. Returns the new snapshot.

        Args:
            held: whether the tick has no duration.
        """
        commands = self._tick(held=held)
        for watch in self.watches:
            watch(self.now, commands)
        return self.now

    @property
    def is_free(self) -> bool:
        """Whether nothing comes before a tick that a client steps, but for commands."""
        held_up = self.stopping or self._reset is not None or self.inbox.awaits
        return not held_up and self.simulated < self._end and not self.now.paused

    def advance(self, client: str, done: Callable[[int], None]) -> bool:
        """Make the one tick that a client steps, at once: for a reader of the endpoint, which this thread calls.

        Args:
            client: that steps.
            done: is called when the tick is made, as of `Gate.allow`.

        Returns:
            Whether the tick was made; False: others are waited for, or something else comes first.
        """
        if self.endpoint is None or not self.endpoint.settled or not self.is_free:
            return False
        if not self.gate.take(client, self.scene.tick):
            return False
        until = self.now.time + self.scene.tick
        self.standstill.move()
        commands = self._tick(held=False)
        now = self.now
        if made := now.time >= until:
            done(now.time)
        for watch in self.watches:
            watch(now, commands)
        return made

    def _tick(self, *, held: bool) -> Sequence[Command]:
        """Make one tick of what has come. Returns its commands."""
        if self._reset is not None:
            held = self._begin_again(self._reset) or held
        stepped = self.gate.holds
        self.turn_timer.begin(self.clock, None if stepped else self._paced(self.now) + self.scene.tick)
        cue = self.script(self.now) if self.script is not None and not held else None
        if cue is not None:
            if not cue.final:
                self.inbox.put_all(Source.REPLAY, cue.commands, cue.on_outcomes)
            held = cue.held
            self.now = cue.start or self.now
            if cue.epoch is not None and self.epoch is not None:
                self.epoch.stamped.epoch = cue.epoch
        if self.lockstep is not None:
            self.lockstep.begin_tick()
        batches = self.inbox.take()
        if cue is not None and cue.final:
            batches.append(CommandBatch(Source.REPLAY, cue.commands, cue.on_outcomes))
        if self.watchdog is not None:
            paused = held or (not stepped and self.now.paused)
            batches += self.watchdog.look(self.now, batches, held=paused, stepped=stepped)
        return self._make(batches, held=held)

    def _make(self, batches: Sequence[CommandBatch], *, held: bool) -> Sequence[Command]:
        """Make one tick of some commands, and tell all of it. Returns the commands."""
        commands = commands_of(batches) if batches else ()
        before = self.now.time
        now = step(self.scene, self.now, commands, self.noise, paused=held)
        self.now = now
        self.ticks += 1
        self.simulated += now.time - before
        for observer in self.observers:
            observer(now, commands)
        if commands and now.refusals and self.journal is not None:
            for refusal in now.refusals:
                self.journal.report("refused", refusal)
        self._publish(now)
        if batches:
            report_outcomes(batches, now)
        self.gate.passed(now.time)
        if not self.begun.is_set():
            self.begun.set()
        self.notifier.ring()
        return commands

    def run(self, duration: int | None = None) -> None:
        """Run until `stop`, or for a duration [ns] of simulated time: pauses do not count, what is reset does."""
        self.running = True
        try:
            self._run(duration)
        finally:
            self.running = False

    def _run(self, duration: int | None) -> None:
        end = self._end = math.inf if duration is None else self.simulated + duration
        if not self._started:
            self.start()
        endpoint, remaining, put = self.endpoint, self.clock.remaining, self._receive_command
        gate, tick, self._resyncs = self.gate, self.scene.tick, self.clock.resyncs
        self._publish(self.now)
        while not self.stopping and self.simulated < end:
            if gate.holds != self._stepped:
                self._follow_gate()
            if gate.holds:
                self._wait_at_gate()
                continue
            if self._stands():
                self.receive()
                continue
            if self.lockstep is not None and not self.now.paused and not self.lockstep.keep(self):
                continue
            left = remaining(self._paced(self.now) + tick, paused=self.now.paused)
            if self.clock.resyncs != self._resyncs:
                self._lose_time()
            if endpoint is not None:
                if endpoint.wait(max(left, 0.0), put, self.now):
                    continue  # another thread may have stopped the run or closed the gate; the tick comes when due
            elif left > 0.0:
                time.sleep(left)
            if not gate.holds and not self._stands():
                self.turn()
        self._started = False  # a further call of `run` begins at another moment

    def _publish(self, now: Snapshot) -> None:
        """Send what is due, and note whether a program that drives in lockstep is to answer it."""
        if self.endpoint is None:
            return
        if self.lockstep is None:
            self.endpoint.publish(now)
            return
        before = self.endpoint.ego_statuses
        self.endpoint.publish(now)
        self.lockstep.ask(now.time, sent=self.endpoint.ego_statuses != before)

    def end(self) -> None:
        """End the run for good: wakes all threads that wait for its beginning, a step or a tick."""
        self.stopping = self.ended = True
        self.gate.end()
        self.inbox.clear()
        self.begun.set()
        self.notifier.ring()

    def _lose_time(self) -> None:
        """Move the epoch of stamps: the clock has given up time that the run could not catch up with."""
        self._resyncs = self.clock.resyncs
        if self.epoch is not None and self.clock.factor == 1.0:
            self.epoch.lose(self.now.time)

    def _stands(self) -> bool:
        """Whether time stands until commands are there that the loop awaits."""
        return self.clock.factor is None and self.inbox.awaits and self._reset is None

    @property
    def turns_away(self) -> bool:
        """Whether the run waits for no program now: it ends, begins anew, or is stepped."""
        return self.stopping or self.gate.holds or self._reset is not None

    def receive(self, seconds: float = GATE_POLL_S) -> None:
        """Put the commands that come within `seconds` into the inbox, without a tick; without endpoint, only sleep."""
        if self.endpoint is not None:
            self.endpoint.wait(seconds, self._receive_command, self.now)
        else:
            time.sleep(GATE_POLL_S / 50)

    def _wait_at_gate(self) -> None:
        """One turn in synchronous mode: a tick if the gate allows it, else the commands that have come, else a wait."""
        # asked before datagrams are read: what a client sent before it stepped is read before the tick
        now, inbox = self.now, self.inbox
        may_pass = not now.paused and self.gate.may_pass(now.time + self.scene.tick)
        idle = not (may_pass or self._reset is not None or len(inbox))
        if not idle and self.endpoint is not None and not self.endpoint.settled:
            self.endpoint.wait(0.0, self._receive_command, now, whole=True)
        if inbox.awaits and self._reset is None:
            self.receive()
        elif may_pass:
            self.standstill.move()
            self.turn()
        elif not idle and (self._reset is not None or self._applies_at_once()):
            self.turn(held=True)
        else:
            if not self.begun.is_set():
                self.begun.set()
            self.receive(self.scene.tick * 1e-9 if self._stand() else GATE_POLL_S)

    def _applies_at_once(self) -> bool:
        """Whether commands apply before the next step, in a tick of no duration.

        Commands of which a client waits for the answer do, and those of the run itself. Messages that are not answered
        wait for the step: whether one comes before or after the loop has looked is chance, and an additional tick would
        make two equal runs differ.
        No client steps a run that is paused, or that has stood for long, so there all of them apply.
        """
        return self.inbox.asks or (len(self.inbox) > 0 and (self.now.paused or self.standstill.is_long))

    def _stand(self) -> bool:
        """Where no client has stepped for long: call the observers of it, and report which clients the run waits for.

        Returns whether time has stood for so long that statuses go on.
        """
        standstill, waited = self.standstill, self.standstill.waited
        if waited < standstill.timeout:
            return False
        for observer in self.standstill_observers:
            observer(self.now, waited)
        if not self.now.paused and standstill.is_report_due() and self.journal is not None:
            late = self.gate.waited_for(self.now.time + self.scene.tick)
            self.journal.report("synchronous mode", waiting_text(waited, late, self.gate.last))
        return True

    def _follow_gate(self) -> None:
        """Start the clock anew where synchronous mode has begun or ended: pace and stamps change from here on."""
        if self._stepped != self.gate.holds:
            self.start()

    def _begin_again(self, reset: Reset) -> bool:
        """Go back to the first snapshot. Returns whether the first tick has no duration, as clients step the run."""
        self._reset = None
        self.resets += 1
        self.now = self.first
        if reset.stepped is not None:
            if reset.stepped:
                self.gate.close(self.now.time)
            else:
                self.gate.open()
        self.start()
        self._open()
        if reset.batch is not None:
            self.inbox.put_all(*reset.batch)
        return self._stepped

    def _open(self) -> None:
        for command in self.opening:
            self.inbox.put(Source.SCENARIO, command)

    def _paced(self, now: Snapshot) -> int:
        """The time [ns] at which a snapshot stands on the clock."""
        return now.tick * self.scene.tick
