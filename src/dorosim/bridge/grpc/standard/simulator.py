"""The service Simulator: version, time, maps, objects, data folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.standard.result import success
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS

SPAWN_POINTS = ("VehicleSpawnPoint", "PedestrianSpawnPoint")
"""Kinds of spawn points, by the procedures that create them."""
NOTHING_DRAWN = "dorosim has no window: nothing is drawn, whatever is set"
WITHOUT_EFFECT: dict[str, str] = {
    "RenderingMode.enable": NOTHING_DRAWN,
    "RenderingMode.size": NOTHING_DRAWN,
    "WindowSize.width": NOTHING_DRAWN,
    "WindowSize.height": NOTHING_DRAWN,
}
"""Fields that have no meaning here, and why."""


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
    return SIM_API.simualtor.AvailableObject(
        **{name: models for kind in asked for name, models in wanted[kind].items()}
    )


PROCEDURES: dict[str, Procedure] = {
    "Simulator/GetSimulatorVersion": lambda _, at: SIM_API.StringValue(value=f"dorosim {at.host.runs.version}"),
    "Simulator/GetTimestamp": lambda _, at: SIM_API.Int64Value(value=(at.host.runs.epoch + at.now.time) // 1_000_000),
    "Simulator/GetAvailableMaps": lambda _, at: SIM_API.StringList(values=at.host.files.maps()),
    "Simulator/GetDataPath": lambda _, at: SIM_API.StringValue(value=at.host.files.place),
    "Simulator/SetRenderingMode": lambda _, __: success(NOTHING_DRAWN),
    "Simulator/CheckLatency": lambda _, __: SIM_API.Empty(),
    "Simulator/GetAvailableObject": _available,
}
"""By "Service/Name"."""
