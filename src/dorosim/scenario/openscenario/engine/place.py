"""A place that a position of the standard means, and putting an entity there."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.placing import find_road, follow_road, settle_height, tilted
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import EntityRow


@dataclass(slots=True)
class Place:
    """A place and an orientation.

    Attributes:
        x, y, z: in map [m]; z NaN: on the road. heading, pitch, roll: [rad]; pitch and roll NaN: of the road.
        road: number of its road, -1 where it was not given by one. lane, s, t, offset: on that.
        oriented: whether the position has an orientation of its own.
    """

    x: float
    y: float
    z: float = math.nan
    heading: float = 0.0
    pitch: float = math.nan
    roll: float = math.nan
    road: int = -1
    lane: int = 0
    s: float = 0.0
    t: float = 0.0
    offset: float = 0.0
    oriented: bool = False


def place_of_row(row: EntityRow) -> Place:
    """The place of an entity."""
    return Place(row.x, row.y, row.z, row.heading, row.pitch, row.roll, row.road, row.lane, row.s, row.t, row.offset)


def put(roads: CourseNetwork | None, row: EntityRow, place: Place) -> None:
    """Put an entity at a place, at once."""
    row.x, row.y, row.heading = place.x, place.y, place.heading % math.tau
    row.free, row.placed = 0, 1
    row.lift = row.tilt = row.lean = 0.0
    row.moved |= Domain.NONE
    if roads is None:
        row.z = 0.0 if math.isnan(place.z) else place.z
        row.pitch = 0.0 if math.isnan(place.pitch) else place.pitch
        row.roll = 0.0 if math.isnan(place.roll) else place.roll
        return
    if place.road >= 0:
        row.road, row.lane, row.s, row.t, row.offset = place.road, place.lane, place.s, place.t, place.offset
        course = roads.roads[row.road]
        middle = course.middle(row.s, row.lane)
        slope = math.atan(middle.slope if middle else 0.0)
        row.turn = math.remainder(place.heading - course.line(row.s).heading - slope, math.tau)
        follow_road(roads, row)
    else:
        find_road(roads, row, keep=False)
        settle_height(roads, row)
    if not math.isnan(place.z):
        row.lift = place.z - row.z
    pose = roads.roads[row.road].pose(row.s, row.t)
    pitch, roll = tilted(pose.pitch, pose.roll, row.turn)
    row.tilt = 0.0 if math.isnan(place.pitch) else place.pitch - pitch
    row.lean = 0.0 if math.isnan(place.roll) else place.roll - roll
    row.z += row.lift
    row.pitch, row.roll = pitch + row.tilt, roll + row.lean
