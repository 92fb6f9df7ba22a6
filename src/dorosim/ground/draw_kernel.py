"""Random numbers inside kernels, addressed by the key of the drawer (`Noise.key`), the tick, and the draw's number.

Each number is the SplitMix64 finaliser of its address (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
number generators", OOPSLA 2014), applied once for each part of it, so that any draw can be made alone.
"""

from __future__ import annotations

from math import cos, log, sqrt, tau

import numpy as np

from dorosim.ground.jit import inner_kernel


@inner_kernel
def scramble(value: np.uint64) -> np.uint64:
    """A bijection of 64 bits whose results look random."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@inner_kernel
def stream_at(key: int, tick: int) -> np.uint64:
    """All draws of one key at one tick."""
    gamma = np.uint64(0x9E3779B97F4A7C15)
    return scramble(scramble(np.uint64(key) + gamma) + np.uint64(tick) * gamma)


@inner_kernel
def uniform(stream: np.uint64, number: int) -> float:
    """A uniformly distributed number from 0 to below 1, in steps of 2^-53."""
    drawn = scramble(stream + (np.uint64(number) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))
    return float(drawn >> np.uint64(11)) * 1.1102230246251565e-16


@inner_kernel
def normal(stream: np.uint64, number: int) -> float:
    """A number of the normal distribution (Box and Muller, 1958); it takes the places of two uniform ones."""
    spread = sqrt(-2.0 * log(1.0 - uniform(stream, 2 * number)))
    return spread * cos(tau * uniform(stream, 2 * number + 1))
