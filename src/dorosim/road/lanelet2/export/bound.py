"""Where the bounds of lanelets lie, and which of them are one.

Lanelets follow each other where their bounds have the same end points, and lie beside each other where they have a
bound in common. So a node of the map becomes two points, to the left and right of it, and where two links lie beside
each other, the right point of the one's node is the left point of the other's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FlagArray, FloatArray
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.opendrive.export.link_group import links_by_road

LEFT, RIGHT = 1, -1
_TOLERANCE = 0.005
"""Points of a bound that lie this near to the line between others are left out [m]."""

_NEAR_END = 0.2
"""Points of a bound this near to its end points are left out [m]."""

_MIN_WIDTH = 0.1
"""A lane is at least this wide to each side of its middle [m]."""


class Corner(NamedTuple):
    """A point to the left (1) or right (-1) of a node of the map; of an end of a link that has no node."""

    node: int
    link: int
    side: int


class Corners:
    """Which corners are one point, and where it is.

    Args:
        network: the roads.

    Attributes:
        right_of: link to the link with which it has its right bound in common.
    """

    def __init__(self, network: RoadNetwork) -> None:
        self._network = network
        self._parent: dict[Corner, Corner] = {}
        self._members: dict[Corner, set[tuple[int, int, int]]] = {}
        self.right_of: dict[int, int] = {}
        for group in links_by_road(network, named=True):
            for one, other in pairwise(group):
                if all(self._may_join(*pair) for pair in self._pairs(one, other)):
                    for first, second in self._pairs(one, other):
                        self._join(first, second)
                    self.right_of[one] = other
        self._places = self._positions()

    def corner(self, link: int, last: bool, side: int) -> Corner:
        """The point beside the start or the end of a link."""
        node = int((self._network.link_to_node if last else self._network.link_from_node)[link])
        return self._root(Corner(node, -1 if node >= 0 else 2 * link + last, side))

    def place(self, corner: Corner) -> FloatArray:
        """Where a corner is `(3,)` in map [m]."""
        return self._places[corner]

    def _pairs(self, one: int, other: int) -> Iterator[tuple[Corner, Corner]]:
        """The corners in common of a link and the one to its right."""
        for last in (False, True):
            yield self.corner(one, last, RIGHT), self.corner(other, last, LEFT)

    def _root(self, corner: Corner) -> Corner:
        while corner in self._parent:
            corner = self._parent[corner]
        return corner

    def _may_join(self, one: Corner, other: Corner) -> bool:
        """Whether two points may be one: both sides of a node may not, a lane has a width."""
        sides = {(node, link) for node, link, side in self._held(one) | self._held(other) if side == LEFT}
        return not any(
            (node, link) in sides for node, link, side in self._held(one) | self._held(other) if side == RIGHT
        )

    def _held(self, corner: Corner) -> set[tuple[int, int, int]]:
        return self._members.get(corner, {(corner.node, corner.link, corner.side)})

    def _join(self, one: Corner, other: Corner) -> None:
        if one == other:
            return
        self._members[one] = self._held(one) | self._held(other)
        self._parent[other] = one

    def _positions(self) -> dict[Corner, FloatArray]:
        """The mean of where links have their bounds at each corner."""
        found: dict[Corner, list[FloatArray]] = {}
        for link in range(self._network.link_count):
            for side in (LEFT, RIGHT):
                line = offset_line(self._network, link, side)
                for last in (False, True):
                    found.setdefault(self.corner(link, last, side), []).append(line[-1 if last else 0])
        return {corner: np.mean(points, axis=0) for corner, points in found.items()}


def offset_line(network: RoadNetwork, link: int, side: int) -> FloatArray:
    """The bound `(N, 3)` of a link to a side [m], a point beside each of its own; it may fold in sharp bends."""
    span = slice(int(network.lines.first[link]), int(network.lines.first[link + 1]))
    width = np.maximum((network.left_width if side == LEFT else network.right_width)[span], _MIN_WIDTH)
    tangent = network.lines.tangent[span]
    line = network.lines.points[span].copy()
    line[:, 0] -= side * width * tangent[:, 1]
    line[:, 1] += side * width * tangent[:, 0]
    return line


def bound_line(network: RoadNetwork, link: int, side: int, start: FloatArray, end: FloatArray) -> FloatArray:
    """The points `(N, 3)` between two corners along the bound of a link [m], without the corners.

    Where links of other widths meet in a corner, the bound leads there from its last point before.
    Where a lane bends more sharply than it is wide, its inner bound would go back for a piece: that is left out.
    """
    line = offset_line(network, link, side)
    span = slice(int(network.lines.first[link]), int(network.lines.first[link + 1]))
    whole = np.concatenate((start[None], line[1:-1], end[None]))
    tangent = network.lines.tangent[span]
    keep = np.hypot(*(whole - start)[:, :2].T) > _NEAR_END
    keep &= np.hypot(*(whole - end)[:, :2].T) > _NEAR_END
    keep[[0, -1]] = True
    whole, tangent = whole[keep], tangent[keep]
    while len(whole) > 2:
        forward = _forward(whole, tangent)
        if forward.all():
            break
        whole, tangent = whole[forward], tangent[forward]
    return simplified(whole[1:-1], _TOLERANCE) if len(whole) > 2 else whole[:0]


def _forward(line: FloatArray, tangent: FloatArray) -> FlagArray:
    """Which points of a line lie ahead of the ones before them and behind the last; the ends always count."""
    keep = np.ones(len(line), np.bool_)
    steps = np.diff(line[:, :2], axis=0)
    keep[1:] &= (steps * tangent[1:]).sum(axis=1) > 0.0
    if len(line) > 2 and float(steps[-1] @ tangent[-2]) <= 0.0:
        keep[-2] = False
    keep[[0, -1]] = True
    return keep


def simplified(line: FloatArray, tolerance: float) -> FloatArray:
    """A line `(N, 3)` with as few of its points as leave none farther from it than a tolerance [m]."""
    keep = np.zeros(len(line), np.bool_)
    keep[[0, -1]] = True
    pieces = [(0, len(line) - 1)]
    while pieces:
        first, last = pieces.pop()
        if last - first < 2:
            continue
        chord = line[last] - line[first]
        inner = line[first + 1 : last] - line[first]
        share = np.clip(inner @ chord / max(float(chord @ chord), 1e-18), 0.0, 1.0)
        away = np.linalg.norm(inner - share[:, None] * chord, axis=1)
        worst = int(away.argmax())
        if away[worst] > tolerance:
            middle = first + 1 + worst
            keep[middle] = True
            pieces += [(first, middle), (middle, last)]
    return line[keep]
