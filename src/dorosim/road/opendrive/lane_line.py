"""The centres of lanes, from the analytic lines of their road (ASAM OpenDRIVE 1.8, 9 to 11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray, IntArray
from dorosim.road.opendrive.cross_section import CrossSection
from dorosim.road.opendrive.curve import CurvePoints
from dorosim.road.opendrive.lane_record import Cubic, LaneHeight, OdrLane, OdrLaneSection
from dorosim.road.opendrive.profile import Profile
from dorosim.road.opendrive.record import OdrRoad
from dorosim.road.opendrive.reference_line import ReferenceLine

_MIN_SCALE = 1e-6
"""Where a lane passes through the centre of a curve its length per s is taken to be this."""


class LanePoints(NamedTuple):
    """Points in the middle of a lane, each `(N,)`.

    Attributes:
        width: [m]. x, y, z: in map [m].
        heading, pitch, roll: of the lane in the direction in which vehicles drive on it, to map [rad]: heading
            counter-clockwise from the x axis, pitch positive downhill, roll positive where the left side is higher.
        curvature: of the line through these points by rising s, left positive [1/m].
        t: to the reference line of the road, left positive [m].
    """

    width: FloatArray
    x: FloatArray
    y: FloatArray
    z: FloatArray
    heading: FloatArray
    pitch: FloatArray
    roll: FloatArray
    curvature: FloatArray
    t: FloatArray


class BorderPoints(NamedTuple):
    """Points on the outer border of a lane, each `(N,)`: x, y, z in map [m]."""

    x: FloatArray
    y: FloatArray
    z: FloatArray


class _Edge(NamedTuple):
    """The outer border of a lane at some places: its t [m] and the derivative of t by s."""

    t: FloatArray
    slope: FloatArray


class _LaneProfiles:
    """Widths, borders and heights of a lane along the road."""

    def __init__(self, lane: OdrLane, origin: float) -> None:
        self.lane = lane
        self.side = 1.0 if lane.id > 0 else -1.0
        self.width = Profile(lane.widths, origin)
        self.border = Profile(lane.borders, origin)
        self.inner = _steps(lane.heights, origin, "inner")
        self.outer = _steps(lane.heights, origin, "outer")
        self.starts = np.concatenate([self.width.starts, self.border.starts, self.inner.starts])

    def lift_at(self, s: FloatArray) -> FloatArray:
        """How far the middle of the lane lies over the road `(N,)` [m]."""
        return (self.inner.at(s)[0] + self.outer.at(s)[0]) / 2.0 if self.inner else np.zeros(len(s))

    def outer_edge(self, s: FloatArray, inner: _Edge) -> _Edge:
        """The outer border, from the inner one.

        Width wins over border, which is a distance from the reference line (11.6.2) and here takes the sign of its
        side, whichever sign it has in the file.
        """
        if self.width or not self.border:
            width, slope = self.width.at(s)
            return _Edge(inner.t + self.side * width, inner.slope + self.side * slope)
        border, slope = self.border.at(s)
        sign = np.where(border < 0.0, -self.side, self.side)
        return _Edge(sign * border, sign * slope)


def _steps(heights: tuple[LaneHeight, ...], origin: float, name: str) -> Profile:
    """A height that stays as it is until the next record."""
    return Profile([Cubic(s=one.s_offset, a=getattr(one, name), b=0.0, c=0.0, d=0.0) for one in heights], origin)


class RoadLines:
    """The analytic lines of a road: its reference line, and its lanes by section.

    A lane's heading turns from the road's by the arc tangent of dt/ds, as in the reference engine. The tangent of its
    own line turns by that of dt/ds over 1 - t k, which differs where a lane that widens lies in a bend
    (docs/decisions/0073-reference-lines-stay-analytic.md).

    Args:
        road: of the file.
    """

    def __init__(self, road: OdrRoad) -> None:
        self.road = road
        self.reference = ReferenceLine(road.geometries)
        self._elevation = Profile(road.elevations)
        self._offset = Profile(road.lane_offsets)
        self._cross_section = CrossSection(road)
        self._starts = np.array([one.s for one in road.lane_sections])
        self._sides = _sides_of(road.lane_sections)

    def sections_at(self, s: FloatArray) -> IntArray:
        """Indices of the lane sections at `s` `(N,)`; that which starts there, at a border of two."""
        return np.maximum(np.searchsorted(self._starts, s, side="right") - 1, 0).astype(np.int64)

    def lanes_at(self, section: int, s: FloatArray) -> dict[int, LanePoints]:
        """The middle of each lane of a section.

        Args:
            section: index of the section.
            s: `(N,)` [m] along the road, inside the section.

        Returns:
            Lane id to points, from left to right; lane 0 is the line between left and right, and has no width. It
            points against s, as in the reference engine.
        """
        line = self.reference.at(s)
        centre = _Edge(*self._offset.at(s))
        elevation, grade = self._elevation.at(s)
        roll = self._cross_section.roll_at(s)
        found: dict[int, LanePoints] = {}
        for side in self._sides[section]:
            inner, level_t = centre, None
            for profiles in side:
                lane = profiles.lane
                outer = profiles.outer_edge(s, inner)
                middle = _Edge((inner.t + outer.t) / 2.0, (inner.slope + outer.slope) / 2.0)
                level_t = (inner.t if level_t is None else level_t) if lane.level else None
                at_t = middle.t if level_t is None else level_t
                height = elevation + self._cross_section.height_at(s, at_t) + profiles.lift_at(s)
                own_roll = np.zeros_like(s) if lane.level else roll
                points = _points(line, middle, np.abs(outer.t - inner.t), height, grade, own_roll)
                found[lane.id] = _turned(points) if is_driven_backwards(self.road, lane) else points
                inner = outer
        height = elevation + self._cross_section.height_at(s, centre.t)
        found[0] = _turned(_points(line, centre, np.zeros_like(s), height, grade, roll))
        return dict(sorted(found.items(), reverse=True))

    def borders_at(self, section: int, s: FloatArray) -> dict[int, BorderPoints]:
        """The outer border of each lane of a section, on the surface of the road.

        Args:
            section: index of the section.
            s: `(N,)` [m] along the road, inside the section.

        Returns:
            Lane id to points; those of lane 0 are the line between left and right.
        """
        line = self.reference.at(s)
        elevation, _ = self._elevation.at(s)
        centre = _Edge(*self._offset.at(s))
        edges = {0: centre.t}
        for side in self._sides[section]:
            edge = centre
            for profiles in side:
                edge = profiles.outer_edge(s, edge)
                edges[profiles.lane.id] = edge.t
        return {
            lane: BorderPoints(
                line.x - t * np.sin(line.heading),
                line.y + t * np.cos(line.heading),
                elevation + self._cross_section.height_at(s, t),
            )
            for lane, t in edges.items()
        }

    def place_at(self, s: float, t: float) -> tuple[float, float, float, float]:
        """x, y, z in map [m] of a place beside the reference line, on the road's surface, and the line's heading [rad].

        Args:
            s: along the road [m].
            t: to the left [m].
        """
        x, y, z, heading = self.places_at(np.array([s]), np.array([t])).T[:, 0].tolist()
        return x, y, z, heading

    def places_at(self, s: FloatArray, t: FloatArray) -> FloatArray:
        """`(N, 4)` x, y, z in map [m] of places beside the reference line, on the road, and the line's heading [rad].

        Args:
            s: `(N,)` along the road [m].
            t: `(N,)` to the left [m].
        """
        line = self.reference.at(s)
        z = self._elevation.at(s)[0] + self._cross_section.height_at(s, t)
        return np.column_stack((line.x - t * np.sin(line.heading), line.y + t * np.cos(line.heading), z, line.heading))

    def section_ends(self, section: int) -> tuple[float, float]:
        """Where a section starts and ends along the road [m]."""
        after = self._starts[section + 1 : section + 2]
        start = float(self._starts[section])
        return start, max(start, float(after[0]) if len(after) else self.road.length)

    def breaks(self, start: float, end: float) -> FloatArray:
        """Places between `start` and `end` [m] at which a curve or cubic of the road begins, `(N,)`."""
        places = np.unique(
            np.concatenate(
                [
                    self.reference.starts,
                    self._elevation.starts,
                    self._offset.starts,
                    self._cross_section.starts,
                    *(one.starts for sides in self._sides for side in sides for one in side),
                ]
            )
        )
        inside: FloatArray = places[(places > start) & (places < end)]
        return inside


def is_driven_backwards(road: OdrRoad, lane: OdrLane) -> bool:
    """Whether vehicles drive on a lane by falling s: in right-hand traffic on the left lanes, unless it is reversed."""
    backwards = (lane.id > 0) == (road.rule == "RHT")
    return backwards != (lane.direction == "reversed")


def _sides_of(sections: Sequence[OdrLaneSection]) -> list[tuple[list[_LaneProfiles], list[_LaneProfiles]]]:
    """The lanes of each section, left and right, from the centre outwards.

    A section that counts for one side has on the other side the lanes of the section before it.
    """
    found: list[tuple[list[_LaneProfiles], list[_LaneProfiles]]] = []
    for section in sections:
        left, right = (
            [
                _LaneProfiles(lane, section.s)
                for lane in sorted(section.lanes, key=lambda one: abs(one.id))
                if lane.id * side > 0
            ]
            for side in (1, -1)
        )
        if section.single_side and found:
            left, right = left or found[-1][0], right or found[-1][1]
        found.append((left, right))
    return found


def _points(
    line: CurvePoints, middle: _Edge, width: FloatArray, height: FloatArray, grade: FloatArray, roll: FloatArray
) -> LanePoints:
    """The points of a lane whose middle is at `middle` beside the reference line, by rising s."""
    scale = 1.0 - line.curvature * middle.t
    return LanePoints(
        width=width,
        x=line.x - middle.t * np.sin(line.heading),
        y=line.y + middle.t * np.cos(line.heading),
        z=height,
        heading=line.heading + np.arctan(middle.slope),
        pitch=-np.arctan(grade),
        roll=roll,
        curvature=line.curvature / np.where(np.abs(scale) < _MIN_SCALE, _MIN_SCALE, scale),
        t=middle.t,
    )


def _turned(points: LanePoints) -> LanePoints:
    """Points of a lane on which vehicles drive by falling s."""
    return points._replace(heading=points.heading + np.pi, pitch=-points.pitch, roll=-points.roll)
