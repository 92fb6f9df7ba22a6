"""Single places on a road, from its analytic lines: quick for one place at a time, as moving entities ask.

The same figures as of `dorosim.road.opendrive.lane_line`, which takes many places at once.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dorosim.road.opendrive.cross_section import CrossSection
from dorosim.road.opendrive.curve import curve_of
from dorosim.road.opendrive.curve_point import PointCurve
from dorosim.road.opendrive.lane_record import Cubic, OdrLane
from dorosim.road.opendrive.record import OdrRoad

_NO_LANES = ("none", "border", "curb")
"""Types of lanes on which nothing is."""

_MIN_SCALE = 1e-3
"""Where a place lies near the centre of a curve, the length per s is taken to be this."""


class LinePoint(NamedTuple):
    """A point of a reference line: x, y in map [m], heading [rad], curvature, left positive [1/m]."""

    x: float
    y: float
    heading: float
    curvature: float


class RoadPose(NamedTuple):
    """A place on a road: x, y, z in map [m]; the road's heading there by rising s, pitch and roll [rad]."""

    x: float
    y: float
    z: float
    heading: float
    pitch: float
    roll: float


class LaneMiddle(NamedTuple):
    """The middle of a lane at a place.

    Attributes:
        t: to the left of the reference line [m]. slope: its change by s. width: of the lane [m].
    """

    t: float
    slope: float
    width: float


class CubicPieces:
    """A cubic in pieces, for one place at a time; the first piece counts before its start too.

    Args:
        pieces: ordered by s.
        origin: added to the starts [m].
    """

    __slots__ = ("_pieces", "_starts")

    def __init__(self, pieces: Sequence[Cubic], origin: float = 0.0) -> None:
        self._starts = [one.s + origin for one in pieces]
        self._pieces = [(one.s + origin, one.a, one.b, one.c, one.d) for one in pieces]

    def __bool__(self) -> bool:
        """Whether there is any piece."""
        return bool(self._pieces)

    def at(self, s: float) -> tuple[float, float]:
        """Value and derivative at a place [m]."""
        if not self._pieces:
            return 0.0, 0.0
        start, a, b, c, d = self._pieces[max(bisect_right(self._starts, s) - 1, 0)]
        ds = s - start
        return a + ds * (b + ds * (c + ds * d)), b + ds * (2.0 * c + ds * 3.0 * d)


class _Lane:
    """A lane of one section."""

    __slots__ = ("border", "inner", "lane", "outer", "side", "width")

    def __init__(self, lane: OdrLane, origin: float) -> None:
        self.lane = lane
        self.side = 1.0 if lane.id > 0 else -1.0
        self.width = CubicPieces(lane.widths, origin)
        self.border = CubicPieces(lane.borders, origin)
        steps = [(one.s_offset, one.inner, one.outer) for one in lane.heights]
        self.inner = CubicPieces([Cubic(s=s, a=low, b=0.0, c=0.0, d=0.0) for s, low, _ in steps], origin)
        self.outer = CubicPieces([Cubic(s=s, a=high, b=0.0, c=0.0, d=0.0) for s, _, high in steps], origin)

    def edge(self, s: float, inner: float, slope: float) -> tuple[float, float]:
        """The outer border and its change by s, from the inner one."""
        if self.width or not self.border:
            width, change = self.width.at(s)
            return inner + self.side * width, slope + self.side * change
        border, change = self.border.at(s)
        sign = -self.side if border < 0.0 else self.side
        return sign * border, sign * change


