"""Random choices inside kernels, addressed by the actor that chooses and the number of its choice."""

from __future__ import annotations

import numpy as np

from dorosim.ground.jit import inner_kernel


@inner_kernel
def scrambled(value: np.uint64) -> np.uint64:
    """A bijection of 64 bits whose results look random: the finaliser of SplitMix64.

    Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    """
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@inner_kernel
def choose(seed: int, actor: int, number: int, count: int) -> int:
    """A choice of 0 to count - 1, always the same for the same seed, actor and number of the choice."""
    gamma = np.uint64(0x9E3779B97F4A7C15)
    address = scrambled(np.uint64(seed) + gamma)
    address = scrambled(address + np.uint64(actor) * gamma)
    address = scrambled(address + np.uint64(number) * gamma)
    return int(address % np.uint64(count))
