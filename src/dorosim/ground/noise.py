"""Randomness that is addressed, not shared.

A stream is keyed by (seed, name, tick): a draw from one stream changes no other, and the order in which
streams are used does not matter. The generator is Philox 4x64-10 (Salmon et al., "Parallel random numbers: as
easy as 1, 2, 3", SC11), a counter-based generator whose key is the hash of the address.
"""

from __future__ import annotations

import hashlib

import numpy as np


class Noise:
    """All randomness of a run.

    Args:
        seed: the run's seed, any non-negative integer.
    """

    def __init__(self, seed: int) -> None:
        if seed < 0:
            raise ValueError(f"a seed is a non-negative integer, not {seed}")
        self.seed = seed

    def stream(self, name: str, tick: int = 0) -> np.random.Generator:
        """The generator at one address.

        Args:
            name: of the drawer, e.g. "sensor/12/range".
            tick: the tick at which it draws, or 0 for what is drawn once in a run.
        """
        address = f"{self.seed}/{name}/{tick}".encode()
        key = int.from_bytes(hashlib.blake2b(address, digest_size=16).digest(), "little")
        return np.random.Generator(np.random.Philox(key=key))

    def key(self, name: str) -> int:
        """A number of 63 bits for a name: what kernels draw from (`dorosim.ground.draw_kernel`).

        It costs a tenth of a stream.

        Args:
            name: of the drawer.
        """
        digest = hashlib.blake2b(f"{self.seed}/{name}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") >> 1
