"""Comparisons of values (ASAM OpenSCENARIO XML 1.3, Rule)."""

from __future__ import annotations

from enum import IntEnum

TOLERANCE = 1e-6
"""Numbers that differ by less are equal."""


class Comparison(IntEnum):
    """How a value is compared with a reference."""

    EQUAL = 0
    GREATER = 1
    LESS = 2
    GREATER_OR_EQUAL = 3
    LESS_OR_EQUAL = 4
    NOT_EQUAL = 5


def holds(rule: Comparison, value: float, reference: float) -> bool:
    """Whether a number meets a rule; NaN meets none but that of not being equal."""
    match rule:
        case Comparison.EQUAL:
            return value == reference or abs(value - reference) < TOLERANCE
        case Comparison.NOT_EQUAL:
            return not (value == reference or abs(value - reference) < TOLERANCE)
        case Comparison.GREATER:
            return value > reference + TOLERANCE
        case Comparison.LESS:
            return value < reference - TOLERANCE
        case Comparison.GREATER_OR_EQUAL:
            return value >= reference - TOLERANCE
    return value <= reference + TOLERANCE


def text_holds(rule: Comparison, value: str, reference: str) -> bool:
    """Whether a text meets a rule; texts have no order."""
    if rule is Comparison.EQUAL:
        return value == reference
    return rule is Comparison.NOT_EQUAL and value != reference
