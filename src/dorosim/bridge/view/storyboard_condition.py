"""Conditions of a storyboard in words: what they look at, with which limit, and what they have measured last."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dorosim.scenario.openscenario.engine.condition import entity as by_entity
from dorosim.scenario.openscenario.engine.condition import value as by_value
from dorosim.scenario.openscenario.engine.condition.angle import AngleIs
from dorosim.scenario.openscenario.engine.condition.clearance import ClearanceAround
from dorosim.scenario.openscenario.engine.condition.collision import Collides
from dorosim.scenario.openscenario.engine.condition.comparison import ValueRule
from dorosim.scenario.openscenario.engine.condition.time_to_collision import TimeToCollision
from dorosim.scenario.openscenario.engine.distance import Direction, DistancePlan
from dorosim.scenario.openscenario.engine.program import ConditionPlan, Edge, ElementKind, Program
from dorosim.world.storyboard.state import NEVER, ElementState, StoryboardState, Transition

RULE_SIGNS = {
    ValueRule.EQUAL: "=",
    ValueRule.GREATER: ">",
    ValueRule.LESS: "<",
    ValueRule.GREATER_OR_EQUAL: "≥",
    ValueRule.LESS_OR_EQUAL: "≤",
    ValueRule.NOT_EQUAL: "≠",
}
_PARTS = ("", "longitudinal ", "lateral ", "vertical ")
_LASTING = ("stands", "is off the road", "is at the end of its road")
_DIRECTIONS = {Direction.LONGITUDINAL: "longitudinal ", Direction.LATERAL: "lateral "}
_DONE = {
    Transition.START: "starts",
    Transition.END: "ends",
    Transition.STOP: "is stopped",
    Transition.SKIP: "is skipped",
}
_STATES = {
    ElementState.IDLE: "is idle",
    ElementState.STANDBY: "waits",
    ElementState.RUNNING: "runs",
    ElementState.COMPLETE: "is complete",
}
KIND_WORDS = {
    ElementKind.STORY: "story",
    ElementKind.ACT: "act",
    ElementKind.MANEUVER_GROUP: "group",
    ElementKind.MANEUVER: "maneuver",
    ElementKind.EVENT: "event",
    ElementKind.ACTION: "action",
}
"""What the page calls an element."""
_MAX_NAMED = 3
"""Entities of a condition that are named; more are counted."""


class ConditionText(NamedTuple):
    """A condition in words.

    Attributes:
        what: it looks at, with its limit, as "Ego: speed > 8 m/s". unit: of what it measures, "" for none.
        measures: whether it measures a number.
        scale: from what it measures to the unit.
    """

    what: str
    unit: str = ""
    measures: bool = True
    scale: float = 1.0


class ConditionLine(NamedTuple):
    """A condition at one moment.

    Attributes:
        number: of the condition. name: of the file. text: what it looks at, with edge and delay.
        value: what it has measured last, "" for nothing.
        seen: whether it has been looked at since its element waits. met: whether it was met then.
        counts: whether it counted, after edge and delay.
    """

    number: int
    name: str
    text: str
    value: str
    seen: bool
    met: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class _Words:
    """Names of a scenario, for words."""

    program: Program

    def entity(self, number: int) -> str:
        """The name of an entity."""
        entities = self.program.entities
        return entities[number].name if 0 <= number < len(entities) else "nobody"

    def entities(self, numbers: Sequence[int]) -> str:
        """The names of some."""
        names = [self.entity(one) for one in numbers[:_MAX_NAMED]]
        more = len(numbers) - len(names)
        return ", ".join(names) + (f" and {more} more" if more else "")

    def element(self, numbers: Sequence[int]) -> str:
        """The first of some elements."""
        known = [one for one in numbers if 0 <= one < len(self.program.elements)]
        if not known:
            return "an element that there is not"
        plan = self.program.elements[known[0]]
        return f"{KIND_WORDS[plan.kind]} {plan.name}"


def number_text(value: float) -> str:
    """A number as people read it: at most four digits, three after the point."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "none"
    size = abs(value)
    digits = 3 if size < 1.0 else 2 if size < 100.0 else 1
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def condition_texts(program: Program) -> tuple[ConditionText, ...]:
    """The conditions of a scenario in words, in their order."""
    words = _Words(program)
    return tuple(_text_of(words, one) for one in program.conditions)


