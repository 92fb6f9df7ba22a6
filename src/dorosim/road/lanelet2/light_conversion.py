"""Traffic lights and stop lines of a Lanelet2 file as those of the network.

A regulatory element "traffic_light" names heads (`refers`), their lamps (`light_bulbs`) and a stop line (`ref_line`).
Which lanelets name it, there are two customs about: in Autoware's maps those inside the junction, behind the stop line;
in Lanelet2's own those that lead to it. The network has it as Autoware does.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.lanelet2.element import OsmFile, OsmRelation, OsmWay, number_from
from dorosim.road.lanelet2.lanelet import DirectedLanelet, LaneletReader
from dorosim.road.lanelet2.regulation import Regulation
from dorosim.road.lanelet2.rule import Tags
from dorosim.road.mgeo.record import (
    IntersectionController,
    IntersectionProgramme,
    LaneBoundary,
    Link,
    MGeoMap,
    SignalStateRecord,
    TrafficLightRecord,
)
from dorosim.road.opendrive.sign_conversion import stop_line_boundary

LIGHT_TAG, LAMPS_TAG, KIND_TAG, LINKS_TAG = "dorosim:light", "dorosim:lamps", "dorosim:kind", "dorosim:links"
"""Tags of a head with its id, its lamps, what it is for ("car", "pedestrian", "bus"), and links that it concerns."""

CONTROLLER_TYPE, CONTROLLER_TAG, PROGRAMME_TAG = "dorosim:controller", "dorosim:controller", "dorosim:programme"
"""Type of a relation of heads, and its tags: the id of a controller, and its programme."""

_ARROWS = {"left": "left", "right": "right", "up": "straight"}
_COLOURS = {"red": "red", "yellow": "yellow", "green": "straight"}
_HEIGHT, _MAX_HEIGHT = 0.4, 5.0
"""Height of a head about which the file says nothing [m]."""

_BEFORE_END = 0.05
"""A stop line that the file does not draw lies so far before the end of its lane [m]."""

_STOP_KINDS = ("traffic_light", "right_of_way", "traffic_sign", "all_way_stop")
_MAX_TEXT = 100_000


class LightReader:
    """Makes lights and stop lines.

    Args:
        file: the file.
        reader: of its lanelets.
        regulation: its regulatory elements.
        lanes: all lanes.
        links: their links, by name.
    """

    def __init__(
        self,
        file: OsmFile,
        reader: LaneletReader,
        regulation: Regulation,
        lanes: Sequence[DirectedLanelet],
        links: Mapping[str, Link],
    ) -> None:
        self._file, self._reader, self._regulation, self._links = file, reader, regulation, links
        self._lanes: dict[int, DirectedLanelet] = {}
        self._after: dict[tuple[int, int], list[DirectedLanelet]] = defaultdict(list)
        for lane in lanes:
            self._lanes.setdefault(lane.relation.id, lane)
            if lane.drivable:
                self._after[lane.start].append(lane)

    def lights(self, notices: list[str]) -> list[TrafficLightRecord]:
        """The heads, in the order of the file, with the links that they govern.

        Args:
            notices: takes a line for heads that cannot be used.
        """
        governed: dict[int, dict[str, None]] = {}
        crosswalk: dict[int, str] = {}
        bulbs: dict[int, list[int]] = defaultdict(list)
        for element in self._regulation.of_kind("traffic_light"):
            heads = [one for one in element.ids("refers") if one in self._file.ways]
            for head in heads:
                governed.setdefault(head, {})
            for way in element.ids("light_bulbs"):
                self._note_bulbs(way, heads, bulbs)
            for number in self._regulation.lanelets_of.get(element.id, ()):
                lanelet = self._file.relations[number]
                if lanelet.tags.get("subtype") == "crosswalk":
                    crosswalk |= {head: crosswalk_name(lanelet) for head in heads}
                elif number in self._lanes:
                    for head in heads:
                        governed[head] |= dict.fromkeys(self._governed(self._lanes[number], element))
        names = [self._file.ways[way].tags.get(LIGHT_TAG, "") for way in governed]
        known = all(names) and len(set(names)) == len(names)
        found: list[TrafficLightRecord] = []
        lost = 0
        for way, name in zip(governed, names, strict=True):
            record = self._head(self._file.ways[way], bulbs.get(way, ()))
            if record is None:
                lost += 1
                continue
            record.idx = name if known else str(way)
            named = self._file.ways[way].tags.get(LINKS_TAG, "").split("|")
            record.link_id_list = list(governed[way] | dict.fromkeys(one for one in named if one in self._links))
            if way in crosswalk and not governed[way]:
                record.type, record.ref_crosswalk_id = "pedestrian", crosswalk[way]
            record.type = self._file.ways[way].tags.get(KIND_TAG, record.type)
            found.append(record)
        if lost:
            notices.append(f"{self._file.source}: {lost} traffic lights without extent are left out")
        return found

    def _governed(self, lane: DirectedLanelet, element: OsmRelation) -> list[str]:
        """The links for which a light counts that a lane names: the lane, or those after it where it leads to them."""
        link = self._links[lane.name]
        after = [one.name for one in self._after.get(lane.end, ())]
        if link.related_signal or not after:
            return [lane.name]
        lines = [one for one in element.ids("ref_line") if one in self._file.ways]
        behind = [self._is_behind(lane, self._reader.line(one)) for one in lines if self._is_placed(one)]
        return [lane.name] if behind and all(behind) else after

    def _is_placed(self, way: int) -> bool:
        return self._file.ways[way].tags.get("type") == "stop_line" and len(self._file.ways[way].nodes) > 1

    def _is_behind(self, lane: DirectedLanelet, line: FloatArray) -> bool:
        """Whether a lane begins at a stop line: its start is nearer to it than its end."""
        middle = (line[0, :2] + line[-1, :2]) / 2.0
        start, end = (float(np.hypot(*(lane.points[row, :2] - middle))) for row in (0, -1))
        return start < end

    def _note_bulbs(self, way: int, heads: Sequence[int], bulbs: dict[int, list[int]]) -> None:
        """Enter the lamps of a way of lamps at the head that it names, or the only one."""
        if way not in self._file.ways:
            return
        named = self._file.ways[way].tags.get("traffic_light_id", "")
        for head in heads:
            if named == str(head) or (not named and len(heads) == 1):
                bulbs[head].append(way)

    def _head(self, way: OsmWay, bulbs: Sequence[int]) -> TrafficLightRecord | None:
        """A head; its way is its lower edge, from left to right as drivers see it."""
        if way.tags.get("type") != "traffic_light" or len(way.nodes) < 2:
            return None
        line = self._reader.line(way.id)
        across = (line[-1] - line[0])[:2]
        width = float(np.hypot(*across))
        if width < 1e-6:
            return None
        x, y, z = ((line[0] + line[-1]) / 2.0).tolist()
        height = _height(way.tags)
        facing = math.degrees(math.atan2(-across[0], across[1]))
        return TrafficLightRecord(
            idx=str(way.id),
            point=(x, y, z + height / 2.0),
            sub_type=self._lamps(way, bulbs),
            orientation="vertical" if height > width else "horizontal",
            height=height,
            width=width,
            heading=round(facing % 360.0, 6) % 360.0,
        )

    def _lamps(self, way: OsmWay, bulbs: Sequence[int]) -> list[str]:
        """The lamps of a head: as its bulbs are, else as its subtype says, such as "red_yellow_green"."""
        if LAMPS_TAG in way.tags:
            return [one for one in way.tags[LAMPS_TAG].split(",") if one]
        found: dict[str, None] = {}
        for number in bulbs:
            for node in self._file.ways[number].nodes:
                tags = self._file.nodes[node].tags if node in self._file.nodes else {}
                lamp = _ARROWS.get(tags.get("arrow", ""), _COLOURS.get(tags.get("color", "")))
                if lamp:
                    found[lamp] = None
        if not found:
            words = way.tags.get("subtype", "").split("_")
            found = dict.fromkeys(_COLOURS[word] for word in words if word in _COLOURS)
        return list(found) or list(_COLOURS.values())

    def stop_lines(self) -> list[LaneBoundary]:
        """The stop lines of lights and signs, and those of which no element speaks."""
        elements = [one for one in self._file.relations.values() if one.tags.get("type") == "regulatory_element"]
        spoken = {way for one in elements for way in one.ids("ref_line")}
        meant = {way for one in self._regulation.of_kind(*_STOP_KINDS) for way in one.ids("ref_line")}
        found = [
            stop_line_boundary(str(way), self._reader.line(way))
            for way in self._file.ways
            if self._is_placed(way) and (way in meant or way not in spoken)
        ]
        for element in self._regulation.of_kind("right_of_way"):
            if not element.ids("ref_line"):
                yielding = (self._lanes.get(one) for one in element.ids("yield", "relation"))
                found += [
                    self._line_at_end(lane) for lane in yielding if lane and not self._links[lane.name].related_signal
                ]
        return found

    def _line_at_end(self, lane: DirectedLanelet) -> LaneBoundary:
        """A stop line across the end of a lane."""
        sides = np.array([self._reader.directed(one)[-1] for one in (lane.left, lane.right)])
        along = lane.points[-1] - lane.points[-2]
        return stop_line_boundary(
            f"{lane.name}_yield", sides - along / max(float(np.hypot(*along[:2])), 1e-9) * _BEFORE_END
        )


def _height(tags: Tags) -> float:
    """The height of a head [m]."""
    try:
        height = number_from(tags.get("height"))
    except ValueError:
        height = 0.0
    return height if 0.0 < height <= _MAX_HEIGHT else _HEIGHT


def crosswalk_name(lanelet: OsmRelation) -> str:
    """The id of the crosswalk of a lanelet."""
    return lanelet.tags.get("dorosim:crosswalk") or str(lanelet.id)


def controllers_of(file: OsmFile, m: MGeoMap) -> None:
    """Enter the controllers and programmes of a file that dorosim has written.

    A programme that cannot be understood is left out, with its controller, and a notice says so.
    """
    names = {way: one.idx for one in m.traffic_lights for way in _ways_of(file, one.idx)}
    for relation in file.relations.values():
        if relation.tags.get("type") != CONTROLLER_TYPE:
            continue
        groups: dict[int, list[str]] = defaultdict(list)
        for member in relation.members:
            if member.kind == "way" and member.id in names and member.role.isascii() and member.role.isdecimal():
                groups[int(member.role[:4])].append(names[member.id])
        count = max(groups, default=-1) + 1
        idx = relation.tags.get(CONTROLLER_TAG, "") or str(relation.id)
        try:
            programme = _programme(idx, relation.tags.get(PROGRAMME_TAG, ""))
        except (ValueError, TypeError, KeyError, RecursionError):
            m.notices.append(f"{file.source}: relation {relation.id}: its programme is not understood; it is left out")
            continue
        m.intersection_controllers.append(
            IntersectionController(idx=idx, TL=[groups.get(one, []) for one in range(count)])
        )
        if programme is not None:
            m.intersection_programmes.append(programme)


def _ways_of(file: OsmFile, light: str) -> list[int]:
    """The ways of a head by its id."""
    found = [way.id for way in file.ways.values() if way.tags.get(LIGHT_TAG) == light]
    return found or ([int(light)] if light.lstrip("-").isdecimal() and light.isascii() else [])


def _programme(idx: str, text: str) -> IntersectionProgramme | None:
    """A programme as JSON of states [duration, yellow, colours] and phases of people; None for an empty text.

    Raises:
        ValueError, TypeError, KeyError, RecursionError: it is none.
    """
    if not text:
        return None
    if len(text) > _MAX_TEXT:
        raise ValueError
    found: dict[str, Any] = json.loads(text)
    states = [(float(one[0]), float(one[1]), [str(colour) for colour in one[2]]) for one in found["states"]]
    people = [[float(part) for part in row[:5]] for row in found["pedestrian"]]
    numbers = [part for one in states for part in one[:2]] + [part for row in people for part in row]
    if not all(math.isfinite(one) and 0.0 <= one < 1e5 for one in numbers) or any(len(row) != 5 for row in people):
        raise ValueError
    if not states or not any(duration + yellow > 0.0 for duration, yellow, _ in states):
        raise ValueError
    return IntersectionProgramme(
        idx=idx,
        TLState=[SignalStateRecord(duration=duration, lightcolor=colours) for duration, _, colours in states],
        yelloduration=[yellow for _, yellow, _ in states],
        PSState=people,
    )
