"""Where points of the map lie along roads."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.export.profile_fit import values_of_cubics
from dorosim.road.opendrive.export.road_shape import RoadShape, project
from dorosim.road.opendrive.reference_line import ReferenceLine

_STEP = 2.0
"""Roads are searched for at places so far apart [m]."""


class RoadPlace(NamedTuple):
    """A place on a road.

    Attributes:
        road: its number. s, t: there [m]. heading: of the road, in map [rad]. height: of the road's surface [m].
    """

    road: int
    s: float
    t: float
    heading: float
    height: float


class RoadPlaces:
    """Finds places on roads.

    Args:
        shapes: of all roads, by number.
    """

    def __init__(self, shapes: list[RoadShape]) -> None:
        self._shapes = shapes
        self._references = [ReferenceLine(one.geometries) for one in shapes]
        places = [np.linspace(0.0, one.length, max(math.ceil(one.length / _STEP) + 1, 2)) for one in shapes]
        lines = [line.at(s) for line, s in zip(self._references, places, strict=True)]
        self._road = np.repeat(np.arange(len(shapes)), [len(one) for one in places])
        self._s = np.concatenate(places)
        self._points = np.concatenate([np.stack([one.x, one.y], axis=1) for one in lines])

    def nearest(self, point: FloatArray, roads: Collection[int] = ()) -> RoadPlace:
        """The place that is nearest to a point.

        Args:
            point: `(2,)` or `(3,)` in map [m].
            roads: numbers of those among which to look; all where there are none.
        """
        away = np.hypot(*(self._points - np.asarray(point)[:2]).T)
        if roads:
            away = np.where(np.isin(self._road, list(roads)), away, math.inf)
        row = int(np.argmin(away))
        return self.beside(point, int(self._road[row]), float(self._s[row]))

    def beside(self, point: FloatArray, road: int, guess: float) -> RoadPlace:
        """The place on a road beside which a point lies, sought from about where it is; it is inside the road."""
        shape = self._shapes[road]
        x, y = (np.array([float(one)]) for one in np.asarray(point)[:2])
        s, t = project(self._references[road], shape.length, x, y, np.array([guess]))
        return self.at(road, float(s[0]), float(t[0]))

    def at(self, road: int, s: float, t: float) -> RoadPlace:
        """A place given by s, brought into the road, and t [m]."""
        shape = self._shapes[road]
        places = np.array([min(max(s, 0.0), shape.length)])
        height = float(values_of_cubics(shape.elevations, places)[0])
        if shape.superelevations:
            height += math.tan(float(values_of_cubics(shape.superelevations, places)[0])) * t
        heading = float(self._references[road].at(places).heading[0])
        return RoadPlace(road, float(places[0]), t, heading, height)

    def point_of(self, place: RoadPlace) -> tuple[float, float]:
        """The point of the reference line at a place, x and y in map [m]."""
        line = self._references[place.road].at(np.array([place.s]))
        return float(line.x[0]), float(line.y[0])
