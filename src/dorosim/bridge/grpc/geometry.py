"""Places and turns of gRPC messages: metres as they are, angles in degrees as roll, pitch, yaw in x, y, z."""

from __future__ import annotations

import math
from typing import Any

from dorosim.world.command.actor import Vector

KMH = 1 / 3.6
"""One kilometre an hour [m/s]."""
DEGREE = math.pi / 180
"""One degree [rad]."""


def vector_from_message(message: Any) -> Vector:
    """Three numbers as they are; zeros where nothing was sent."""
    return message.x, message.y, message.z


def angles_from_message(message: Any) -> Vector:
    """Roll, pitch, yaw [rad]."""
    return message.x * DEGREE, message.y * DEGREE, message.z * DEGREE
