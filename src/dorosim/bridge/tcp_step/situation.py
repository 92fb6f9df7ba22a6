"""What the meaning of a message depends on: the last snapshot, what clients have set, and what a connection is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation
from dorosim.bridge.tcp_step.name import StepNames
from dorosim.bridge.tcp_step.suites import Suites
from dorosim.bridge.tcp_step.trajectory import TrajectoryPlayer
from dorosim.ground.error import DorosimError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.request import TimeMode

MILLISECOND = 1_000_000
USUAL_STEP_TIME = 20 * MILLISECOND
"""Simulated time of a step until a client sets one [ns]: a frame of MORAI SIM."""


class TimeForm(IntEnum):
    """In which form a client speaks of time; each is a state of the public examples (facts/tcp-fixed-step.md).

    FIRST: 12 bytes, modes 1 to 3. SECOND: 16 or 20 bytes, by the mode. THIRD: 20 bytes for both modes, with pictures a
    second in place of the time of a step.
    """

    FIRST = 1
    SECOND = 2
    THIRD = 3


class NotSupportedError(DorosimError):
    """What is asked for is known, and dorosim does not have it."""


@dataclass(slots=True)
class TimeChoice:
    """How clients have set time, as far as it is more than whether they step the run and at what pace it goes.

    Attributes:
        mode: while no client steps the run: VARIABLE or FIXED_DELTA. step: simulated time of a step [ns].
        fps, physics: pictures a second and time of the physics [ms], which change nothing.
    """

    mode: TimeMode = TimeMode.VARIABLE
    step: int = USUAL_STEP_TIME
    fps: int = 0
    physics: int = 10


@dataclass(slots=True)
class StepPeer:
    """A connection.

    Attributes:
        form: in which it speaks of time. known: whether the client has shown it, else it is that of the settings.
        newest: whether the client has shown that it is one of the newest, which read longer answers.
    """

    form: TimeForm = TimeForm.SECOND
    known: bool = False
    newest: bool = False

    def show(self, form: TimeForm) -> None:
        """Note a form that the client has used."""
        self.form, self.known = form, True
        self.newest = self.newest or form is TimeForm.THIRD

    def show_newest(self) -> None:
        """Note that the client has sent what only the newest ones do; how it sets time says more of its form."""
        self.newest = True
        if not self.known:
            self.form = TimeForm.THIRD


@dataclass(slots=True)
class StepSession:
    """What all connections have in common, in all runs of a program.

    Attributes:
        time: how clients have set it. player: moves actors along trajectories.
    """

    time: TimeChoice = field(default_factory=TimeChoice)
    player: TrajectoryPlayer = field(default_factory=TrajectoryPlayer)


@dataclass(frozen=True, slots=True)
class StepSituation:
    """What a request needs beside its own fields.

    Attributes:
        at: what requests of any interface need. session, peer, suites: see there.
    """

    at: Situation
    session: StepSession
    peer: StepPeer
    suites: Suites

    @property
    def names(self) -> StepNames:
        """By which clients know actors."""
        return StepNames(self.at.now, self.at.names)


StepMeaning = Callable[[Any, StepSituation], "Wire | DeferredReply"]
"""What a message asks for: the answer, or commands and the answer after them. It may raise InputError, NotNowError or
NotSupportedError: then nothing is done."""
