"""Trees beside the road, drawn by seed. Their trunks are solid, their leaves are not."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.noise import Noise
from dorosim.road.scenery.roadside import roadside_places
from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground import PAVEMENT

CLEAR_OF_TREE = PAVEMENT + 0.9
"""No trunk is nearer to the road than this [m]."""
TREE_VARIANTS = 6
"""Shapes of trees."""
TREE_HEIGHT = 6.0
"""Height of a tree of size 1 [m]; sizes are 0.8 to 1.3."""
TRUNK_RADII = (0.135, 0.115)
"""Radius of the trunk of a tree of size 1 at the ground, and where its leaves begin [m]."""
TRUNK_HEIGHT = 2.2
"""Where its leaves begin [m above the ground]."""
ROOT_DEPTH = 0.4
"""Its trunk begins this far below the ground [m]."""
SQUARE_FOR_ROUND = 0.828
"""Half the side of a square over the radius of the circle that it stands for: its corners reach out of the circle as
far as its sides lie within."""
_MAX_TREES = 700
_CLEAR_OF_HOUSE = 1.9
_SPACING = 4.5
"""Of trees in the same square of this side one is planted [m]."""


def draw_trees(field: RoadField, buildings: ObjectTable, noise: Noise) -> ObjectTable:
    """Trees in rows behind the pavements, and some behind the houses; their heights not yet on the ground."""
    places = _places(field, buildings, noise)
    drawn = noise.stream("tree shapes").random((len(places), 3))
    trees = ObjectTable.zeros(len(places))
    trees.x[:], trees.y[:] = places.T
    trees.heading[:] = 2.0 * np.pi * drawn[:, 1]
    trees.height[:] = TREE_HEIGHT * (0.8 + 0.5 * drawn[:, 0])
    trees.length[:] = trees.width[:] = 2.0 * TRUNK_RADII[0] * trees.height / TREE_HEIGHT
    trees.variant[:] = (drawn[:, 2] * TREE_VARIANTS).astype(np.int64)
    trees.kind[:], trees.source[:] = ObjectKind.TREE, -1
    return trees


def _places(field: RoadField, buildings: ObjectTable, noise: Noise) -> FloatArray:
    """Places of trees `(N, 2)` in map [m]."""
    random = noise.stream("trees")
    spots = []
    for place, heading, side in roadside_places(field, 13.0):
        drawn = random.random(4)
        away = CLEAR_OF_TREE + 0.5 + (0.3 * drawn[1] if drawn[0] < 0.6 else 4.0 + 26.0 * drawn[1])
        along = 3.0 * (drawn[2] - 0.5)
        if drawn[3] < 0.72:
            spots.append(
                (
                    place[0] - side * np.sin(heading) * away + along * np.cos(heading),
                    place[1] + side * np.cos(heading) * away + along * np.sin(heading),
                )
            )
    points = np.array(spots).reshape(-1, 2)
    if not len(points):
        return points
    points = points[field.is_free(points, CLEAR_OF_TREE)]
    for row in range(buildings.rows):
        c, s = np.cos(buildings.heading[row]), np.sin(buildings.heading[row])
        gap = points - (buildings.x[row], buildings.y[row])
        u, v = np.abs(gap @ (c, s)), np.abs(gap @ (-s, c))
        outside = (u > 0.5 * buildings.length[row] + _CLEAR_OF_HOUSE) | (
            v > 0.5 * buildings.width[row] + _CLEAR_OF_HOUSE
        )
        points = points[outside]
    cell = np.unique(np.round(points / _SPACING).astype(np.int64), axis=0, return_index=True)[1]
    chosen = points[np.sort(cell)]
    if len(chosen) > _MAX_TREES:
        chosen = chosen[np.sort(random.permutation(len(chosen))[:_MAX_TREES])]
    return np.asarray(chosen)


def tree_parts(objects: ObjectTable, rows: IntArray) -> PartTable:
    """The trunks of trees up to their leaves, a box each; rows `(N,)` of `objects`."""
    parts = PartTable.zeros(len(rows))
    size = objects.height[rows] / TREE_HEIGHT
    parts.x[:], parts.y[:], parts.yaw[:] = objects.x[rows], objects.y[rows], objects.heading[rows]
    parts.z[:] = objects.z[rows] + 0.5 * size * (TRUNK_HEIGHT - ROOT_DEPTH)
    parts.half_length[:] = parts.half_width[:] = SQUARE_FOR_ROUND * 0.5 * sum(TRUNK_RADII) * size
    parts.half_height[:] = 0.5 * size * (TRUNK_HEIGHT + ROOT_DEPTH)
    parts.object[:] = rows
    return parts
