"""What criteria see of a tick: the ego entity, the others, and what happened to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from dorosim.ground.column import FloatArray
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.distance import Point
from dorosim.scenario.openscenario.engine.program import BodyBox


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """An actor.

    Attributes:
        name: for people. number: of the entity, or -id of an actor that is none.
        x, y, z: body origin in map [m]. heading: [rad].
        velocity_x, velocity_y: in map [m/s]. acceleration: along the body [m/s2].
        box: around it.
        road: number of its road, -1 none. lane: id of its lane. s, t: place on the road [m].
        turn: heading over that of the lane by rising s [rad].
    """

    name: str
    number: int
    x: float
    y: float
    z: float = 0.0
    heading: float = 0.0
    velocity_x: float = 0.0
    velocity_y: float = 0.0
    acceleration: float = 0.0
    box: BodyBox = field(default_factory=BodyBox)
    road: int = -1
    lane: int = 0
    s: float = 0.0
    t: float = 0.0
    turn: float = 0.0

    @property
    def radius(self) -> float:
        """No corner is further from the origin [m]."""
        return math.hypot(abs(self.box.x) + self.box.length / 2.0, abs(self.box.y) + self.box.width / 2.0)

    def speed_along(self, heading: float) -> float:
        """Part of its velocity along a direction of the map [m/s]."""
        return self.velocity_x * math.cos(heading) + self.velocity_y * math.sin(heading)

    def corners(self) -> list[Point]:
        """The corners of its box in the map [m], counter-clockwise from the front left."""
        return self.corners_at(self.x, self.y, self.heading)

    def corners_at(self, x: float, y: float, heading: float) -> list[Point]:
        """The corners of its box where its origin is at a place of a plane [m, rad]."""
        cosine, sine = math.cos(heading), math.sin(heading)
        ahead, behind = self.box.x + self.box.length / 2.0, self.box.x - self.box.length / 2.0
        left, right = self.box.y + self.box.width / 2.0, self.box.y - self.box.width / 2.0
        return [
            (x + u * cosine - v * sine, y + u * sine + v * cosine)
            for u, v in ((ahead, left), (behind, left), (behind, right), (ahead, right))
        ]

    def overlaps_in_height(self, other: Body) -> bool:
        """Whether one could touch the other: not where one is on a bridge above it."""
        low, high = self.z + self.box.z - self.box.height / 2.0, self.z + self.box.z + self.box.height / 2.0
        bottom = other.z + other.box.z - other.box.height / 2.0
        return low <= bottom + other.box.height and bottom <= high


class Touch(NamedTuple):
    """Something that the ego touches: its name, and the speed of both to each other before that [m/s]."""

    name: str
    speed: float


class RedWay(NamedTuple):
    """A way on from a stop line.

    Attributes:
        is_red: whether the light is red for it. points: `(N, 2)` or more columns, from the line on in map [m].
    """

    is_red: bool
    points: FloatArray


class RedLine(NamedTuple):
    """A stop line whose light is red.

    Attributes:
        name: for people. x, y: its middle in map [m]. heading: of those who come to it [rad].
        half_width: of the lane there [m].
        ways: ways on from it, where the light is not red for all of them.
    """

    name: str
    x: float
    y: float
    heading: float
    half_width: float
    ways: tuple[RedWay, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMoment:
    """The end of a tick.

    Attributes:
        time: since the storyboard's start [ns].
        ego: None where it is not in the world.
        others: all other actors, in a fixed order.
        roads: None for a scenario without roads.
        touched: what the world has the ego touch.
        red_lines: stop lines whose lights are red at the end of the tick.
    """

    time: int
    ego: Body | None
    others: tuple[Body, ...] = ()
    roads: CourseNetwork | None = None
    touched: tuple[Touch, ...] = ()
    red_lines: tuple[RedLine, ...] = ()

    @property
    def seconds(self) -> float:
        """Time since the storyboard's start [s]."""
        return self.time * 1e-9
