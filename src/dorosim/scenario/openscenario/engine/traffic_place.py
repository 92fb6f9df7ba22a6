"""Where traffic of a storyboard appears and disappears: shapes in the map, and places on lanes in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.position import PositionPlan
from dorosim.scenario.openscenario.engine.way_search import limit_of
from dorosim.world.snapshot import Snapshot

_DRIVEN = frozenset({"driving", "entry", "exit", "onRamp", "offRamp", "connectingRamp", "bidirectional", "bus", "taxi"})
_WALKED = frozenset({"sidewalk", "walking", "shoulder"})
_APART = 12.0
"""Between the origins of a vehicle that appears and of another one [m]: two cars and a gap."""
_APART_ON_FOOT = 2.0
"""The same of a person [m]."""
_ON_EDGE = 1.0
"""A place that is moved to the middle of its lane may lie so far outside of its shape [m]."""

Point = tuple[float, float]


class LanePlace(NamedTuple):
    """A place on a lane: origin in map [m], heading in which one drives there [rad], limit of the road [m/s]."""

    x: float
    y: float
    z: float
    heading: float
    limit: float


class TrafficShape(Protocol):
    """Where traffic is."""

    def draw(self, frame: StoryboardFrame, random: np.random.Generator) -> Point | None:
        """A point in it, None where there is none."""

    def holds(self, frame: StoryboardFrame, point: Point) -> bool:
        """Whether a point is in it: what leaves it disappears."""

    def admits(self, frame: StoryboardFrame, point: Point) -> bool:
        """Whether something may appear at a point."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc around a position."""

    middle: PositionPlan
    radius: float

    def draw(self, frame: StoryboardFrame, random: np.random.Generator) -> Point | None:
        """Evenly in it."""
        place = self.middle.place(frame)
        away, angle = self.radius * math.sqrt(random.random()), math.tau * random.random()
        return place.x + away * math.cos(angle), place.y + away * math.sin(angle)

    def holds(self, frame: StoryboardFrame, point: Point) -> bool:
        """Whether it is no farther away than the radius."""
        place = self.middle.place(frame)
        return math.hypot(point[0] - place.x, point[1] - place.y) <= self.radius

    def admits(self, frame: StoryboardFrame, point: Point) -> bool:
        """Everywhere in it."""
        return self.holds(frame, point)


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An ellipse around an entity, along its heading, less a circle around it.

    Attributes:
        entity: in the middle. offset: of the middle of the ellipse, forward [m].
        major, minor: half axes, forward and to the side [m]. inner: radius of the circle around the entity [m].
    """

    entity: int
    offset: float
    major: float
    minor: float
    inner: float

    def draw(self, frame: StoryboardFrame, random: np.random.Generator) -> Point | None:
        """Evenly in it, and not in the circle."""
        row = frame.entity[self.entity]
        away, angle = math.sqrt(random.random()), math.tau * random.random()
        along, across = self.offset + self.major * away * math.cos(angle), self.minor * away * math.sin(angle)
        if math.hypot(along, across) < self.inner:
            return None
        cosine, sine = math.cos(row.heading), math.sin(row.heading)
        return row.x + along * cosine - across * sine, row.y + along * sine + across * cosine

    def holds(self, frame: StoryboardFrame, point: Point) -> bool:
        """Whether it is in the ellipse; the circle does not count."""
        row = frame.entity[self.entity]
        dx, dy = point[0] - row.x, point[1] - row.y
        cosine, sine = math.cos(row.heading), math.sin(row.heading)
        along, across = dx * cosine + dy * sine - self.offset, dy * cosine - dx * sine
        if self.major <= 0.0 or self.minor <= 0.0:
            return False
        return (along / self.major) ** 2 + (across / self.minor) ** 2 <= 1.0

    def admits(self, frame: StoryboardFrame, point: Point) -> bool:
        """In the ellipse and not in the circle."""
        row = frame.entity[self.entity]
        return math.dist(point, (row.x, row.y)) >= self.inner and self.holds(frame, point)


@dataclass(frozen=True, slots=True)
class PolygonArea:
    """The area between corners."""

    corners: tuple[PositionPlan, ...]

    def _points(self, frame: StoryboardFrame) -> list[Point]:
        return [(place.x, place.y) for place in (one.place(frame) for one in self.corners)]

    def draw(self, frame: StoryboardFrame, random: np.random.Generator) -> Point | None:
        """Evenly in the box around it, if that is inside."""
        points = self._points(frame)
        xs, ys = [one[0] for one in points], [one[1] for one in points]
        point = (random.uniform(min(xs), max(xs)), random.uniform(min(ys), max(ys)))
        return point if _is_inside(points, point) else None

    def holds(self, frame: StoryboardFrame, point: Point) -> bool:
        """Whether it is between the corners."""
        return _is_inside(self._points(frame), point)

    def admits(self, frame: StoryboardFrame, point: Point) -> bool:
        """Everywhere in it."""
        return self.holds(frame, point)


def _is_inside(corners: Sequence[Point], point: Point) -> bool:
    """Whether a point is between corners: how often a line to the east crosses the sides."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside


