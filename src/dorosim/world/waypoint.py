"""Routes of things that go from point to point: pedestrians and obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.growable_array import GrowableArray, joined

X, Y, Z, PAUSE, SPEED = range(5)
"""Columns of `WaypointRoutes.point`."""


class Waypoint(NamedTuple):
    """A place on a route.

    Attributes:
        x, y, z: in map [m].
        pause: how long the actor stays there [s].
        speed: on the way to it [m/s]; 0 means the actor's own.
    """

    x: float
    y: float
    z: float = 0.0
    pause: float = 0.0
    speed: float = 0.0


class WaypointRoutes:
    """The route of every row of a table; a route table is never changed, only replaced.

    Attributes:
        first: `(rows + 1,)` where each row's points begin, read-only.
        point: `(points, 5)` x, y, z in map [m], pause [s], speed [m/s]; read-only.
    """

    __slots__ = ("first", "point")

    def __init__(self, first: IntArray, point: FloatArray) -> None:
        self.first = first
        self.point = point
        self.first.flags.writeable = False
        self.point.flags.writeable = False

    @classmethod
    def from_routes(cls, routes: Sequence[Sequence[Waypoint]]) -> Self:
        """A table of routes, one a row; a route may be empty."""
        first = np.cumsum([0, *map(len, routes)])
        points = [tuple(point) for route in routes for point in route]
        return cls(first, np.array(points, np.float64).reshape(-1, 5))

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.first) - 1

    def of(self, row: int) -> FloatArray:
        """The points `(n, 5)` of one row, a view."""
        return self.point[self.first[row] : self.first[row + 1]]

    def append(self, other: Self, growth: GrowableArray | None = None) -> Self:
        """A table with the rows of `other` after the rows of this one; `growth`: to add many, one by one."""
        first = joined(self.first, other.first[1:] + self.first[-1], growth)
        return type(self)(first, joined(self.point, other.point, growth))

    def without_row(self, row: int, growth: GrowableArray) -> Self:
        """A table of all rows but one, with room to add others by the growth."""
        start, stop = int(self.first[row]), int(self.first[row + 1])
        first = growth.cut(self.first, row, row + 1)
        first[row:] -= stop - start
        return type(self)(first, growth.cut(self.point, start, stop))

    def keep(self, rows: NDArray[np.bool_]) -> Self:
        """A table of the rows that are True in `rows` `(rows,)`."""
        counts = np.diff(self.first)
        first = np.concatenate(([0], np.cumsum(counts[rows])))
        return type(self)(first, self.point[np.repeat(rows, counts)])

    def with_route(self, row: int, route: Sequence[Waypoint]) -> Self:
        """A table in which a row has another route."""
        points = np.array([tuple(point) for point in route], np.float64).reshape(-1, 5)
        start, stop = self.first[row], self.first[row + 1]
        first = self.first.copy()
        first[row + 1 :] += len(points) - (stop - start)
        return type(self)(first, np.concatenate((self.point[:start], points, self.point[stop:])))
