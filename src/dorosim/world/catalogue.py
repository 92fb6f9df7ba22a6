"""The names behind the model numbers in the tables of a Snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

CATALOGUE_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "vehicle": tuple(model.name for model in VEHICLE_MODELS),
        "pedestrian": tuple(model.name for model in PEDESTRIAN_MODELS),
        "obstacle": tuple(model.name for model in OBSTACLE_MODELS),
        "map object": tuple(model.name for model in MAP_OBJECT_MODELS),
    }
)
"""Model names of each catalogue; a `model` column is an index into one of them."""
