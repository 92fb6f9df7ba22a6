"""Distances between entities and places, in the coordinate systems of the standard (1.3, 6.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

from dorosim.ground.plain_kernel import plain
from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace
from dorosim.scenario.openscenario.engine.followed import followed_trajectory, nearest_on
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.place import Place, place_of_row
from dorosim.scenario.openscenario.engine.placing import is_forward
from dorosim.scenario.openscenario.engine.program import BodyBox
from dorosim.scenario.openscenario.engine.road_reach import reach_of
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.scenario.openscenario.engine.way_search import WayChoice
from dorosim.world.storyboard.box_kernel import CORNERS, corner_of, interval_gap, length_to_edge
from dorosim.world.storyboard.vector_kernel import in_body_frame, space_length

Point = tuple[float, float]
_corner, _interval_gap, _to_edge = plain(corner_of), plain(interval_gap), plain(length_to_edge)
_in_body_frame, _space_length = plain(in_body_frame), plain(space_length)


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
    """How a distance is measured.

    Attributes:
        system, direction: of the distance. freespace: whether it is that of the boxes.
        choice: by which way along roads.
    """

    system: System = System.ENTITY
    direction: Direction = Direction.EUCLIDEAN
    freespace: bool = False
    choice: WayChoice = WayChoice.SHORTEST

    def between(self, frame: StoryboardFrame, entity: int, other: int) -> float | None:
        """The distance from an entity to another one, positive ahead or to the left.

        None where the other one is not in the world, or no way leads to it.
        """
        if not frame.present(other):
            return None
        boxes = (frame.program.entities[entity].box, frame.program.entities[other].box)
        return self._from(frame, entity, place_of_row(frame.entity[other]), boxes if self.freespace else None)

    def to_place(self, frame: StoryboardFrame, entity: int, place: Place) -> float | None:
        """The distance from an entity to a place, in the same way."""
        box = frame.program.entities[entity].box
        return self._from(frame, entity, place, (box, BodyBox()) if self.freespace else None)

    def _from(
        self, frame: StoryboardFrame, entity: int, place: Place, boxes: tuple[BodyBox, BodyBox] | None
    ) -> float | None:
        row = frame.entity[entity]
        if self.direction is Direction.EUCLIDEAN:
            return _straight(row, place, boxes)
        if self.system in (System.LANE, System.ROAD) and frame.program.roads is not None and row.road >= 0:
            return self._on_road(frame, entity, place, boxes)
        if self.system is System.TRAJECTORY:
            return self._on_trajectory(frame, entity, place, boxes)
        return self._on_axis(row, place, boxes, 0.0 if self.system is System.WORLD else row.heading)

    def _on_axis(self, row: EntityRow, place: Place, boxes: tuple[BodyBox, BodyBox] | None, heading: float) -> float:
        """Along an axis of the entity's body, or of the map (heading 0)."""
        axis = 0 if self.direction is Direction.LONGITUDINAL else 1
        if boxes is None:
            return _in_frame(row, (place.x, place.y), heading)[axis]
        own, others = _outlines(row, place, boxes)
        return _gap(
            [_in_frame(row, one, heading)[axis] for one in own], [_in_frame(row, one, heading)[axis] for one in others]
        )

    def _on_trajectory(
        self, frame: StoryboardFrame, entity: int, place: Place, boxes: tuple[BodyBox, BodyBox] | None
    ) -> float | None:
        """Along or across the trajectory that the entity follows; there is none while it follows none."""
        row, followed = frame.entity[entity], followed_trajectory(frame, entity)
        if followed is None:
            return None
        axis = 0 if self.direction is Direction.LONGITUDINAL else 1
        if boxes is None:
            there = nearest_on(followed.line, place.x, place.y)[axis]
            return there - (followed.s if axis == 0 else nearest_on(followed.line, row.x, row.y)[1])
        own, others = _outlines(row, place, boxes)
        return _gap(
            [nearest_on(followed.line, *one)[axis] for one in own],
            [nearest_on(followed.line, *one)[axis] for one in others],
        )

    def _on_road(
        self, frame: StoryboardFrame, entity: int, place: Place, boxes: tuple[BodyBox, BodyBox] | None
    ) -> float | None:
        """Along or across the roads, or the entity's lane."""
        row, roads = frame.entity[entity], frame.program.roads
        assert roads is not None
        there, by_lane = on_road(roads, place), self.system is System.LANE
        reach = reach_of(frame, entity, there, self.choice, by_lane=by_lane)
        if reach is None:
            return None
        facing = 1.0 if is_forward(row) else -1.0
        if self.direction is Direction.LATERAL:
            middle = roads.roads[there.road].middle(there.s, reach.lane) if by_lane and reach.lane else None
            # across a lane it counts from the lane's middle, which may have moved from there to here
            shift = 0.0 if middle is None else (row.t - row.offset) * facing - middle.t * reach.side
            if boxes is None:
                return there.t * reach.side + shift - row.t * facing
            own, others = _outlines(row, place, boxes)
            return _gap(
                [roads.project(row.road, *one, row.s).t * facing for one in own],
                [roads.project(there.road, *one, there.s).t * reach.side + shift for one in others],
            )
        along = reach.lane_along if by_lane else reach.along
        if boxes is None:
            return along
        own, others = _outlines(row, place, boxes)
        return _gap(
            [(roads.project(row.road, *one, row.s).s - row.s) * facing for one in own],
            [along + (roads.project(there.road, *one, there.s).s - there.s) * reach.side for one in others],
        )


def _straight(row: EntityRow, place: Place, boxes: tuple[BodyBox, BodyBox] | None) -> float:
    """The straight distance, in space between origins and in plan between boxes [m]."""
    if boxes is not None:
        return gap_between(*_outlines(row, place, boxes))
    rise = 0.0 if math.isnan(place.z) else place.z - row.z
    return _space_length(place.x - row.x, place.y - row.y, rise)


def _outlines(row: EntityRow, place: Place, boxes: tuple[BodyBox, BodyBox]) -> tuple[list[Point], list[Point]]:
    """The corners of an entity's box, and of one at a place."""
    return corners(row.x, row.y, row.heading, boxes[0]), corners(place.x, place.y, place.heading, boxes[1])


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
    numbers = (box.x, box.y, box.length, box.width)
    return [_corner(x, y, heading, numbers, number) for number in range(CORNERS)]


def _in_frame(row: EntityRow, point: Point, heading: float) -> Point:
    """A point from the origin of an entity, along axes of a heading."""
    return _in_body_frame(row.x, row.y, heading, point[0], point[1])


def _gap(own: list[float], others: list[float]) -> float:
    """The gap between two intervals, negative where the other one lies before, 0 where they meet."""
    return _interval_gap(min(own), max(own), min(others), max(others))


def gap_between(one: list[Point], other: list[Point]) -> float:
    """The distance between two convex outlines [m], 0 where they overlap."""
    if overlap(one, other):
        return 0.0
    return min(
        _to_edge(*point, *edge[at], *edge[(at + 1) % len(edge)])
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
