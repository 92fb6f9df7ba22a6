"""Randomness that is addressed, not shared.

A stream is keyed by (seed, name, tick): a draw from one stream changes no other, and the order in which
streams are used does not matter. The generator is Philox 4x64-10 (Salmon et al., "Parallel random numbers: as
easy as 1, 2, 3", SC11), a counter-based generator whose key is the hash of the address.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

MANY_STREAMS = 256
"""The first draws of so many streams are made by compiled code: less are made before that would have been loaded."""


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
        key = int.from_bytes(self._stream_key(name, tick), "little")
        return np.random.Generator(np.random.Philox(key=key))

    def first_draws(self, names: Iterable[str], low: float, high: float, count: int) -> NDArray[np.float64]:
        """`(N, count)`: what each of many streams at tick 0 draws first, evenly distributed.

        Args:
            names: of the drawers.
            low: least number.
            high: numbers are below this.
            count: of numbers that each draws, 1 or more.
        """
        keys = [self._stream_key(name, 0) for name in names]
        if len(keys) < MANY_STREAMS:
            drawn = [
                np.random.Generator(np.random.Philox(key=int.from_bytes(key, "little"))).uniform(low, high, count)
                for key in keys
            ]
            return np.array(drawn).reshape(-1, count)
        from dorosim.ground.philox_kernel import first_draws

        words = np.frombuffer(b"".join(keys), "<u8").astype(np.uint64).reshape(-1, 2)
        return first_draws(words, low, high, count)

    def _stream_key(self, name: str, tick: int) -> bytes:
        """The key of the generator at an address."""
        return hashlib.blake2b(f"{self.seed}/{name}/{tick}".encode(), digest_size=16).digest()

    def key(self, name: str) -> int:
        """A number of 63 bits for a name: what kernels draw from (`dorosim.ground.draw_kernel`).

        It costs a tenth of a stream.

        Args:
            name: of the drawer.
        """
        digest = hashlib.blake2b(f"{self.seed}/{name}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") >> 1
