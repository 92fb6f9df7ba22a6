"""The roads as the traffic kernels see them: matrices with a row per link, conflict or point, and their columns."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.ground.column import Columns, float64, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, NONE, PER_METRE
from dorosim.road.adjacency import FloatArray, IntArray

CURVE_ACCELERATION = 2.0
"""Lateral acceleration at which drivers take a curve [m/s²]: 0.2 g, the comfort limit for low-speed curves (AASHTO, "A
Policy on Geometric Design of Highways and Streets", side friction at 40 km/h)."""


class RoadLink(Columns):
    """Columns of `RoadArrays.link` and `link_ints`.

    Columns that say where the rows of a link begin in another array end where those of the next link begin.
    """

    length = float64(METRE, "arc length")
    speed_limit = float64(METRE_PER_SECOND, "of the road")
    curve_speed = float64(METRE_PER_SECOND, "that its bends allow")
    stop_line = float64(METRE, "where a vehicle stops before the end of the link")
    wait_place = float64(METRE, "where a vehicle yields before the conflict zones; 0: before the link")
    long_wait_place = float64(METRE, "where a long vehicle yields before the conflict zones; 0: before the link")
    first_point = float64(NONE, "where its points begin in `RoadArrays.course`")
    points_per_metre = float64(PER_METRE, "of its course")

    left = int64("lane to which a vehicle may change on the left, -1 for none")
    right = int64("lane to which a vehicle may change on the right, -1 for none")
    signalled = int64("1 if a light for vehicles governs the link")
    conflicting = int64("1 if it conflicts with other links")
    successor_first = int64("where the links that follow it begin in `RoadArrays.connection`")
    predecessor_first = int64("where the links that lead to it begin in `RoadArrays.connection`")
    conflict_first = int64("where its rows begin in `RoadArrays.conflict`")
    diverge_first = int64("where its rows begin in `RoadArrays.diverge`")


class LinkConflict(Columns):
    """Columns of `RoadArrays.conflict`: a zone that a link shares with another one, its foe."""

    end = float64(METRE, "end of the zone on the link itself")
    foe_start = float64(METRE, "start of the zone on the other link")
    foe_end = float64(METRE, "end of the zone on the other link")
    foe_link = float64(NONE, "the other link")
    yields = float64(NONE, "1 if the vehicle on the link gives way to the one on the other")
    merges = float64(NONE, "1 if both links end in one node")
    long_only = float64(NONE, "1 if the conflict counts for long bodies only")


class LinkDiverge(Columns):
    """Columns of `RoadArrays.diverge`: where two lanes from one node still overlap."""

    end = float64(METRE, "up to where they overlap on the link itself")
    other_end = float64(METRE, "up to where they overlap on the other lane")
    other_link = float64(NONE, "the other lane")


class LaneNeighbour(Columns):
    """Columns of `RoadArrays.side`: a link and the lane beside it to which vehicles may change."""

    first_place = float64(NONE, "where its places begin in `RoadArrays.side_place`")
    cells = float64(NONE, "steps between its places; 0 if the lanes are nowhere side by side")
    start = float64(METRE, "where the steps begin on the lane to which a vehicle changes")
    cells_per_metre = float64(PER_METRE, "steps on that lane")


class CoursePoint(Columns):
    """Columns of `RoadArrays.course`: a point of the course that bodies follow."""

    x = float64(METRE, "east", frame="map")
    y = float64(METRE, "north", frame="map")
    z = float64(METRE, "up", frame="map")
    tangent_x = float64(METRE, "east, how far its tangent leads from point to point", frame="map")
    tangent_y = float64(METRE, "north, how far its tangent leads from point to point", frame="map")


class BesideLane(Columns):
    """Columns of `RoadArrays.beside`: what lies to one side of a lane at a station, whatever way it leads."""

    link = float64(NONE, "the lane there, -1 for none, -2 for none where other lanes cross")
    place = float64(METRE, "the place on it that is beside the station")
    distance = float64(METRE, "from middle to middle")
    direction = float64(NONE, "1 if it leads the same way, -1 if it is for oncoming traffic")
    own_room = float64(METRE, "how far from the middle of its own lane the side of a body may come without leaving it")
    room = float64(METRE, "how far it may come where the lane beside is free; as `own_room` where there is none")
    crossable = float64(NONE, "1 if the line between is painted as one to cross")


IN_JUNCTION = -2.0
"""`BesideLane.link` where the station is where other lanes cross."""

LINK, CONFLICT, DIVERGE, SIDE, COURSE = RoadLink.at, LinkConflict.at, LinkDiverge.at, LaneNeighbour.at, CoursePoint.at
BESIDE = BesideLane.at
"""Where the columns are in a row of the matrices of `RoadArrays`."""


class RoadArrays(NamedTuple):
    """The roads as the traffic kernels see them; all arrays are read-only.

    What belongs to one link lies side by side, in a row, since a driver reads all of it at once.

    Attributes:
        link, link_ints: `(L, 8)` and `(L + 1, 8)` numbers and ints of `RoadLink`.
        half_width: `(L,)` half of each link's least width [m].
        keep_clear_end: `(L,)` end of each link's last zone that must not be blocked [m], -1 for none.
        connection: links that follow each link, then those that lead to each, for vehicles only.
        boundary_entry: lanes that begin at the edge of the map: vehicles that left it come in there.
        interior_entry: long lanes inside the map without conflicts: vehicles come in there where the boundary is full
            or absent.
        conflict: `(C, 7)` of `LinkConflict`, link by link.
        diverge: `(Q, 3)` of `LinkDiverge`, link by link.
        side: `(2 L, 4)` of `LaneNeighbour`: each link with the lane to its left, then with the one to its right.
        side_place: places on links that are beside places on lanes next to them, table by table (see
            `dorosim.road.side_by_side`) [m].
        course: `(P, 5)` of `CoursePoint`: the courses of all links, evenly spaced.
        station_first: `(L + 1,)` where the stations of each link begin, evenly spaced from its start to its end.
        beside: `(2 S, 7)` of `BesideLane`: each station's left side, then its right.
    """

    link: FloatArray
    link_ints: IntArray
    half_width: FloatArray
    keep_clear_end: FloatArray
    connection: IntArray
    boundary_entry: IntArray
    interior_entry: IntArray
    conflict: FloatArray
    diverge: FloatArray
    side: FloatArray
    side_place: FloatArray
    course: FloatArray
    station_first: IntArray
    beside: FloatArray
