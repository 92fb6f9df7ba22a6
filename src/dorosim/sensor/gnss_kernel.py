"""The errors of a fix."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.draw_kernel import normal, stream_at
from dorosim.ground.jit import kernel


@kernel
def disturb(
    position: FloatArray,
    velocity: FloatArray,
    white: FloatArray,
    velocity_white: FloatArray,
    drift: FloatArray,
    key: int,
    tick: int,
) -> tuple[FloatArray, FloatArray]:
    """Position and velocity as measured.

    Args:
        position: `(3,)` in map [m].
        velocity: `(3,)` in map [m/s].
        white: `(3,)` standard deviations of the position [m], read-only like what follows.
        velocity_white: `(3,)` standard deviations of the velocity [m/s].
        drift: `(16,)` slow errors, the first three along the map's axes [m].
        key: of the sensor's noise.
        tick: of the reading.
    """
    stream = stream_at(key, tick)
    place, motion = np.empty(3), np.empty(3)
    for i in range(3):
        place[i], motion[i] = position[i] + drift[i], velocity[i]
        if white[i] > 0.0:
            place[i] += white[i] * normal(stream, i)
        if velocity_white[i] > 0.0:
            motion[i] += velocity_white[i] * normal(stream, 3 + i)
    return place, motion
