"""Triangles that fill outlines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray


def ear_clipped(ring: FloatArray) -> NDArray[np.int64]:
    """Triangles `(n - 2, 3)` that fill a simple outline `(n, 2)`, by cutting off ears (Meisters 1975)."""
    area = float(np.sum(ring[:, 0] * np.roll(ring[:, 1], -1) - np.roll(ring[:, 0], -1) * ring[:, 1]))
    order = list(range(len(ring)) if area > 0.0 else range(len(ring) - 1, -1, -1))
    faces: list[tuple[int, int, int]] = []
    while len(order) > 3:
        ear = next((k for k in range(len(order)) if _is_ear(ring, order, k)), 0)
        faces.append((order[ear - 1], order[ear], order[(ear + 1) % len(order)]))
        del order[ear]
    faces.append((order[0], order[1], order[2]))
    return np.array(faces, np.int64)


def _is_ear(ring: FloatArray, order: Sequence[int], k: int) -> bool:
    """Whether a corner is convex and the triangle that it cuts off holds no other corner."""
    a, b, c = ring[order[k - 1]], ring[order[k]], ring[order[(k + 1) % len(order)]]
    if _side(a, b, c) <= 0.0:
        return False
    own = {order[k - 1], order[k], order[(k + 1) % len(order)]}
    others = [ring[i] for i in order if i not in own]
    return not any(_side(a, b, p) >= 0.0 and _side(b, c, p) >= 0.0 and _side(c, a, p) >= 0.0 for p in others)


def _side(a: FloatArray, b: FloatArray, p: FloatArray) -> float:
    """Positive where a point lies to the left of the way from a to b."""
    return float((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]))
