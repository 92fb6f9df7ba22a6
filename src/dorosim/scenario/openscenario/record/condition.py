"""Triggers and their conditions."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.entity_condition import ByEntityCondition
from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    Word,
    attribute,
    child,
    children,
    choice,
    sequence,
    words,
)
from dorosim.scenario.openscenario.record.value_condition import ByValueCondition


@words()
class ConditionEdge(Word):
    """Which change of a condition counts."""

    FALLING = "falling"
    NONE = "none"
    RISING = "rising"
    RISING_OR_FALLING = "risingOrFalling"


@sequence()
class Trigger(OscRecord):
    """What starts or stops an element: one of its groups must be met."""

    condition_groups: tuple[ConditionGroup, ...] = children("ConditionGroup", default=())


@sequence()
class ConditionGroup(OscRecord):
    """Conditions that must be met together."""

    conditions: tuple[Condition, ...] = children("Condition", default=(), required=())


@choice(choice_required="1.3")
class Condition(OscRecord):
    """A named condition."""

    condition_edge: ConditionEdge = attribute("which change counts", assumed=ConditionEdge.NONE)
    delay: float = attribute("how much later it counts [s]", assumed=0.0)
    name: str = attribute("name", assumed="")
    by_entity_condition: ByEntityCondition | None = child(default=None)
    by_value_condition: ByValueCondition | None = child(default=None)
