"""The first draws of many streams of `dorosim.ground.noise` at once, to the bit those of numpy's generator.

Philox 4x64-10: J. Salmon, M. Moraes, R. Dror and D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, kernel

_ROUNDS = 10
_WORDS = 4
"""Numbers of 64 bits that one count of the counter gives."""
_LOW_HALF, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_FIRST_STEP, _SECOND_STEP = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
_STEP = 1.0 / 9007199254740992.0
"""Draws from 0 to 1 are multiples of this, 2^-53, as numpy has them."""


@inner_kernel
def high_product(one: np.uint64, other: np.uint64) -> np.uint64:
    """The upper 64 bits of a product of 128."""
    a, b, c, d = one & _LOW_HALF, one >> _HALF, other & _LOW_HALF, other >> _HALF
    middle = a * d + ((a * c) >> _HALF)
    rest = b * c + (middle & _LOW_HALF)
    return b * d + (middle >> _HALF) + (rest >> _HALF)


@inner_kernel
def four_words(low_key: np.uint64, high_key: np.uint64, count: np.uint64) -> tuple[np.uint64, ...]:
    """The numbers that a key gives at a count of its counter."""
    a, b, c, d = count, np.uint64(0), np.uint64(0), np.uint64(0)
    for _ in range(_ROUNDS):
        first, second = high_product(_FIRST_FACTOR, a), high_product(_SECOND_FACTOR, c)
        a, b, c, d = second ^ b ^ low_key, _SECOND_FACTOR * c, first ^ d ^ high_key, _FIRST_FACTOR * a
        low_key, high_key = low_key + _FIRST_STEP, high_key + _SECOND_STEP
    return a, b, c, d


@kernel
def first_draws(key: NDArray[np.uint64], low: float, high: float, count: int) -> FloatArray:
    """`(N, count)`: what `Generator(Philox(key)).uniform(low, high, count)` draws.

    Args:
        key: `(N, 2)` lower and upper half of each key.
        low: least number.
        high: numbers are below this.
        count: of numbers for each key.
    """
    made = np.empty((key.shape[0], count))
    for row in range(key.shape[0]):
        for begin in range(0, count, _WORDS):
            words = four_words(key[row, 0], key[row, 1], np.uint64(begin // _WORDS + 1))
            for at in range(min(_WORDS, count - begin)):
                made[row, begin + at] = low + (high - low) * (float(words[at] >> np.uint64(11)) * _STEP)
    return made
