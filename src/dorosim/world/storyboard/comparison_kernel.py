"""Comparisons of numbers (ASAM OpenSCENARIO XML 1.3, Rule)."""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.jit import inner_kernel

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


@inner_kernel
def number_holds(rule: int, value: float, reference: float) -> bool:
    """Whether a number meets a `ValueRule`; NaN meets none but that of not being equal."""
    if rule == ValueRule.EQUAL:
        return value == reference or abs(value - reference) < TOLERANCE
    if rule == ValueRule.NOT_EQUAL:
        return not (value == reference or abs(value - reference) < TOLERANCE)
    if rule == ValueRule.GREATER:
        return value > reference + TOLERANCE
    if rule == ValueRule.LESS:
        return value < reference - TOLERANCE
    if rule == ValueRule.GREATER_OR_EQUAL:
        return value >= reference - TOLERANCE
    return value <= reference + TOLERANCE
