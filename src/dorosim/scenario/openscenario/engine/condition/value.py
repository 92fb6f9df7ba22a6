"""Conditions by value (ASAM OpenSCENARIO XML 1.3, ByValueCondition)."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.condition.comparison import ValueRule, holds, text_holds
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.signals import light_state
from dorosim.world.storyboard.state import NEVER, ElementState, Transition

_SERIALS = {
    Transition.START: "started",
    Transition.END: "ended",
    Transition.STOP: "stopped",
    Transition.SKIP: "skipped",
}


@dataclass(frozen=True, slots=True)
class SimulationTime:
    """The time since the storyboard's start [s]."""

    rule: ValueRule
    value: float

    def met(self, frame: StoryboardFrame, number: int) -> tuple[bool, float]:
        """Compare it."""
        time = frame.time * 1e-9
        return holds(self.rule, time, self.value), time


@dataclass(frozen=True, slots=True)
class ElementStateIs:
    """An element is in a state, or has come into one by a transition since the last look.

    Attributes:
        elements: numbers of the elements that the file may mean; -1 only where there is none.
        state: None for a transition. transition: NONE for a state.
    """

    elements: tuple[int, ...]
    state: ElementState | None
    transition: Transition = Transition.NONE

    def met(self, frame: StoryboardFrame, number: int) -> tuple[bool, float]:
        """Look at the elements."""
        seen = frame.condition[number].seen
        since = frame.before if seen == NEVER else seen
        for one in self.elements:
            row = frame.element[one]
            if self.state is not None:
                if row.state == self.state:
                    return True, 1.0
            elif getattr(row, _SERIALS[self.transition]) > since:
                return True, 1.0
        return False, 0.0


@dataclass(frozen=True, slots=True)
class VariableIs:
    """A variable or parameter compares with a reference, as numbers where both are some."""

    variable: int
    rule: ValueRule
    number: float | None
    text: str

    def met(self, frame: StoryboardFrame, number: int) -> tuple[bool, float]:
        """Compare it."""
        value = frame.variable[self.variable]
        if isinstance(value, str):
            return text_holds(self.rule, value, self.text), 0.0
        if self.number is None:
            return text_holds(self.rule, str(value), self.text), value
        return holds(self.rule, value, self.number), value


@dataclass(frozen=True, slots=True)
class SignalIs:
    """A traffic light is in a state, or a controller in a phase; `signal` is the row of either."""

    signal: int
    state: str

    def met(self, frame: StoryboardFrame, number: int) -> tuple[bool, float]:
        """Compare it."""
        found = light_state(frame, self.signal) == self.state
        return found, float(found)


@dataclass(frozen=True, slots=True)
class NeverMet:
    """A condition on something that there is not."""

    def met(self, frame: StoryboardFrame, number: int) -> tuple[bool, float]:
        """It is not met."""
        return False, 0.0
