"""The length of a vector in plan with the bits of Python's `math.hypot`, which the C library's does not have.

Python scales the numbers by a power of two, sums their exact squares in two parts, and corrects the root once. Source:
CPython, `vector_norm` in Modules/mathmodule.c, whose comments say that no result was found that is not the nearest
number; T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18,
1971.
"""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel

_SPLITTER = 134217729.0
"""2**27 + 1: it cuts the 53 bits of a number in two halves."""
_SMALLEST = 2.2250738585072014e-308
"""The least number of full precision; lengths below it are near to those of Python, which versions have otherwise."""


@inner_kernel
def exact_product(x: float, y: float) -> tuple[float, float]:
    """A product as the sum of two numbers, the second of which is what the first lacks."""
    whole, other = x * _SPLITTER, y * _SPLITTER
    x_high, y_high = whole - (whole - x), other - (other - y)
    x_low, y_low = x - x_high, y - y_high
    high, middle = x_high * y_high, x_high * y_low + x_low * y_high
    rounded = high + middle
    return rounded, high - rounded + middle + x_low * y_low


@inner_kernel
def python_hypot(x: float, y: float) -> float:
    """The length of a vector of finite numbers, as `math.hypot(x, y)` has it."""
    x, y = abs(x), abs(y)
    greatest, unit = max(x, y), 1.0
    if greatest == 0.0:
        return 0.0
    if greatest < _SMALLEST:
        x, y, greatest, unit = x / _SMALLEST, y / _SMALLEST, greatest / _SMALLEST, _SMALLEST
    _, exponent = math.frexp(greatest)
    scale = math.ldexp(1.0, -exponent)
    total, low, rest = 1.0, 0.0, 0.0
    for number in (x * scale, y * scale):
        high, part = exact_product(number, number)
        added = total + high
        rest += high - (added - total)
        total = added
        low += part
    root = math.sqrt(total - 1.0 + (low + rest))
    high, part = exact_product(-root, root)
    added = total + high
    rest += high - (added - total)
    total = added
    low += part
    root += (total - 1.0 + (low + rest)) / (2.0 * root)
    return unit * (root / scale)
