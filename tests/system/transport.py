"""A transport that carries datagrams badly."""

from __future__ import annotations

import numpy as np

LATE = (0, 0, 0, 1, 5, 20)
"""Ticks that datagrams are under way; the late ones are overtaken."""


class Transport:
    """Drops, doubles, reorders, truncates, spoils and delays datagrams.

    Args:
        rng: decides what happens to each.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._under_way: list[tuple[int, bytes]] = []

    def send(self, tick: int, data: bytes) -> None:
        """Take a datagram that is sent in a tick."""
        outcome = self._rng.random()
        if outcome < 0.08:
            return
        if outcome < 0.16:
            data = data[: int(self._rng.integers(len(data)))]
        elif outcome < 0.22:
            spoilt = bytearray(data)
            spoilt[int(self._rng.integers(len(data)))] ^= 1 << int(self._rng.integers(8))
            data = bytes(spoilt)
        for _ in range(2 if outcome > 0.9 else 1):
            self._under_way.append((tick + int(self._rng.choice(LATE)), data))

    def arrived(self, tick: int) -> list[bytes]:
        """The datagrams that arrive in a tick, in any order."""
        here = [data for due, data in self._under_way if due <= tick]
        self._under_way = [entry for entry in self._under_way if entry[0] > tick]
        return [here[place] for place in self._rng.permutation(len(here))]
