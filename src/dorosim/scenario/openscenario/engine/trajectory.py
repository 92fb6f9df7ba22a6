"""Trajectories as lines by their length (ASAM OpenSCENARIO XML 1.3, Trajectory)."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dorosim.road.opendrive.curve import SpiralCurve
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.position import FixedPosition, MovingPosition, OrientationPlan, PositionPlan
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.world.storyboard.state import EntityTable

_STEP = 0.1
"""Distance between the points of a curved line [m]."""

_BEFORE_END = 1e-6
"""A curve ends so much before the last parameter, as in the reference engine."""

_AHEAD = 1e-5
"""So far before and behind a point of a curve its direction is measured, over the whole range of its parameter."""

_CORNER = 2.0
"""So far before and behind a corner of a polyline a body turns [m], as in the reference engine."""

ACTOR = -1
"""Stands for the entity that follows a trajectory, among those to which its places are relative."""

KEPT = ("x", "y", "z", "heading", "pitch", "roll", "s", "t", "offset", "turn", "road", "lane")
"""What is kept of an entity to which the places of a trajectory are relative: its columns."""


class SampledPoint(NamedTuple):
    """A point of a trajectory: x, y in map [m], z [m] (NaN: on the road), heading and pitch of a body there [rad].

    `direction` is that of the line, which a body turns away from at the corners of a polyline, and where vertices have
    headings of their own (`oriented`): between two of them its heading changes evenly.
    """

    x: float
    y: float
    z: float
    heading: float
    pitch: float = 0.0
    direction: float = math.nan
    oriented: bool = False


class TrajectoryLine:
    """A trajectory.

    Args:
        points: x, y, z and heading of its points.
        lengths: along it at each point [m], rising.
        times: at each point [s], NaN where it has none.
        is_straight: whether it is straight between its points, and turns at them.
        curve: gives the point at a number of points from the start, which need not be whole; None: between two points
            values change evenly.

    Attributes:
        length: of the whole [m].
    """

    def __init__(
        self,
        points: Sequence[SampledPoint],
        lengths: Sequence[float],
        times: Sequence[float],
        *,
        is_straight: bool,
        curve: Callable[[float], SampledPoint] | None = None,
    ) -> None:
        self._points = list(points)
        self._lengths = list(lengths)
        self._times = list(times)
        self._is_straight = is_straight
        self._curve = curve
        self.length = self._lengths[-1]
        self._directions = [
            (math.atan2(after.y - one.y, after.x - one.x), _pitch(one, after))
            for one, after in zip(self._points, self._points[1:], strict=False)
        ]

    @property
    def has_times(self) -> bool:
        """Whether all of its points have times."""
        return not any(math.isnan(one) for one in self._times)

    @property
    def start_time(self) -> float:
        """Time of its first point [s]."""
        return self._times[0]

    @property
    def end_time(self) -> float:
        """Time of its last point [s]."""
        return self._times[-1]

    def at(self, s: float) -> SampledPoint:
        """The point at a length along it; beyond its ends that of the end."""
        s = min(max(s, 0.0), self.length)
        at = min(bisect_right(self._lengths, s) - 1, len(self._points) - 2)
        one, after = self._points[at], self._points[at + 1]
        span = self._lengths[at + 1] - self._lengths[at]
        share = (s - self._lengths[at]) / span if span > 0.0 else 0.0
        if self._curve is not None:
            return self._curve(at + share)
        turn = math.remainder(after.heading - one.heading, math.tau)
        heading = one.heading + share * turn
        pitch, direction = 0.0, heading
        if self._is_straight:
            direction, pitch = self._directions[at]
            heading = heading if one.oriented and after.oriented else self._rounded(at, s, 0)
            pitch = self._rounded(at, s, 1)
        return SampledPoint(
            one.x + share * (after.x - one.x),
            one.y + share * (after.y - one.y),
            one.z + share * (after.z - one.z),
            heading,
            pitch,
            direction,
        )

    def _rounded(self, at: int, s: float, which: int) -> float:
        """Heading or pitch of a body on a straight part: before and behind its corners it turns evenly."""
        here = self._directions[at][which]
        start, end = self._lengths[at], self._lengths[at + 1]
        reach = min(_CORNER, end - start)
        if at > 0 and s - start < reach:
            other, inside = self._directions[at - 1][which], s - start
        elif at + 1 < len(self._directions) and end - s < reach:
            other, inside = self._directions[at + 1][which], end - s
        else:
            return here
        share = (reach + inside) / (2.0 * reach)
        return other + share * math.remainder(here - other, math.tau)

    def length_at(self, time: float) -> float:
        """How far along it one is at a time [m]."""
        if time <= self._times[0]:
            return 0.0
        if time >= self._times[-1]:
            return self.length
        at = bisect_right(self._times, time) - 1
        span = self._times[at + 1] - self._times[at]
        share = (time - self._times[at]) / span if span > 0.0 else 0.0
        return self._lengths[at] + share * (self._lengths[at + 1] - self._lengths[at])

    def time_at(self, s: float) -> float:
        """When one is at a length along it [s]."""
        at = min(max(bisect_right(self._lengths, s) - 1, 0), len(self._times) - 2)
        span = self._lengths[at + 1] - self._lengths[at]
        share = min(max((s - self._lengths[at]) / span, 0.0), 1.0) if span > 0.0 else 0.0
        return self._times[at] + share * (self._times[at + 1] - self._times[at])

    def speed_at(self, s: float) -> float:
        """How fast one is there [m/s]."""
        at = min(max(bisect_right(self._lengths, s) - 1, 0), len(self._times) - 2)
        span = self._times[at + 1] - self._times[at]
        return (self._lengths[at + 1] - self._lengths[at]) / span if span > 0.0 else 0.0


def _pitch(one: SampledPoint, after: SampledPoint) -> float:
    """Pitch of a straight part, positive downhill [rad]; 0 on the road."""
    rise = after.z - one.z
    return 0.0 if math.isnan(rise) else -math.atan2(rise, math.hypot(after.x - one.x, after.y - one.y))


def line_through(places: Sequence[Place], times: Sequence[float], *, closed: bool) -> TrajectoryLine:
    """A polyline."""
    points = [SampledPoint(one.x, one.y, one.z, one.heading, oriented=one.oriented) for one in places]
    times = list(times)
    if closed and (points[0].x, points[0].y) != (points[-1].x, points[-1].y):
        points.append(points[0])
        times.append(math.nan)
    lengths = [0.0]
    for one, after in itertools.pairwise(points):
        lengths.append(lengths[-1] + math.hypot(after.x - one.x, after.y - one.y))
    return TrajectoryLine(points, lengths, times, is_straight=True)


def clothoid(
    place: Place, curvature: float, prime: float, length: float, start_time: float, end_time: float
) -> TrajectoryLine:
    """A clothoid from a place on: curvature at its start [1/m], its change by length [1/m2]."""
    count = max(round(length / _STEP), 2)
    s = np.linspace(0.0, length, count + 1)
    u, v, turn, _ = SpiralCurve(curvature, curvature + prime * length, length).at(s)
    cosine, sine = math.cos(place.heading), math.sin(place.heading)
    points = [
        SampledPoint(place.x + a * cosine - b * sine, place.y + a * sine + b * cosine, place.z, place.heading + c)
        for a, b, c in zip(u.tolist(), v.tolist(), turn.tolist(), strict=True)
    ]
    times = np.linspace(start_time, end_time, count + 1).tolist()
    return TrajectoryLine(points, s.tolist(), times, is_straight=False)


def nurbs(
    places: Sequence[Place], weights: Sequence[float], knots: Sequence[float], order: int, times: Sequence[float]
) -> TrajectoryLine:
    """A rational B-spline of an order, which is its degree plus one.

    Lengths and times are those of points about a metre apart, as in the reference engine; places are on the curve.
    """
    control = np.array([(one.x, one.y, 1.0) for one in places]) * np.array(weights)[:, None]
    spans = sum(math.hypot(after.x - one.x, after.y - one.y) for one, after in itertools.pairwise(places))
    count, degree = max(math.floor(spans) + 1, 10 * len(places)), order - 1
    low, high = knots[degree], knots[len(places)]

    def on_curve(parameter: float) -> tuple[float, float]:
        x, y, weight = _de_boor(control, knots, degree, parameter).tolist()
        return x / weight, y / weight

    def point(number: float) -> SampledPoint:
        parameter = min(low + (high - low) * number / count, high - _BEFORE_END)
        ahead, behind = min(parameter + _AHEAD * (high - low), high), max(parameter - _AHEAD * (high - low), low)
        (x, y), (x1, y1), (x0, y0) = on_curve(parameter), on_curve(ahead), on_curve(behind)
        heading = math.atan2(y1 - y0, x1 - x0)
        return SampledPoint(x, y, places[0].z, heading, 0.0, heading)

    points = [point(float(number)) for number in range(count + 1)]
    lengths = [0.0]
    for one, after in itertools.pairwise(points):
        lengths.append(lengths[-1] + math.hypot(after.x - one.x, after.y - one.y))
    found = [math.nan] * len(points)
    if not any(math.isnan(one) for one in times):
        parameters = np.linspace(low, high, count + 1)
        found = np.interp(parameters, _peaks(len(places), knots, degree, count), times).tolist()
    return TrajectoryLine(points, lengths, found, is_straight=False, curve=point)


def _peaks(count: int, knots: Sequence[float], degree: int, steps: int) -> np.ndarray:
    """Parameters `(N,)` at which each control point counts most: there its time is that of the curve.

    They are rounded down to whole steps of about a metre, as in the reference engine.
    """
    low, high = knots[degree], knots[count]
    fine = np.linspace(low, high, 16 * steps + 1)
    peaks = []
    for row in np.eye(count):
        control = np.column_stack((row, row, row))
        influence = [_de_boor(control, knots, degree, one)[0] for one in fine.tolist()]
        share = float(fine[int(np.argmax(influence))] - low) / (high - low)
        peaks.append(low + (high - low) * math.floor(share * steps + 1e-6) / steps)
    return np.array(peaks)


def _de_boor(control: np.ndarray, knots: Sequence[float], degree: int, at: float) -> np.ndarray:
    """A point of a B-spline with control points `(N, 3)`, by de Boor's algorithm."""
    span = min(max(bisect_right(list(knots), at) - 1, degree), len(control) - 1)
    points = [control[span - degree + one].astype(float) for one in range(degree + 1)]
    for level in range(1, degree + 1):
        for one in range(degree, level - 1, -1):
            left = knots[span - degree + one]
            width = knots[span + one - level + 1] - left
            share = (at - left) / width if width else 0.0
            points[one] = (1.0 - share) * points[one - 1] + share * points[one]
    found: np.ndarray = points[degree]
    return found


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
        return clothoid(places[0], curvature, prime, length, start, end)
    if plan.kind == "spline":
        return _spline(plan, roads, kept)
    return nurbs(places, plan.weights, plan.knots, round(plan.numbers[0]), plan.times)


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
        points += part._points[skip:]
        lengths += [base + each for each in part._lengths[skip:]]
        times += part._times[skip:]
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
