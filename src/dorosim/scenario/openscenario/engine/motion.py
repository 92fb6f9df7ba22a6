"""The default controller: entities move along their lanes exactly as their actions command."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dorosim.ground.plain_kernel import plain
from dorosim.road.opendrive.road_course_network import CourseNetwork, RoadPassage
from dorosim.scenario.openscenario.engine.frame import RoadOfWay, StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import follow_road, is_forward, is_off_road
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.world.storyboard.quiet_motion_kernel import STILL_SPEED
from dorosim.world.storyboard.state import NEVER
from dorosim.world.storyboard.vector_kernel import derived

_MAX_ROADS = 1_000
"""Roads that one may cross in a tick."""
_NEAR = 1e-9
_derived = plain(derived)
Before = tuple[float, float, float, float, float, float, float]
"""x, y, z, heading and the three parts of the velocity of an entity at the last tick."""


def move_entities(frame: StoryboardFrame) -> None:
    """Move all entities whose place no action has set in this tick, by their speeds at its end."""
    for number, row in enumerate(frame.entity):
        if not row.present:
            continue
        if abs(row.speed) > _NEAR and not row.moved & Domain.LONGITUDINAL and frame.dt:
            move_along(frame, number, row.speed * frame.dt)


def observe(frame: StoryboardFrame, before: Sequence[Before]) -> None:
    """Find velocities, accelerations, ways, and since when entities stand or are off the road, after a tick.

    Args:
        frame: the tick.
        before: x, y, z, heading and velocities of each entity at the last tick.
    """
    after = frame.time + round(frame.dt * 1e9)
    roads = frame.program.roads
    for row, old in zip(frame.entity, before, strict=True):
        if not row.present:
            continue
        if not row.mover:  # others are looked at when the world has moved them
            derive_motion(row, old, frame.dt)
            observe_row(roads, row, after)
        row.moved = 0
        row.placed = 0


def observe_row(roads: CourseNetwork | None, row: EntityRow, after: int) -> None:
    """Find since when an entity stands or is off the road, at the end of a tick `after` the storyboard's start [ns]."""
    row.still_since = _since(row.still_since, abs(row.speed) < STILL_SPEED, after)
    row.off_road_since = _since(row.off_road_since, is_off_road(roads, row), after)


def give_velocities(frame: StoryboardFrame) -> None:
    """Velocities of entities that have been put where they are: those of their speeds, along their bodies."""
    for row in frame.entity:
        _along_body(row)


def _along_body(row: EntityRow) -> None:
    row.velocity_x, row.velocity_y = row.speed * math.cos(row.heading), row.speed * math.sin(row.heading)
    row.velocity_z = 0.0


def _since(since: int, holds: bool, time: int) -> int:
    """Since when something holds."""
    return (time if since == NEVER else since) if holds else NEVER


def derive_motion(row: EntityRow, old: Before, dt: float) -> None:
    """Velocity, acceleration and yaw rate between two poses; a body that was put somewhere has those of its speed."""
    if dt <= 0.0:
        _along_body(row)
        return
    if row.placed:
        _along_body(row)
        row.acceleration_x = row.acceleration_y = row.acceleration_z = row.yaw_rate = 0.0
        return
    found = _derived(row.x, row.y, row.z, row.heading, old, dt)
    row.velocity_x, row.velocity_y, row.velocity_z, *rest = found
    row.acceleration_x, row.acceleration_y, row.acceleration_z, row.yaw_rate, way = rest
    row.travelled += way


def move_along(frame: StoryboardFrame, number: int, distance: float) -> None:
    """Move an entity along its lane, at its offset from the middle, by a distance along that line [m].

    At the end of its road it stops.
    """
    row, roads = frame.entity[number], frame.program.roads
    if roads is None or row.road < 0:
        row.x += distance * math.cos(row.heading)
        row.y += distance * math.sin(row.heading)
        return
    course = roads.roads[row.road]
    ds = distance / course.scale(row.s, row.t) * (1.0 if is_forward(row) else -1.0)
    move_by_s(frame, number, ds)


def move_by_s(frame: StoryboardFrame, number: int, ds: float) -> None:
    """Move an entity by a length along the reference line of its road [m], and on along what follows."""
    row, roads = frame.entity[number], frame.program.roads
    assert roads is not None
    way = frame.route.get(number, [])
    ended = not move_row(roads, row, ds, way)
    follow_road(roads, row)
    if ended:
        row.speed = 0.0
        if row.end_of_road_since == NEVER:
            row.end_of_road_since = frame.time + round(frame.dt * 1e9)
    else:
        row.end_of_road_since = NEVER