def condition_line(program: Program, texts: Sequence[ConditionText], state: StoryboardState, at: int) -> ConditionLine:
    """A condition at one moment.

    Args:
        program: of the scenario.
        texts: of `condition_texts`.
        state: of the storyboard.
        at: number of the condition.
    """
    plan, text, table = program.conditions[at], texts[at], state.condition
    seen = bool(table.seen[at] != NEVER)
    value = _value_text(plan, text, state, float(table.value[at])) if seen else ""
    what = text.what + _edge_text(plan)
    return ConditionLine(
        at, plan.name, what, value, seen, seen and bool(table.met[at]), seen and bool(table.counts[at])
    )


def _edge_text(plan: ConditionPlan) -> str:
    edge = {Edge.RISING: " · rising", Edge.FALLING: " · falling", Edge.BOTH: " · rising or falling"}.get(plan.edge, "")
    return edge + (f" · delay {plan.delay * 1e-9:g} s" if plan.delay else "")


def _value_text(plan: ConditionPlan, text: ConditionText, state: StoryboardState, value: float) -> str:
    """What a condition has measured last, in words."""
    measure = plan.measure
    if isinstance(measure, by_value.ElementStateIs):
        known = [one for one in measure.elements if 0 <= one < len(state.element)]
        return _STATES[ElementState(int(state.element.state[known[0]]))] if known else ""
    if isinstance(measure, by_value.VariableIs):
        row = int(state.variable.text[measure.variable])
        return number_text(float(state.variable.value[measure.variable])) if row < 0 else state.texts()[row]
    if isinstance(measure, by_value.OutsideValueIs):
        return state.outside_values().get(measure.name, "not yet")
    if isinstance(measure, by_value.SignalIs):
        row = int(state.signal.state[measure.signal])
        return "not known" if row < 0 else state.texts()[row]
    if not text.measures:
        return ""
    found = number_text(value * text.scale)
    return f"{found} {text.unit}".strip() if found != "none" else found


def _text_of(words: _Words, plan: ConditionPlan) -> ConditionText:
    measure = plan.measure
    if not isinstance(measure, by_entity.ByEntity):
        return _described(words, measure)
    found = _described(words, measure.measure)
    who = words.entities(measure.entities)
    if len(measure.entities) > 1:
        who = f"{'all' if measure.needs_all else 'any'} of {who}"
    return found._replace(what=f"{who}: {found.what}")


def _described(words: _Words, measure: Any) -> ConditionText:
    describe = _DESCRIBED.get(type(measure))
    if describe is not None:
        return describe(words, measure)
    what = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(measure).__name__).lower()
    rule, limit = getattr(measure, "rule", None), getattr(measure, "value", None)
    if isinstance(rule, ValueRule) and isinstance(limit, int | float):
        return ConditionText(f"{what} {RULE_SIGNS[rule]} {number_text(float(limit))}")
    return ConditionText(what, measures=False)


def _compared(what: str, measure: Any, unit: str) -> ConditionText:
    return ConditionText(f"{what} {RULE_SIGNS[measure.rule]} {number_text(measure.value)} {unit}".rstrip(), unit)


def _lasts(_: _Words, measure: by_entity.Lasts) -> ConditionText:
    return ConditionText(f"{_LASTING[measure.what]} for > {number_text(measure.duration * 1e-9)} s", "s")


def _reference(measure: by_value.VariableIs | by_value.OutsideValueIs) -> str:
    return f"{RULE_SIGNS[measure.rule]} {measure.text if measure.number is None else number_text(measure.number)}"


def _element(words: _Words, measure: by_value.ElementStateIs) -> ConditionText:
    how = _DONE.get(measure.transition, "") if measure.state is None else _STATES[measure.state]
    return ConditionText(f"{words.element(measure.elements)} {how}", measures=False)


