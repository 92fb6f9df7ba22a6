"""As few points of a track as leave every other one near the line between them, at its time."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray

POSITION_TOLERANCE = 0.003
"""How far a body may be from where it was at any time [m]."""
HEADING_TOLERANCE = 0.005
"""The same of its heading [rad]."""


def thinned(table: FloatArray) -> FloatArray:
    """Rows of a track between which values change evenly with time.

    The end farthest from an even change is kept, and so on for both sides of it (D. Douglas and T. Peucker,
    Cartographica 10 (1973) 112), with distances at equal times instead of distances from a line.

    Args:
        table: `(N, 5)` time [s], x, y, z in map [m], heading without jumps [rad].

    Returns:
        `(M, 5)` some of its rows, the first and the last among them.
    """
    keep = np.zeros(len(table), np.bool_)
    keep[[0, -1]] = True
    parts = [(0, len(table) - 1)]
    while parts:
        first, last = parts.pop()
        if last - first < 2:
            continue
        start, end = table[first], table[last]
        inner = table[first + 1 : last]
        share = (inner[:, 0] - start[0]) / (end[0] - start[0])
        away = inner[:, 1:] - (start[1:] + share[:, None] * (end[1:] - start[1:]))
        error = np.maximum(
            np.linalg.norm(away[:, :3], axis=1) / POSITION_TOLERANCE, np.abs(away[:, 3]) / HEADING_TOLERANCE
        )
        worst = int(error.argmax())
        if error[worst] > 1.0:
            middle = first + 1 + worst
            keep[middle] = True
            parts += [(first, middle), (middle, last)]
    return table[keep]
