"""Which vehicles are off the road, and which are beyond the map."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.road.surface_kind import SurfaceKind
from dorosim.world.scene import Scene
from dorosim.world.vehicle.state import VehicleState

_BESIDE = np.array([kind not in (SurfaceKind.ASPHALT, SurfaceKind.PAINT) for kind in SurfaceKind])
"""Carriageways are of asphalt and paint; pavements for people are of concrete (`dorosim.road.terrain`)."""


def off_road(vehicle: VehicleState) -> NDArray[np.bool_]:
    """Whether each vehicle `(N,)` has left the road: all of its wheels are beside the carriageway."""
    return np.asarray(_BESIDE[vehicle.wheel_surface.astype(np.int64)].all(axis=0))


def beyond_map(scene: Scene, vehicle: VehicleState) -> NDArray[np.bool_]:
    """Whether each vehicle `(N,)` is beyond the edge of the map's ground."""
    places = zip(vehicle.x.tolist(), vehicle.y.tolist(), strict=True)
    return np.array([not scene.is_on_map(x, y) for x, y in places], np.bool_)
