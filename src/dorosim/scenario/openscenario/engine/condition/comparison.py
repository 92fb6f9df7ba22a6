"""Comparisons of values (ASAM OpenSCENARIO XML 1.3, Rule)."""

from __future__ import annotations

from dorosim.ground.plain_kernel import plain
from dorosim.world.storyboard.comparison_kernel import TOLERANCE, ValueRule, number_holds

__all__ = ["TOLERANCE", "ValueRule", "holds", "text_holds"]

holds = plain(number_holds)
"""Whether a number meets a rule; NaN meets none but that of not being equal."""


def text_holds(rule: ValueRule, value: str, reference: str) -> bool:
    """Whether a text meets a rule; texts have no order."""
    if rule is ValueRule.EQUAL:
        return value == reference
    return rule is ValueRule.NOT_EQUAL and value != reference
