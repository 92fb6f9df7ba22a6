"""Formulas that both kernels and Python use: written once, for numbers alone.

A formula of sums, products, comparisons, roots and the functions of the C library has the same bits in both.
`math.hypot`, powers and `math.remainder` have not, and are not for such formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., object])


def plain(formula: F) -> F:
    """An inner kernel as Python calls it: the function that it was made of, not compiled."""
    return cast(F, cast(Any, formula).__wrapped__)
