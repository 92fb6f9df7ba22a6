"""Trajectories of a scenario (ASAM OpenSCENARIO XML 1.3, Trajectory): as lines where they are in the map."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.position import FixedPosition, MovingPosition, OrientationPlan, PositionPlan
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.scenario.openscenario.engine.trajectory_line import (
    SampledPoint,
    TrajectoryLine,
    closed_line,
    clothoid,
    line_through,
    nurbs,
)
from dorosim.world.storyboard.state import EntityTable

ACTOR = -1
"""Stands for the entity that follows a trajectory, among those to which its places are relative."""

KEPT = ("x", "y", "z", "heading", "pitch", "roll", "s", "t", "offset", "turn", "road", "lane")
"""What is kept of an entity to which the places of a trajectory are relative: its columns."""


class Segment(NamedTuple):
    """A clothoid of a spline: curvatures at its ends [1/m], length [m], turn at its start [rad], place or None, time.

    Without a place it begins where the last one ends.
    """

    start: float
    end: float
    length: float
    turn: float
    position: PositionPlan | None
    time: float


@dataclass(frozen=True, slots=True, eq=False)
class TrajectoryPlan:
    """A trajectory as the file has it.

    Attributes:
        kind: "polyline", "clothoid", "spline" or "nurbs".
        positions: of its vertices, its start or its control points. times: of these [s], NaN for none.
        closed: whether its end leads to its start.
        numbers: of a clothoid curvature, its change, length, times at start and end; of NURBS the order.
        weights, knots: of NURBS. segments: of a spline. end_time: of a spline.
    """

    kind: str
    positions: tuple[PositionPlan, ...]
    times: tuple[float, ...] = ()
    closed: bool = False
    numbers: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()
    knots: tuple[float, ...] = ()
    segments: tuple[Segment, ...] = ()
    end_time: float = math.nan

    @property
    def entities(self) -> tuple[int, ...]:
        """Entities to which its places are relative."""
        return tuple({one.entity: None for one in self.positions if isinstance(one, MovingPosition)})

    def line(self, roads: CourseNetwork | None, kept: tuple[float, ...]) -> TrajectoryLine:
        """The line, with what was kept of the entity to which it is relative; equal arguments give the same object."""
        return _line_of(self, roads, kept if self.entities else ())


@lru_cache(maxsize=512)
def _line_of(plan: TrajectoryPlan, roads: CourseNetwork | None, kept: tuple[float, ...]) -> TrajectoryLine:
    places = _with_heights([_place(one, roads, kept) for one in plan.positions], roads)
    if plan.kind == "polyline":
        return line_through(places, plan.times, closed=plan.closed)
    if plan.kind == "clothoid":
        curvature, prime, length, start, end = plan.numbers
        line = clothoid(places[0], curvature, prime, length, start, end)
    elif plan.kind == "spline":
        line = _spline(plan, roads, kept)
    else:
        line = nurbs(places, plan.weights, plan.knots, round(plan.numbers[0]), plan.times)
    return closed_line(line) if plan.closed else line


def _with_heights(places: list[Place], roads: CourseNetwork | None) -> list[Place]:
    """Places of which some have a height of their own: the others have that of the road."""
    if roads is None or all(math.isnan(one.z) for one in places):
        return places
    found = []
    for one in places:
        at = roads.locate(one.x, one.y)
        found.append(replace(one, z=roads.roads[at.road].pose(at.s, at.t).z) if math.isnan(one.z) else one)
    return found


def _spline(plan: TrajectoryPlan, roads: CourseNetwork | None, kept: tuple[float, ...]) -> TrajectoryLine:
    """Clothoids one after another; one without a place of its own begins where the last one ends."""
    points: list[SampledPoint] = []
    lengths: list[float] = []
    times: list[float] = []
    place = Place(0.0, 0.0)
    for at, one in enumerate(plan.segments):
        if one.position is not None:
            place = _place(one.position, roads, kept)
        elif points:
            place = Place(points[-1].x, points[-1].y, points[-1].z, points[-1].heading)
        place = Place(place.x, place.y, place.z, place.heading + one.turn)
        end = plan.segments[at + 1].time if at + 1 < len(plan.segments) else plan.end_time
        part = clothoid(place, one.start, (one.end - one.start) / one.length, one.length, one.time, end)
        base = lengths[-1] if lengths else 0.0
        skip = 1 if points else 0
        points += part.points[skip:]
        lengths += [base + each for each in part.lengths[skip:]]
        times += part.times[skip:]
    return TrajectoryLine(points, lengths, times, is_straight=False)


def _place(one: PositionPlan, roads: CourseNetwork | None, kept: tuple[float, ...]) -> Place:
    """A place of a trajectory, with what was kept of the entity that it is relative to."""
    if isinstance(one, FixedPosition):
        return one.fixed
    assert isinstance(one, MovingPosition)
    (row,) = EntityRow.of_table(EntityTable.zeros(1))
    for name, value in zip(KEPT, kept, strict=True):
        setattr(row, name, round(value) if name in ("road", "lane") else value)
    found: Place = one.find(roads, row)
    return found


@dataclass(frozen=True, slots=True)
class OnTrajectory:
    """A position so far along a trajectory, and to the left of it [m]."""

    trajectory: TrajectoryPlan
    along: float
    across: float
    angles: OrientationPlan

    def place(self, frame: StoryboardFrame) -> Place:
        """Where that is, with the trajectory as it would be now."""
        entities = self.trajectory.entities
        kept = [0.0] * len(KEPT) if not entities or entities[0] < 0 else kept_of(frame.entity[entities[0]])
        point = self.trajectory.line(frame.program.roads, tuple(kept)).at(self.along)
        x = point.x - self.across * math.sin(point.direction)
        y = point.y + self.across * math.cos(point.direction)
        return self.angles.turned(Place(x, y, point.z, point.direction))


def kept_of(row: EntityRow) -> list[float]:
    """What is kept of an entity to which a trajectory is relative."""
    return [float(getattr(row, name)) for name in KEPT]
