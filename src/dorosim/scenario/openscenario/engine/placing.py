"""Where an entity is on the roads, and the pose that follows from it."""

from __future__ import annotations

import math

from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace
from dorosim.scenario.openscenario.engine.rows import EntityRow

HALF_TURN = math.pi / 2.0


def is_forward(row: EntityRow) -> bool:
    """Whether an entity points along rising s."""
    return math.cos(row.turn) >= 0.0


def put_on_lane(roads: CourseNetwork, row: EntityRow, road: int, lane: int, s: float, offset: float) -> None:
    """Put an entity beside the middle of a lane; its turn from the road stays."""
    row.road, row.lane, row.s, row.offset, row.free = road, lane, s, offset, 0
    follow_road(roads, row)


def put_on_road(roads: CourseNetwork, row: EntityRow, road: int, s: float, t: float) -> None:
    """Put an entity beside the reference line of a road; its turn from the road stays."""
    course = roads.roads[road]
    lane = course.lane_at(s, t)
    middle = course.middle(s, lane)
    put_on_lane(roads, row, road, lane, s, t - (middle.t if middle else 0.0))


def follow_road(roads: CourseNetwork, row: EntityRow) -> None:
    """Find t and pose of an entity by its road, lane, s, offset and turn."""
    found = roads.roads[row.road].body(row.lane, row.s, row.offset, row.turn)
    row.t, row.x, row.y, row.z = found.t, found.x, found.y, found.z + row.lift
    row.heading = found.heading
    row.pitch, row.roll = found.pitch + row.tilt, found.roll + row.lean


def tilted(pitch: float, roll: float, turn: float) -> tuple[float, float]:
    """Pitch and roll of a body that is turned on a road of a pitch and a roll, which are small [rad]."""
    cosine, sine = math.cos(turn), math.sin(turn)
    return pitch * cosine - roll * sine, roll * cosine + pitch * sine


def find_road(roads: CourseNetwork | None, row: EntityRow, *, keep: bool = True) -> None:
    """Find road, lane, s, t, offset and turn of an entity by its x, y and heading.

    Args:
        roads: of the scenario.
        row: is written.
        keep: whether its present road is kept while it is on it.
    """
    if roads is None:
        return
    near = CoursePlace(row.road, row.s, row.t) if keep and row.road >= 0 else None
    place = roads.locate(row.x, row.y, near, row.heading)
    course = roads.roads[place.road]
    row.road, row.s, row.t = place
    row.lane, row.offset, row.turn = course.lane_of_body(place.s, place.t, row.heading)


def settle_height(roads: CourseNetwork | None, row: EntityRow) -> None:
    """Put an entity whose road place is known onto the road: z, pitch and roll."""
    if roads is None or row.road < 0:
        return
    z, pitch, roll = roads.roads[row.road].ground(row.s, row.t, row.turn)
    row.z = z + row.lift
    row.pitch, row.roll = pitch + row.tilt, roll + row.lean


def is_off_road(roads: CourseNetwork | None, row: EntityRow) -> bool:
    """Whether an entity's origin is beyond the edges or the ends of its road."""
    if roads is None or row.road < 0:
        return roads is not None
    return roads.roads[row.road].is_off(row.s, row.t, row.x, row.y)
