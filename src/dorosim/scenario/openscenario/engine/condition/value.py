"""Conditions by value (ASAM OpenSCENARIO XML 1.3, ByValueCondition)."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.condition.comparison import ValueRule, holds, text_holds
from dorosim.scenario.openscenario.engine.declared_value import value_of
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
class OutsideValueIs:
    """A value that came from outside compares with a reference; it is not met before the value has come.

    Attributes:
        name: of the value. number: reference, None where it is a text. text: reference as it stands in the file.
    """

    name: str
    rule: ValueRule
    number: float | None
    text: str

    def met(self, frame: StoryboardFrame, number: int) -> tuple[bool, float]:
        """Compare it."""
        text = frame.outside.get(self.name)
        if text is None:
            return False, 0.0
        value = value_of(text)
        if self.number is None or isinstance(value, str):
            return text_holds(self.rule, text, self.text), 0.0
        return holds(self.rule, value, self.number), value


@dataclass(frozen=True, slots=True)
class DateAndTime:
    """The date and time of day, in seconds since 1970, as an environment has set it; not met before that."""

    rule: ValueRule
    value: float

    def met(self, frame: StoryboardFrame, number: int) -> tuple[bool, float]:
        """Compare it."""
        rows = frame.environment
        if not rows or rows[0].since == NEVER:
            return False, 0.0
        now = rows[0].date_time + (frame.time - rows[0].since if rows[0].animation else 0)
        return holds(self.rule, now * 1e-9, self.value), now * 1e-9


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
