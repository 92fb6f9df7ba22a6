"""How high the ground is where things stand beside the road."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.terrain.field import RoadField

GroundHeight = Callable[[FloatArray], FloatArray]
"""Heights `(N,)` of the ground under points `(N, 3)`, whose own heights are guesses, in map [m]."""
_PROFILE = ((0.0, 0.03, 2.85, 4.2, 18.0), (0.0, 0.13, 0.13, -0.5, -0.25))
"""Distances from a road with pavements, and heights over it [m]."""
_COUNTRY_PROFILE = ((0.15, 0.9, 4.2, 18.0), (-0.05, -0.06, -0.5, -0.25))
"""The same without pavements."""


def ground_from_field(field: RoadField, *, pavements: bool) -> GroundHeight:
    """The ground as a function of the distance from the road, to some decimetres on the land.

    Args:
        field: the road.
        pavements: whether roads have kerbs and pavements; else verges.
    """
    away, rise = _PROFILE if pavements else _COUNTRY_PROFILE

    def height(points: FloatArray) -> FloatArray:
        plane = np.ascontiguousarray(points[:, :2])
        return np.asarray(field.height(plane) + np.interp(field.distance(plane, bridges=False), away, rise))

    return height
