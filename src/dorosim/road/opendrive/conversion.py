"""An OpenDRIVE file as a map of the network: lanes as links, their marks as boundaries.

A lane of a lane section becomes a link in the direction in which vehicles drive on it. Links meet in the nodes of their
ends, so that a network of roads, lanes and junctions comes out as it does of MGeo (`dorosim.road.network`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

import numpy as np

from dorosim.ground.error import InputError
from dorosim.ground.unit import KMH
from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import GlobalInfo, Link, MGeoMap, NodeRecord
from dorosim.road.opendrive.check import left_out_of
from dorosim.road.opendrive.furniture_conversion import add_furniture
from dorosim.road.opendrive.geo_reference import coordinate_system_of, origin_of
from dorosim.road.opendrive.header_offset import turned_map
from dorosim.road.opendrive.junction_ground import MapLines
from dorosim.road.opendrive.kept_link import KeptLane, kept_links, listed_changes, outer_marks, with_lines_of_links
from dorosim.road.opendrive.lane_graph import (
    LaneEndKey,
    LaneKey,
    crossing_roads,
    groups_of,
    is_drivable_type,
    is_linked_type,
    is_paved_type,
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
from dorosim.road.opendrive.own_data import FROM_NODE, TO_NODE, row_of
from dorosim.road.opendrive.paving import add_junction_ground, add_lane_paving
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
        town = turned_map(town)
        self.limits = SpeedLimits(town)
        kept = kept_links(town)
        self.town, section_names = split_map(town, self.limits, {key.road for key in kept})
        whole = {road.id for road in self.town.roads if len(road.lane_sections) == 1}
        self.kept = {key: name for key, name in kept.items() if key.road in whole}
        self.lines = MapLines(self.town)
        self.keys = linked_lanes(self.town)
        self.section_names = section_names
        self.names = self._named()
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

    def _named(self) -> dict[LaneKey, str]:
        """The ids of links: those that they had, else of road, section and lane, no two the same."""
        names, taken = dict(self.kept), set(self.kept.values())
        for key in self.keys:
            name = names.get(key) or self._name_of(*key)
            while key not in names and name in taken:
                name += "_"
            names[key] = name
            taken.add(name)
        return {key: names[key] for key in self.keys}

    def kept_lane(self, road: OdrRoad, section: int, lane: OdrLane) -> KeptLane | None:
        """A lane that is a link of dorosim; None for any other."""
        return KeptLane(road, lane) if LaneKey(road.id, section, lane.id) in self.kept else None

    def convert(self) -> MGeoMap:
        """Every road in turn, then the nodes."""
        short: list[LaneKey] = []
        points = 0
        crossing = crossing_roads(self.town)
        for road in self.town.roads:
            if not road.lane_sections or road.id in crossing:
                continue
            lines = self.lines.of(road)
            for section in range(len(road.lane_sections)):
                lanes = [
                    lane.id for lane in road.lane_sections[section].lanes if is_linked_type(lane) or is_paved_type(lane)
                ]
                if not lanes:
                    continue
                found = section_polylines(lines, section, lanes, self.town.source, self._bends(road, section))
                if found is None:
                    short += [LaneKey(road.id, section, lane) for lane in lanes]
                else:
                    points += len(found.s) * (len(found.middles) + len(found.borders))
                    if points > MAX_MAP_POINTS:
                        problem = f"the lanes would need more than {MAX_MAP_POINTS} points"
                        raise InputError(self.town.source, f"road {road.id}", problem, "split the map")
                    self._add_section(lines, section, found)
        self._add_nodes(short)
        add_furniture(self.map, self.town, self.names, self.lines.of)
        add_junction_ground(self.map, self.town, self.lines)
        merge_links(self.map, set(self.kept.values()))
        rows = {
            self.names[LaneKey(road.id, 0, lane.id)]: row_of(lane.user_data, 0) for road, lane in self._kept_lanes()
        }
        self.map.links.sort(key=lambda one: rows.get(one.idx, len(self.map.links)))
        kept = sorted(self._kept_lanes(), key=lambda one: row_of(one[1].user_data, 0))
        changes = listed_changes({one.idx: one for one in self.map.links}, (KeptLane(*one) for one in kept))
        self.map.links += changes
        self.map.info.lane_change_link_included = bool(changes)
        return self.map

    def _kept_lanes(self) -> Iterator[tuple[OdrRoad, OdrLane]]:
        """The lanes that are links of dorosim, with their roads."""
        roads = {road.id: road for road in self.town.roads}
        for key in self.kept:
            yield roads[key.road], next(one for one in roads[key.road].lane_sections[0].lanes if one.id == key.lane)

    def _bends(self, road: OdrRoad, section: int) -> FloatArray:
        """Places along a road at which links of dorosim get wider or narrower than their lanes `(N,)` [m]."""
        lanes = (self.kept_lane(road, section, one) for one in road.lane_sections[section].lanes)
        return np.concatenate([np.zeros(0), *(one.places() for one in lanes if one is not None)])

    def _name_of(self, road: str, section: int, lane: int) -> str:
        """The id of the link of a lane, whether it becomes one or not."""
        return f"{road}_{self.section_names[road, section]}_{lane}"

    def _add_section(self, lines: RoadLines, section: int, found: SectionPolylines) -> None:
        """The links and boundaries of a section."""
        road = lines.road
        lanes = {lane.id: lane for lane in road.lane_sections[section].lanes}
        length = float(found.s[-1] - found.s[0])
        kept = {lane.id: one for lane in lanes.values() if (one := self.kept_lane(road, section, lane)) is not None}
        if kept:
            found = with_lines_of_links(lines, kept, found)
        borders = self._add_boundaries(road, section, found, length)
        for lane in lanes.values():
            if not is_linked_type(lane):
                if is_paved_type(lane):
                    edges = (found.borders[lane.id], found.borders[_inner_border(lane.id, lanes)])
                    add_lane_paving(self.map, self._name_of(road.id, section, lane.id), *edges)
                continue
            backwards = is_driven_backwards(road, lane)
            order = slice(None, None, -1 if backwards else 1)
            points = np.ascontiguousarray(found.middles[lane.id][order])
            widths = found.widths[lane.id][order]
            outer_is_left = backwards != (lane.id > 0)
            rooms = kept[lane.id].rooms(found.s) if lane.id in kept else (0.0, 0.0)
            inner, outer = (0.5 * widths + np.broadcast_to(room, widths.shape)[order] for room in rooms)
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
                sides=np.maximum(np.column_stack((outer, inner) if outer_is_left else (inner, outer)), 0.0),
            )
            speed = self.limits.at(road, road.lane_sections[section], lane, 0.5 * float(found.s[0] + found.s[-1]))
            speed = round(speed / KMH.factor, 6)
            if is_drivable_type(lane) or lane.id in kept:
                lines_beside = [borders[border][order] for border in (lane.id, _inner_border(lane.id, lanes))]
                link.lane_mark_left, link.lane_mark_right = lines_beside if outer_is_left else lines_beside[::-1]
            if is_drivable_type(lane):
                in_junction = road.id in self.in_junction
                link.max_speed = speed
                link.link_type = _LINK_IN_JUNCTION if in_junction else _LINK_ORDINARY
                link.related_signal = _movement(points) if in_junction else None
                self._add_neighbours(link, road, section, lane, length)
            if lane.id in kept:
                kept[lane.id].fill(link, speed)
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
            free = link.related_signal is None or LaneKey(road.id, section, lane.id) in self.kept
            allowed = free and allows_change(longest_mark(marks, length), border, step > 0)
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
            if is_drivable_type(lane) or LaneKey(road.id, section, lane.id) in self.kept:
                for border in (lane.id, _inner_border(lane.id, lanes)):
                    sides.setdefault(border, []).append(is_driven_backwards(road, lane))
        names: dict[int, list[str]] = {}
        for border, directions in sorted(sides.items(), reverse=True):
            bearer, marks = outer_marks(lanes, border)
            code = EDGE_CODE
            if len(directions) > 1:
                code = DIVIDER_CODE if len(set(directions)) == 1 else CENTRE_CODE
            for number, (start, end, mark) in enumerate(mark_pieces(marks, length)):
                name = f"{road.id}_{self.section_names[road.id, section]}_{border}_border" + (
                    f"_{number}" if number else ""
                )
                points = points_between(found.s, found.borders[border], found.s[0] + start, found.s[0] + end)
                self.map.lane_boundaries.append(boundary_from_mark(name, points, mark, bearer, code))
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
        names = self._names_of_ends()
        loose = {one for pair in pairs for one in pair}
        pairs += [
            (one, other)
            for one, other in pairwise(sorted((end for end in names if end not in loose), key=lambda end: names[end]))
            if names[one] == names[other] and np.linalg.norm(places[one] - places[other]) <= _MAX_GAP
        ]
        groups = groups_of(ends, pairs)
        node_names = _node_names(groups, names)
        nodes: dict[int, NodeRecord] = {}
        for end in ends:
            link = links.get(self.names[end.lane])
            if link is None:
                continue
            number = groups[end]
            starts = end.last == self.backwards[end.lane]
            x, y, z = link.points[0 if starts else -1].tolist()
            node = nodes.setdefault(number, NodeRecord(idx=node_names[number], point=(x, y, z), node_type=_NODE_OTHER))
            if starts:
                link.from_node_idx = node.idx
            else:
                link.to_node_idx = node.idx
            junction = roads[end.lane.road].junction
            if end.lane.road in self.in_junction and junction not in node.junction:
                node.junction.append(junction)
                node.node_type = _NODE_JUNCTION
        self.map.nodes = list(nodes.values())

    def _names_of_ends(self) -> dict[LaneEndKey, str]:
        """The nodes of dorosim at ends of lanes."""
        found: dict[LaneEndKey, str] = {}
        for road, lane in self._kept_lanes():
            key = LaneKey(road.id, 0, lane.id)
            for code, last in ((FROM_NODE, self.backwards[key]), (TO_NODE, not self.backwards[key])):
                if lane.user_data.get(code):
                    found[LaneEndKey(key, last)] = lane.user_data[code]
        return found


def _node_names(groups: Mapping[LaneEndKey, int], names: Mapping[LaneEndKey, str]) -> dict[int, str]:
    """Ids of nodes, by their numbers: those that dorosim knows, else new ones; no two the same."""
    found: dict[int, str] = {}
    taken = set(names.values())
    free = set(taken)
    for end, number in groups.items():
        name = names.get(end, "")
        if number not in found and name in free:
            found[number] = name
            free.remove(name)
    for number in groups.values():
        if number not in found:
            name = f"ND{number:06d}"
            while name in taken:
                name += "_"
            found[number] = name
    return found


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
