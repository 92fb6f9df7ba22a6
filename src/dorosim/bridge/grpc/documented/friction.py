"""Map objects and friction areas (documents/grpc-api-en.txt, Friction)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.friction import Area, create_object, set_area
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.documented.response import for_each
from dorosim.bridge.grpc.vector import angles_of, vector_of
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation

if TYPE_CHECKING:
    from google.protobuf.message import Message


def _create(request: Any, _: Situation) -> DeferredReply | Message:
    return for_each(
        request.req_list,
        lambda one: one.unique_id,
        lambda one: create_object(
            one.unique_id, one.spawn_object_name, vector_of(one.position), angles_of(one.rotation)
        ),
    )


def _set_areas(request: Any, at: Situation) -> DeferredReply | Message:
    return for_each(
        request.req_list,
        lambda one: one.unique_id,
        lambda one: set_area(
            at.now,
            at.names,
            one.unique_id,
            Area(one.vertical_radius, one.horizontal_radius, one.height, one.multiplier),
        ),
    )


FRICTION: dict[str, Procedure] = {"CreateMapObject": _create, "SetFrictionOnArea": _set_areas}
"""By name."""
