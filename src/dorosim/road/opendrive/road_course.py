"""Single places on a road, from its analytic lines: quick for one place at a time, as moving entities ask.

The same figures as of `dorosim.road.opendrive.lane_line`, which takes many places at once.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

import numpy as np

from dorosim.road.opendrive.course_place_kernel import (
    call_body,
    call_edges,
    call_lane,
    call_lane_of_body,
    call_length_of_lane,
    call_line,
    call_middle,
    call_nearest,
    call_off_road,
    call_pose,
    call_scale,
    call_surface,
)
from dorosim.road.opendrive.course_tables import CourseTables, course_tables, is_shaped
from dorosim.road.opendrive.cross_section import CrossSection
from dorosim.road.opendrive.lane_record import OdrLane
from dorosim.road.opendrive.record import OdrRoad


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


class BodyPose(NamedTuple):
    """A body on a road: t, x, y, z in map [m], heading, pitch and roll [rad]."""

    t: float
    x: float
    y: float
    z: float
    heading: float
    pitch: float
    roll: float


class NearestPlace(NamedTuple):
    """The place of a road nearest to a point: s, t [m], and whether the point is on the road there."""

    s: float
    t: float
    is_on: bool


class BodyLane(NamedTuple):
    """The lane of a body: its id, the offset from its middle [m], the turn from it [rad]."""

    lane: int
    offset: float
    turn: float


class RoadCourse:
    """One road, for one place at a time.

    Args:
        road: of the file.
        tables: of the roads of a file; None: of this one alone.
        number: of the road in the tables.

    Attributes:
        road: the record. number: of it in the tables. floats, ints: the tables.
        length: of its reference line [m].
        forward_side: sign of the lanes that are driven by rising s: -1 in right-hand traffic.
    """

    def __init__(self, road: OdrRoad, tables: CourseTables | None = None, number: int = 0) -> None:
        self.road = road
        self.length = road.length
        self.forward_side = -1 if road.rule == "RHT" else 1
        self.number = number
        self.floats, self.ints = tables or course_tables((road,))
        self._relief = CrossSection(road) if is_shaped(road) else None
        self._section_starts = [one.s for one in road.lane_sections]
        ordered = [sorted(section.lanes, key=lambda lane: -lane.id) for section in road.lane_sections]
        self._lanes = [[one for one in lanes if one.id] for lanes in ordered]

    def line(self, s: float) -> LinePoint:
        """The reference line at a place [m]."""
        return LinePoint(*call_line(self.floats, self.ints, self.number, s))

    def pose(self, s: float, t: float) -> RoadPose:
        """A place beside the reference line, on the road."""
        found = RoadPose(*call_pose(self.floats, self.ints, self.number, s, t))
        return found if self._relief is None else found._replace(z=found.z + self.relief(s, t))

    def body(self, lane: int, s: float, offset: float, turn: float) -> BodyPose:
        """The pose of a body beside the middle of a lane, turned from the lane [rad]."""
        found = BodyPose(*call_body(self.floats, self.ints, self.number, lane, s, offset, turn))
        return found if self._relief is None else found._replace(z=found.z + self.relief(s, found.t))

    def ground(self, s: float, t: float, turn: float) -> tuple[float, float, float]:
        """Height [m], pitch and roll [rad] of a body on the road, turned from its reference line."""
        z, pitch, roll = call_surface(self.floats, self.ints, self.number, s, t, turn)
        return z + self.relief(s, t), pitch, roll

    def relief(self, s: float, t: float) -> float:
        """Height by shapes and strips [m], which is 0 on nearly all roads."""
        if self._relief is None:
            return 0.0
        return float(self._relief.relief_at(np.array([s]), np.array([t]))[0])

    def scale(self, s: float, t: float) -> float:
        """Length along a line at t per length along the reference line."""
        return call_scale(self.floats, self.ints, self.number, s, t)

    def section_at(self, s: float) -> int:
        """Index of the lane section at a place [m]; that which starts there, at a border of two."""
        return max(bisect_right(self._section_starts, s) - 1, 0)

    def section_ends(self, section: int) -> tuple[float, float]:
        """Where a section starts and ends along the road [m]."""
        after = self._section_starts[section + 1 : section + 2]
        return self._section_starts[section], after[0] if after else self.length

    def lanes(self, section: int) -> list[OdrLane]:
        """Lanes of a section without the centre, from left to right."""
        return self._lanes[section]

    def lane(self, s: float, lane: int) -> OdrLane | None:
        """The record of a lane at a place, None if there is none."""
        return next((one for one in self.lanes(self.section_at(s)) if one.id == lane), None)

    def middle(self, s: float, lane: int) -> LaneMiddle | None:
        """The middle of a lane at a place, None if the lane is not there; of lane 0 the line between left and right."""
        there, t, slope, width = call_middle(self.floats, self.ints, self.number, s, lane)
        return LaneMiddle(t, slope, width) if there else None

    def edges(self, s: float) -> tuple[float, float]:
        """The right and the left edge of the road at a place, to the left of the reference line [m]."""
        return call_edges(self.floats, self.ints, self.number, s)

    def lane_at(self, s: float, t: float) -> int:
        """Id of the lane at a place; 0 if the road has no lane.

        Borders and kerbs are no lanes to be on: there, and beyond the edge of the road, it is the lane whose middle is
        nearest.
        """
        return call_lane(self.floats, self.ints, self.number, s, t)

    def nearest(self, x: float, y: float, s: float) -> NearestPlace:
        """The place that is nearest to a point, sought from `s` on [m]."""
        return NearestPlace(*call_nearest(self.floats, self.ints, self.number, x, y, s))

    def lane_of_body(self, s: float, t: float, heading: float) -> BodyLane:
        """The lane of a body at a place."""
        return BodyLane(*call_lane_of_body(self.floats, self.ints, self.number, s, t, heading))

    def is_off(self, s: float, t: float, x: float, y: float) -> bool:
        """Whether a point at a place [m] is beyond the edges or the ends of the road."""
        return call_off_road(self.floats, self.ints, self.number, s, t, x, y)

    def length_of_lane(self, section: int, lane: int, start: float, end: float) -> float:
        """Length of the middle of a lane between two places of one section [m]."""
        return call_length_of_lane(self.floats, self.ints, self.number, section, lane, start, end)

    def is_forward(self, lane: int) -> bool:
        """Whether vehicles drive on a lane by rising s."""
        return (lane > 0) == (self.forward_side > 0)
