"""What an IMU makes of what it feels: errors, and its orientation as a quaternion."""

from __future__ import annotations

from math import sqrt

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.draw_kernel import normal, stream_at
from dorosim.ground.jit import kernel

SLOW_BIASES = 6
"""Slow errors of each of two kinds: of acceleration along and rate about x, y, z."""


@kernel
def measure(
    rotation: FloatArray, force: FloatArray, rate: FloatArray, white: FloatArray, drift: FloatArray, key: int, tick: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The reading of an IMU.

    Args:
        rotation: `(3, 3)` map-from-sensor.
        force: `(3,)` specific force [m/s²]. rate: `(3,)` angular velocity [rad/s]; in the sensor frame.
        rate: see `force`.
        white: `(6,)` standard deviations of this reading's noise, of acceleration, then of rate.
        drift: `(16,)` slow errors: Gauss-Markov biases, then random walks; read-only.
        key: of the sensor's noise.
        tick: of the reading.

    Returns:
        quaternion w, x, y, z with w not negative, rate and force as measured.
    """
    stream = stream_at(key, tick)
    seen_rate, seen_force = np.empty(3), np.empty(3)
    for i in range(3):
        seen_force[i] = force[i] + drift[i] + drift[SLOW_BIASES + i]
        seen_rate[i] = rate[i] + drift[3 + i] + drift[SLOW_BIASES + 3 + i]
        if white[i] > 0.0:
            seen_force[i] += white[i] * normal(stream, i)
        if white[3 + i] > 0.0:
            seen_rate[i] += white[3 + i] * normal(stream, 3 + i)
    return quaternion_from_rotation(rotation), seen_rate, seen_force


@kernel
def quaternion_from_rotation(r: FloatArray) -> FloatArray:
    """Unit quaternion `(4,)` w, x, y, z of a rotation `(3, 3)`, w not negative.

    By its largest component, which loses no digits (S. Shepperd, "Quaternion from rotation matrix", J. Guidance and
    Control 1 (1978)).
    """
    trace = r[0, 0] + r[1, 1] + r[2, 2]
    found = np.empty(4)
    if trace >= r[0, 0] and trace >= r[1, 1] and trace >= r[2, 2]:
        found[0] = 1.0 + trace
        found[1], found[2], found[3] = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    else:
        i = 0
        if r[1, 1] > r[0, 0]:
            i = 1
        if r[2, 2] > r[i, i]:
            i = 2
        j, k = (i + 1) % 3, (i + 2) % 3
        found[0] = r[k, j] - r[j, k]
        found[1 + i] = 1.0 + r[i, i] - r[j, j] - r[k, k]
        found[1 + j], found[1 + k] = r[j, i] + r[i, j], r[k, i] + r[i, k]
    scale = 1.0 / sqrt(found[0] ** 2 + found[1] ** 2 + found[2] ** 2 + found[3] ** 2)
    if found[0] < 0.0:
        scale = -scale
    for i in range(4):
        found[i] *= scale
    return found
