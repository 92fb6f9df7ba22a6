"""Buildings beside the road, drawn by seed; never on the road, on a pavement, or in each other."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.noise import Noise
from dorosim.road.scenery.roadside import roadside_places
from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground import PAVEMENT
from dorosim.road.terrain.terrain import BUILT_UP_SPEED

CLEAR_OF_BUILDING = PAVEMENT + 1.2
"""Nothing of a building is nearer to the road than this [m]."""
FLOOR_HEIGHT = 3.3
WALL_VARIANTS = 5
"""Surfaces of walls."""
BASE_DEPTH = 1.5
"""Walls begin this far below the ground [m]: on a slope no gap shows."""
EAVES = 0.06
"""How far a flat roof reaches beyond the walls [m]."""
ROOF_TOP = 0.45
"""How far it rises above them [m]."""
_TWO_FLOORS = 0.6
"""Share of the houses of a village that have two floors."""
_LOT = 26.0
"""From one lot for a building to the next along a lane [m]."""
_MAX_BUILDINGS = 320
_ROOM = 3.0
"""Circles around buildings that are farther apart than this need no closer look [m]."""


def draw_buildings(field: RoadField, noise: Noise, *, village: bool = False) -> ObjectTable:
    """Buildings along the roads of a map, their heights not yet on the ground.

    Args:
        field: the roads.
        noise: whose streams decide on places and sizes.
        village: whether all are houses of one or two floors, along the slow roads only.
    """
    random = noise.stream("buildings")
    rows: list[tuple[float, ...]] = []
    kinds: list[tuple[int, int]] = []
    for place, heading, side in roadside_places(field, _LOT, BUILT_UP_SPEED if village else math.inf):
        drawn = random.random(7)
        half_length, half_depth = 5.0 + 6.0 * drawn[0], 4.5 + 4.5 * drawn[1]
        away = CLEAR_OF_BUILDING + half_depth + 1.0 + 5.0 * drawn[2] ** 2
        x = float(place[0] - side * np.sin(heading) * away)
        y = float(place[1] + side * np.cos(heading) * away)
        floors = 1 + int(2.2 + 6.0 * drawn[3] ** 2) if drawn[4] > 0.3 else 2
        if village:
            floors = 1 + int(drawn[3] < _TWO_FLOORS)
        one = (x, y, heading if side > 0 else heading + math.pi, half_length, half_depth)
        if drawn[4] < 0.88 and _fits(one, rows, field):
            rows.append((*one, floors * FLOOR_HEIGHT + 0.8))
            kinds.append((int(drawn[5] * WALL_VARIANTS), int(floors <= 2 and drawn[6] > 0.35)))
            if len(rows) == _MAX_BUILDINGS:
                break
    found = ObjectTable.zeros(len(rows))
    if rows:
        found.x[:], found.y[:], found.heading[:], half_lengths, half_depths, found.height[:] = np.array(rows).T
        found.length[:], found.width[:] = 2.0 * half_lengths, 2.0 * half_depths
        found.variant[:], found.roof[:] = np.array(kinds).T
    found.kind[:], found.source[:] = ObjectKind.BUILDING, -1
    return found


def footprint(one: tuple[float, ...], margin: float = 0.0) -> FloatArray:
    """Corners `(4, 2)`, in order around, of a rectangle: x, y, heading, half its length and depth."""
    x, y, heading, a, b = one[0], one[1], one[2], one[3] + margin, one[4] + margin
    c, s = math.cos(heading), math.sin(heading)
    return np.array([(x + u * c - v * s, y + u * s + v * c) for u, v in ((-a, -b), (a, -b), (a, b), (-a, b))])


def _fits(one: tuple[float, ...], others: list[tuple[float, ...]], field: RoadField) -> bool:
    """Whether a building stands clear of roads and of other buildings."""
    reach = math.hypot(one[3], one[4]) + _ROOM
    near = [
        other
        for other in others
        if math.hypot(other[0] - one[0], other[1] - one[1]) < reach + math.hypot(other[3], other[4])
    ]
    if any(_overlap(footprint(one, 1.5), footprint(other, 1.5)) for other in near):
        return False
    corner = footprint(one)
    u, v = (part.ravel()[:, None] for part in np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 9)))
    spots = corner[0] + u * (corner[1] - corner[0]) + v * (corner[3] - corner[0])
    return bool(field.is_free(spots, CLEAR_OF_BUILDING).all())


def _overlap(one: FloatArray, other: FloatArray) -> bool:
    """Whether two rectangles `(4, 2)` overlap, by separating axes."""
    for ring in (one, other):
        for axis in (ring[1] - ring[0], ring[2] - ring[1]):
            a, b = one @ axis, other @ axis
            if a.max() < b.min() or b.max() < a.min():
                return False
    return True


def building_parts(objects: ObjectTable, rows: IntArray) -> PartTable:
    """The walls of buildings, one box each, and their flat roofs. Gables overhang above all vehicles: no part.

    Args:
        objects: of all kinds.
        rows: `(N,)` those of buildings.
    """
    flat = rows[objects.roof[rows] == 0]
    parts = PartTable.zeros(len(rows) + len(flat))
    for start, some, low, high, eaves in (
        (0, rows, -BASE_DEPTH, 0.0, 0.0),
        (len(rows), flat, -0.05, ROOF_TOP, EAVES),
    ):
        to = slice(start, start + len(some))
        top = objects.height[some]
        bottom = top + low if eaves else np.full(len(some), low)
        parts.x[to], parts.y[to], parts.yaw[to] = objects.x[some], objects.y[some], objects.heading[some]
        parts.z[to] = objects.z[some] + 0.5 * (top + high + bottom)
        parts.half_length[to] = 0.5 * objects.length[some] + eaves
        parts.half_width[to] = 0.5 * objects.width[some] + eaves
        parts.half_height[to] = 0.5 * (top + high - bottom)
        parts.object[to] = some
    return parts
