"""Poses of bodies as transforms."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import kernel


@kernel
def write_poses(angles: NDArray[np.float64], scale: NDArray[np.float64], pose: NDArray[np.float64]) -> None:
    """Write the turning part of transforms; rotations in the order z, y, x by the right-hand rule (REP-103).

    Args:
        angles: `(N, 3)` roll, pitch, yaw [rad].
        scale: `(N, 3)` of the model along its axes.
        pose: `(N, 3, 4)` map-from-model; columns 0 to 2 are written.
    """
    for k in range(len(angles)):
        cr, sr = cos(angles[k, 0]), sin(angles[k, 0])
        cp, sp = cos(angles[k, 1]), sin(angles[k, 1])
        cy, sy = cos(angles[k, 2]), sin(angles[k, 2])
        a, b, c = scale[k, 0], scale[k, 1], scale[k, 2]
        turn = pose[k]
        turn[0, 0], turn[0, 1], turn[0, 2] = a * cy * cp, b * (cy * sp * sr - sy * cr), c * (cy * sp * cr + sy * sr)
        turn[1, 0], turn[1, 1], turn[1, 2] = a * sy * cp, b * (sy * sp * sr + cy * cr), c * (sy * sp * cr - cy * sr)
        turn[2, 0], turn[2, 1], turn[2, 2] = -a * sp, b * cp * sr, c * cp * cr
