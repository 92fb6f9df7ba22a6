"""The records of a road from its links (ASAM OpenDRIVE 1.8, 10 and 11)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dorosim.ground.unit import KMH
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.mgeo.record import LaneBoundary, Link
from dorosim.road.opendrive.export.lane_mark import UNPAINTED, lane_change_word, marks_beside, turned
from dorosim.road.opendrive.export.light_export import LaneTable
from dorosim.road.opendrive.export.road_link import RoadLinks
from dorosim.road.opendrive.export.road_shape import RoadShape
from dorosim.road.opendrive.lane_record import Cubic, LaneSpeed, OdrLane, OdrLaneSection, RoadMark
from dorosim.road.opendrive.own_data import (
    CHANGES,
    FROM_NODE,
    INNER,
    LEFT,
    LINK,
    LINK_TYPE,
    MARGIN,
    MOVEMENT,
    OUTER,
    RIGHT,
    ROW,
    TO_NODE,
    profile_text,
)
from dorosim.road.opendrive.record import OdrRoad, RoadTypeRange

_LANE_TYPES = {
    **{name: name for name in ("sidewalk", "shoulder", "border", "curb", "median", "none", "biking", "walking")},
    "non_drivable_lane": "none",
}
"""Types of links that are not for vehicles, in lower case, to those of lanes; all others are "driving"."""

_MOTORWAY = 80.0 * KMH.factor
"""A road on which one may go at least so fast [m/s] is a "motorway", every other one "town"."""


_ROOM_TOLERANCE = 0.002
"""How exactly it is said how far a link reaches beyond its lane [m]."""


class RoadExport:
    """Makes the records of roads.

    Args:
        network: of the map. links: the records of its links, by row. boundaries: its painted lines, by id.
        table: where links are. roads: how they follow each other.
    """

    def __init__(
        self,
        network: RoadNetwork,
        links: Sequence[Link],
        boundaries: Mapping[str, LaneBoundary],
        table: LaneTable,
        roads: RoadLinks,
    ) -> None:
        self._network, self._links, self._boundaries = network, links, boundaries
        self._table, self._roads = table, roads
        self._changes: defaultdict[int, list[tuple[str, list[str]]]] = defaultdict(list)
        for change, name in enumerate(network.changes.ids):
            path = network.changes.path_of(change).tolist()
            if name:
                self._changes[path[0]].append((name, [network.link_ids[one] for one in path]))

    def road(self, number: int, links: tuple[int, ...], shape: RoadShape) -> OdrRoad:
        """A road without objects and signals.

        Args:
            number: of the road, which is its id.
            links: from the innermost one outwards.
            shape: its lines.
        """
        network = self._network
        fastest = float(network.link_speed_limit[list(links)].max())
        kind = "motorway" if fastest >= _MOTORWAY else "town"
        return OdrRoad(
            id=str(number),
            name="|".join(network.link_ids[link] for link in links),
            length=shape.length,
            junction=self._roads.junction[number],
            rule="LHT" if network.left_hand_traffic else "RHT",
            predecessor=self._roads.predecessor[number],
            successor=self._roads.successor[number],
            types=(RoadTypeRange(s=0.0, type=kind, max_speed=fastest),),
            geometries=shape.geometries,
            elevations=shape.elevations,
            superelevations=shape.superelevations,
            lane_offsets=shape.lane_offsets,
            lane_sections=(OdrLaneSection(s=0.0, lanes=self._lanes(number, links, shape)),),
        )

    def _lanes(self, number: int, links: tuple[int, ...], shape: RoadShape) -> tuple[OdrLane, ...]:
        """The lanes, from left to right: the margins, the centre and the links."""
        side = 1 if self._network.left_hand_traffic else -1
        marks = self._marks(links, shape)
        inner, outer = marks[0], marks[-1]
        centre = (UNPAINTED,) if shape.inner_margin else inner
        lanes = [OdrLane(id=0, type="none", road_marks=centre)]
        lanes += [
            self._lane(number, link, side * (place + 1), shape.widths[place], marks[place + 1])
            for place, link in enumerate(links)
        ]
        for place, data in enumerate(self._link_data(links, shape), start=1):
            lanes[place] = replace(lanes[place], user_data=data)
        if shape.inner_margin:
            lanes.append(_margin(-side, shape.inner_margin, inner))
        if shape.outer_margin:
            lanes[len(links)] = replace(lanes[len(links)], road_marks=(UNPAINTED,))
            lanes.append(_margin(side * (len(links) + 1), shape.outer_margin, outer))
        lanes = [replace(one, road_marks=turned(one.road_marks)) if one.id > 0 else one for one in lanes]
        return tuple(sorted(lanes, key=lambda one: -one.id))

    def _link_data(self, links: tuple[int, ...], shape: RoadShape) -> Iterator[dict[str, str]]:
        """What OpenDRIVE has no word for, of each link of a road from the innermost one outwards."""
        network, names = self._network, self._network.link_ids
        for place, link in enumerate(links):
            found = {LINK: names[link], ROW: str(link), LINK_TYPE: network.link_types[link]}
            if network.link_movements[link]:
                found[MOVEMENT] = network.link_movements[link]
            for code, node in ((FROM_NODE, network.link_from_node[link]), (TO_NODE, network.link_to_node[link])):
                if node >= 0:
                    found[code] = network.node_ids[node]
            room = shape.rooms[place]
            for code, values in ((INNER, room.inner), (OUTER, room.outer)):
                if text := profile_text(room.s / shape.length, values, _ROOM_TOLERANCE):
                    found[code] = text
            beside = (links[place - 1] if place else -1, links[place + 1] if place + 1 < len(links) else -1)
            sides = zip((LEFT, RIGHT), network.neighbours.sides, strict=True)
            for (code, (others, allowed)), known in zip(
                sides, beside[::-1] if network.left_hand_traffic else beside, strict=True
            ):
                if (other := int(others[link])) != known:
                    found[code] = json.dumps([names[other] if other >= 0 else None, bool(allowed[link])])
            if listed := self._changes[link]:
                found[CHANGES] = json.dumps(listed, separators=(",", ":"), ensure_ascii=False)
            yield found

    def _lane(
        self, number: int, link: int, lane: int, widths: tuple[Cubic, ...], marks: tuple[RoadMark, ...]
    ) -> OdrLane:
        """The lane of a link; its links to other lanes are those across direct links of roads."""
        network = self._network
        before, after = (
            tuple(
                dict.fromkeys(
                    self._table.lane[other]
                    for other in others.of(link).tolist()
                    if end is not None and end.element_type == "road" and end.element_id == str(self._table.road[other])
                )
            )
            for others, end in (
                (network.predecessors, self._roads.predecessor[number]),
                (network.successors, self._roads.successor[number]),
            )
        )
        kind = network.link_types[link].lower()
        return OdrLane(
            id=lane,
            type="driving" if network.link_drivable[link] else _LANE_TYPES.get(kind, "none"),
            predecessors=before,
            successors=after,
            widths=widths,
            speeds=(LaneSpeed(s_offset=0.0, max_speed=float(network.link_speed_limit[link])),),
            road_marks=marks,
        )

    def _marks(self, links: tuple[int, ...], shape: RoadShape) -> list[tuple[RoadMark, ...]]:
        """The marks of the borders of links, from the innermost one outwards."""
        network, length = self._network, shape.length
        left_first = not network.left_hand_traffic
        found = [self._beside(links[0], left_first, length, "none")]
        for place, link in enumerate(links):
            last = place == len(links) - 1
            change = "none" if last else lane_change_word(network, link, links[place + 1])
            found.append(self._beside(link, not left_first, length, change))
            if not last and all(mark.type == "none" for mark in found[-1]):
                found[-1] = self._beside(links[place + 1], left_first, length, change)
        return found

    def _beside(self, link: int, left: bool, length: float, change: str) -> tuple[RoadMark, ...]:
        """The marks on one side of a link."""
        points = self._network.points_of(link)
        return marks_beside(self._links[link], left, self._boundaries, points, length, change)


def _margin(number: int, widths: tuple[Cubic, ...], marks: tuple[RoadMark, ...]) -> OdrLane:
    """What a link has beside its lane: a lane of type "none", with the link's mark on its outer border."""
    return OdrLane(id=number, type="none", widths=widths, road_marks=marks, user_data={MARGIN: "yes"})
