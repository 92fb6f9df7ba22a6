"""Between which x and y at z = 1 all rays of a table lie. Kept for each table: a camera has one for all pictures."""

from __future__ import annotations

import weakref

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray

_kept: dict[int, tuple[weakref.ref[NDArray[np.float32]], FloatArray]] = {}


def ray_bounds(rays: NDArray[np.float32]) -> FloatArray:
    """The least and the greatest x, and the least and the greatest y, `(4,)`.

    Args:
        rays: `(samples, 2, height, width)` x and y at z = 1 (`Lens.ray_table`), which must not change any more.
    """
    key = id(rays)
    kept = _kept.get(key)
    if kept is not None and kept[0]() is rays:
        return kept[1]
    across, down = rays[:, 0], rays[:, 1]
    bounds = np.array((across.min(), across.max(), down.min(), down.max()), np.float64)
    _kept[key] = weakref.ref(rays, lambda _: _kept.pop(key, None)), bounds
    return bounds