def move_row(roads: CourseNetwork, row: EntityRow, ds: float, way: list[RoadOfWay]) -> bool:
    """Move by a length along reference lines [m]; returns whether the road went on so far."""
    for _ in range(_MAX_ROADS):
        course = roads.roads[row.road]
        section = course.section_at(row.s)
        start, end = course.section_ends(section)
        here = _part_of_way(way, row)
        target = row.s + ds
        if (start <= target < end) or (target == end == course.length):
            row.s = target
            return True
        forward = ds > 0.0
        border = end if forward else start
        at_road_end = border in (0.0, course.length) and (
            section == (len(course.road.lane_sections) - 1 if forward else 0)
        )
        if at_road_end:
            rest = target - border
            found = _passage(roads, row, forward, way, here)
            if found is None:
                row.s = border
                return False
            _enter(roads, row, found)
            if here is not None and here + 1 < len(way) and way[here + 1].road == found.road:
                row.route = here + 1
            ds = abs(rest) if found.at_start else -abs(rest)
            continue
        lane = roads.next_lane(row.road, section, row.lane, forward)
        rest = target - border
        row.s = border if forward else math.nextafter(border, -math.inf)
        if lane:
            row.lane = lane
        else:
            _keep_t(roads, row)
        ds = rest
        if not forward and row.s + ds == border:
            return True
    return False


def _keep_t(roads: CourseNetwork, row: EntityRow) -> None:
    """The lane is not continued: take the one at the same t."""
    course = roads.roads[row.road]
    row.lane = course.lane_at(row.s, row.t)
    middle = course.middle(row.s, row.lane)
    row.offset = row.t - (middle.t if middle else 0.0)


def _part_of_way(way: list[RoadOfWay], row: EntityRow) -> int | None:
    """Which part of its way an entity is on, None if it is on none."""
    if not way:
        return None
    if 0 <= row.route < len(way) and way[row.route].road == row.road:
        return 0 if way[row.route].closed else row.route
    return next((at for at, one in enumerate(way) if one.road == row.road), None)


def _passage(
    roads: CourseNetwork, row: EntityRow, forward: bool, way: list[RoadOfWay], here: int | None
) -> RoadPassage | None:
    """How an entity goes on at the end of its road: along its way, or straight on."""
    found = roads.passages(row.road, row.lane, forward)
    course = roads.roads[row.road]
    if here is not None and here + 1 < len(way):
        wanted = way[here + 1].road
        along = [one for one in found if one.road == wanted]
        if along:
            return along[0]
        # the way leads over another lane: the nearest lane from which it goes on, those of the own side first
        lanes = course.lanes(course.section_at(row.s))
        for lane in sorted(lanes, key=lambda one: (one.id * row.lane <= 0, abs(one.id - row.lane))):
            along = [one for one in roads.passages(row.road, lane.id, forward) if one.road == wanted]
            if along:
                if lane.id * row.lane <= 0:
                    _count_to(roads, row, lane.id)
                return along[0]
    if not found:
        # a lane of the other side that ends here: the lane under the body may go on
        lane_below = _lane_below(roads, row)
        found = roads.passages(row.road, lane_below, forward) if lane_below * row.lane < 0 else found
        if not found:
            return None
        _count_to(roads, row, lane_below)
    return roads.straightest(found, row.heading) if len(found) > 1 else found[0]


def _lane_below(roads: CourseNetwork, row: EntityRow) -> int:
    """The lane under an entity, which need not be the one that its offset counts from."""
    course = roads.roads[row.road]
    middle = course.middle(row.s, row.lane)
    return row.lane if middle is None else course.lane_at(row.s, middle.t + row.offset)


def _count_to(roads: CourseNetwork, row: EntityRow, lane: int) -> None:
    """Count an entity's offset from another lane of its road; it stays where it is."""
    course = roads.roads[row.road]
    old, new = course.middle(row.s, row.lane), course.middle(row.s, lane)
    if old is not None and new is not None:
        row.offset += old.t - new.t
        row.lane = lane


def _enter(roads: CourseNetwork, row: EntityRow, found: RoadPassage) -> None:
    """Be at the end of the next road at which one comes onto it."""
    course = roads.roads[found.road]
    row.road, row.lane = found.road, found.lane
    row.s = 0.0 if found.at_start else course.length
    if found.turns:
        row.offset = -row.offset
        row.turn = math.remainder(row.turn + math.pi, math.tau)
