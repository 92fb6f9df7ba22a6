"""The roads from a place to another one, by the ways of the standard (1.3, RouteStrategy, RoutingAlgorithm)."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from enum import IntEnum

import numpy as np

from dorosim.ground.unit import KMH
from dorosim.road.opendrive.road_course import RoadCourse
from dorosim.road.opendrive.road_course_network import CourseNetwork, CoursePlace

Way = list[tuple[int, int]]
"""Roads in order: the number of each, and 1 where it is passed by rising s, -1 by falling s."""

Cost = tuple[float, float]
"""What a way costs: what counts first, and the length that decides between equals [m]."""

_DEFAULT_SPEED = 50.0 * KMH.factor
"""On a road that has no limit [m/s]."""
_MAX_FACTOR = 4.0
"""A road counts for at most so many times its length where a way is drawn."""


class WayChoice(IntEnum):
    """By which of several ways one goes."""

    SHORTEST = 0
    FASTEST = 1
    LEAST_INTERSECTIONS = 2
    RANDOM = 3
    ASSIGNED = 4
    """The way that the entity has been given; for distances only."""


def find_way(
    roads: CourseNetwork,
    start: CoursePlace,
    forward: bool,
    end: CoursePlace,
    choice: WayChoice = WayChoice.SHORTEST,
    *,
    driven: bool = True,
    draw: np.random.Generator | None = None,
) -> Way | None:
    """The roads from a place to another one, None if none lead there.

    Args:
        roads: of the scenario.
        start: where it begins.
        forward: whether one goes by rising s there.
        end: where it ends.
        choice: by which way.
        driven: whether roads go on only by lanes that are driven in this direction.
        draw: for a way by chance; without it the shortest one is taken.
    """
    if choice is WayChoice.FASTEST:
        return _search(roads, start, forward, end, driven, lambda road, length: (length / limit_of(road), length))
    if choice is WayChoice.LEAST_INTERSECTIONS:
        return _search(roads, start, forward, end, driven, lambda road, length: (float(is_in_junction(road)), length))
    if choice is WayChoice.RANDOM and draw is not None:
        factor = dict(zip(roads.roads, draw.uniform(1.0, _MAX_FACTOR, len(roads.roads)).tolist(), strict=True))
        return _search(roads, start, forward, end, driven, lambda road, length: (length * factor[road], length))
    if start.road == end.road:
        # it may lead round to the road that it began on
        return _search(roads, start, forward, end, driven, lambda _, length: (length, length))
    return roads.way(start, forward, end, driven=driven)


def limit_of(course: RoadCourse) -> float:
    """How fast one may drive on a road [m/s]: the mean of its limits, where it has some."""
    limits = [one.max_speed for one in course.road.types if one.max_speed]
    if not limits:
        lanes = [lane for section in course.road.lane_sections for lane in section.lanes]
        limits = [one.max_speed for lane in lanes for one in lane.speeds if one.max_speed]
    return sum(limits) / len(limits) if limits else _DEFAULT_SPEED


def is_in_junction(course: RoadCourse) -> bool:
    """Whether a road is one of a junction."""
    return course.road.junction not in ("", "-1")


def _search(
    roads: CourseNetwork,
    start: CoursePlace,
    forward: bool,
    end: CoursePlace,
    driven: bool,
    cost_of: Callable[[RoadCourse, float], Cost],
) -> Way | None:
    """The way of the least cost (Dijkstra)."""
    direction = 1 if forward else -1
    if start.road == end.road and (end.s - start.s) * direction >= -1e-6:
        return [(start.road, direction)]
    first = roads.roads[start.road].length - start.s if forward else start.s
    queue: list[tuple[Cost, int, tuple[tuple[int, int], ...]]] = [
        (cost_of(roads.roads[start.road], first), 0, ((start.road, direction),))
    ]
    seen: set[tuple[int, int]] = set()
    count = 0
    while queue:
        cost, _, path = heapq.heappop(queue)
        here = path[-1]
        if here[0] == end.road and len(path) > 1:
            return list(path)
        if here in seen:
            continue
        seen.add(here)
        for one in roads.continuations(*here, driven=driven):
            length = roads.roads[one[0]].length
            if one[0] == end.road:
                length = end.s if one[1] > 0 else length - end.s
            added = cost_of(roads.roads[one[0]], length)
            count += 1
            heapq.heappush(queue, ((cost[0] + added[0], cost[1] + added[1]), count, (*path, one)))
    return None
