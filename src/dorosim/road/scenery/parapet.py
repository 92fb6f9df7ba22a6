"""Parapets of bridges."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.road.scenery.table import ObjectKind, ObjectTable, PartTable
from dorosim.road.terrain.deck import parapets
from dorosim.road.terrain.field import RoadField

PARAPET_THICKNESS = 0.08
"""Of the box that stands for a parapet, half of it on either side of what is seen [m]."""
_MAX_SLOPED = 0.05
"""Pieces that rise by more than this are cut [m], so that boxes follow the slope."""
_MAX_PIECE = 8.0
"""Pieces are cut to this length [m]."""


def place_parapets(field: RoadField) -> ObjectTable:
    """The parapets of a map, one object for each straight piece; their parts are solid from the deck's underside on."""
    walls = parapets(field)
    low, high = walls[:, :, 0], walls[:, :, 1]
    way = low[:, 1] - low[:, 0]
    keep = np.hypot(way[:, 0], way[:, 1]) > 1e-3
    found = ObjectTable.zeros(int(keep.sum()))
    middle, way = low.mean(axis=1)[keep], way[keep]
    found.x[:], found.y[:], found.z[:] = middle.T
    found.heading[:] = np.arctan2(way[:, 1], way[:, 0])
    found.length[:], found.width[:] = np.hypot(way[:, 0], way[:, 1]), PARAPET_THICKNESS
    found.height[:] = (high - low)[keep, :, 2].mean(axis=1)
    found.head_x[:], found.head_y[:], found.head_z[:] = middle.T
    found.rise[:] = way[:, 2]
    found.kind[:], found.source[:] = ObjectKind.PARAPET, -1
    return found


def parapet_parts(objects: ObjectTable, rows: IntArray) -> PartTable:
    """Boxes along parapets; rows `(N,)` of `objects`."""
    rise = objects.rise[rows]
    cuts = np.maximum(np.ceil(np.abs(rise) / _MAX_SLOPED), np.ceil(objects.length[rows] / _MAX_PIECE)).astype(np.int64)
    cuts = np.maximum(cuts, 1)
    owner = np.repeat(rows, cuts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(cuts) - cuts, cuts)
    share = (number + 0.5) / np.repeat(cuts, cuts) - 0.5
    parts = PartTable.zeros(len(owner))
    along = share * objects.length[owner]
    parts.x[:] = objects.x[owner] + along * np.cos(objects.heading[owner])
    parts.y[:] = objects.y[owner] + along * np.sin(objects.heading[owner])
    parts.z[:] = objects.z[owner] + share * np.repeat(rise, cuts) + 0.5 * objects.height[owner]
    parts.yaw[:], parts.half_length[:] = objects.heading[owner], 0.5 * objects.length[owner] / np.repeat(cuts, cuts)
    parts.half_width[:], parts.half_height[:] = 0.5 * PARAPET_THICKNESS, 0.5 * objects.height[owner]
    parts.object[:] = owner
    return parts
