"""The service Simulator: version, time, maps, objects, data folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dorosim.bridge.grpc.call import Procedure, Situation
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.friction.area import MAP_OBJECT_MODELS
from dorosim.world.obstacle import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS

if TYPE_CHECKING:
    from google.protobuf.message import Message

AvailableObject = message_class("morai_sim_api.simualtor.AvailableObject")
SPAWN_POINTS = ("VehicleSpawnPoint", "PedestrianSpawnPoint")
"""Kinds of spawn points, by the procedures that create them."""


def _available(request: Any, at: Situation) -> Message:
    """Models of the kinds that are asked for, of all kinds where none is: the product's SDK sends nothing."""
    vehicles = [model.name for model in at.scene.models]
    wanted: dict[str, dict[str, Sequence[str]]] = {
        "vehicle": {"ego_vehicle": vehicles, "surround_vehicle": vehicles},
        "pedestrian": {"pedestrian": [model.name for model in PEDESTRIAN_MODELS]},
        "obstacle": {"obstacle": [model.name for model in OBSTACLE_MODELS]},
        "spawn_point": {"spawn_point": SPAWN_POINTS},
        "map_object": {"map_object": [model.name for model in MAP_OBJECT_MODELS if model.name]},
    }
    asked = [kind for kind in wanted if getattr(request, kind)] or list(wanted)
    return AvailableObject(**{name: models for kind in asked for name, models in wanted[kind].items()})


SIMULATOR: dict[str, Procedure] = {"Simulator/GetAvailableObject": _available}
"""By "Service/Name"."""
