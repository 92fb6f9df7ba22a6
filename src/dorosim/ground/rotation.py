"""Rotations from angles."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray


def rotation_from_angles(roll: float, pitch: float, yaw: float) -> FloatArray:
    """`(3, 3)` outer_from_inner of roll, pitch and yaw [rad]: turns by yaw, then pitch, then roll (REP-103)."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(angle), math.sin(angle)) for angle in (roll, pitch, yaw))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
