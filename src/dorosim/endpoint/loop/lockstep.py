"""Lockstep with a program that drives the ego vehicle: each of its commands answers a status, and time waits for it.

So a run of a program that answers each status with a command is the same every time, however fast the machine is. Which
statuses wait depends on the interface: on UDP a tick waits whose `EgoVehicleStatus` has been sent, on ROS one every
20 ms, on gRPC every one.

A program that is started together with the run may come late, or answer statuses of the time before. So time begins to
pass once a first command has come and nothing more has for `QUIET_S`; the statuses of the start are sent again until
then, and the one that is waited for once more.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from dorosim.endpoint.journal import Journal
from dorosim.world.command import ActorCommand, Command
from dorosim.world.inbox import CommandBatch
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import (
    DriveGroundState,
    DriveGroundVehicle,
    DriveVehicle,
    FollowTrajectory,
    PlaceGhost,
    SteerVehicle,
)

REPLY_TIMEOUT_S = 1.0
"""Wall time that a program has for its answer [s]."""
PROGRAM_TIMEOUT_S = 30.0
"""Wall time that it has to come [s]."""
QUIET_S = 0.1
"""Wall time without a command after which answers to statuses of the start are all there [s]."""
RESEND_S = 0.1
"""Wall time after which the statuses of the start are sent again [s]."""
_LOOK_PERIOD_S = 0.05
"""Wall time after which a run that waits looks whether it is to end [s]."""
ROS_PERIOD = 20_000_000
"""Of the ego's status on ROS, by default [ns]."""
_DRIVING = (DriveVehicle, DriveGroundVehicle, DriveGroundState, FollowTrajectory, PlaceGhost, SteerVehicle)
Wait = Callable[[float], bool]


class SteppedRun(Protocol):
    """What lockstep asks of the loop."""

    now: Snapshot
    stopping: bool
    journal: Journal | None
    standstill_observers: list[Callable[[Snapshot, float], None]]

    @property
    def turns_away(self) -> bool:
        """Whether something else is to be done now than to wait."""

    def receive(self, seconds: float) -> None:
        """Take the commands that come within a wall time [s]."""


class StackInterface(Enum):
    """The interface by which a program drives; its value is the sender of its commands."""

    UDP = "udp"
    ROS = "ros"
    GRPC = "grpc"


@dataclass(slots=True, eq=False)
class Lockstep:
    """Waits for the commands of one program. Not safe from several threads, but for `note`.

    Args:
        interface: by which it drives.
        actor: id of its vehicle.
        wake: ends a wait early; set by the loop.

    Attributes:
        broken: why the run cannot go on, "" while it can.
    """

    interface: StackInterface
    actor: int
    wake: Callable[[], None] = field(default=lambda: None)
    broken: str = ""
    _asked: bool = False
    _answered: bool = False
    _begun: bool = False
    _last: float = 0.0
    _turn: int = -1

    def take(self, batch: CommandBatch, put: Callable[[CommandBatch], None]) -> None:
        """Look whether some commands answer a status; safe from another thread.

        Of the commands that drive the vehicle the first one after a status applies, and others that come before the
        next status do not.

        Args:
            batch: the commands.
            put: takes them for the next tick, if they apply. They are there before time may go on.
        """
        if batch.sender != self.interface.value or not any(map(self._drives, batch.commands)):
            put(batch)
            return
        if not self._answered or batch.on_outcomes is not None:
            put(batch)
        self._answered, self._last = True, time.monotonic()
        self.wake()

    def _drives(self, command: Command) -> bool:
        return isinstance(command, _DRIVING) and isinstance(command, ActorCommand) and command.actor == self.actor

    def ask(self, now: int, *, sent: bool) -> None:
        """The statuses of a simulated time [ns] have been sent; `sent`: that of the ego vehicle among them, on UDP."""
        turn = now // ROS_PERIOD
        passed, self._turn = turn != self._turn, turn
        if self.interface is StackInterface.UDP:
            self._asked, self._answered = sent, False
        else:
            # its answer may be here already: other threads have shown the tick to it before, and it may be quick
            self._asked = passed or self.interface is StackInterface.GRPC

    def begin_tick(self) -> None:
        """The commands that have come are about to be taken for a tick."""
        if self.interface is not StackInterface.UDP:
            self._answered = False

    def keep(self, run: SteppedRun) -> bool:
        """Wait for the program before a tick; a run in which it does not answer ends.

        Returns:
            Whether the tick may come.
        """

        def wait(seconds: float) -> bool:
            run.receive(min(seconds, _LOOK_PERIOD_S))
            return not run.turns_away

        def resend(stood: float) -> None:
            for observer in run.standstill_observers:
                observer(run.now, stood)

        self.begin(wait, resend)
        self.await_answer(wait)
        if self.broken:
            if run.journal is not None:
                run.journal.report("lockstep", self.broken)
            run.stopping = True
        return not run.turns_away

    @property
    def heard(self) -> bool:
        """Whether the program has driven at all."""
        return self._begun or self._answered

    @property
    def is_broken(self) -> bool:
        """Whether the run cannot go on."""
        return bool(self.broken)

    def begin(self, wait: Wait, resend: Callable[[float], None]) -> None:
        """Wait until the program is there and has answered all that it was sent so far.

        Args:
            wait: takes commands for a wall time [s], and returns early if one comes; False: the run is to end.
            resend: sends the statuses of the start again; it is given how long time has stood [s].
        """
        if self._begun or self.broken:
            return
        begun = time.monotonic()
        stood = RESEND_S
        while not self._answered:
            if self.is_broken:  # another thread may say so
                return
            if time.monotonic() - begun > PROGRAM_TIMEOUT_S:
                self.broken = f"no command of the program came by {self.interface.name} within {PROGRAM_TIMEOUT_S:g} s"
                return
            if not wait(RESEND_S):
                return
            if not self._answered:
                stood += RESEND_S
                resend(stood)
        if self.interface is StackInterface.GRPC:  # a call waits for its tick: it answers this status, and is alone
            self._begun = True
            return
        while time.monotonic() - self._last < QUIET_S:
            if not wait(QUIET_S):
                return
        self._begun, self._answered = True, False
        resend(stood + RESEND_S)

    def await_answer(self, wait: Wait) -> None:
        """Wait for the answer to the last status; the run is broken if it does not come.

        Args:
            wait: as of `begin`.
        """
        end = time.monotonic() + REPLY_TIMEOUT_S
        while self._asked and not (self._answered or self.broken):
            left = end - time.monotonic()
            if left <= 0.0:
                self.broken = (
                    f"no command of the program by {self.interface.name} came {REPLY_TIMEOUT_S:g} s after a status"
                )
            elif not wait(left):
                return
