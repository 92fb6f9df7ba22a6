"""The land under and around everything: heights on coarse squares, with hills far from the roads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh, strip_mesh
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground_part import GroundPart

_SQUARE = 12.0
"""Side of the squares [m]."""
_MARGIN = 220.0
"""How far the land reaches beyond the roads [m]."""
_HILL = 7.0
"""Height of hills far from the roads [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class Land:
    """Heights of the land.

    Attributes:
        height: `(columns, rows)` at the corners of squares, in map [m]; empty where a map has no lanes.
        corner: `(2,)` x and y of the first one in map [m].
        side: of a square [m]. They are cut from the first corner to the one across.
    """

    height: FloatArray
    corner: FloatArray
    side: float = _SQUARE

    def at(self, points: FloatArray) -> FloatArray:
        """Heights `(N,)` at points `(N, 2)` or `(N, 3)` in map [m]; beyond the land those of its edge."""
        columns, rows = self.height.shape
        place = np.clip((points[:, :2] - self.corner) / self.side, 0.0, (columns - 1.0, rows - 1.0))
        i, j = np.minimum(place.astype(np.int64), (columns - 2, rows - 2)).T
        u, v = (place - np.column_stack((i, j))).T
        a, b, c, d = self.height[i, j], self.height[i + 1, j], self.height[i + 1, j + 1], self.height[i, j + 1]
        return np.asarray(np.where(u >= v, a + u * (b - a) + v * (c - b), a + u * (c - d) + v * (d - a)))

    def mesh(self) -> Mesh:
        """Its triangles."""
        if not self.height.size:
            return Mesh.empty()
        index = np.indices(self.height.shape).transpose(1, 2, 0)
        return strip_mesh(np.dstack((self.corner + self.side * index, self.height)), GroundPart.LAND)


def land_around(field: RoadField) -> Land:
    """The land of a map: a little below its roads, and hilly beyond them."""
    points = field.network.lines.points[:, :2]
    if not len(points):
        return Land(np.zeros((0, 0)), np.zeros(2))
    low, high = points.min(axis=0), points.max(axis=0)
    first = np.floor((low - _MARGIN) / _SQUARE) - 1.0
    columns, rows = (np.ceil((high + _MARGIN) / _SQUARE) + 1.0 - first).astype(np.int64)
    corner = (first + 0.5) * _SQUARE
    middle = (corner + _SQUARE * np.indices((columns, rows)).transpose(1, 2, 0)).reshape(-1, 2)
    height = field.height(middle) - 0.25
    away = field.distance(middle, bridges=False)
    beyond = np.hypot(*np.maximum(np.maximum(low - middle, middle - high), 0.0).T)
    wave = np.sin(middle[:, 0] / 61.0 + 1.0) * np.cos(middle[:, 1] / 47.0) + np.sin((middle @ (0.7, 0.6)) / 83.0)
    height += np.clip(beyond / _MARGIN, 0.0, 1.0) ** 1.5 * _HILL * (1.2 + wave)
    padded = np.pad(height.reshape(columns, rows), 1, mode="edge")
    around = [padded[1 + i : 1 + i + columns, 1 + j : 1 + j + rows] for i in (-1, 0, 1) for j in (-1, 0, 1)]
    lowest = np.min(around, axis=0).ravel()
    sunk = np.clip(1.0 - away / (2.0 * _SQUARE), 0.0, 1.0)  # squares must not cut through a road on a hill
    height += np.minimum(2.0 * sunk, 1.0) * (lowest - height) - 0.35 * sunk
    return Land(height.reshape(columns, rows), corner)
