"""Map objects and friction areas (documents/grpc-api-en.txt, Friction)."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.answer import Answer
from dorosim.bridge.friction import Area, create_object, set_area
from dorosim.bridge.grpc.call import Procedure, angles_of, vector_of
from dorosim.bridge.grpc.documented.answer import each
from dorosim.bridge.situation import Situation


def _create(one: Any, _: Situation) -> Answer:
    return create_object(one.unique_id, one.spawn_object_name, vector_of(one.position), angles_of(one.rotation))


def _set_area(one: Any, at: Situation) -> Answer:
    area = Area(one.vertical_radius, one.horizontal_radius, one.height, one.multiplier)
    return set_area(at.now, at.names, one.unique_id, area)


PROCEDURES: dict[str, Procedure] = {"CreateMapObject": each(_create), "SetFrictionOnArea": each(_set_area)}
"""By name."""