class RoadCourse:
    """One road, for one place at a time.

    Args:
        road: of the file.

    Attributes:
        road: the record.
        length: of its reference line [m].
        forward_side: sign of the lanes that are driven by rising s: -1 in right-hand traffic.
    """

    def __init__(self, road: OdrRoad) -> None:
        self.road = road
        self.length = road.length
        self.forward_side = -1 if road.rule == "RHT" else 1
        self._starts = [one.s for one in road.geometries]
        self._plan = [(one, math.cos(one.hdg), math.sin(one.hdg), PointCurve(curve_of(one))) for one in road.geometries]
        self._last = (math.nan, LinePoint(0.0, 0.0, 0.0, 0.0))
        self._elevation = CubicPieces(road.elevations)
        self._offset = CubicPieces(road.lane_offsets)
        self._cross_section = CrossSection(road)
        self._is_flat = not (road.superelevations or road.crossfalls or road.shapes or road.cross_section_surface)
        self._is_raised = any(lane.heights for section in road.lane_sections for lane in section.lanes)
        self._section_starts = [one.s for one in road.lane_sections]
        self._sides = [
            tuple(
                [
                    _Lane(one, section.s)
                    for one in sorted(section.lanes, key=lambda lane: abs(lane.id))
                    if one.id * side > 0
                ]
                for side in (1, -1)
            )
            for section in road.lane_sections
        ]

    def line(self, s: float) -> LinePoint:
        """The reference line at a place [m]; one asks several times for the same place, which is remembered."""
        if self._last[0] == s:
            return self._last[1]
        geometry, cosine, sine, curve = self._plan[max(bisect_right(self._starts, s) - 1, 0)]
        u, v, turn, curvature = curve.at(s - geometry.s)
        found = LinePoint(
            geometry.x + u * cosine - v * sine, geometry.y + u * sine + v * cosine, geometry.hdg + turn, curvature
        )
        self._last = (s, found)
        return found

    def pose(self, s: float, t: float) -> RoadPose:
        """A place beside the reference line, on the road."""
        x, y, heading, _ = self.line(s)
        z, grade = self._elevation.at(s)
        roll = 0.0
        if not self._is_flat:
            places = np.array([s])
            z += float(self._cross_section.height_at(places, np.array([t]))[0])
            roll = float(self._cross_section.roll_at(places)[0])
        if self._is_raised:
            z += self.lift(s, t)
        return RoadPose(x - t * math.sin(heading), y + t * math.cos(heading), z, heading, -math.atan(grade), roll)

    def scale(self, s: float, t: float) -> float:
        """Length along a line at t per length along the reference line."""
        return max(1.0 - self.line(s).curvature * t, _MIN_SCALE)

    def section_at(self, s: float) -> int:
        """Index of the lane section at a place [m]; that which starts there, at a border of two."""
        return max(bisect_right(self._section_starts, s) - 1, 0)

    def section_ends(self, section: int) -> tuple[float, float]:
        """Where a section starts and ends along the road [m]."""
        after = self._section_starts[section + 1 : section + 2]
        return self._section_starts[section], after[0] if after else self.length

    def lanes(self, section: int) -> list[OdrLane]:
        """Lanes of a section without the centre, from left to right."""
        left, right = self._sides[section]
        return [one.lane for one in (*reversed(left), *right)]

    def lane(self, s: float, lane: int) -> OdrLane | None:
        """The record of a lane at a place, None if there is none."""
        return next((one for one in self.lanes(self.section_at(s)) if one.id == lane), None)

    def middle(self, s: float, lane: int) -> LaneMiddle | None:
        """The middle of a lane at a place, None if the lane is not there; of lane 0 the line between left and right."""
        if not self._sides:
            return None
        inner, slope = self._offset.at(s)
        if lane == 0:
            return LaneMiddle(inner, slope, 0.0)
        left, right = self._sides[self.section_at(s)]
        for one in left if lane > 0 else right:
            outer, change = one.edge(s, inner, slope)
            if one.lane.id == lane:
                return LaneMiddle((inner + outer) / 2.0, (slope + change) / 2.0, abs(outer - inner))
            inner, slope = outer, change
        return None

    def edges(self, s: float) -> tuple[float, float]:
        """The right and the left edge of the road at a place, to the left of the reference line [m]."""
        ends = []
        for side in reversed(self._sides[self.section_at(s)]):
            edge, slope = self._offset.at(s)
            for one in side:
                edge, slope = one.edge(s, edge, slope)
            ends.append(edge)
        return ends[0], ends[1]

    def lane_at(self, s: float, t: float) -> int:
        """Id of the lane at a place; 0 if the road has no lane.

        Borders and kerbs are no lanes to be on: there, and beyond the edge of the road, it is the lane whose middle is
        nearest.
        """
        best, nearest = 0, math.inf
        first, change = self._offset.at(s)
        for side in self._sides[self.section_at(s)]:
            inner, slope = first, change
            for one in side:
                outer, slope = one.edge(s, inner, slope)
                if one.lane.type.lower() not in _NO_LANES and outer != inner:
                    if min(inner, outer) <= t <= max(inner, outer):
                        return one.lane.id
                    away = abs(t - (inner + outer) / 2.0)
                    if away < nearest:
                        best, nearest = one.lane.id, away
                inner = outer
        return best

    def lift(self, s: float, t: float) -> float:
        """How far the lane at a place lies over the road [m]."""
        lane = self.lane_at(s, t)
        side = self._sides[self.section_at(s)][0 if lane > 0 else 1]
        inner, slope = self._offset.at(s)
        for one in side:
            outer, change = one.edge(s, inner, slope)
            if one.lane.id == lane:
                low, high = one.inner.at(s)[0], one.outer.at(s)[0]
                share = (t - inner) / (outer - inner) if outer != inner else 0.5
                return low + (high - low) * min(max(share, 0.0), 1.0)
            inner, slope = outer, change
        return 0.0

    def is_forward(self, lane: int) -> bool:
        """Whether vehicles drive on a lane by rising s."""
        return (lane > 0) == (self.forward_side > 0)
