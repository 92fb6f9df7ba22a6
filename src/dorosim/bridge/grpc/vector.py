"""Places and turns of gRPC messages: metres as they are, angles in degrees as roll, pitch, yaw in x, y, z."""

from __future__ import annotations

from typing import Any

from dorosim.ground import unit
from dorosim.world.command import Vector

KMH = unit.KMH.factor
"""One kilometre an hour [m/s]."""
DEGREE = unit.DEGREE.factor
"""One degree [rad]."""


def vector_of(message: Any) -> Vector:
    """Three numbers as they are; zeros where nothing was sent."""
    return message.x, message.y, message.z


def angles_of(message: Any) -> Vector:
    """Roll, pitch, yaw [rad]."""
    return message.x * DEGREE, message.y * DEGREE, message.z * DEGREE