def _signal(words: _Words, measure: by_value.SignalIs) -> ConditionText:
    signals, controllers = words.program.signals, words.program.controllers
    at = measure.signal - len(signals)
    what = f"light {signals[measure.signal]}" if at < 0 else f"controller {controllers[at].name}"
    return ConditionText(f"{what} shows {measure.state}", measures=False)


def _collides(words: _Words, measure: Collides) -> ConditionText:
    if measure.others is not None:
        whom = words.entities(measure.others)
    else:
        whom = "anybody" if measure.kind is None else f"any {measure.kind.name.lower()}"
    return ConditionText(f"touches {whom}", measures=False)


def _angle(words: _Words, measure: AngleIs) -> ConditionText:
    degrees = 180.0 / math.pi
    name = measure.angle.name.lower() + (f" over that of {words.entity(measure.other)}" if measure.other >= 0 else "")
    limit = f"{number_text(measure.value * degrees)} ± {number_text(measure.tolerance * degrees)}°"
    return ConditionText(f"{name} = {limit}", "°", scale=degrees)


def _distance(plan: DistancePlan) -> str:
    return f"{_DIRECTIONS.get(plan.direction, '')}distance"


def _clearance(words: _Words, measure: ClearanceAround) -> ConditionText:
    whom = words.entities(measure.others) if measure.others else "nobody"
    reach = f"{number_text(measure.forward)} m ahead and {number_text(measure.backward)} m behind"
    text = f"{reach} free of {whom}" if measure.others else f"{whom} within {reach}"
    return ConditionText(text, "m")


def _time_to_collision(words: _Words, measure: TimeToCollision) -> ConditionText:
    goal = words.entity(measure.other) if measure.other >= 0 else "a place"
    return _compared(f"time to collision with {goal}", measure, "s")


_DESCRIBED: dict[type, Callable[[_Words, Any], ConditionText]] = {
    by_value.SimulationTime: lambda _, one: _compared("simulation time", one, "s"),
    by_value.ElementStateIs: _element,
    by_value.VariableIs: lambda words, one: ConditionText(
        f"{words.program.variables[one.variable].name} {_reference(one)}"
    ),
    by_value.OutsideValueIs: lambda _, one: ConditionText(f"{one.name} (from outside) {_reference(one)}"),
    by_value.DateAndTime: lambda _, one: ConditionText(f"time of day {RULE_SIGNS[one.rule]} a date", measures=False),
    by_value.SignalIs: _signal,
    by_value.NeverMet: lambda _, _one: ConditionText("looks at what there is not, and is never met", measures=False),
    by_entity.Speed: lambda _, one: _compared(f"{_PARTS[one.part]}speed", one, "m/s"),
    by_entity.RelativeSpeed: lambda words, one: _compared(
        f"{_PARTS[one.part]}speed over that of {words.entity(one.other)}", one, "m/s"
    ),
    by_entity.Acceleration: lambda _, one: _compared(f"{_PARTS[one.part]}acceleration", one, "m/s²"),
    by_entity.Lasts: _lasts,
    by_entity.Travelled: lambda _, one: ConditionText(f"way ≥ {number_text(one.value)} m", "m"),
    by_entity.ReachesPosition: lambda _, one: ConditionText(
        f"distance from a place < {number_text(one.tolerance)} m", "m"
    ),
    by_entity.DistanceToPosition: lambda _, one: _compared(f"{_distance(one.plan)} from a place", one, "m"),
    by_entity.DistanceToEntity: lambda words, one: _compared(
        f"{_distance(one.plan)} from {words.entity(one.other)}", one, "m"
    ),
    by_entity.TimeHeadway: lambda words, one: _compared(f"time headway to {words.entity(one.other)}", one, "s"),
    TimeToCollision: _time_to_collision,
    ClearanceAround: _clearance,
    Collides: _collides,
    AngleIs: _angle,
}
"""How each kind of measure is put in words; others by the name of their class."""
