"""Vectors of messages in SI."""

from __future__ import annotations

from typing import Any

from dorosim.ground.unit import DEGREE
from dorosim.world.command.actor import Vector


def triple(vector: Any) -> Vector:
    """The three numbers of a Vector3 of either API."""
    return (vector.x, vector.y, vector.z)


def radians(vector: Any) -> Vector:
    """Roll, pitch, yaw [rad] of a Vector3 that holds them in degrees."""
    return (vector.x * DEGREE.factor, vector.y * DEGREE.factor, vector.z * DEGREE.factor)
