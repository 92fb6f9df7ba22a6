"""Routes that vehicles follow: lists of links, end to end in one array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.growable_array import GrowableArray, joined
from dorosim.road.adjacency import frozen


class Routes(NamedTuple):
    """A `RouteTable` as kernels see it."""

    first: IntArray
    link: IntArray
    again: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class RouteTable:
    """Routes by row; read-only.

    Neighbours in a list are a link and its successor, or a link and the lane beside it to which the vehicle changes,
    as `dorosim.road.route.Route.links` lists them.

    Attributes:
        first: `(R + 1,)` where each route's links begin in `link`.
        link: rows of links.
        again: `(R,)` index in `link` from where on a vehicle in a closed loop drives the route again.
    """

    first: IntArray
    link: IntArray
    again: IntArray

    @classmethod
    def from_lists(cls, routes: Sequence[Sequence[int] | IntArray], again: Sequence[int] | None = None) -> Self:
        """A table of routes, in their order; `again`: from which of its links each is driven again, None: the first."""
        first = np.zeros(len(routes) + 1, np.int64)
        np.cumsum([len(route) for route in routes], out=first[1:])
        link = np.concatenate([np.asarray(route, np.int64) for route in routes]) if routes else np.zeros(0, np.int64)
        repeat = first[:-1] + (0 if again is None else np.array(again, np.int64))
        return cls(frozen(first), frozen(link), frozen(repeat))

    def __len__(self) -> int:
        """The number of routes."""
        return len(self.first) - 1

    def of(self, route: int) -> IntArray:
        """`(N,)` rows of the links of one route, a view."""
        return self.link[self.first[route] : self.first[route + 1]]

    def append(self, route: Sequence[int] | IntArray, again: int = 0, growth: GrowableArray | None = None) -> Self:
        """A table with one more route.

        Args:
            route: its links.
            again: from which of them on it is driven again.
            growth: of a caller that adds many, one by one.
        """
        link = joined(self.link, np.asarray(route, np.int64), growth)
        first = joined(self.first, np.array([len(link)]), growth)
        repeat = joined(self.again, np.array([len(self.link) + again]), growth)
        return type(self)(frozen(first), frozen(link), frozen(repeat))
