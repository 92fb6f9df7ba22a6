"""What a procedure of gRPC is: a request and the present situation in, a response or a deferred one out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import message_class

if TYPE_CHECKING:
    from google.protobuf.message import Message

Procedure = Callable[[Any, Situation], "Message | DeferredReply"]
"""The meaning of a procedure. It may raise InputError: the call fails with this error, and nothing is done."""
_LIGHT_COLORS = frozenset(
    message_class("morai_sim_api.actor.VehicleState").DESCRIPTOR.fields_by_name["tl_color"].enum_type.values_by_number
)
"""Sums of lamps that TrafficLightColor has; LightColor of the documented API has the same."""


def light_color(lamps: int) -> int:
    """The code of a sum of lamps; -1 for a sum that the API does not have."""
    return lamps if lamps in _LIGHT_COLORS else -1
