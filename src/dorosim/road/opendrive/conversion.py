"""An OpenDRIVE file as a map of the network: lanes as links, their marks as boundaries.

A lane of a lane section becomes a link in the direction in which vehicles drive on it. Links meet in the nodes of their
ends, so that a network of roads, lanes and junctions comes out as it does of MGeo (`dorosim.road.network`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection

import numpy as np

from dorosim.ground.error import InputError
from dorosim.ground.unit import KMH
from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import GlobalInfo, Link, MGeoMap, NodeRecord
from dorosim.road.opendrive.check import left_out_of
from dorosim.road.opendrive.furniture_conversion import add_furniture
from dorosim.road.opendrive.geo_reference import coordinate_system_of, origin_of
from dorosim.road.opendrive.lane_graph import (
    LaneEndKey,
    LaneKey,
    crossing_roads,
    groups_of,
    is_drivable_type,
    is_linked_type,
    linked_lanes,
    meeting_ends,
)
from dorosim.road.opendrive.lane_line import RoadLines, is_driven_backwards
from dorosim.road.opendrive.lane_polyline import SectionPolylines, points_between, section_polylines
from dorosim.road.opendrive.lane_record import OdrLane
from dorosim.road.opendrive.lane_speed import SpeedLimits
from dorosim.road.opendrive.link_merge import merge_links
from dorosim.road.opendrive.mark_conversion import (
    CENTRE_CODE,
    DIVIDER_CODE,
    EDGE_CODE,
    allows_change,
    boundary_from_mark,
    longest_mark,
    mark_pieces,
)
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from dorosim.road.opendrive.section_split import split_map

_LINK_IN_JUNCTION, _LINK_ORDINARY = "1", "6"
_NODE_JUNCTION, _NODE_OTHER = "1", "99"
_LANE_TYPE_DEF = "ngii_model2"
"""Codes of links, nodes and lines are those of the Korean precise road map (NGII)."""

MAX_MAP_POINTS = 2_000_000
"""Points of all lanes and borders of a map together; a file that needs more is refused, since memory has an end."""

_WALKING_SPEED = 5.0
"""Of lanes for people [km/h]."""

_MAX_GAP = 1.0
"""Ends of lanes that lie farther apart do not meet [m]: a lane that narrows to nothing ends beside the next one."""

_TURN = math.radians(30.0)
"""A lane through a junction that turns by more goes to the left or right."""


def map_from_opendrive(town: OpenDriveMap, name: str) -> MGeoMap:
    """The map of an OpenDRIVE file.

    Args:
        town: the file.
        name: of the map.

    Returns:
        Its lanes for vehicles and for people with nodes, neighbours, speed limits and boundaries, and what stands and
        is painted there; polylines are within 1 mm of the lanes.
        Ids are "road_section_lane", of the first lane where several became one link; the second piece of a section in
        which something changes is "road_section.1_lane". `notices` say what of the file is not used.

    Raises:
        InputError: a lane winds so much, or all lanes are so long, that they would need too many points.
    """
    return _Conversion(town, name).convert()


class _Conversion:
    """A map while it is made."""

    def __init__(self, town: OpenDriveMap, name: str) -> None:
        rule = Counter(road.rule for road in town.roads).most_common(1)[0][0]
        self.limits = SpeedLimits(town)
        self.town, section_names = split_map(town, self.limits)
        self.lines: dict[str, RoadLines] = {}
        self.keys = linked_lanes(self.town)
        self.names = {key: f"{key.road}_{section_names[key.road, key.section]}_{key.lane}" for key in self.keys}
        self.section_names = section_names
        self.backwards = {
            LaneKey(road.id, index, lane.id): is_driven_backwards(road, lane)
            for road in self.town.roads
            for index, section in enumerate(road.lane_sections)
            for lane in section.lanes
        }
        self.in_junction = {road.id for road in town.roads if road.junction not in ("", "-1")}
        info = GlobalInfo(
            major=town.header.rev_major,
            minor=town.header.rev_minor,
            coordinate_system=coordinate_system_of(town.header),
            origin=origin_of(town.header),
            traffic_dir=rule,
            lane_change_link_included=False,
        )
        self.map = MGeoMap(name, info=info, notices=left_out_of(town))
        if town.header.offset is not None and town.header.offset.hdg:
            self.map.notices.append(f"{town.source}: the rotation of the header's <offset> is not used")

    def convert(self) -> MGeoMap:
        """Every road in turn, then the nodes."""
        short: list[LaneKey] = []
        points = 0
        crossing = crossing_roads(self.town)
        for road in self.town.roads:
            if not road.lane_sections or road.id in crossing:
                continue
            lines = self.lines_of(road)
            for section in range(len(road.lane_sections)):
                lanes = [lane.id for lane in road.lane_sections[section].lanes if is_linked_type(lane)]
                if not lanes:
                    continue
                found = section_polylines(lines, section, lanes, self.town.source)
                if found is None:
                    short += [LaneKey(road.id, section, lane) for lane in lanes]
                else:
                    points += len(found.s) * (len(found.middles) + len(found.borders))
                    if points > MAX_MAP_POINTS:
                        problem = f"the lanes would need more than {MAX_MAP_POINTS} points"
                        raise InputError(self.town.source, f"road {road.id}", problem, "split the map")
                    self._add_section(lines, section, found)
        self._add_nodes(short)
        add_furniture(self.map, self.town, self.names, self.lines_of)
        merge_links(self.map)
        return self.map

    def lines_of(self, road: OdrRoad) -> RoadLines:
        """The analytic lines of a road."""
        if road.id not in self.lines:
            self.lines[road.id] = RoadLines(road)
        return self.lines[road.id]

    def _add_section(self, lines: RoadLines, section: int, found: SectionPolylines) -> None:
        """The links and boundaries of a section."""
        road = lines.road
        lanes = {lane.id: lane for lane in road.lane_sections[section].lanes}
        length = float(found.s[-1] - found.s[0])
        borders = self._add_boundaries(road, section, found, length)
        for lane in lanes.values():
            if not is_linked_type(lane):
                continue
            backwards = is_driven_backwards(road, lane)
            order = slice(None, None, -1 if backwards else 1)
            points = np.ascontiguousarray(found.middles[lane.id][order])
            widths = found.widths[lane.id][order]
            link = Link(
                idx=self.names[LaneKey(road.id, section, lane.id)],
                from_node_idx=None,
                to_node_idx=None,
                points=points,
                max_speed=_WALKING_SPEED,
                link_type=lane.type.lower(),
                link_type_def=_LANE_TYPE_DEF,
                road_id=road.id,
                ego_lane=lane.id,
                width_start=float(widths[0]),
                width_end=float(widths[-1]),
            )
            if is_drivable_type(lane):
                in_junction = road.id in self.in_junction
                speed = self.limits.at(road, road.lane_sections[section], lane, 0.5 * float(found.s[0] + found.s[-1]))
                link.max_speed = round(speed / KMH.factor, 6)
                link.link_type = _LINK_IN_JUNCTION if in_junction else _LINK_ORDINARY
                link.related_signal = _movement(points) if in_junction else None
                outer, inner = (borders[border][order] for border in (lane.id, _inner_border(lane.id, lanes)))
                outer_is_left = backwards != (lane.id > 0)
                link.lane_mark_left, link.lane_mark_right = (outer, inner) if outer_is_left else (inner, outer)
                self._add_neighbours(link, road, section, lane, length)
            self.map.links.append(link)

    def _add_neighbours(self, link: Link, road: OdrRoad, section: int, lane: OdrLane, length: float) -> None:
        """The lanes beside one that are driven in its direction, and whether one may change into them."""
        lanes = {one.id: one for one in road.lane_sections[section].lanes}
        backwards = is_driven_backwards(road, lane)
        for step in (1, -1):
            other = lanes.get(lane.id + step if lane.id + step else step)
            if other is None or not is_drivable_type(other) or is_driven_backwards(road, other) != backwards:
                continue
            name = self.names[LaneKey(road.id, section, other.id)]
            border = max(lane.id, other.id, key=abs)
            border = 0 if lane.id * other.id < 0 else _inner_border(border, lanes)
            marks = lanes[border].road_marks if border in lanes else ()
            allowed = link.related_signal is None and allows_change(longest_mark(marks, length), border, step > 0)
            if (step > 0) != backwards:
                link.left_lane_change_dst_link_idx, link.can_move_left_lane = name, allowed
            else:
                link.right_lane_change_dst_link_idx, link.can_move_right_lane = name, allowed

    def _add_boundaries(
        self, road: OdrRoad, section: int, found: SectionPolylines, length: float
    ) -> dict[int, list[str]]:
        """The borders of the drivable lanes of a section, in pieces where their marks change; lane to their names."""
        lanes = {lane.id: lane for lane in road.lane_sections[section].lanes}
        sides: dict[int, list[bool]] = {}
        for lane in lanes.values():
            if is_drivable_type(lane):
                for border in (lane.id, _inner_border(lane.id, lanes)):
                    sides.setdefault(border, []).append(is_driven_backwards(road, lane))
        names: dict[int, list[str]] = {}
        for border, directions in sorted(sides.items(), reverse=True):
            marks = lanes[border].road_marks if border in lanes else ()
            code = EDGE_CODE
            if len(directions) > 1:
                code = DIVIDER_CODE if len(set(directions)) == 1 else CENTRE_CODE
            for number, (start, end, mark) in enumerate(mark_pieces(marks, length)):
                name = f"{road.id}_{self.section_names[road.id, section]}_{border}_border" + (
                    f"_{number}" if number else ""
                )
                points = points_between(found.s, found.borders[border], found.s[0] + start, found.s[0] + end)
                self.map.lane_boundaries.append(boundary_from_mark(name, points, mark, border, code))
                names.setdefault(border, []).append(name)
        return names

    def _add_nodes(self, short: list[LaneKey]) -> None:
        """The nodes in which links begin and end; the ends of lanes too short for a link are one node."""
        ends = [LaneEndKey(key, last) for key in self.keys for last in (False, True)]
        roads = {road.id: road for road in self.town.roads}
        links = {link.idx: link for link in self.map.links}
        places = {
            end: links[self.names[end.lane]].points[0 if end.last == self.backwards[end.lane] else -1]
            for end in ends
            if self.names[end.lane] in links
        }
        pairs = [(LaneEndKey(key, last=False), LaneEndKey(key, last=True)) for key in short]
        apart = 0
        for one, other in meeting_ends(self.town):
            if one in places and other in places and np.linalg.norm(places[one] - places[other]) > _MAX_GAP:
                apart += 1
            else:
                pairs.append((one, other))
        if apart:
            self.map.notices.append(
                f"{self.town.source}: {apart} links between lanes whose ends lie apart are not used"
            )
        groups = groups_of(ends, pairs)
        nodes: dict[int, NodeRecord] = {}
        for end in ends:
            link = links.get(self.names[end.lane])
            if link is None:
                continue
            number = groups[end]
            starts = end.last == self.backwards[end.lane]
            x, y, z = link.points[0 if starts else -1].tolist()
            node = nodes.setdefault(number, NodeRecord(idx=f"ND{number:06d}", point=(x, y, z), node_type=_NODE_OTHER))
            if starts:
                link.from_node_idx = node.idx
            else:
                link.to_node_idx = node.idx
            junction = roads[end.lane.road].junction
            if end.lane.road in self.in_junction and junction not in node.junction:
                node.junction.append(junction)
                node.node_type = _NODE_JUNCTION
        self.map.nodes = list(nodes.values())


def _inner_border(lane: int, lanes: Collection[int]) -> int:
    """The lane whose outer border is the inner one of a lane: the next of `lanes` inwards; 0 is the centre."""
    inwards = [one for one in lanes if one * lane > 0 and abs(one) < abs(lane)]
    return max(inwards, key=abs, default=0)


def _movement(points: FloatArray) -> str:
    """How a lane goes through a junction, by how far it turns."""
    first, last = points[1, :2] - points[0, :2], points[-1, :2] - points[-2, :2]
    turn = math.atan2(first[0] * last[1] - first[1] * last[0], first @ last)
    if abs(turn) <= _TURN:
        return "straight"
    return "left_unprotected" if turn > 0 else "right_unprotected"
