"""Places along a road at which lanes are sampled."""

from __future__ import annotations

import numpy as np

from dorosim.road.adjacency import FloatArray

_END = 1e-3
"""The first and the last place lie so far inside the road [m], so that they belong to it and to no other."""


def places_along(length: float, step: float) -> FloatArray:
    """Places `(N,)` [m] from end to end of a road, evenly spaced, at least `step` apart but on a road that is shorter.

    Args:
        length: of the road [m].
        step: [m].
    """
    count = max(1, int(length // step))
    places = np.arange(count + 1) * (length / count)
    end = min(_END, length / 4.0)
    return np.clip(places, end, length - end)
