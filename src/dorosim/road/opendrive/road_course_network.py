"""All roads of an OpenDRIVE file for moving entities: which road continues one, and on which road a place is."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.course_tables import course_tables, is_shaped
from dorosim.road.opendrive.geo_reference import coordinate_system_of, origin_of
from dorosim.road.opendrive.record import OdrRoadLink, OpenDriveMap
from dorosim.road.opendrive.road_course import RoadCourse
from dorosim.road.projection import MapProjection

LinkLine = Callable[[str], FloatArray]
"""Gives the line of a link by its id, `(N, 3)` in map [m]; raises InputError where the map has no such link."""

_STEP = 2.0
"""Distance between the places of a road that are looked at first when one is sought [m]."""


class CoursePlace(NamedTuple):
    """A place on a road: number of the road, s and t [m]."""

    road: int
    s: float
    t: float


class RoadPassage(NamedTuple):
    """How one road continues another.

    Attributes:
        road: number of the next road. lane: id of the lane on it.
        at_start: whether one comes onto it at its start, and goes on by rising s.
        turns: whether s changes its direction, so that left of the line becomes right.
    """

    road: int
    lane: int
    at_start: bool
    turns: bool


def _no_link(name: str) -> FloatArray:
    raise InputError("map", f"link {name!r}", "the map has no links", "name a road")


class CourseNetwork:
    """The roads of a file.

    Args:
        town: the file.
        link_line: lines of the links of the same map, for positions that name links.

    Attributes:
        roads: one `RoadCourse` each, in the order of the file.
        number: number of each road by its id.
        link_line: the line of a link by its id, `(N, 3)` in map [m]; it raises InputError where there is none.
        tables: of all roads, for kernels.
        has_relief: whether roads have shapes or strips, whose heights the tables do not hold.
    """

    def __init__(self, town: OpenDriveMap, link_line: LinkLine = _no_link) -> None:
        self.link_line = link_line
        self._source, self._header = town.source, town.header
        used = [one for one in town.roads if one.lane_sections]
        self.tables = course_tables(used)
        self.has_relief = any(map(is_shaped, used))
        self.roads = [RoadCourse(one, self.tables, number) for number, one in enumerate(used)]
        self.number = {one.id: index for index, one in enumerate(used)}
        self.controllers = {one.id: tuple(each.signal_id for each in one.signals) for one in town.controllers}
        self._junctions = {one.id: one for one in town.junctions}
        places: list[tuple[int, float, float, float]] = []
        for index, course in enumerate(self.roads):
            count = max(int(course.length / _STEP), 1)
            for part in range(count + 1):
                s = course.length * part / count
                point = course.line(s)
                places.append((index, s, point.x, point.y))
        table = np.array(places)
        self._sample_road = table[:, 0].astype(np.int64)
        self._sample_s, self._sample_x, self._sample_y = table[:, 1], table[:, 2], table[:, 3]

    @cached_property
    def projection(self) -> MapProjection | None:
        """The projection of the map; None where its header names none.

        Raises:
            InputError: PROJ does not know it, or it is not measured in metres.
        """
        system = coordinate_system_of(self._header)
        return MapProjection(system, origin_of(self._header), self._source) if system else None

    # ------------------------------------------------------------------ where a place is

    def project(self, road: int, x: float, y: float, s: float) -> CoursePlace:
        """The place on one road that is nearest to a point, sought from `s` on [m]."""
        found = self.roads[road].nearest(x, y, s)
        return CoursePlace(road, found.s, found.t)

    def locate(self, x: float, y: float, near: CoursePlace | None = None, heading: float | None = None) -> CoursePlace:
        """The place on a road that is nearest to a point.

        Args:
            x: east, in map [m].
            y: north.
            near: where it was last: that road is kept while the point is on it.
            heading: of the body there [rad]; of several roads the one that runs along it is taken.
        """
        if near is not None and near.road >= 0:
            kept = self.roads[near.road].nearest(x, y, near.s)
            if kept.is_on:
                return CoursePlace(near.road, kept.s, kept.t)
        distance = np.hypot(self._sample_x - x, self._sample_y - y)
        order = np.argsort(distance, kind="stable")[:200]
        best: tuple[float, float, float] | None = None
        found: CoursePlace | None = None
        seen: set[int] = set()
        for sample in order.tolist():
            road = int(self._sample_road[sample])
            if road in seen:
                continue
            seen.add(road)
            place = self.project(road, x, y, float(self._sample_s[sample]))
            point = self.roads[road].line(place.s)
            right, left = self.roads[road].edges(place.s)
            along = abs((x - point.x) * math.cos(point.heading) + (y - point.y) * math.sin(point.heading))
            beyond = max(right - place.t, place.t - left, 0.0)
            turn = 0.0 if heading is None else abs(math.sin(heading - point.heading))
            rank = (round(math.hypot(beyond, along), 4), round(turn, 3), abs(place.t))
            if best is None or rank < best:
                best, found = rank, place
            if len(seen) >= 12:
                break
        assert found is not None
        return found

    # ------------------------------------------------------------------ which road comes next

    def next_lane(self, road: int, section: int, lane: int, forward: bool) -> int:
        """Id of the lane that continues one in the next section of its road, 0 if none does."""
        one = next((lane_ for lane_ in self.roads[road].lanes(section) if lane_.id == lane), None)
        if one is None:
            return 0
        linked = one.successors if forward else one.predecessors
        after = {other.id for other in self.roads[road].lanes(section + (1 if forward else -1))}
        if linked and linked[0] in after:
            return linked[0]
        return lane if lane in after else 0

    def passages(self, road: int, lane: int, at_end: bool) -> list[RoadPassage]:
        """How one may drive on from a lane at the end or the start of a road."""
        course = self.roads[road]
        link = course.road.successor if at_end else course.road.predecessor
        if link is None:
            return []
        if link.element_type == "junction":
            return self._through_junction(road, lane, link.element_id)
        return self._along_road(road, lane, at_end, link)

    def _along_road(self, road: int, lane: int, at_end: bool, link: OdrRoadLink) -> list[RoadPassage]:
        """The road that a road's link names."""
        index = self.number.get(link.element_id)
        if index is None:
            return []
        course = self.roads[road]
        at_start = link.contact_point != "end"
        section = course.section_at(course.length if at_end else 0.0)
        one = next((lane_ for lane_ in course.lanes(section) if lane_.id == lane), None)
        linked = () if one is None else (one.successors if at_end else one.predecessors)
        other = self.roads[index]
        there = {lane_.id for lane_ in other.lanes(other.section_at(0.0 if at_start else other.length))}
        turns = at_end != at_start
        target = linked[0] if linked and linked[0] in there else (-lane if turns else lane)
        return [RoadPassage(index, target, at_start, turns)] if target in there else []

    def _through_junction(self, road: int, lane: int, name: str) -> list[RoadPassage]:
        """The roads through a junction that continue a lane."""
        junction = self._junctions.get(name)
        found: list[RoadPassage] = []
        for one in () if junction is None else junction.connections:
            index = self.number.get(one.connecting_road or one.linked_road)
            if index is None or one.incoming_road != self.roads[road].road.id:
                continue
            target = next((link.to_lane for link in one.lane_links if link.from_lane == lane), None)
            if target is None and not one.lane_links:
                target = lane
            if target is None:
                continue
            at_start = one.contact_point != "end"
            course = self.roads[road]
            link = course.road.successor
            at_end = link is not None and link.element_type == "junction" and link.element_id == name
            found.append(RoadPassage(index, target, at_start, at_end != at_start))
        return found

    def straightest(self, passages: Sequence[RoadPassage], heading: float) -> RoadPassage:
        """Of several passages the one at whose far end one's heading has turned least."""

        def turn(one: RoadPassage) -> float:
            course = self.roads[one.road]
            out = course.line(course.length).heading if one.at_start else course.line(0.0).heading + math.pi
            return abs(math.remainder(out - heading, math.tau))

        return min(passages, key=turn)

    def way(
        self, start: CoursePlace, forward: bool | None, end: CoursePlace, *, driven: bool = True
    ) -> list[tuple[int, int]] | None:
        """The shortest way from a place to another along roads: (number of the road, direction) each.

        Args:
            start: where it begins.
            end: where it ends.
            forward: whether one drives by rising s at the start; None: either way.
            driven: whether roads go on only by lanes that are driven in this direction.

        Returns:
            Roads with 1 for rising s and -1 for falling s; None if no road leads there.
        """
        first = [1, -1] if forward is None else [1 if forward else -1]
        queue: list[tuple[float, int, tuple[tuple[int, int], ...]]] = []
        for direction in first:
            course = self.roads[start.road]
            if start.road == end.road and (end.s - start.s) * direction >= -1e-6:
                return [(start.road, direction)]
            rest = course.length - start.s if direction > 0 else start.s
            heapq.heappush(queue, (rest, len(queue), ((start.road, direction),)))
        seen: set[tuple[int, int]] = set()
        count = len(queue)
        while queue:
            cost, _, path = heapq.heappop(queue)
            road, direction = path[-1]
            if (road, direction) in seen:
                continue
            seen.add((road, direction))
            if road == end.road and len(path) > 1:
                return list(path)
            for one in self.continuations(road, direction, driven=driven):
                if one in seen:
                    continue
                length = self.roads[one[0]].length
                if one[0] == end.road:
                    length = end.s if one[1] > 0 else length - end.s
                count += 1
                heapq.heappush(queue, (cost + length, count, (*path, one)))
        return None

    def length_of_way(self, start: CoursePlace, way: Sequence[tuple[int, int]], end: CoursePlace) -> float:
        """Length of the reference lines along a way between two places [m]."""
        first, direction = way[0]
        if len(way) == 1:
            return abs(end.s - start.s)
        length = self.roads[first].length - start.s if direction > 0 else start.s
        length += sum(self.roads[road].length for road, _ in way[1:-1])
        last, direction = way[-1]
        return length + (end.s if direction > 0 else self.roads[last].length - end.s)

    def continuations(self, road: int, direction: int, *, driven: bool = True) -> list[tuple[int, int]]:
        """The roads, with their directions, that one may come to from a road on any of its lanes."""
        course = self.roads[road]
        section = course.section_at(course.length if direction > 0 else 0.0)
        found: dict[tuple[int, int], None] = {}
        for lane in course.lanes(section):
            if not driven or course.is_forward(lane.id) == (direction > 0):
                for one in self.passages(road, lane.id, direction > 0):
                    found[one.road, 1 if one.at_start else -1] = None
        return list(found)
