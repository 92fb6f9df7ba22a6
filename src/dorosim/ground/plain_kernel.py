"""Formulas that both kernels and Python use: written once, for numbers alone.

A formula of sums, products, comparisons, roots and the functions of the C library has the same bits in both.
`math.hypot`, powers and `math.remainder` have not, and are not for such formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., object])


def plain(formula: F) -> F:
    """An inner kernel as Python calls it: the function that it was made of, not compiled.

    Inner kernels that it calls are taken so, too.
    """
    return cast(F, _plain(formula))


@cache
def _plain(formula: Any) -> FunctionType:
    function = formula.__wrapped__
    known = function.__globals__
    called = {
        name: _plain(known[name])
        for name in function.__code__.co_names
        if hasattr(known.get(name), "__wrapped__") and not isinstance(known[name], FunctionType | type)
    }
    made = FunctionType(function.__code__, {**known, **called}, function.__name__)
    made.__doc__ = function.__doc__
    return made
