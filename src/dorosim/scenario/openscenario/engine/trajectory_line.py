"""Trajectories as lines by their length: their points, polylines, clothoids and rational B-splines."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dorosim.road.opendrive.curve import SpiralCurve
from dorosim.scenario.openscenario.engine.place import Place

_STEP = 0.1
"""Distance between the points of a curved line [m]."""

_BEFORE_END = 1e-6
"""A curve ends so much before the last parameter, as in the reference engine."""

_AHEAD = 1e-5
"""So far before and behind a point of a curve its direction is measured, over the whole range of its parameter."""

_JOINED = 1e-6
"""A line whose end is so near its start is closed [m]."""

_CORNER = 2.0
"""So far before and behind a corner of a polyline a body turns [m], as in the reference engine."""


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
        points, lengths, times: as given.
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
        self.points = list(points)
        self.lengths = list(lengths)
        self.times = list(times)
        self._is_straight = is_straight
        self._curve = curve
        self.length = self.lengths[-1]
        self._directions = [
            (math.atan2(after.y - one.y, after.x - one.x), _pitch(one, after))
            for one, after in zip(self.points, self.points[1:], strict=False)
        ]

    @property
    def has_times(self) -> bool:
        """Whether all of its points have times."""
        return not any(math.isnan(one) for one in self.times)

    @property
    def start_time(self) -> float:
        """Time of its first point [s]."""
        return self.times[0]

    @property
    def end_time(self) -> float:
        """Time of its last point [s]."""
        return self.times[-1]

    def at(self, s: float) -> SampledPoint:
        """The point at a length along it; beyond its ends that of the end."""
        s = min(max(s, 0.0), self.length)
        at = min(bisect_right(self.lengths, s) - 1, len(self.points) - 2)
        span = self.lengths[at + 1] - self.lengths[at]
        share = (s - self.lengths[at]) / span if span > 0.0 else 0.0
        return self.point_at(at + share)

    def point_at(self, number: float) -> SampledPoint:
        """The point at a number of points from the start, which need not be whole."""
        if self._curve is not None:
            return self._curve(number)
        at = min(int(number), len(self.points) - 2)
        one, after, share = self.points[at], self.points[at + 1], number - at
        s = self.lengths[at] + share * (self.lengths[at + 1] - self.lengths[at])
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
        start, end = self.lengths[at], self.lengths[at + 1]
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
        if time <= self.times[0]:
            return 0.0
        if time >= self.times[-1]:
            return self.length
        at = bisect_right(self.times, time) - 1
        span = self.times[at + 1] - self.times[at]
        share = (time - self.times[at]) / span if span > 0.0 else 0.0
        return self.lengths[at] + share * (self.lengths[at + 1] - self.lengths[at])

    def time_at(self, s: float) -> float:
        """When one is at a length along it [s]."""
        at = min(max(bisect_right(self.lengths, s) - 1, 0), len(self.times) - 2)
        span = self.lengths[at + 1] - self.lengths[at]
        share = min(max((s - self.lengths[at]) / span, 0.0), 1.0) if span > 0.0 else 0.0
        return self.times[at] + share * (self.times[at + 1] - self.times[at])

    def speed_at(self, s: float) -> float:
        """How fast one is there [m/s]."""
        at = min(max(bisect_right(self.lengths, s) - 1, 0), len(self.times) - 2)
        span = self.times[at + 1] - self.times[at]
        return (self.lengths[at + 1] - self.lengths[at]) / span if span > 0.0 else 0.0


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


def closed_line(line: TrajectoryLine) -> TrajectoryLine:
    """A line whose end a straight part joins to its start, taken at the speed at the end where points have times."""
    first, end, count = line.points[0], line.points[-1], len(line.points) - 1
    way = math.hypot(first.x - end.x, first.y - end.y)
    if way < _JOINED:
        return line
    direction, pitch = math.atan2(first.y - end.y, first.x - end.x), _pitch(end, first)
    speed = line.speed_at(line.length) if line.has_times else 0.0
    time = line.times[-1] + way / speed if speed > 0.0 else math.nan

    def point(number: float) -> SampledPoint:
        if number <= count:
            return line.point_at(number)
        share = min(number - count, 1.0)
        x, y = end.x + share * (first.x - end.x), end.y + share * (first.y - end.y)
        return SampledPoint(x, y, end.z + share * (first.z - end.z), direction, pitch, direction)

    return TrajectoryLine(
        [*line.points, first], [*line.lengths, line.length + way], [*line.times, time], is_straight=False, curve=point
    )


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
