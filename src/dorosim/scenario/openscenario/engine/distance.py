"""Distances between entities and places, in the coordinate systems of the standard (1.3, 6.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.place import Place, place_of_row
from dorosim.scenario.openscenario.engine.placing import is_forward
from dorosim.scenario.openscenario.engine.program import BodyBox
from dorosim.scenario.openscenario.engine.rows import EntityRow

Point = tuple[float, float]


class System(IntEnum):
    """The coordinate system of a distance."""

    ENTITY = 0
    LANE = 1
    ROAD = 2
    TRAJECTORY = 3
    WORLD = 4


class Direction(IntEnum):
    """The direction of a distance."""

    EUCLIDEAN = 0
    LONGITUDINAL = 1
    LATERAL = 2


@dataclass(frozen=True, slots=True)
class DistancePlan:
    """How a distance is measured."""

    system: System = System.ENTITY
    direction: Direction = Direction.EUCLIDEAN
    freespace: bool = False

    def between(self, frame: StoryboardFrame, entity: int, other: int) -> float | None:
        """The distance from an entity to another one, positive ahead or to the left; None where there is none."""
        row, target = frame.entity[entity], frame.entity[other]
        boxes = (frame.program.entities[entity].box, frame.program.entities[other].box)
        return self._from(frame, row, place_of_row(target), boxes if self.freespace else None)

    def to_place(self, frame: StoryboardFrame, entity: int, place: Place) -> float | None:
        """The distance from an entity to a place, in the same way."""
        box = frame.program.entities[entity].box
        return self._from(frame, frame.entity[entity], place, (box, BodyBox()) if self.freespace else None)

    def _from(
        self, frame: StoryboardFrame, row: EntityRow, place: Place, boxes: tuple[BodyBox, BodyBox] | None
    ) -> float | None:
        roads = frame.program.roads
        if self.direction is Direction.EUCLIDEAN or self.system is System.WORLD or roads is None:
            return self._free(row, place, boxes)
        if self.system in (System.LANE, System.ROAD) and row.road >= 0:
            return self._on_road(roads, row, place, boxes)
        return self._free(row, place, boxes)

    def _free(self, row: EntityRow, place: Place, boxes: tuple[BodyBox, BodyBox] | None) -> float:
        """In the frame of the entity, or straight."""
        if boxes is None:
            x, y = _in_frame(row, (place.x, place.y))
            if self.direction is Direction.LONGITUDINAL:
                return x
            return y if self.direction is Direction.LATERAL else math.hypot(x, y)
        own, others = corners(row.x, row.y, row.heading, boxes[0]), corners(place.x, place.y, place.heading, boxes[1])
        if self.direction is Direction.EUCLIDEAN:
            return gap_between(own, others)
        axis = 0 if self.direction is Direction.LONGITUDINAL else 1
        return _gap([_in_frame(row, one)[axis] for one in own], [_in_frame(row, one)[axis] for one in others])

    def _on_road(
        self, roads: CourseNetwork, row: EntityRow, place: Place, boxes: tuple[BodyBox, BodyBox] | None
    ) -> float | None:
        """Along or across the roads."""
        here, there = CoursePlace(row.road, row.s, row.t), on_road(roads, place)
        sign = 1.0 if is_forward(row) else -1.0
        if self.direction is Direction.LATERAL:
            if boxes is None:
                return (there.t - here.t) * sign
            own = [
                roads.project(row.road, *one, row.s).t * sign for one in corners(row.x, row.y, row.heading, boxes[0])
            ]
            target = corners(place.x, place.y, place.heading, boxes[1])
            return _gap(own, [roads.project(there.road, *one, there.s).t * sign for one in target])
        along = length_along(roads, here, sign > 0.0, there)
        if along is None or boxes is None:
            return along
        own = [
            (roads.project(row.road, *one, row.s).s - row.s) * sign
            for one in corners(row.x, row.y, row.heading, boxes[0])
        ]
        target = corners(place.x, place.y, place.heading, boxes[1])
        turned = sign if here.road == there.road else 1.0
        return _gap(own, [along + (roads.project(there.road, *one, there.s).s - there.s) * turned for one in target])


def on_road(roads: CourseNetwork, place: Place) -> CoursePlace:
    """Where on the roads a place is."""
    if place.road >= 0:
        return CoursePlace(place.road, place.s, place.t)
    return roads.locate(place.x, place.y, None, place.heading)


def length_along(roads: CourseNetwork, here: CoursePlace, forward: bool, there: CoursePlace) -> float | None:
    """Length of the reference lines from a place to another one [m], negative behind; None where no road leads there.

    Args:
        roads: of the scenario.
        here: the place from which it is measured.
        forward: whether ahead is by rising s.
        there: the place to which it is measured.
    """
    if here.road == there.road:
        return (there.s - here.s) * (1.0 if forward else -1.0)
    lengths = []
    for ahead in (True, False):
        way = roads.way(here, forward == ahead, there, driven=False)
        if way is not None:
            length = roads.length_of_way(here, way, there)
            lengths.append((length, 1.0 if ahead else -1.0))
    if not lengths:
        return None
    length, sign = min(lengths)
    return length * sign


def corners(x: float, y: float, heading: float, box: BodyBox) -> list[Point]:
    """The corners of a box in the map, counter-clockwise from the front left."""
    cosine, sine = math.cos(heading), math.sin(heading)
    found = []
    for along, across in ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)):
        u, v = box.x + along * box.length / 2.0, box.y + across * box.width / 2.0
        found.append((x + u * cosine - v * sine, y + u * sine + v * cosine))
    return found


def _in_frame(row: EntityRow, point: Point) -> Point:
    """A point in the body frame of an entity."""
    dx, dy = point[0] - row.x, point[1] - row.y
    cosine, sine = math.cos(row.heading), math.sin(row.heading)
    return dx * cosine + dy * sine, dy * cosine - dx * sine


def _gap(own: list[float], others: list[float]) -> float:
    """The gap between two intervals, negative where the other one lies before, 0 where they meet."""
    if min(others) > max(own):
        return min(others) - max(own)
    if max(others) < min(own):
        return max(others) - min(own)
    return 0.0


def gap_between(one: list[Point], other: list[Point]) -> float:
    """The distance between two convex outlines [m], 0 where they overlap."""
    if overlap(one, other):
        return 0.0
    return min(
        _to_edge(point, edge[at], edge[(at + 1) % len(edge)])
        for points, edge in ((one, other), (other, one))
        for point in points
        for at in range(len(edge))
    )


def overlap(one: list[Point], other: list[Point]) -> bool:
    """Whether two rectangles overlap, by the axes of their sides."""
    for outline in (one, other):
        for at in range(len(outline)):
            (ax, ay), (bx, by) = outline[at], outline[(at + 1) % len(outline)]
            nx, ny = by - ay, ax - bx
            mine = [x * nx + y * ny for x, y in one]
            theirs = [x * nx + y * ny for x, y in other]
            if max(mine) < min(theirs) or max(theirs) < min(mine):
                return False
    return True


def _to_edge(point: Point, start: Point, end: Point) -> float:
    """The distance from a point to a straight edge [m]."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy
    share = 0.0 if length == 0.0 else ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length
    share = min(max(share, 0.0), 1.0)
    return math.hypot(point[0] - start[0] - share * dx, point[1] - start[1] - share * dy)
