"""Places and turns of gRPC messages: metres as they are, angles in degrees as roll, pitch, yaw in x, y, z."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dorosim.world.command.actor import Vector

if TYPE_CHECKING:
    from google.protobuf.message import Message

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


def vector_message(kind: type[Message], numbers: Sequence[float]) -> Message:
    """Three numbers as a message of a kind."""
    x, y, z = numbers
    made: Message = kind(x=x, y=y, z=z)
    return made


def angles_message(kind: type[Message], angles: Sequence[float]) -> Message:
    """Roll, pitch, yaw [rad] as a message in degrees."""
    x, y, z = angles
    made: Message = kind(x=x / DEGREE, y=y / DEGREE, z=z / DEGREE)
    return made
