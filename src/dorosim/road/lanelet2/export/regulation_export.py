"""Lights, stop lines, signs, crosswalks and parking spaces of a map, with their regulatory elements."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

import numpy as np

from dorosim.ground.unit import DEGREE
from dorosim.road.adjacency import FloatArray
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.lanelet2.export.osm_writer import RELATION, WAY, Member, OsmWriter
from dorosim.road.lanelet2.furniture import SIGN_TAG, SPACE_TAG
from dorosim.road.lanelet2.light_conversion import (
    CONTROLLER_TAG,
    CONTROLLER_TYPE,
    KIND_TAG,
    LAMPS_TAG,
    LIGHT_TAG,
    LINKS_TAG,
    PROGRAMME_TAG,
)
from dorosim.road.mgeo.record import MGeoMap, ParkingSpace, TrafficLightRecord, TrafficSign
from dorosim.road.signal import Controller, Light

_WIDTH, _HEIGHT = 1.0, 0.4
"""Size of a head about which the map says nothing [m]."""

_INSIDE = 0.001
"""Stop lines lie so far inside their lane at least [m]."""

_BULBS = {"red": "red", "yellow": "yellow", "green": "green", "straight": "green", "left": "green", "right": "green"}
_ARROWS = frozenset({"left", "right"})


class RegulationExport:
    """Adds what holds on lanelets.

    Attributes:
        elements: of each link, the ids of its regulatory elements.

    Args:
        m: the map.
        network: of it.
        writer: takes the elements.
    """

    def __init__(self, m: MGeoMap, network: RoadNetwork, writer: OsmWriter) -> None:
        self._map, self._network, self._writer = m, network, writer
        self.elements: list[list[int]] = [[] for _ in range(network.link_count)]
        records = {one.idx: one for one in reversed(m.traffic_lights)}
        self._heads = [self._head(light, records[light.id]) for light in network.signals.lights]
        self._stop_lines = {
            link: self._stop_line(link, at)
            for link, at in enumerate(network.signals.stop_line.tolist())
            if not math.isnan(at)
        }

    def _head(self, light: Light, record: TrafficLightRecord) -> tuple[int, int]:
        """Add a head and its lamps; the ids of both ways."""
        width, height = record.width or _WIDTH, record.height or _HEIGHT
        across = np.array([-math.sin(light.heading), math.cos(light.heading), 0.0]) * width / 2.0
        foot = np.array(light.point) - np.array([0.0, 0.0, height / 2.0])
        lamps = [lamp for lamp in light.lamps if lamp in _BULBS]
        colours = dict.fromkeys(_BULBS[lamp] for lamp in lamps if lamp not in _ARROWS)
        kept = {LIGHT_TAG: light.id, LAMPS_TAG: ",".join(light.lamps), KIND_TAG: light.kind}
        tags = {"type": "traffic_light", "subtype": "_".join(colours) or "red_yellow_green", "height": f"{height:g}"}
        if light.kind == "pedestrian" and light.links:  # lanelets do not name it: vehicles would stop for it
            kept[LINKS_TAG] = "|".join(self._network.link_ids[link] for link in light.links)
        head = self._writer.way(self._writer.nodes(np.array([foot - across, foot + across])), tags | kept)
        bulbs = []
        for place, lamp in enumerate(lamps):
            share = (place + 0.5) / len(lamps) * 2.0 - 1.0
            about = {"color": _BULBS[lamp]} | ({"arrow": lamp} if lamp in _ARROWS else {})
            bulbs.append(self._writer.node((np.array(light.point) + share * across).tolist(), about))
        if not bulbs:
            return head, 0
        return head, self._writer.way(bulbs, {"type": "light_bulbs", "traffic_light_id": str(head)})

    def _stop_line(self, link: int, at: float) -> int:
        """Add the stop line of a link."""
        network = self._network
        length = float(network.link_length[link])
        s = max(min(at, length - _INSIDE), min(_INSIDE, length / 2.0))
        left, right = (float(one[0]) for one in network.boundary_distances(link, s))
        points = network.point_at([link, link], [s, s], [left, -right])
        return self._writer.way(self._writer.nodes(points), {"type": "stop_line", "subtype": "solid"})

    def add_lights(self) -> None:
        """Add an element for the heads of each link and each lane that leads to it; heads of no link have their own."""
        network = self._network
        made: dict[tuple[tuple[int, ...], int], int] = {}
        placed: set[int] = set()
        for link in range(network.link_count):
            rows = network.signals.lights_of_link.of(link).tolist()
            heads = tuple(row for row in rows if network.signals.lights[row].kind != "pedestrian")
            if not heads:
                continue
            before = [link] if link in self._stop_lines else network.predecessors.of(link).tolist()
            for approach in [one for one in before if one in self._stop_lines] or [-1]:
                if (heads, approach) not in made:
                    made[heads, approach] = self._light_element(heads, self._stop_lines.get(approach))
                self.elements[link].append(made[heads, approach])
            placed.update(heads)
        for row, light in enumerate(network.signals.lights):
            if light.kind != "pedestrian" and row not in placed:
                self._light_element((row,), None)

    def _light_element(self, heads: Sequence[int], stop_line: int | None) -> int:
        members = [Member(WAY, self._heads[row][0], "refers") for row in heads]
        members += [Member(WAY, bulbs, "light_bulbs") for bulbs in (self._heads[row][1] for row in heads) if bulbs]
        if stop_line is not None:
            members.append(Member(WAY, stop_line, "ref_line"))
        return self._writer.relation(members, {"type": "regulatory_element", "subtype": "traffic_light"})

    def add_crosswalks(self) -> None:
        """Add crosswalks as lanelets along which people walk, with the lights for them."""
        walks = self._network.crosswalks
        placed: set[int] = set()
        for area in range(len(walks)):
            rows = walks.lights.of(area).tolist()
            placed.update(rows)
            sides = _sides_of_area(walks.of(area), self._lane_direction(area))
            ways = [self._writer.way(self._writer.nodes(side), {"type": "pedestrian_marking"}) for side in sides]
            members = [Member(WAY, way, role) for way, role in zip(ways, ("left", "right"), strict=True)]
            if rows:
                members.append(Member(RELATION, self._light_element(rows, None), "regulatory_element"))
            tags = {"type": "lanelet", "subtype": "crosswalk", "location": "urban", "one_way": "no"}
            tags |= {"participant:pedestrian": "yes", "speed_limit": "5"}
            if walks.ids[area]:
                tags["dorosim:crosswalk"] = walks.ids[area]
            self._writer.relation(members, tags)
        for row, light in enumerate(self._network.signals.lights):
            if light.kind == "pedestrian" and row not in placed:
                self._light_element((row,), None)

    def _lane_direction(self, area: int) -> FloatArray | None:
        """The direction `(2,)` of a lane that a crosswalk crosses, None where there is none."""
        walks = self._network.crosswalks
        rows = np.flatnonzero(walks.area == area)
        if not len(rows):
            return None
        row = int(rows[0])
        heading = self._network.heading_at(walks.link[row], (walks.begin[row] + walks.end[row]) / 2.0)
        return np.array([math.cos(heading[0]), math.sin(heading[0])])

    def add_signs(self) -> None:
        """Add signs, each with an element for the links that it names."""
        rows = {name: row for row, name in enumerate(self._network.link_ids)}
        for sign in self._map.traffic_signs:
            way = self._sign(sign)
            links = [rows[name] for name in sign.link_id_list if name in rows]
            if links:
                element = self._writer.relation(
                    [Member(WAY, way, "refers")], {"type": "regulatory_element", "subtype": "traffic_sign"}
                )
                for link in dict.fromkeys(links):
                    self.elements[link].append(element)

    def _sign(self, sign: TrafficSign) -> int:
        heading = sign.heading * DEGREE.factor
        across = np.array([-math.sin(heading), math.cos(heading), 0.0]) * (sign.width or 0.6) / 2.0
        points = np.array([np.array(sign.point) - across, np.array(sign.point) + across])
        tags = {"type": "traffic_sign", "subtype": next(iter(sign.sub_type), "") or "unknown", SIGN_TAG: sign.idx}
        tags |= {"dorosim:type": sign.type} | ({"dorosim:value": sign.value} if sign.value else {})
        return self._writer.way(self._writer.nodes(points), tags)

    def add_parking_spaces(self) -> None:
        """Add parking spaces as Autoware has them."""
        for space in self._map.parking_spaces:
            found = _middle_of_space(space)
            if found is not None:
                tags = {"type": "parking_space", "width": f"{found[1]:.6g}", SPACE_TAG: space.idx}
                self._writer.way(self._writer.nodes(found[0]), tags)

    def add_controllers(self) -> None:
        """Add the controllers of the map, with their programmes; other programs pass over them."""
        if self._network.signals.derived:
            return
        for controller in self._network.signals.controllers:
            members = [
                Member(WAY, self._heads[row][0], str(group))
                for group, rows in enumerate(controller.groups)
                for row in rows
            ]
            self._writer.relation(members, _controller_tags(controller))


def _controller_tags(controller: Controller) -> Mapping[str, str]:
    """Tags with the programme as JSON: states as [duration, yellow, colours], and phases of people."""
    tags = {"type": CONTROLLER_TYPE, CONTROLLER_TAG: controller.id}
    if controller.states:
        states = [[one.duration, one.yellow, list(one.colours)] for one in controller.states]
        people = [[one.state, one.group, one.before, one.green, one.flicker] for one in controller.pedestrian]
        tags[PROGRAMME_TAG] = json.dumps({"states": states, "pedestrian": people}, separators=(",", ":"))
    return tags


def _sides_of_area(corners: FloatArray, driven: FloatArray | None) -> tuple[FloatArray, FloatArray]:
    """The sides of a crosswalk along which people walk, left and right.

    Args:
        corners: `(N, 3)` around it.
        driven: direction `(2,)` in which vehicles cross it; None takes the longer way as that of people.
    """
    if len(corners) == 3:
        corners = np.concatenate((corners, [(corners[2] + corners[0]) / 2.0]))
    edges = np.roll(corners, -1, axis=0) - corners
    middles = (corners + edges / 2.0)[:, :2]
    if driven is None:
        longest = edges[int(np.hypot(*edges[:, :2].T).argmax()), :2]
        walked = longest
    else:
        walked = np.array([-driven[1], driven[0]])
    along = middles @ walked
    first, last = int(along.argmin()), int(along.argmax())
    count = len(corners)
    one = [(first + 1 + k) % count for k in range((last - first - 1) % count + 1)]
    other = [(last + 1 + k) % count for k in range((first - last - 1) % count + 1)][::-1]
    sides = corners[one], corners[other]
    middle = sides[0].mean(axis=0) - sides[1].mean(axis=0)
    return sides if walked[0] * middle[1] - walked[1] * middle[0] > 0.0 else (sides[1], sides[0])


def _middle_of_space(space: ParkingSpace) -> tuple[FloatArray, float] | None:
    """The line `(2, 3)` along the middle of a parking space, and its width [m]; None where it is no quadrangle."""
    corners = space.points[:-1] if len(space.points) == 5 else space.points
    if len(corners) != 4:
        return None
    if math.dist(corners[0], corners[1]) < math.dist(corners[1], corners[2]):
        corners = np.roll(corners, -1, axis=0)
    line = np.array([(corners[0] + corners[3]) / 2.0, (corners[1] + corners[2]) / 2.0])
    return line, float(np.hypot(*(corners[0] - corners[3])[:2]))
