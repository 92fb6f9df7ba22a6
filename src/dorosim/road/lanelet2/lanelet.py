"""Lanelets and the lanes that they are: bounds in driving direction, centre lines, and who lies beside whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.adjacency import FloatArray
from dorosim.road.lanelet2.centerline import Work, centerline_of, distinct
from dorosim.road.lanelet2.element import OsmFile, OsmNode, OsmRelation, OsmWay
from dorosim.road.lanelet2.rule import is_drivable, is_one_way

LINK_TAG = "dorosim:link"
"""Tag with the id of the link that a lanelet was made of."""

MAX_BOUND_POINTS = 2_000_000
"""Points of all bounds, counted for each lanelet that has them: a file cannot ask for unbounded work."""

_MAX_LENGTH = 20_000.0
"""A longer lanelet is a mistake [m]."""

NOT_LINKS = frozenset({"crosswalk", "stairs"})
"""Subtypes of lanelets that are no lanes along a road."""


class Bound(NamedTuple):
    """A bound of a lane: its way, and whether the lane goes against it."""

    way: int
    inverted: bool


@dataclass(frozen=True, slots=True, eq=False)
class DirectedLanelet:
    """A lanelet in one direction of driving.

    Attributes:
        name: of the link that becomes of it. relation: the lanelet.
        left, right: its bounds. points: its centre line `(N, 3)` in map [m].
        start, end: left and right node between which it begins and ends; lanes follow each other where they are the
            same. width_start, width_end: how far these lie apart [m].
        drivable: whether cars use it.
    """

    name: str
    relation: OsmRelation
    left: Bound
    right: Bound
    points: FloatArray
    start: tuple[int, int]
    end: tuple[int, int]
    width_start: float
    width_end: float
    drivable: bool


class LaneletReader:
    """Makes lanes of the lanelets of a file.

    Args:
        file: the file.
        rows: row in `points` of each node that is used.
        points: places `(N, 3)` in map [m].
        notices: takes a line for lanelets that are left out.
    """

    def __init__(self, file: OsmFile, rows: dict[int, int], points: FloatArray, notices: list[str]) -> None:
        self._file, self._rows, self._points, self._notices = file, rows, points, notices
        self._lines: dict[int, FloatArray] = {}
        self._work = Work()
        self._count = 0

    def line(self, way: int) -> FloatArray:
        """The points `(N, 3)` of a way [m]."""
        if way not in self._lines:
            rows = [self._rows[node] for node in self._file.ways[way].nodes]
            self._lines[way] = self._points[np.array(rows, np.int64)]
        return self._lines[way]

    def bounds(self, relation: OsmRelation) -> tuple[Bound, Bound]:
        """The bounds of a lanelet, both in its direction of driving.

        Their own directions in the file say nothing: the left one has the right one on its right.
        """
        found = [self._way(relation, role) for role in ("left", "right")]
        left, right = (self.line(way.id) for way in found)
        turned_left = not _side(left, _middle(right)) < 0.0
        if turned_left:
            left = left[::-1]
        return Bound(found[0].id, turned_left), Bound(found[1].id, not _side(right, _middle(left)) > 0.0)

    def _way(self, relation: OsmRelation, role: str) -> OsmWay:
        """The one way that a lanelet names in a role."""
        found = relation.ids(role)
        if len(found) != 1:
            problem = f"a lanelet needs one {role} bound, this one has {len(found)}"
            raise self._file.refuse(relation, f"role {role!r}", problem, "join or add the ways")
        way = self._file.ways[found[0]]
        if len(self.line(way.id)) < 2:
            raise self._file.refuse(way, "", "a bound needs two nodes or more", "add nodes")
        return way

    def ring(self, relation: OsmRelation) -> FloatArray:
        """The outline `(N, 3)` of a lanelet [m], around both bounds."""
        sides = [self.directed(one) for one in self.bounds(relation)]
        return distinct(np.concatenate((sides[0], sides[1][::-1])))

    def directed(self, bound: Bound) -> FloatArray:
        """The points `(N, 3)` of a bound in driving direction [m]."""
        line = self.line(bound.way)
        return line[::-1] if bound.inverted else line

    def lanes(self, relations: Sequence[OsmRelation]) -> list[DirectedLanelet]:
        """The lanes of lanelets; of one that is driven in both directions there are two."""
        names = [relation.tags.get(LINK_TAG, "") for relation in relations]
        known = all(names) and len(set(names)) == len(names)
        found: list[DirectedLanelet] = []
        flat = 0
        for relation, name in zip(relations, names, strict=True):
            lane = self._lane(relation, name if known else str(relation.id))
            if lane is None:
                flat += 1
                continue
            found.append(lane)
            if lane.drivable and not is_one_way(relation.tags):
                found.append(_turned(lane))
        if flat:
            self._notices.append(f"{self._file.source}: {flat} lanelets without length are left out")
        return found

    def _lane(self, relation: OsmRelation, name: str) -> DirectedLanelet | None:
        """The lane of a lanelet, in the direction of its bounds; None where it has no length."""
        left, right = self.bounds(relation)
        sides = self.directed(left), self.directed(right)
        self._count += len(sides[0]) + len(sides[1])
        if self._count > MAX_BOUND_POINTS:
            problem = f"lanelets have more than {MAX_BOUND_POINTS} points in all"
            raise InputError(
                self._file.source, f"line {relation.line}, relation {relation.id}", problem, "split the map"
            )
        given = relation.ids("centerline")
        points = distinct(self.line(given[0])) if given else np.zeros((0, 3))
        if len(points) < 2:
            points = centerline_of(sides[0], sides[1], self._work)
        elif np.dot((points[-1] - points[0])[:2], (sides[0][-1] + sides[1][-1] - sides[0][0] - sides[1][0])[:2]) < 0.0:
            points = points[::-1]
        if len(points) < 2:
            return None
        length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        if length > _MAX_LENGTH:
            problem = f"the lanelet is {length / 1000:.0f} km long, more than {_MAX_LENGTH / 1000:.0f} km"
            raise self._file.refuse(relation, "", problem, "correct the places of its nodes, or divide it")
        ends = [tuple(self._end(one, last) for one in (left, right)) for last in (False, True)]
        width_start, width_end = (float(np.hypot(*(sides[0][row] - sides[1][row])[:2])) for row in (0, -1))
        return DirectedLanelet(
            name,
            relation,
            left,
            right,
            np.ascontiguousarray(points),
            (ends[0][0], ends[0][1]),
            (ends[1][0], ends[1][1]),
            width_start,
            width_end,
            is_drivable(relation.tags),
        )

    def _end(self, bound: Bound, last: bool) -> int:
        """The node at an end of a bound, in driving direction."""
        return self._file.ways[bound.way].nodes[-1 if last != bound.inverted else 0]


def _turned(lane: DirectedLanelet) -> DirectedLanelet:
    """A lane in the other direction."""
    return DirectedLanelet(
        f"{lane.name}_back",
        lane.relation,
        Bound(lane.right.way, not lane.right.inverted),
        Bound(lane.left.way, not lane.left.inverted),
        np.ascontiguousarray(lane.points[::-1]),
        lane.end[::-1],
        lane.start[::-1],
        lane.width_end,
        lane.width_start,
        lane.drivable,
    )


def _middle(line: FloatArray) -> FloatArray:
    """A point `(2,)` amid a line: a corner, or halfway between two."""
    found: FloatArray = line[len(line) // 2, :2] if len(line) > 2 else (line[0, :2] + line[-1, :2]) / 2.0
    return found


def _side(line: FloatArray, point: FloatArray) -> float:
    """How far a point `(2,)` lies beside a line `(N, 3)` [m], positive to its left."""
    start, way = line[:-1, :2], np.diff(line[:, :2], axis=0)
    share = ((point - start) * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-18)
    foot = start + np.clip(share, 0.0, 1.0)[:, None] * way
    apart = np.hypot(*(point - foot).T)
    near = int(apart.argmin())
    east, north = way[near]
    x, y = point - start[near]
    ahead = share[near] >= 1.0 and near + 1 < len(way)
    if ahead:  # at a corner the point is to the left where it is left of both segments, or of one where it bends right
        return _at_corner(way[near], way[near + 1], point - start[near + 1], float(apart[near]))
    return float(np.copysign(apart[near], east * y - north * x))


def _at_corner(before: FloatArray, after: FloatArray, away: FloatArray, apart: float) -> float:
    """How far a point lies beside a line at a corner between two segments [m], `away` from it."""
    bends_left = before[0] * after[1] - before[1] * after[0] >= 0.0
    sides = [one[0] * away[1] - one[1] * away[0] > 0.0 for one in (before, after)]
    return apart if (all(sides) if bends_left else any(sides)) else -apart


def used_nodes(file: OsmFile, ways: Sequence[int]) -> list[OsmNode]:
    """The nodes of ways, in the order of the file.

    Raises:
        InputError: a way names a node that is not there.
    """
    wanted: set[int] = set()
    for number in ways:
        way = file.ways[number]
        for node in way.nodes:
            if node not in file.nodes:
                raise file.refuse(way, "<nd>", f"there is no node {node}", "add it, or take a fresh copy of the file")
        wanted.update(way.nodes)
    return [node for node in file.nodes.values() if node.id in wanted]
