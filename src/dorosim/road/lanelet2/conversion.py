"""A Lanelet2 file as a map of the network: lanelets as links, their bounds as boundaries.

A lanelet becomes a link in the direction in which vehicles drive on it, two where they drive both ways. Links meet in
nodes where lanelets follow each other, which is where their bounds have the same end points, so that a network comes
out as it does of MGeo (`dorosim.road.network`). docs/decisions/0080-lanelets-and-links.md says how the two fit.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from dorosim.ground.error import InputError
from dorosim.ground.unit import KMH
from dorosim.road.adjacency import FloatArray
from dorosim.road.lanelet2.element import OsmFile
from dorosim.road.lanelet2.furniture import add_crosswalks, add_parking_spaces, add_signs
from dorosim.road.lanelet2.lanelet import NOT_LINKS, Bound, DirectedLanelet, LaneletReader, used_nodes
from dorosim.road.lanelet2.light_conversion import LightReader, controllers_of
from dorosim.road.lanelet2.line_conversion import boundary_from_tags
from dorosim.road.lanelet2.position import TRAFFIC, places_of
from dorosim.road.lanelet2.regulation import Regulation
from dorosim.road.lanelet2.rule import link_type, may_change, speed_from, usual_speed
from dorosim.road.mgeo.record import Link, MGeoMap, NodeRecord
from dorosim.road.opendrive.mark_conversion import CENTRE_CODE, DIVIDER_CODE, EDGE_CODE

MOVEMENT_TAG, TYPE_TAG = "dorosim:movement", "dorosim:type"
"""Tags of a lanelet with what Lanelet2 has no word for: how a link goes through a junction, and its type."""

_LINK_IN_JUNCTION, _LINK_ORDINARY = "1", "6"
_LANE_TYPE_DEF = "ngii_model2"
_MOVEMENTS = {"straight": "straight", "left": "left_unprotected", "right": "right_unprotected"}
_TURN = math.radians(30.0)
"""A lane at a fork that turns by more goes to the left or right."""

_PLACED = frozenset({"traffic_light", "stop_line", "traffic_sign", "parking_space"})
"""Types of ways whose places have to be known beside those of lanelets."""


def map_from_lanelet2(file: OsmFile, name: str) -> MGeoMap:
    """The map of a Lanelet2 file.

    Args:
        file: the file.
        name: of the map.

    Returns:
        Its lanes with nodes, neighbours, speed limits and boundaries, lights with stop lines, crosswalks, signs and
        parking spaces. Ids of links are those of lanelets, with "_back" for the way back. `notices` say what of the
        file is not used.

    Raises:
        InputError: the file has no lanelet, a lanelet has no bounds, something has no place, or a reference leads
            nowhere; with line and element.
    """
    return _Conversion(file, name).convert()


class _Conversion:
    """A map while it is made."""

    def __init__(self, file: OsmFile, name: str) -> None:
        self.file = file
        self.lanelets = [one for one in file.relations.values() if one.tags.get("type") == "lanelet"]
        if not self.lanelets:
            cure = "give a Lanelet2 map; maps of OpenStreetMap have no lanes"
            raise InputError(file.source, "", "the file has no lanelet", cure)
        notices = [f"{file.source}: {count} x {kind}: not supported" for kind, count in file.unsupported.items()]
        rows, points, info = places_of(file, used_nodes(file, self._ways()), notices)
        self.map = MGeoMap(name, info=info, notices=notices)
        self.reader = LaneletReader(file, rows, points, notices)
        self.regulation = Regulation(file, self.lanelets, notices)

    def _ways(self) -> list[int]:
        """Ways of which the places are needed.

        Raises:
            InputError: a lanelet names a way that is not there.
        """
        wanted: dict[int, None] = {}
        for lanelet in self.lanelets:
            for member in lanelet.members:
                if member.kind != "way" or member.role not in ("left", "right", "centerline"):
                    continue
                if member.id not in self.file.ways:
                    cure = "add it, or take a fresh copy of the file"
                    raise self.file.refuse(lanelet, f"role {member.role!r}", f"there is no way {member.id}", cure)
                wanted[member.id] = None
        wanted |= {number: None for number, way in self.file.ways.items() if way.tags.get("type") in _PLACED}
        return list(wanted)

    def convert(self) -> MGeoMap:
        """Lanes first, then what belongs to them."""
        lanes = self.reader.lanes([one for one in self.lanelets if one.tags.get("subtype") not in NOT_LINKS])
        names = Counter(lane.name for lane in lanes)
        lanes = [lane for lane in lanes if names[lane.name] == 1]
        self._add_links(lanes)
        self._add_boundaries(lanes)
        self.map.info.traffic_dir = self._traffic(lanes)
        links = {link.idx: link for link in self.map.links}
        lights = LightReader(self.file, self.reader, self.regulation, lanes, links)
        self.map.traffic_lights = lights.lights(self.map.notices)
        self.map.lane_boundaries += lights.stop_lines()
        controllers_of(self.file, self.map)
        add_crosswalks(self.map, self.file, self.reader)
        add_signs(self.map, self.file, self.reader, self.regulation, lanes)
        add_parking_spaces(self.map, self.file, self.reader)
        self._note_what_is_not_used()
        return self.map

    def _add_links(self, lanes: list[DirectedLanelet]) -> None:
        """The links, with the nodes in which they meet and the links beside them."""
        nodes: dict[tuple[int, int], str] = {}
        places: dict[str, NodeRecord] = {}
        by_left: dict[Bound, list[DirectedLanelet]] = defaultdict(list)
        by_right: dict[Bound, list[DirectedLanelet]] = defaultdict(list)
        for lane in lanes:
            by_left[lane.left].append(lane)
            by_right[lane.right].append(lane)
        movements = self._movements(lanes)
        for lane in lanes:
            ends = []
            for key, row in ((lane.start, 0), (lane.end, -1)):
                node = nodes.setdefault(key, f"ND{len(nodes):06d}")
                x, y, z = lane.points[row].tolist()
                places.setdefault(node, NodeRecord(idx=node, point=(x, y, z), node_type="99"))
                ends.append(node)
            link = self._link(lane, ends, movements.get(lane.name))
            for beside, bound, left in (
                (by_right[lane.left], lane.left, True),
                (by_left[lane.right], lane.right, False),
            ):
                other = next((one for one in beside if one is not lane and one.drivable and lane.drivable), None)
                if other is None:
                    continue
                allowed = may_change(self.file.ways[bound.way].tags)[int(left == bound.inverted)]
                if left:
                    link.left_lane_change_dst_link_idx, link.can_move_left_lane = other.name, allowed
                else:
                    link.right_lane_change_dst_link_idx, link.can_move_right_lane = other.name, allowed
            if (
                link.link_type == _LINK_ORDINARY
                and link.related_signal
                and not (link.can_move_left_lane or link.can_move_right_lane)
            ):
                link.link_type = _LINK_IN_JUNCTION  # among these, links of a junction allow no change (MGeo)
            self.map.links.append(link)
        self.map.nodes = list(places.values())

    def _link(self, lane: DirectedLanelet, ends: list[str], movement: str | None) -> Link:
        """The link of a lane, without what is beside it."""
        tags = lane.relation.tags
        ordinary = _LINK_ORDINARY if lane.drivable else link_type(tags)
        speed = speed_from(tags.get("speed_limit", "")) or self.regulation.speed_of(lane.relation) or usual_speed(tags)
        left, right = (str(bound.way) for bound in (lane.left, lane.right))
        return Link(
            idx=lane.name,
            from_node_idx=ends[0],
            to_node_idx=ends[1],
            points=lane.points,
            max_speed=round(speed / KMH.factor, 6),
            link_type=tags.get(TYPE_TAG, ordinary),
            link_type_def=_LANE_TYPE_DEF,
            road_id="",
            related_signal=movement,
            width_start=lane.width_start,
            width_end=lane.width_end,
            lane_mark_left=[left],
            lane_mark_right=[right],
        )

    def _movements(self, lanes: list[DirectedLanelet]) -> dict[str, str]:
        """How lanes go through junctions, by their names.

        Autoware's tag turn_direction says it. Where no lanelet of a file has one, lanes that begin together count as
        those of a junction if one of them turns.
        """
        found: dict[str, str] = {}
        for lane in lanes:
            tags = lane.relation.tags
            movement = tags.get(MOVEMENT_TAG) or _MOVEMENTS.get(tags.get("turn_direction", ""))
            if movement and lane.drivable:
                found[lane.name] = movement
        if found or any("turn_direction" in lane.relation.tags for lane in lanes):
            return found
        starts: dict[tuple[int, int], list[DirectedLanelet]] = defaultdict(list)
        for lane in lanes:
            if lane.drivable:
                starts[lane.start].append(lane)
        for together in starts.values():
            turns = [_turn_of(lane.points) for lane in together]
            if len(together) > 1 and max(map(abs, turns)) > _TURN:
                found |= {lane.name: _movement(turn) for lane, turn in zip(together, turns, strict=True)}
        return found

    def _add_boundaries(self, lanes: list[DirectedLanelet]) -> None:
        """The bounds of lanes, once each."""
        sides: dict[int, dict[int, bool]] = defaultdict(dict)
        for lane in lanes:
            for bound in (lane.left, lane.right):
                sides[bound.way].setdefault(lane.relation.id, bound.inverted)
        for way, directions in sides.items():
            code = EDGE_CODE
            if len(directions) > 1:
                code = DIVIDER_CODE if len(set(directions.values())) == 1 else CENTRE_CODE
            tags = self.file.ways[way].tags
            self.map.lane_boundaries.append(boundary_from_tags(str(way), self.reader.line(way), tags, code))

    def _traffic(self, lanes: list[DirectedLanelet]) -> str:
        """Whether one drives on the right or the left: lanes of both directions share a bound on the other side."""
        known = self.file.meta.get(TRAFFIC, "")
        if known in ("RHT", "LHT"):
            return known
        lefts = Counter(lane.left for lane in lanes)
        rights = Counter(lane.right for lane in lanes)
        to_left = sum(Bound(one.way, not one.inverted) in lefts for one in lefts)
        to_right = sum(Bound(one.way, not one.inverted) in rights for one in rights)
        return "LHT" if to_right > to_left else "RHT"

    def _note_what_is_not_used(self) -> None:
        """Say what of the file has no part in the map."""
        counts: Counter[str] = Counter()
        for relation in self.file.relations.values():
            kind = relation.tags.get("type", "")
            if kind in ("multipolygon", "regulatory_element") and not self.regulation.is_used(relation):
                counts[f"{kind}/{relation.tags.get('subtype', '')}"[:60]] += 1
        for way in self.file.ways.values():
            if way.tags.get("area") == "yes" and way.tags.get("type") != "traffic_light":
                counts[f"area/{way.tags.get('type', '')}"[:60]] += 1
        self.map.notices += [
            f"{self.file.source}: {count} x {kind}: not used" for kind, count in sorted(counts.items())
        ]


def _turn_of(points: FloatArray) -> float:
    """By how much a lane turns to the left from its start to its end [rad]."""
    first, last = points[1, :2] - points[0, :2], points[-1, :2] - points[-2, :2]
    return math.atan2(first[0] * last[1] - first[1] * last[0], first @ last)


def _movement(turn: float) -> str:
    """How a lane goes through a junction, by how far it turns [rad]."""
    return _MOVEMENTS["straight" if abs(turn) <= _TURN else "left" if turn > 0.0 else "right"]
