"""The analytic lines of roads in two flat tables, as `dorosim.road.opendrive.course_kernel` reads them.

A profile is a cubic in pieces: the starts of its pieces, then four coefficients each. Whatever names one holds its
place in the floats and its number of pieces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.opendrive.curve import PlanCurve, PolynomialCurve, SpiralCurve, curve_of
from dorosim.road.opendrive.lane_record import Cubic, OdrLane
from dorosim.road.opendrive.plan_record import PlanGeometry
from dorosim.road.opendrive.record import OdrRoad

NO_LANES = ("none", "border", "curb")
"""Types of lanes on which nothing is."""


class CurveKind(IntEnum):
    """The shape of a geometry."""

    ARC = 0
    SPIRAL = 1
    POLYNOMIAL = 2


class CourseEntry(IntEnum):
    """What the ints hold of a road, in this order; a profile takes two of them: its place and its pieces."""

    GEOMETRIES = 0
    GEOMETRY_COUNT = 1
    GEOMETRY_STARTS = 2
    ELEVATION = 3
    LANE_OFFSET = 5
    SUPERELEVATION = 7
    LEFT_CROSSFALL = 9
    RIGHT_CROSSFALL = 11
    SECTIONS = 13
    SECTION_COUNT = 14
    SECTION_STARTS = 15
    IS_RAISED = 16
    IS_SHAPED = 17
    FORWARD_SIDE = 18
    LENGTH = 19


class CourseGeometryEntry(IntEnum):
    """What the ints hold of a geometry: its kind, its place in the floats, its pieces."""

    KIND = 0
    FLOATS = 1
    PIECES = 2


class CourseSectionEntry(IntEnum):
    """What the ints hold of a lane section: the places and numbers of the lanes to the left and to the right."""

    LEFT = 0
    LEFT_COUNT = 1
    RIGHT = 2
    RIGHT_COUNT = 3


class CourseLaneEntry(IntEnum):
    """What the ints hold of a lane; lanes of a side are ordered from the centre to the edge."""

    ID = 0
    IS_LANE = 1
    WIDTH = 2
    BORDER = 4
    INNER_HEIGHT = 6
    OUTER_HEIGHT = 8


ROAD_ENTRIES, GEOMETRY_ENTRIES, SECTION_ENTRIES, LANE_ENTRIES = 20, 3, 4, 10
"""How many ints each of them takes."""


class CourseTables(NamedTuple):
    """Roads as kernels see them.

    Attributes:
        floats: `(N,)` lengths, curves and profiles [m, rad, 1/m].
        ints: `(M,)` the entries of all roads one after another (`CourseEntry`), and what these point to.
    """

    floats: FloatArray
    ints: IntArray


def course_tables(roads: Sequence[OdrRoad]) -> CourseTables:
    """The tables of roads, in their order."""
    writer = _Writer(len(roads) * ROAD_ENTRIES)
    for number, road in enumerate(roads):
        writer.add_road(number * ROAD_ENTRIES, road)
    floats, ints = np.array(writer.floats or [0.0]), np.array(writer.ints or [0], np.int64)
    floats.flags.writeable = ints.flags.writeable = False
    return CourseTables(floats, ints)


class _Writer:
    """The tables while they are written."""

    def __init__(self, entries: int) -> None:
        self.floats: list[float] = []
        self.ints: list[int] = [0] * entries

    def add_road(self, at: int, road: OdrRoad) -> None:
        """Write a road."""
        found: dict[int, int] = dict.fromkeys(range(ROAD_ENTRIES), 0)
        found[CourseEntry.LENGTH] = self._put([road.length])
        found[CourseEntry.GEOMETRY_STARTS] = self._put([one.s for one in road.geometries])
        found[CourseEntry.GEOMETRY_COUNT] = len(road.geometries)
        geometries = [self._geometry(one) for one in road.geometries]
        found[CourseEntry.GEOMETRIES] = self._list(geometries)
        for entry, pieces in (
            (CourseEntry.ELEVATION, road.elevations),
            (CourseEntry.LANE_OFFSET, road.lane_offsets),
            (CourseEntry.SUPERELEVATION, road.superelevations),
        ):
            found[entry], found[entry + 1] = self._profile(pieces)
        for entry, side in ((CourseEntry.LEFT_CROSSFALL, "left"), (CourseEntry.RIGHT_CROSSFALL, "right")):
            mine = [one for one in road.crossfalls if one.side in (side, "both")]
            cubics = [Cubic(s=one.s, a=one.a, b=one.b, c=one.c, d=one.d) for one in mine]
            found[entry], found[entry + 1] = self._profile(cubics)
        sections = []
        for section in road.lane_sections:
            lanes = sorted(section.lanes, key=lambda lane: abs(lane.id))
            left = [self._lane(one, section.s) for one in lanes if one.id > 0]
            right = [self._lane(one, section.s) for one in lanes if one.id < 0]
            sections.append((self._list(left), len(left), self._list(right), len(right)))
        found[CourseEntry.SECTIONS], found[CourseEntry.SECTION_COUNT] = self._list(sections), len(sections)
        found[CourseEntry.SECTION_STARTS] = self._put([one.s for one in road.lane_sections])
        found[CourseEntry.IS_RAISED] = any(lane.heights for section in road.lane_sections for lane in section.lanes)
        found[CourseEntry.IS_SHAPED] = is_shaped(road)
        found[CourseEntry.FORWARD_SIDE] = -1 if road.rule == "RHT" else 1
        for number, value in found.items():
            self.ints[at + number] = int(value)

    def _put(self, numbers: Sequence[float]) -> int:
        """Add floats; returns their place."""
        self.floats += numbers
        return len(self.floats) - len(numbers)

    def _list(self, entries: Sequence[Sequence[int]]) -> int:
        """Add ints; returns their place."""
        at = len(self.ints)
        for one in entries:
            self.ints += one
        return at

    def _profile(self, pieces: Sequence[Cubic], origin: float = 0.0) -> tuple[int, int]:
        """Add a profile; returns its place and its pieces."""
        at = self._put([one.s + origin for one in pieces])
        for one in pieces:
            self._put([one.a, one.b, one.c, one.d])
        return at, len(pieces)

    def _geometry(self, geometry: PlanGeometry) -> tuple[int, int, int]:
        at = self._put(
            [geometry.s, geometry.x, geometry.y, geometry.hdg, math.cos(geometry.hdg), math.sin(geometry.hdg)]
        )
        kind, pieces, numbers = _curve(curve_of(geometry))
        self._put(numbers)
        return kind, at, pieces

    def _lane(self, lane: OdrLane, origin: float) -> tuple[int, ...]:
        inner = [Cubic(s=one.s_offset, a=one.inner, b=0.0, c=0.0, d=0.0) for one in lane.heights]
        outer = [Cubic(s=one.s_offset, a=one.outer, b=0.0, c=0.0, d=0.0) for one in lane.heights]
        profiles = [self._profile(one, origin) for one in (lane.widths, lane.borders, inner, outer)]
        return (lane.id, int(lane.type.lower() not in NO_LANES), *(part for one in profiles for part in one))


def is_shaped(road: OdrRoad) -> bool:
    """Whether the surface of a road has shapes or strips, which the tables do not hold."""
    return bool(road.shapes) or road.cross_section_surface is not None


def _curve(curve: PlanCurve) -> tuple[int, int, list[float]]:
    """Kind of a curve, its pieces, and its numbers as the kernel reads them."""
    if isinstance(curve, PolynomialCurve):
        coefficients = [float(one) for one in curve.value.ravel()]
        numbers = [float(curve.stretch), *coefficients, *curve.ends.tolist(), *curve.sums.tolist()]
        return CurveKind.POLYNOMIAL, len(curve.ends) - 1, numbers
    if isinstance(curve, SpiralCurve):
        numbers = [float(curve.start), float(curve.rate), *curve.ends.tolist(), *curve.sums.ravel().tolist()]
        return CurveKind.SPIRAL, len(curve.ends) - 1, numbers
    return CurveKind.ARC, 0, [float(getattr(curve, "curvature", 0.0))]