class Stretch(NamedTuple):
    """A part of a road: its number, from and to where [m], and ids of its lanes, none for all."""

    road: int
    begin: float
    end: float
    lanes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stretches:
    """Parts of roads."""

    parts: tuple[Stretch, ...]

    def draw(self, frame: StoryboardFrame, random: np.random.Generator) -> Point | None:
        """Evenly along them, on one of their lanes."""
        roads = frame.program.roads
        lengths = [one.end - one.begin for one in self.parts]
        if roads is None or sum(lengths) <= 0.0:
            return None
        left = random.random() * sum(lengths)
        for part, length in zip(self.parts, lengths, strict=True):
            if left <= length:
                course, s = roads.roads[part.road], part.begin + left
                driven = [one.id for one in course.lanes(course.section_at(s)) if one.type in _DRIVEN]
                lanes = [one for one in driven if not part.lanes or one in part.lanes]
                if not lanes:
                    return None
                middle = course.middle(s, lanes[int(random.integers(len(lanes)))])
                pose = course.pose(s, middle.t if middle else 0.0)
                return pose.x, pose.y
            left -= length
        return None

    def holds(self, frame: StoryboardFrame, point: Point) -> bool:
        """Whether it is on one of the lanes."""
        roads = frame.program.roads
        if roads is None:
            return False
        place = roads.locate(*point)
        lane = roads.roads[place.road].lane_at(place.s, place.t)
        return any(
            one.road == place.road and one.begin <= place.s <= one.end and (not one.lanes or lane in one.lanes)
            for one in self.parts
        )

    def admits(self, frame: StoryboardFrame, point: Point) -> bool:
        """Everywhere in it."""
        return self.holds(frame, point)


def find_place(
    frame: StoryboardFrame,
    shape: TrafficShape,
    random: np.random.Generator,
    taken: Sequence[Point],
    suits: Callable[[LanePlace], bool],
    *,
    walks: bool = False,
    tries: int = 8,
) -> LanePlace | None:
    """A free place on a lane in a shape, by chance; None where none was found.

    Args:
        frame: the tick.
        shape: where to look.
        random: what draws.
        taken: where others are [m].
        suits: whether a place may be taken.
        walks: whether it is for a person, beside the lanes that vehicles drive on.
        tries: how often to look.
    """
    roads = frame.program.roads
    apart = _APART_ON_FOOT if walks else _APART
    for _ in range(tries):
        point = shape.draw(frame, random)
        if point is None or roads is None:
            continue
        place = _lane_place(roads, point, walks)
        if place is None or not suits(place):
            continue
        near = (place.x, place.y)
        if math.dist(near, point) > _ON_EDGE and not shape.admits(frame, near):
            continue
        if all(math.dist(near, one) >= apart for one in taken):
            return place
    return None


def _lane_place(roads: CourseNetwork, point: Point, walks: bool) -> LanePlace | None:
    """The middle of the lane at a point; for persons the point itself, unless vehicles drive there."""
    at = roads.locate(*point)
    course = roads.roads[at.road]
    lane = course.lane_at(at.s, at.t)
    found = course.lane(at.s, lane)
    kind = "" if found is None else str(found.type)
    t = at.t
    if walks:
        if kind in _DRIVEN:
            beside = [one.id for one in course.lanes(course.section_at(at.s)) if one.type in _WALKED]
            middles = [middle for one in beside if (middle := course.middle(at.s, one)) is not None]
            right, left = course.edges(at.s)
            t = min((one.t for one in middles), key=lambda one: abs(one - at.t), default=right if at.t < 0 else left)
    else:
        middle = course.middle(at.s, lane)
        if kind not in _DRIVEN or lane == 0 or middle is None:
            return None
        t = middle.t
    pose = course.pose(at.s, t)
    turn = 0.0 if lane == 0 or course.is_forward(lane) else math.pi
    return LanePlace(pose.x, pose.y, pose.z, math.remainder(pose.heading + turn, math.tau), limit_of(course))


def taken_places(world: Snapshot) -> list[Point]:
    """Where vehicles, persons and obstacles are [m]."""
    found: list[Point] = []
    for table in (world.vehicle, world.traffic, world.people.state, world.obstacles.state):
        found += zip(table.x.tolist(), table.y.tolist(), strict=True)
    return found
