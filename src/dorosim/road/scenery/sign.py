"""Signs on their posts, where the map puts them, or beside the road where that is on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.mgeo.record import TrafficSign
from dorosim.road.scenery.pole import BREAKAWAY_SPEED, FOOT_DEPTH, foot_beside_road, tube_mass
from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable, joined_parts
from dorosim.road.scenery.tree import SQUARE_FOR_ROUND
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.terrain import Terrain

STOP_CODE, YIELD_CODE = "227", "228"
"""Sign numbers of the Korean Road Traffic Act, enforcement rule, annex 6; those from 300 on are blue."""
ROUND, SQUARE, TRIANGLE = range(3)
"""Outlines of plates: `ObjectTable.variant` of a sign."""
POST_RADIUS = 0.038
"""[m]: posts of 76 mm"""
PLATE_OFFSET = 0.055
"""The plate's middle lies this far before the post's axis [m]."""
PLATE_HALF_THICKNESS = 0.03
_PLATE_AREA_MASS = 12.0
"""Mass of a plate of aluminium 3 mm thick, with its profiles and clamps [kg/m²]."""
_LOWEST_PLATE = 1.5
"""Plates that a map puts lower than this above the ground [m] are at `_USUAL_PLATE`."""
_USUAL_PLATE = 2.2

_SLABS = {
    ROUND: ((-1.0, -0.65, 0.55), (-0.65, 0.65, 0.9), (0.65, 1.0, 0.55)),
    SQUARE: ((-0.7071, 0.7071, 0.7071),),
    TRIANGLE: ((-1.0, -0.75, 0.07), (-0.75, -0.35, 0.26), (-0.35, 0.1, 0.5), (0.1, 0.5, 0.75)),
}
"""Plates as boxes above one another, of a radius of 1: bottom, top, half the width."""


def outline_of(code: str) -> int:
    """The outline of the plate of a sign of a number."""
    if code == YIELD_CODE:
        return TRIANGLE
    return SQUARE if code[:1] == "3" and code != "304" else ROUND


def place_signs(signs: Sequence[TrafficSign], field: RoadField, terrain: Terrain) -> ObjectTable:
    """The signs of a map; one that stands on the road is moved beside it, across the way that it faces."""
    found = ObjectTable.zeros(len(signs))
    points = np.array([sign.point for sign in signs], np.float64).reshape(-1, 3)
    heading = np.radians([sign.heading for sign in signs])
    feet = points.copy()
    for row in np.flatnonzero(field.distance(points) <= 0.0).tolist() if len(signs) else ():
        foot = foot_beside_road(field, points[row, :2], _across(float(heading[row])))
        if foot is not None:
            feet[row, :2] = foot
    base = terrain.height(feet) if len(signs) else np.zeros(0)
    radius = np.array([0.5 * (sign.width or 0.6) for sign in signs])
    plate = np.where(points[:, 2] > base + _LOWEST_PLATE, points[:, 2], base + _USUAL_PLATE)
    found.x[:], found.y[:], found.z[:], found.heading[:] = feet[:, 0], feet[:, 1], base, heading
    found.head_x[:] = feet[:, 0] + PLATE_OFFSET * np.cos(heading)
    found.head_y[:] = feet[:, 1] + PLATE_OFFSET * np.sin(heading)
    found.head_z[:] = plate
    found.length[:], found.width[:] = 2.0 * (PLATE_OFFSET + PLATE_HALF_THICKNESS), 2.0 * radius
    found.head_length[:], found.head_width[:], found.head_height[:] = 2.0 * PLATE_HALF_THICKNESS, 2 * radius, 2 * radius
    found.height[:] = plate - base + 1.05 * radius
    found.variant[:] = [outline_of(sign.sub_type[0] if sign.sub_type else "") for sign in signs]
    found.mass[:] = tube_mass(POST_RADIUS, 1.0) * (found.height + FOOT_DEPTH) + _PLATE_AREA_MASS * np.pi * radius**2
    found.breakaway_speed[:] = BREAKAWAY_SPEED
    found.kind[:], found.source[:] = ObjectKind.SIGN, np.arange(len(signs))
    return found


def _across(heading: float) -> FloatArray:
    """To the right of a viewer that looks at a sign: away from the road where traffic keeps to the right."""
    return np.array((-np.sin(heading), np.cos(heading)))


def sign_parts(objects: ObjectTable, rows: IntArray) -> PartTable:
    """Posts and plates of signs; rows `(N,)` of `objects`."""
    post = PartTable.zeros(len(rows))
    post.x[:], post.y[:], post.yaw[:] = objects.x[rows], objects.y[rows], objects.heading[rows]
    post.z[:] = objects.z[rows] + 0.5 * (objects.height[rows] - FOOT_DEPTH)
    post.half_length[:] = post.half_width[:] = SQUARE_FOR_ROUND * POST_RADIUS
    post.half_height[:] = 0.5 * (objects.height[rows] + FOOT_DEPTH)
    post.object[:] = rows
    parts = [post]
    for variant, slabs in _SLABS.items():
        some = rows[objects.variant[rows] == variant]
        radius = 0.5 * objects.head_width[some]
        for low, high, half_width in slabs:
            plate = PartTable.zeros(len(some))
            plate.x[:], plate.y[:], plate.yaw[:] = objects.head_x[some], objects.head_y[some], objects.heading[some]
            plate.z[:] = objects.head_z[some] + 0.5 * (low + high) * radius
            plate.half_length[:], plate.half_width[:] = PLATE_HALF_THICKNESS, half_width * radius
            plate.half_height[:], plate.object[:] = 0.5 * (high - low) * radius, some
            parts.append(plate)
    return joined_parts(parts)
