"""What a procedure of gRPC is, and the conversions that all share: a request and the situation in, a response out.

Places of messages are in metres, as they are here; angles are in degrees, roll, pitch, yaw in x, y, z.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from google.protobuf.message import Message

from dorosim.bridge.drive import Cruise
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation
from dorosim.ground import unit
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.command import Vector

Response: TypeAlias = "Message | DeferredReply"
"""An answer, or commands and the answer after them."""
Procedure = Callable[[Any, Situation], Response]
"""The meaning of a procedure. It may raise InputError: the call fails with this error, and nothing is done."""
KMH = unit.KMH.factor
"""One kilometre an hour [m/s]."""
DEGREE = unit.DEGREE.factor
"""One degree [rad]."""

_LIGHT_COLORS = frozenset(SIM_API.actor.VehicleState.DESCRIPTOR.fields_by_name["tl_color"].enum_type.values_by_number)
"""Sums of lamps that TrafficLightColor has; LightColor of the documented API has the same."""

LEVEL_VEHICLE = "a vehicle stands on the ground, which gives its roll and pitch"
"""Why roll and pitch of a vehicle that is placed have no effect."""


def vector_of(message: Any) -> Vector:
    """Three numbers as they are; zeros where nothing was sent."""
    return message.x, message.y, message.z


def angles_of(message: Any) -> Vector:
    """Roll, pitch, yaw [rad]."""
    return message.x * DEGREE, message.y * DEGREE, message.z * DEGREE


def cruise_from(message: Any) -> Cruise:
    """A cruise mode from its settings, which both APIs name alike: percent, km/h."""
    return Cruise(
        on=message.cruise_on,
        kind=message.cruise_type,
        ratio=message.link_speed_ratio / 100.0,
        speed=message.constant_velocity * KMH,
    )


def light_color(lamps: int) -> int:
    """The code of a sum of lamps; -1 for a sum that the API does not have."""
    return lamps if lamps in _LIGHT_COLORS else -1
