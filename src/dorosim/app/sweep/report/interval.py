"""Rates with intervals.

Wilson's interval of a rate (E. B. Wilson, JASA 22, 1927), and Newcombe's of the difference of two (R. G. Newcombe,
Statistics in Medicine 17, 1998, method 10).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

NORMAL_95 = 1.959963984540054
"""Quantile of the normal distribution for intervals of 95 %."""


class Rate(NamedTuple):
    """A rate, and the ends of its interval of 95 %."""

    value: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """The rate in words."""
        return f"{self.value:.3%} ({self.low:.3%} to {self.high:.3%})"


def rate_of(count: int, total: int) -> Rate:
    """How many of all there are, with Wilson's interval."""
    if not total:
        return Rate(math.nan, 0.0, 1.0)
    share, z = count / total, NORMAL_95
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    low = 0.0 if count == 0 else middle - half
    return Rate(share, low, 1.0 if count == total else middle + half)


def difference_of(after: Rate, before: Rate) -> Rate:
    """The rise of a rate, with Newcombe's interval of 95 %."""
    rise = after.value - before.value
    down = math.hypot(after.value - after.low, before.high - before.value)
    up = math.hypot(after.high - after.value, before.value - before.low)
    return Rate(rise, rise - down, rise + up)


def weighted_rate(hits: Sequence[bool], weights: Sequence[float]) -> Rate:
    """How likely a hit is in traffic, of cells that were drawn otherwise, with a normal interval of 95 %."""
    count = len(hits)
    if not count:
        return Rate(math.nan, 0.0, 1.0)
    values = [weight if hit else 0.0 for hit, weight in zip(hits, weights, strict=True)]
    mean = math.fsum(values) / count
    spread = math.sqrt(math.fsum((one - mean) ** 2 for one in values) / max(count - 1, 1) / count)
    return Rate(mean, max(mean - NORMAL_95 * spread, 0.0), mean + NORMAL_95 * spread)
