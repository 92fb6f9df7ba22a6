"""Actions on variables, parameters, monitors, lights and the run itself (ASAM OpenSCENARIO XML 1.3)."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.action.place_action import AtOnce
from dorosim.scenario.openscenario.engine.declared_value import held_as
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.scenario.openscenario.engine.signals import set_light, set_phase
from dorosim.world.storyboard.state import Verdict


@dataclass(frozen=True, slots=True)
class SetVariable(AtOnce):
    """Set a variable."""

    variable: int
    value: float | str
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Set it."""
        frame.variable[self.variable] = self.value
        row.finish()


@dataclass(frozen=True, slots=True)
class ModifyVariable(AtOnce):
    """Multiply a variable, and add to it."""

    variable: int
    factor: float
    added: float
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Change it; a text stays."""
        value = frame.variable[self.variable]
        if isinstance(value, float):
            kind = frame.program.variables[self.variable].kind
            frame.variable[self.variable] = held_as(kind, value * self.factor + self.added)
        row.finish()


@dataclass(frozen=True, slots=True)
class SetSignal(AtOnce):
    """Bring a traffic light into a state."""

    signal: int
    state: str
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Set it."""
        set_light(frame, self.signal, self.state)
        row.finish()


@dataclass(frozen=True, slots=True)
class SetPhase(AtOnce):
    """Bring a controller of traffic lights into a phase."""

    controller: int
    phase: str
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Set it."""
        set_phase(frame, self.controller, self.phase, frame.time)
        row.finish()


@dataclass(frozen=True, slots=True)
class CustomCommand(AtOnce):
    """A command of the simulator: `exit` ends the run with a verdict, any other one is a line of the journal.

    Attributes:
        kind, content: of the file. Content "failure" or "fail" of an exit is a failure, any other a success.
    """

    kind: str
    content: str
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Do it."""
        if self.kind.lower() in ("exit", "exitfailure", "exitsuccess"):
            failed = self.kind.lower() == "exitfailure" or self.content.strip().lower() in ("failure", "fail")
            frame.verdict = Verdict.FAILURE if failed else Verdict.SUCCESS
            frame.ended = "a custom command ended the run"
        else:
            frame.journal.append(f"command {self.kind!r}: {self.content}")
        row.finish()
