"""Comparisons of values (ASAM OpenSCENARIO XML 1.3, Rule)."""

from __future__ import annotations

from enum import IntEnum

TOLERANCE = 1e-6
"""Numbers that differ by less are equal."""


class ValueRule(IntEnum):
    """How a value is compared with a reference."""

    EQUAL = 0
    GREATER = 1
    LESS = 2
    GREATER_OR_EQUAL = 3
    LESS_OR_EQUAL = 4
    NOT_EQUAL = 5


def holds(rule: ValueRule, value: float, reference: float) -> bool:
    """Whether a number meets a rule; NaN meets none but that of not being equal."""
    match rule:
        case ValueRule.EQUAL:
            return value == reference or abs(value - reference) < TOLERANCE
        case ValueRule.NOT_EQUAL:
            return not (value == reference or abs(value - reference) < TOLERANCE)
        case ValueRule.GREATER:
            return value > reference + TOLERANCE
        case ValueRule.LESS:
            return value < reference - TOLERANCE
        case ValueRule.GREATER_OR_EQUAL:
            return value >= reference - TOLERANCE
    return value <= reference + TOLERANCE


def text_holds(rule: ValueRule, value: str, reference: str) -> bool:
    """Whether a text meets a rule; texts have no order."""
    if rule is ValueRule.EQUAL:
        return value == reference
    return rule is ValueRule.NOT_EQUAL and value != reference
