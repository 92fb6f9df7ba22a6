"""The road as a function of the place: how far away it is, and how high."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.adjacency import adjacency_from_pairs
from dorosim.road.mgeo.record import MGeoMap
from dorosim.road.network import RoadNetwork
from dorosim.road.outline import junction_outlines
from dorosim.road.terrain.bridge import abutment_height, find_bridges
from dorosim.road.terrain.field_kernel import lower_by_areas, road_field

MAX_LANE_INFLUENCE = 18.0
"""How far from a lane its height is followed exactly [m]."""
_AREA_REACH = 8.0
"""How far from a junction or a parking bay its distance matters [m]."""
_AREA_CELL = 20.0
"""Side of the cells by which areas are found [m]."""
_WALK_MARGIN = 0.8
"""What stands beside a lane for people keeps this far from it [m]."""
_SHOULDER = 0.35
"""Paving beyond the outer edges of lanes [m]."""
_DECK_REACH = 6.0
"""How far from a lane's centre line its bridge can be above a point [m]."""
_DECK_MARGIN = 0.6
"""Ground this close beside a bridge keeps below it [m]."""
_IDW_POINTS = 500


class RoadField:
    """Distances from all that is paved for vehicles, and heights of the ground.

    Args:
        network: the lanes.
        town: the map; gives areas of junctions and parking bays.

    Attributes:
        bridge: `(P,)` whether the segment that begins at each point of the lanes lies on a bridge.
        passes_under: `(P,)` whether it passes under one.
        areas: outlines `(n, 3)` of paved areas besides lanes.
    """

    def __init__(self, network: RoadNetwork, town: MGeoMap) -> None:
        self.network = network
        lines = network.lines
        drivable = network.link_drivable[lines.line]
        self._left = np.ascontiguousarray(network.left_width + _SHOULDER)
        self._right = np.ascontiguousarray(network.right_width + _SHOULDER)
        self.bridge, self.passes_under = find_bridges(network, self._left, self._right)
        self._used = np.ascontiguousarray(drivable & ~self.bridge)
        self._decks = np.ascontiguousarray(drivable & self.bridge)
        self._all = np.ascontiguousarray(drivable.copy())
        self._walked = np.ascontiguousarray(~drivable)
        self.areas = _areas(town)
        rings = [area[:, :2] for area in self.areas]
        self._corner = np.concatenate([np.zeros((0, 2)), *rings])
        self._first = np.cumsum([0, *(len(ring) for ring in rings)])
        self._bounds = np.array([(*ring.min(axis=0), *ring.max(axis=0)) for ring in rings]).reshape(-1, 4)
        chosen = np.flatnonzero(self._used)
        step = max(len(chosen) // _IDW_POINTS, 1)
        self._far = lines.points[chosen[::step]] if len(chosen) else np.zeros((1, 3))

    def distance(self, points: FloatArray, *, bridges: bool = True, reach: float = MAX_LANE_INFLUENCE) -> FloatArray:
        """Distances `(N,)` of points `(N, 2)` from the edge of the paving, negative on it, at most `reach` [m].

        Lanes whose centre lines are farther than `reach` are not found: less costs less.
        """
        used = self._all if bridges else self._used
        found, _ = self._reach(points, used, reach)
        if len(self.areas):
            cells, first, area = self._cells
            lower_by_areas(
                _plane(points), self._corner, self._first, self._bounds, _AREA_REACH, cells, first, area, found
            )
        return found

    @cached_property
    def _cells(self) -> tuple[FloatArray, IntArray, IntArray]:
        """The cells by which areas are found: corner, side, columns and rows `(5,)`, and the areas of each."""
        low, high = self._bounds[:, :2] - _AREA_REACH, self._bounds[:, 2:] + _AREA_REACH
        corner = low.min(axis=0)
        columns, rows = ((high.max(axis=0) - corner) / _AREA_CELL).astype(np.int64) + 1
        pairs = [
            (column + columns * row, area)
            for area, (west, south, east, north) in enumerate(np.hstack((low, high)).tolist())
            for row in range(int((south - corner[1]) / _AREA_CELL), int((north - corner[1]) / _AREA_CELL) + 1)
            for column in range(int((west - corner[0]) / _AREA_CELL), int((east - corner[0]) / _AREA_CELL) + 1)
        ]
        cell, area = np.array(pairs, np.int64).T
        found = adjacency_from_pairs(cell, area, int(columns * rows))
        return np.array([*corner, _AREA_CELL, columns, rows]), found.first, found.item

    def is_free(self, points: FloatArray, margin: float) -> NDArray[np.bool_]:
        """Whether points `(N, 2)` are farther than a margin [m] from the road, and clear of lanes for people too."""
        free = self.distance(points) > margin
        if self._walked.any():
            found, _ = self._reach(points, self._walked)
            free &= found > _WALK_MARGIN
        return np.asarray(free, np.bool_)

    def height(self, points: FloatArray) -> FloatArray:
        """Heights `(N,)` of the ground at points `(N, 2)` [m]: that of the road near it, and smooth beyond.

        Beside what passes under a bridge it is level as far as pavements go, and rises no steeper than an abutment.
        """
        _, found = self._reach(points, self._used)
        far = np.flatnonzero(np.isnan(found))
        for some in np.array_split(far, max(len(far) // 4096, 1)):
            gap = points[some, None, :2] - self._far[None, :, :2]
            weight = 1.0 / (np.einsum("ijk,ijk->ij", gap, gap) + 1.0) ** 2
            found[some] = weight @ self._far[:, 2] / weight.sum(axis=1)
        if self.passes_under.any():
            away, low = self._reach(points, self.passes_under)
            found = np.fmin(found, low + abutment_height(away))
        return found

    def under_deck(self, points: FloatArray) -> tuple[NDArray[np.bool_], FloatArray]:
        """Whether points `(N, 2)` lie under a bridge or close beside it, and its height there [m], NaN far from all."""
        away, height = self._reach(points, self._decks, _DECK_REACH)
        under = away < _DECK_MARGIN
        under[under] = away[under] < self.distance(points[under], bridges=False)
        return under, height

    def beside_deck(self, points: FloatArray) -> NDArray[np.bool_]:
        """Whether points `(N, 2)` lie on no lane of a bridge."""
        return self._reach(points, self._decks)[0] > 0.0

    def _reach(
        self, points: FloatArray, used: NDArray[np.bool_], reach: float = MAX_LANE_INFLUENCE
    ) -> tuple[FloatArray, FloatArray]:
        return road_field(_plane(points), self.network.surface, self._left, self._right, used, reach)


def _plane(points: FloatArray) -> FloatArray:
    return np.ascontiguousarray(points[:, :2], np.float64)


def _areas(town: MGeoMap) -> list[FloatArray]:
    """Outlines of junctions and parking bays."""
    areas = [np.asarray(space.points) for space in town.parking_spaces if len(space.points) > 2]
    for polygon in town.road_polygons:
        areas += [polygon.points[face] for face in polygon.faces]
    if not town.road_polygons:
        links = [link for link in town.links if not link.lazy_init and len(link.points) > 1]
        areas += [np.column_stack((outline, np.zeros(len(outline)))) for outline in junction_outlines(links)]
    return areas
