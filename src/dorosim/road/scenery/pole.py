"""Where poles of signs and lights stand, and what gives way when it is hit."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.terrain.field import RoadField

BREAKAWAY_SPEED = 35.0 / 3.6
"""Closing speed from which on posts of signs and lights for people give way [m/s]: supports that pass have to break
away in the slow test of NCHRP Report 350 (1993), test 60, at 35 km/h; EN 12767 tests at 35 km/h, too."""
FOOT_DEPTH = 0.3
"""A pole begins this far below the ground [m]."""
STEEL_DENSITY = 7850.0
"""[kg/m³]"""
TUBE_WALL = 0.0032
"""Thickness of the wall of posts [m] (EN 12899-1 posts of 60 to 76 mm have 2.9 to 3.2 mm)."""
_MIN_ROAD_DISTANCE = 0.5
"""Poles stand this far from the road [m]."""
_MAX_MOVE = 16.0
"""No pole stands farther than this from where the map puts its sign or light [m]."""
_STEP = 0.4


def foot_beside_road(field: RoadField, place: FloatArray, across: FloatArray) -> FloatArray | None:
    """The nearest place `(2,)` beside the road on a line through a place, None if the road is too wide.

    Args:
        field: the road.
        place: `(2,)` in map [m].
        across: `(2,)` direction of the line, of length 1; this side is looked at first.
    """
    steps = np.arange(0.0, _MAX_MOVE, _STEP)
    for side in (1.0, -1.0):
        spots = place + side * steps[:, None] * across
        free = np.flatnonzero(field.distance(spots) > _MIN_ROAD_DISTANCE)
        if len(free):
            return np.asarray(spots[free[0]])
    return None


def tube_mass(radius: float, length: float) -> float:
    """Mass of a steel tube [kg]; radius and length [m]."""
    return 2.0 * np.pi * radius * TUBE_WALL * length * STEEL_DENSITY
