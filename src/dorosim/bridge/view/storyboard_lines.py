"""What of a storyboard can be drawn over the world: ways of its entities, and the places where its triggers act."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from dorosim.bridge.view.overlay import ABOVE, Lines, joined, lines_along, ring
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.condition import entity as by_entity
from dorosim.scenario.openscenario.engine.condition.clearance import ClearanceAround
from dorosim.scenario.openscenario.engine.condition.time_to_collision import TimeToCollision
from dorosim.scenario.openscenario.engine.distance import Direction
from dorosim.scenario.openscenario.engine.followed import FollowsLine
from dorosim.scenario.openscenario.engine.frame import RoadOfWay, StoryboardFrame
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.placing import is_forward
from dorosim.scenario.openscenario.engine.position import moved_along, shadow_of
from dorosim.scenario.openscenario.engine.program import ActorAction, Program, TriggerPlan
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.scenario.openscenario.engine.trajectory import TrajectoryPlan
from dorosim.scenario.openscenario.engine.trajectory_line import TrajectoryLine
from dorosim.world.storyboard.state import NEVER, ElementState, StoryboardState

MAX_DRAWN_POINTS = 400
"""Points of a trajectory that are drawn."""
MAX_DRAWN_WAY = 600.0
"""How far ahead the way of an entity is drawn [m]."""
MAX_DRAWN_REACH = 1_000.0
"""Longest distance of a trigger that is drawn [m]."""
_SPACING = 5.0
"""Distance between points of a way [m]."""
_GATE = 2.5
"""Half the width of the bar across a lane that marks a distance along it [m]."""


class StoryboardLines(NamedTuple):
    """Lines in map [m].

    Attributes:
        followed: trajectories that are followed. planned: those whose actions have not started, as far as it is known
            where they are.
        ways: of entities that were given routes, from where they are.
        unmet, met: places and distances at which conditions that are looked at act, by what these were last.
    """

    followed: Lines
    planned: Lines
    ways: Lines
    unmet: Lines
    met: Lines


def storyboard_lines(program: Program, state: StoryboardState, time: int) -> StoryboardLines:
    """What of a storyboard can be drawn at a simulated time [ns]."""
    frame = StoryboardFrame(program, state, time - state.started, 0.0)
    followed, planned = _trajectories(frame)
    ways = [_way(frame, entity, way) for entity, way in frame.route.items()]
    marks: dict[bool, list[Lines]] = {False: [], True: []}
    for number in _looked_at(frame):
        marks[bool(frame.condition[number].met)].append(_mark(frame, number))
    return StoryboardLines(followed, planned, joined(ways), joined(marks[False]), joined(marks[True]))


def _trajectories(frame: StoryboardFrame) -> tuple[Lines, Lines]:
    """Trajectories that are followed, and those that will be."""
    program = frame.program
    followed, planned = [], []
    actions: list[tuple[ActorAction, bool]] = [(one, False) for one in program.init]
    for at, one in enumerate(program.elements):
        if one.action is not None:
            waits = frame.element[at].state in (ElementState.IDLE, ElementState.STANDBY)
            actions.append((one.action, waits and frame.state.ended == NEVER))
    for action, waits in actions:
        plan = action.plan
        if not isinstance(plan, FollowsLine):
            continue
        rows = [frame.action[action.first_row + at] for at in range(len(action.entities))]
        followed += [_drawn(program.roads, plan.line(frame, row)) for row in rows if row.is_running]
        trajectory = getattr(plan, "trajectory", None)
        if waits and isinstance(trajectory, TrajectoryPlan) and not trajectory.entities:
            planned.append(_drawn(program.roads, trajectory.line(program.roads, ())))
    return joined(followed), joined(planned)


@lru_cache(maxsize=64)
def _drawn(roads: CourseNetwork | None, line: TrajectoryLine) -> Lines:
    """A trajectory as segments; it is the same line each time that it is followed further."""
    points = line.points[:: max(len(line.points) // MAX_DRAWN_POINTS, 1)]
    if points[-1] is not line.points[-1]:
        points = [*points, line.points[-1]]
    level = _height(roads, points[0].x, points[0].y)
    rows = [(one.x, one.y, (level if math.isnan(one.z) else one.z) + ABOVE) for one in points]
    return lines_along(np.array(rows, np.float64))


def _way(frame: StoryboardFrame, entity: int, way: Sequence[RoadOfWay]) -> Lines:
    """The way of an entity from where it is, along the middles of lanes."""
    roads, row = frame.program.roads, frame.entity[entity]
    if roads is None or row.road < 0 or row.route < 0 or not frame.present(entity):
        return joined(())
    points: list[tuple[float, float, float]] = []
    left = MAX_DRAWN_WAY
    for at in range(row.route, len(way)):
        part = way[at]
        course = roads.roads[part.road]
        start = row.s if at == row.route else (0.0 if part.direction > 0 else course.length)
        last = part.s_end if at == len(way) - 1 else (course.length if part.direction > 0 else 0.0)
        length = min((last - start) * part.direction, left)
        if length <= 0.0:
            continue
        lane = row.lane if at == row.route else 0
        places = np.linspace(start, start + length * part.direction, 2 + int(length / _SPACING)).tolist()
        points += [_on_lane(roads, part, s, lane) for s in places]
        left -= length
        if left <= 0.0:
            break
    return lines_along(np.array(points, np.float64)) if len(points) > 1 else joined(())


def _on_lane(roads: CourseNetwork, part: RoadOfWay, s: float, lane: int) -> tuple[float, float, float]:
    """A place on a road of a way: on a lane, or on the first one that leads along the way."""
    course = roads.roads[part.road]
    if not lane or course.lane(s, lane) is None:
        along = [
            one.id
            for one in course.lanes(course.section_at(s))
            if one.id and course.is_forward(one.id) == (part.direction > 0)
        ]
        lane = min(along, key=abs, default=0)
    middle = course.middle(s, lane)
    pose = course.pose(s, middle.t if middle else 0.0)
    return pose.x, pose.y, pose.z + ABOVE


def _looked_at(frame: StoryboardFrame) -> Iterator[int]:
    """Conditions that are looked at: of what waits to start, of what runs and may be stopped, of the storyboard."""
    if frame.state.ended != NEVER:
        return
    program = frame.program
    triggers: list[TriggerPlan | None] = [program.stop, program.success, program.failure]
    for row, one in zip(frame.element, program.elements, strict=True):
        if row.state == ElementState.STANDBY:
            triggers.append(one.start)
        elif row.state == ElementState.RUNNING:
            triggers.append(one.stop)
    for trigger in triggers:
        for group in () if trigger is None else trigger.groups:
            yield from group


def _mark(frame: StoryboardFrame, number: int) -> Lines:
    """Where a condition acts: a circle about a place or an entity, or bars across the road ahead and behind."""
    measure = frame.program.conditions[number].measure
    if not isinstance(measure, by_entity.ByEntity):
        return joined(())
    subjects = [one for one in measure.entities if frame.present(one)]
    return joined([_mark_of(frame, one, measure.measure) for one in subjects])


def _mark_of(frame: StoryboardFrame, entity: int, measure: Any) -> Lines:
    row = frame.entity[entity]
    if isinstance(measure, by_entity.ReachesPosition):
        return _circle(_place(frame, measure.position.place(frame)), measure.tolerance)
    if isinstance(measure, by_entity.DistanceToPosition):
        place = measure.position.place(frame)
        if measure.plan.direction is Direction.EUCLIDEAN:
            return _circle(_place(frame, place), measure.value)
        return joined((_circle(_place(frame, place), 1.0), _gates(frame, row, (measure.value,))))
    other = getattr(measure, "other", -1)
    if not isinstance(other, int) or (other >= 0 and not frame.present(other)):
        return joined(())
    if isinstance(measure, by_entity.DistanceToEntity):
        body = frame.entity[other]
        between = _between(row, body)
        if measure.plan.direction is Direction.EUCLIDEAN:
            return joined((_circle((body.x, body.y, body.z), measure.value), between))
        if measure.plan.direction is Direction.LATERAL:
            return between
        return joined((_gates(frame, row, (measure.value, -measure.value)), between))
    if isinstance(measure, by_entity.TimeHeadway):
        return joined((_gates(frame, row, (measure.value * row.speed,)), _between(row, frame.entity[other])))
    if isinstance(measure, TimeToCollision) and other >= 0:
        return _between(row, frame.entity[other])
    if isinstance(measure, ClearanceAround):
        return _gates(frame, row, (measure.forward, -measure.backward))
    return joined(())


def _place(frame: StoryboardFrame, place: Place) -> tuple[float, float, float]:
    z = _height(frame.program.roads, round(place.x, 1), round(place.y, 1)) if math.isnan(place.z) else place.z
    return place.x, place.y, z


@lru_cache(maxsize=256)
def _height(roads: CourseNetwork | None, x: float, y: float) -> float:
    """Height of the road at a place [m]; 0 without roads. To find the road takes milliseconds."""
    if roads is None:
        return 0.0
    at = roads.locate(x, y)
    z = roads.roads[at.road].pose(at.s, at.t).z
    return float(z) if math.isfinite(z) else 0.0


def _circle(place: tuple[float, float, float], radius: float) -> Lines:
    if not 0.0 < radius <= MAX_DRAWN_REACH:
        return joined(())
    return ring(place, radius, radius, 0.0)


def _between(one: EntityRow, other: EntityRow) -> Lines:
    return np.array([((one.x, one.y, one.z + ABOVE), (other.x, other.y, other.z + ABOVE))], np.float64)


def _gates(frame: StoryboardFrame, row: EntityRow, distances: Sequence[float]) -> Lines:
    """Bars across the lane so far ahead of an entity (positive) or behind it [m], along its road where it has one."""
    found = []
    for distance in distances:
        if not 0.5 < abs(distance) <= MAX_DRAWN_REACH:
            continue
        x, y, z, heading = _ahead(frame.program.roads, row, distance)
        across = np.array((-math.sin(heading), math.cos(heading), 0.0)) * _GATE
        middle = np.array((x, y, z + ABOVE))
        found.append(np.array([(middle - across, middle + across)]))
    return joined(found)


def _ahead(roads: CourseNetwork | None, row: EntityRow, distance: float) -> tuple[float, float, float, float]:
    """x, y, z and heading so far ahead of an entity."""
    if roads is None or row.road < 0:
        x, y = row.x + distance * math.cos(row.heading), row.y + distance * math.sin(row.heading)
        return x, y, row.z, row.heading
    shadow = shadow_of(row)
    moved_along(roads, shadow, distance if is_forward(row) else -distance)
    pose = roads.roads[shadow.road].pose(shadow.s, shadow.t)
    return pose.x, pose.y, pose.z, pose.heading
