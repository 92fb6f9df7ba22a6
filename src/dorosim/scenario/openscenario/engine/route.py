"""Routes: the roads that lead from waypoint to waypoint (ASAM OpenSCENARIO XML 1.3, Route)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace
from dorosim.scenario.openscenario.engine.distance import on_road
from dorosim.scenario.openscenario.engine.frame import RoadOfWay, StoryboardFrame
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.position import OrientationPlan, PositionPlan, lane_place, road_place
from dorosim.scenario.openscenario.engine.way_search import WayChoice, find_way


def way_through(
    roads: CourseNetwork,
    places: Sequence[Place],
    heading: float | None = None,
    choices: Sequence[WayChoice] = (),
    draw: np.random.Generator | None = None,
) -> list[RoadOfWay]:
    """The roads from place to place; a part to which no road leads is left out.

    Args:
        roads: of the scenario.
        places: in order.
        heading: in which one drives at the first place [rad]; None: as vehicles drive on its lane.
        choices: by which way each place is reached; the shortest one where there are none.
        draw: for ways by chance.
    """
    found: list[RoadOfWay] = []
    here = on_road(roads, places[0])
    course = roads.roads[here.road]
    if heading is None:
        lane = places[0].lane or course.lane_at(here.s, here.t)
        forward = course.is_forward(lane)
    else:
        forward = math.cos(heading - course.line(here.s).heading) >= 0.0
    for at, place in enumerate(places[1:], start=1):
        there = on_road(roads, place)
        way = find_way(roads, here, forward, there, choices[at] if choices else WayChoice.SHORTEST, draw=draw)
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
    """A route.

    Attributes:
        waypoints: its places. choices: by which way each one is reached; of a closed route the first one as well.
        closed: whether the last one leads to the first. name: of the route.
    """

    waypoints: tuple[PositionPlan, ...]
    choices: tuple[WayChoice, ...] = ()
    closed: bool = False
    name: str = ""

    def way(self, frame: StoryboardFrame) -> list[RoadOfWay]:
        """The roads of the route."""
        roads = frame.program.roads
        if roads is None or not self.waypoints:
            return []
        places, choices = [one.place(frame) for one in self.waypoints], self.choices
        if self.closed:
            places, choices = [*places, places[0]], (*choices, *choices[:1])
        draw = None
        if WayChoice.RANDOM in choices:
            draw = Noise(frame.program.seed).stream(f"scenario/route/{self.name}", frame.transitions)
        way = way_through(roads, places, None, choices, draw)
        if self.closed and len(way) > 1 and (way[-1].road, way[-1].direction) == (way[0].road, way[0].direction):
            way[-1] = way[-1]._replace(closed=1)
        return way


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
    """The place so far along a way; that of its end where it is shorter, and further round where it is closed."""
    if way and way[-1].closed:
        length %= _length(roads, start, way)
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


def _length(roads: CourseNetwork, start: CoursePlace, way: Sequence[RoadOfWay]) -> float:
    """Length of a way [m]."""
    return roads.length_of_way(
        start, [(one.road, one.direction) for one in way], CoursePlace(way[-1].road, way[-1].s_end, 0.0)
    )


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
