"""Street lamps along the roads of a town, by rule where its map names none. Their masts are solid."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.scenery.pole import FOOT_DEPTH
from dorosim.road.scenery.roadside import roadside_places
from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable
from dorosim.road.scenery.tree import SQUARE_FOR_ROUND
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.terrain import BUILT_UP_SPEED, Terrain

STREET_LAMP_HEIGHT = 8.0
"""Of the luminaire above the ground [m]: that of collector roads."""
STREET_LAMP_ARM = 1.7
"""How far it hangs over the road from its mast [m]."""
MAST_RADII = (0.085, 0.055)
"""Of the mast at the ground and at the top [m]."""
_STEP = 30.0
"""From one lamp to the next along a lane [m]: about four times their height."""
_MIN_GAP = 21.0
"""Between any two [m]: roads have lamps on both sides, in turns."""
_FROM_EDGE = 0.95
"""Of the mast from the edge of the lane [m]."""
_CLEAR_OF_ROAD, _CLEAR_OF_POLE = 0.35, 2.5
_MAX_STREET_LAMPS = 500


def place_street_lamps(field: RoadField, terrain: Terrain, poles: FloatArray, *, village: bool = False) -> ObjectTable:
    """Street lamps on the ground; the heads are where they shine from.

    Args:
        field: the roads.
        terrain: the ground.
        poles: `(P, 2)` feet of signs and traffic lights in map [m], which stand where they stand.
        village: whether only the slow roads have lamps.
    """
    rows: list[tuple[float, float, float]] = []
    taken = np.zeros((0, 2))
    for edge, heading, side in roadside_places(field, _STEP, BUILT_UP_SPEED if village else math.inf):
        out = side * np.array((-np.sin(heading), np.cos(heading)))
        spot = edge + _FROM_EDGE * out
        if _nearest(taken, spot) < _MIN_GAP or _nearest(poles, spot) < _CLEAR_OF_POLE:
            continue
        if field.is_free(spot[None], _CLEAR_OF_ROAD)[0]:
            rows.append((float(spot[0]), float(spot[1]), math.atan2(-out[1], -out[0])))
            taken = np.vstack((taken, spot))
        if len(rows) == _MAX_STREET_LAMPS:
            break
    found = ObjectTable.zeros(len(rows))
    if rows:
        found.x[:], found.y[:], found.heading[:] = np.array(rows).T
        place = np.column_stack((found.x, found.y))
        found.z[:] = terrain.height(np.column_stack((place, field.height(place))))
    found.length[:] = found.width[:] = 2.0 * MAST_RADII[0]
    found.height[:] = STREET_LAMP_HEIGHT
    found.head_x[:] = found.x + STREET_LAMP_ARM * np.cos(found.heading)
    found.head_y[:] = found.y + STREET_LAMP_ARM * np.sin(found.heading)
    found.head_z[:] = found.z + STREET_LAMP_HEIGHT
    found.head_length[:], found.head_width[:], found.head_height[:] = 0.72, 0.28, 0.12
    found.kind[:], found.source[:] = ObjectKind.STREET_LAMP, -1
    return found


def _nearest(points: FloatArray, spot: FloatArray) -> float:
    """The distance of the nearest of points `(N, 2)`; infinite for none [m]."""
    return float(np.hypot(*(points - spot).T).min()) if len(points) else math.inf


def street_lamp_parts(objects: ObjectTable, rows: IntArray) -> PartTable:
    """The masts of street lamps, a box each; their arms hang above all vehicles. Rows `(N,)` of `objects`."""
    size = objects.height[rows] / STREET_LAMP_HEIGHT
    parts = PartTable.zeros(len(rows))
    parts.x[:], parts.y[:], parts.yaw[:] = objects.x[rows], objects.y[rows], objects.heading[rows]
    parts.z[:] = objects.z[rows] + 0.5 * size * (STREET_LAMP_HEIGHT - FOOT_DEPTH)
    parts.half_length[:] = parts.half_width[:] = SQUARE_FOR_ROUND * 0.5 * sum(MAST_RADII) * size
    parts.half_height[:] = 0.5 * size * (STREET_LAMP_HEIGHT + FOOT_DEPTH)
    parts.object[:] = rows
    return parts
