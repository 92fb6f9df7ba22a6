"""How a place lies from an entity along the roads (ASAM OpenSCENARIO XML 1.3, 6.3.4 to 6.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace
from dorosim.scenario.openscenario.engine.frame import RoadOfWay, StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import is_forward
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.scenario.openscenario.engine.way_search import Way, WayChoice, find_way


@dataclass(frozen=True, slots=True)
class RoadReach:
    """How a place lies from an entity along the roads.

    Attributes:
        along: length from the entity to the place [m], negative behind it.
        side: 1.0 where left of the place's road is to the left of the entity as well, -1.0 where it is to the right.
        lane: id of the entity's lane on the road of the place, 0 where it does not go on so far.
        lane_along: length along the middle of that lane [m]; `along` where the lane does not go on so far.
    """

    along: float
    side: float
    lane: int
    lane_along: float


def reach_of(
    frame: StoryboardFrame, entity: int, there: CoursePlace, choice: WayChoice, *, by_lane: bool
) -> RoadReach | None:
    """How a place lies from an entity; None where no road leads there.

    Args:
        frame: the tick.
        entity: number of the entity, which is on a road.
        there: the place.
        choice: by which way; on one's own road always along it.
        by_lane: whether the length of the lane is needed.
    """
    roads, row = frame.program.roads, frame.entity[entity]
    assert roads is not None
    here, facing = CoursePlace(row.road, row.s, row.t), 1.0 if is_forward(row) else -1.0
    way: Way | None
    if choice is WayChoice.ASSIGNED and entity in frame.route:
        way = _along_route(here, frame.route[entity], row.route, there)
        if way is None:
            return None
        ahead = 1.0 if way[0][1] * facing > 0.0 else -1.0
    elif row.road == there.road:
        ahead = 1.0 if (there.s - row.s) * facing >= 0.0 else -1.0
        way = [(row.road, round(facing * ahead))]
    else:
        options = [
            (roads.length_of_way(here, one, there), sign, one)
            for sign in (1.0, -1.0)
            if (one := find_way(roads, here, facing * sign > 0.0, there, choice, driven=False)) is not None
        ]
        if not options:
            return None
        _, ahead, way = min(options, key=lambda one: one[0])
    along = roads.length_of_way(here, way, there) * ahead
    lane, length = _along_lane(roads, row, way, there) if by_lane else (0, math.nan)
    return RoadReach(along, way[-1][1] * ahead, lane, length * ahead if lane and by_lane else along)


def _along_route(here: CoursePlace, route: Sequence[RoadOfWay], part: int, there: CoursePlace) -> Way | None:
    """The part of a route that leads from a place to another one; None where one of them is not on its roads."""
    at = part if 0 <= part < len(route) and route[part].road == here.road else _part_with(route, here.road)
    to = _part_with(route, there.road)
    if at is None or to is None:
        return None
    if at == to:
        later = (there.s - here.s) * route[at].direction >= 0.0
        return [(here.road, route[at].direction if later else -route[at].direction)]
    if to > at:
        return [(one.road, one.direction) for one in route[at : to + 1]]
    return [(one.road, -one.direction) for one in reversed(route[to : at + 1])]


def _part_with(route: Sequence[RoadOfWay], road: int) -> int | None:
    return next((at for at, one in enumerate(route) if one.road == road), None)


def _along_lane(roads: CourseNetwork, row: EntityRow, way: Way, there: CoursePlace) -> tuple[int, float]:
    """The entity's lane on the last road of a way, and its length to there [m]; lane 0 where it does not go so far."""
    lane, s, length = row.lane, row.s, 0.0
    for at, (road, direction) in enumerate(way):
        course = roads.roads[road]
        last = at == len(way) - 1
        end = there.s if last else (course.length if direction > 0 else 0.0)
        found = _along_sections(roads, road, lane, s, end)
        if found is None:
            return 0, math.nan
        lane, part = found
        length += part
        if last:
            break
        after = next((one for one in roads.passages(road, lane, direction > 0) if one.road == way[at + 1][0]), None)
        if after is None:
            return 0, math.nan
        lane, s = after.lane, 0.0 if after.at_start else roads.roads[after.road].length
    return lane, length


def _along_sections(roads: CourseNetwork, road: int, lane: int, start: float, end: float) -> tuple[int, float] | None:
    """The lane at the end of a part of a road, and the length of its middle [m]; None where the lane ends before."""
    course, length, s = roads.roads[road], 0.0, start
    forward = end >= start
    section, last = course.section_at(start), course.section_at(end)
    while True:
        low, high = course.section_ends(section)
        border = end if section == last else (high if forward else low)
        length += course.length_of_lane(section, lane, s, border)
        if section == last:
            return lane, length
        lane = roads.next_lane(road, section, lane, forward)
        if not lane:
            return None
        section, s = section + (1 if forward else -1), border
