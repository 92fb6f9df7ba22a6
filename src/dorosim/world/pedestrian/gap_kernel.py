"""How long until a vehicle is at a crosswalk."""

from __future__ import annotations

import math

from dorosim.ground.column import RealArray
from dorosim.ground.jit import kernel

STANDING = 0.3
"""A vehicle slower than this [m/s] stands: it lets people cross."""


@kernel
def find_gaps(
    circle: RealArray, x: RealArray, y: RealArray, velocity_x: RealArray, velocity_y: RealArray, gap: RealArray
) -> None:
    """Lower `gap` to the time until the next vehicle is in a circle, on a straight way ahead.

    Args:
        circle: `(K, 3)` x, y and radius in map [m], read-only.
        x: `(V,)` places of vehicles in map [m], writable as all that follow.
        y: likewise.
        velocity_x: `(V,)` in map [m/s].
        velocity_y: likewise.
        gap: `(K,)` in and out [s].
    """
    for v in range(x.shape[0]):
        speed = math.hypot(velocity_x[v], velocity_y[v])
        if not speed > STANDING:
            continue
        way_x, way_y = velocity_x[v] / speed, velocity_y[v] / speed
        for k in range(circle.shape[0]):
            gap_x, gap_y = circle[k, 0] - x[v], circle[k, 1] - y[v]
            along = gap_x * way_x + gap_y * way_y
            if abs(gap_x * way_y - gap_y * way_x) < circle[k, 2] and along > -circle[k, 2]:
                gap[k] = min(gap[k], max(along - circle[k, 2], 0.0) / speed)
