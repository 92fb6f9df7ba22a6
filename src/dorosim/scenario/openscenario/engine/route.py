"""Routes: the roads that lead from waypoint to waypoint (ASAM OpenSCENARIO XML 1.3, Route)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace
from dorosim.scenario.openscenario.engine.distance import on_road
from dorosim.scenario.openscenario.engine.frame import RoadOfWay, StoryboardFrame
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.position import OrientationPlan, PositionPlan, lane_place, road_place


def way_through(roads: CourseNetwork, places: Sequence[Place], heading: float | None = None) -> list[RoadOfWay]:
    """The roads from place to place; a part to which no road leads is left out.

    Args:
        roads: of the scenario.
        places: in order.
        heading: in which one drives at the first place [rad]; None: as vehicles drive on its lane.
    """
    found: list[RoadOfWay] = []
    here = on_road(roads, places[0])
    course = roads.roads[here.road]
    if heading is None:
        lane = places[0].lane or course.lane_at(here.s, here.t)
        forward = course.is_forward(lane)
    else:
        forward = math.cos(heading - course.line(here.s).heading) >= 0.0
    for place in places[1:]:
        there = on_road(roads, place)
        way = roads.way(here, forward, there)
        if way is None:
            continue
        parts = [RoadOfWay(road, direction, there.s) for road, direction in way]
        if found and found[-1].road == parts[0].road and found[-1].direction == parts[0].direction:
            found.pop()
        found += parts
        here, forward = there, parts[-1].direction > 0
    return found


def give_way(frame: StoryboardFrame, entity: int, way: list[RoadOfWay]) -> None:
    """Give an entity a way; it is on its first part that is the entity's road."""
    row = frame.entity[entity]
    if way:
        frame.route[entity] = way
        row.route = next((at for at, one in enumerate(way) if one.road == row.road), 0)
    else:
        frame.route.pop(entity, None)
        row.route = -1


@dataclass(frozen=True, slots=True)
class RoutePlan:
    """A route: its waypoints."""

    waypoints: tuple[PositionPlan, ...]

    def way(self, frame: StoryboardFrame) -> list[RoadOfWay]:
        """The roads of the route."""
        roads = frame.program.roads
        if roads is None or not self.waypoints:
            return []
        return way_through(roads, [one.place(frame) for one in self.waypoints])


@dataclass(frozen=True, slots=True)
class OnRoute:
    """A position so far along a route, on a lane or beside the reference line.

    Attributes:
        along: length along the route [m]. lane: id, None: `across` counts. across: offset, or t [m].
    """

    route: RoutePlan
    along: float
    lane: int | None
    across: float
    angles: OrientationPlan

    def place(self, frame: StoryboardFrame) -> Place:
        """Where that is."""
        roads = frame.program.roads
        first = self.route.waypoints[0].place(frame)
        if roads is None:
            return first
        start = on_road(roads, first)
        found = _along(roads, start, self.route.way(frame), self.along)
        if self.lane is None:
            return road_place(roads, found.road, found.s, self.across, self.angles)
        return lane_place(roads, found.road, self.lane, found.s, self.across, self.angles)


def _along(roads: CourseNetwork, start: CoursePlace, way: Sequence[RoadOfWay], length: float) -> CoursePlace:
    """The place so far along a way; that of its end where it is shorter."""
    s = start.s
    for at, one in enumerate(way):
        road_length = roads.roads[one.road].length
        if at:
            s = 0.0 if one.direction > 0 else road_length
        end = one.s_end if at == len(way) - 1 else (road_length if one.direction > 0 else 0.0)
        rest = (end - s) * one.direction
        if length <= rest:
            return CoursePlace(one.road, s + length * one.direction, 0.0)
        length -= max(rest, 0.0)
        s = end
    return CoursePlace(way[-1].road, s, 0.0) if way else start


@dataclass(frozen=True, slots=True)
class WithEntityOnRoute:
    """The position where an entity is."""

    entity: int
    angles: OrientationPlan

    def place(self, frame: StoryboardFrame) -> Place:
        """Where that is."""
        row = frame.entity[self.entity]
        if frame.program.roads is None or row.road < 0:
            return self.angles.turned(Place(row.x, row.y, heading=row.heading))
        return lane_place(frame.program.roads, row.road, row.lane, row.s, row.offset, self.angles)
