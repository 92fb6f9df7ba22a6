"""A learnt policy as numpy arrays: it needs neither torch nor Stable-Baselines3, and a file of it runs no code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLIPPED = 10.0
"""Normalised observations are within this, as while learning."""


class DrivingPolicy:
    """Layers with `tanh` between them, over normalised observations; it gives the mean of the actions.

    Args:
        arrays: "mean" and "scale" of observations; "weight_0", "bias_0" and so on, from the first layer to the last.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.arrays = dict(arrays)
        count = sum(name.startswith("weight_") for name in self.arrays)
        self._layers = [(self.arrays[f"weight_{number}"].T, self.arrays[f"bias_{number}"]) for number in range(count)]

    @classmethod
    def load(cls, file: Path) -> DrivingPolicy:
        """The policy of a file."""
        with np.load(file, allow_pickle=False) as arrays:
            return cls(dict(arrays))

    def save(self, file: Path) -> None:
        """Write it to a file (.npz)."""
        file.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(file, allow_pickle=False, **self.arrays)

    def __call__(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """`(..., 2)` actions for `(..., n)` observations."""
        value = np.clip((observation - self.arrays["mean"]) * self.arrays["scale"], -CLIPPED, CLIPPED)
        for number, (weight, bias) in enumerate(self._layers):
            value = value @ weight + bias
            if number < len(self._layers) - 1:
                value = np.tanh(value)
        found: NDArray[np.float32] = np.clip(value, -1.0, 1.0).astype(np.float32)
        return found
