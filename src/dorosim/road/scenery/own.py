"""Objects that a map itself puts beside its roads, as scenery."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import IntArray
from dorosim.road.scenery.building import WALL_VARIANTS
from dorosim.road.scenery.pole import FOOT_DEPTH
from dorosim.road.scenery.roadside_object import RoadsideKind, RoadsideObject
from dorosim.road.scenery.street_lamp import STREET_LAMP_ARM, STREET_LAMP_HEIGHT
from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable, joined_parts
from dorosim.road.scenery.tree import SQUARE_FOR_ROUND, TREE_HEIGHT, TREE_VARIANTS, TRUNK_RADII
from dorosim.road.terrain.terrain import Terrain

_KINDS = {
    RoadsideKind.BUILDING: ObjectKind.BUILDING,
    RoadsideKind.TREE: ObjectKind.TREE,
    RoadsideKind.POLE: ObjectKind.POLE,
    RoadsideKind.STREET_LAMP: ObjectKind.STREET_LAMP,
    RoadsideKind.WALL: ObjectKind.WALL,
    RoadsideKind.BLOCK: ObjectKind.BLOCK,
}

_MAX_STEP = 3.0
"""Ground that lies farther from where the map puts an object than this [m] is not the one that it stands on."""

_MAX_SLOPED = 0.05
"""Pieces of walls that rise by more than this are cut [m], so that boxes follow the slope."""

_ROOM = 1.0
"""What is drawn by rule keeps so far from what the map has [m]."""


def place_own_objects(objects: Sequence[RoadsideObject], terrain: Terrain) -> ObjectTable:
    """The objects of a map, on the ground where that is near the height that the map says."""
    found = ObjectTable.zeros(len(objects))
    if not objects:
        return found
    point = np.array([one.point for one in objects], np.float64)
    offset = np.array([one.offset for one in objects])
    ground = terrain.height(point)
    near = np.abs(ground + offset - point[:, 2]) < _MAX_STEP
    found.x[:], found.y[:] = point[:, :2].T
    found.z[:] = np.where(near, ground + offset, point[:, 2])
    found.heading[:] = [one.heading for one in objects]
    found.length[:], found.width[:], found.height[:], found.rise[:] = np.array(
        [(one.length, one.width, one.height, one.rise) for one in objects]
    ).T
    found.kind[:], found.source[:] = [_KINDS[one.kind] for one in objects], -1
    found.variant[:] = [one.surface.value for one in objects]
    found.head_x[:], found.head_y[:], found.head_z[:] = found.x, found.y, found.z
    trees, lamps, houses = (
        np.flatnonzero(found.kind == kind) for kind in (ObjectKind.TREE, ObjectKind.STREET_LAMP, ObjectKind.BUILDING)
    )
    found.variant[trees], found.variant[lamps], found.variant[houses] = trees % TREE_VARIANTS, 0, houses % WALL_VARIANTS
    found.length[trees] = found.width[trees] = 2.0 * TRUNK_RADII[0] * found.height[trees] / TREE_HEIGHT
    arm = STREET_LAMP_ARM * found.height[lamps] / STREET_LAMP_HEIGHT
    found.head_x[lamps] += arm * np.cos(found.heading[lamps])
    found.head_y[lamps] += arm * np.sin(found.heading[lamps])
    found.head_z[lamps] += found.height[lamps]
    found.head_length[lamps], found.head_width[lamps], found.head_height[lamps] = 0.72, 0.28, 0.12
    return found


def clear_of(table: ObjectTable, own: ObjectTable) -> NDArray[np.bool_]:
    """`(N,)` which objects drawn by rule are clear of all that the map has, seen as circles and boxes."""
    clear = np.ones(len(table), np.bool_)
    for row in range(len(own)):
        c, s = np.cos(own.heading[row]), np.sin(own.heading[row])
        x, y = table.x - own.x[row], table.y - own.y[row]
        u = np.maximum(np.abs(c * x + s * y) - 0.5 * own.length[row], 0.0)
        v = np.maximum(np.abs(c * y - s * x) - 0.5 * own.width[row], 0.0)
        clear &= np.hypot(u, v) > 0.5 * np.hypot(table.length, table.width) + _ROOM
    return clear


def own_parts(objects: ObjectTable) -> PartTable:
    """The solid parts of poles, walls and blocks, in the order of `objects`."""
    poles, walls, blocks = (
        np.flatnonzero(objects.kind == kind) for kind in (ObjectKind.POLE, ObjectKind.WALL, ObjectKind.BLOCK)
    )
    return joined_parts([_pole_parts(objects, poles), _wall_parts(objects, np.concatenate((walls, blocks)))])


def _pole_parts(objects: ObjectTable, rows: IntArray) -> PartTable:
    """A box each; rows `(N,)` of `objects`."""
    parts = PartTable.zeros(len(rows))
    parts.x[:], parts.y[:], parts.yaw[:] = objects.x[rows], objects.y[rows], objects.heading[rows]
    parts.z[:] = objects.z[rows] + 0.5 * (objects.height[rows] - FOOT_DEPTH)
    parts.half_length[:] = parts.half_width[:] = SQUARE_FOR_ROUND * 0.5 * objects.length[rows]
    parts.half_height[:] = 0.5 * (objects.height[rows] + FOOT_DEPTH)
    parts.object[:] = rows
    return parts


def _wall_parts(objects: ObjectTable, rows: IntArray) -> PartTable:
    """Boxes along walls and blocks, cut so that they follow a slope; rows `(N,)` of `objects`."""
    cuts = np.clip(np.ceil(np.abs(objects.rise[rows]) / _MAX_SLOPED), 1, 64).astype(np.int64)
    owner = np.repeat(rows, cuts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(cuts) - cuts, cuts)
    share = (number + 0.5) / np.repeat(cuts, cuts) - 0.5
    along = share * objects.length[owner]
    parts = PartTable.zeros(len(owner))
    parts.x[:] = objects.x[owner] + along * np.cos(objects.heading[owner])
    parts.y[:] = objects.y[owner] + along * np.sin(objects.heading[owner])
    parts.z[:] = objects.z[owner] + share * objects.rise[owner] + 0.5 * objects.height[owner]
    parts.yaw[:], parts.half_length[:] = objects.heading[owner], 0.5 * objects.length[owner] / np.repeat(cuts, cuts)
    parts.half_width[:], parts.half_height[:] = 0.5 * objects.width[owner], 0.5 * objects.height[owner]
    parts.object[:] = owner
    return parts
