"""Links as lanelets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.unit import KMH
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.lanelet2.conversion import MOVEMENT_TAG, TYPE_TAG
from dorosim.road.lanelet2.export.bound import LEFT, RIGHT, Corner, Corners, bound_line
from dorosim.road.lanelet2.export.line_tags import tags_of_bound
from dorosim.road.lanelet2.export.osm_writer import NODE, RELATION, WAY, Member, OsmWriter
from dorosim.road.lanelet2.lanelet import LINK_TAG
from dorosim.road.mgeo.record import Link, MGeoMap
from dorosim.road.signal import movement_name

__all__ = ["NODE", "LaneletExport"]

_SUBTYPES = {"biking": "bicycle_lane", "sidewalk": "walkway", "walking": "walkway"}
"""Subtype of a lanelet that no car uses, by the type of its link; others are the shoulder of a road."""


class LaneletExport:
    """Adds the lanelets of a map to a file.

    Args:
        m: the map.
        network: of it.
        writer: takes nodes and ways at once, lanelets by `add_lanelets`.
    """

    def __init__(self, m: MGeoMap, network: RoadNetwork, writer: OsmWriter) -> None:
        self._network, self._writer = network, writer
        self._boundaries = {line.idx: line for line in m.lane_boundaries}
        rows = {name: row for row, name in enumerate(network.link_ids)}
        by_row = {rows[one.idx]: one for one in reversed(m.links) if one.idx in rows and not one.lazy_init}
        self._records: list[Link] = [by_row[row] for row in range(network.link_count)]
        self._corners = Corners(network)
        self._corner_nodes: dict[Corner, int] = {}
        self._centre_nodes: dict[tuple[int, ...], int] = {}
        self._bounds: list[tuple[int, int]] = []
        self._add_bounds()

    def _add_bounds(self) -> None:
        """A way for each bound, one for two links that lie beside each other."""
        right_of = self._corners.right_of
        left_of = {other: one for one, other in right_of.items()}
        rights = [self._bound(link, RIGHT, right_of.get(link)) for link in range(self._network.link_count)]
        for link, right in enumerate(rights):
            beside = left_of.get(link)
            self._bounds.append((self._bound(link, LEFT, None) if beside is None else rights[beside], right))

    def _bound(self, link: int, side: int, other: int | None) -> int:
        """Add a bound of a link, of which `other` has it on its left."""
        corners = [self._corners.corner(link, last, side) for last in (False, True)]
        start, end = (self._corners.place(one) for one in corners)
        inner = self._writer.nodes(bound_line(self._network, link, side, start, end))
        record = self._records[link]
        names = list(record.lane_mark_left if side == LEFT else record.lane_mark_right)
        change = (False, False)
        if other is not None:
            names += self._records[other].lane_mark_left
            neighbours = self._network.neighbours
            to_left = int(neighbours.left[other]) == link and bool(neighbours.left_allowed[other])
            to_right = int(neighbours.right[link]) == other and bool(neighbours.right_allowed[link])
            change = (to_left, to_right)
        nodes = [self._corner_node(corners[0]), *inner, self._corner_node(corners[1])]
        return self._writer.way(nodes, tags_of_bound(names, self._boundaries, change))

    def _corner_node(self, corner: Corner) -> int:
        if corner not in self._corner_nodes:
            self._corner_nodes[corner] = self._writer.node(self._corners.place(corner).tolist())
        return self._corner_nodes[corner]

    def add_lanelets(self, elements: Sequence[Sequence[int]]) -> list[int]:
        """Add the lanelets; their ids, by link.

        Args:
            elements: of each link, the ids of the regulatory elements that hold on it.
        """
        found = []
        for link in range(self._network.link_count):
            left, right = self._bounds[link]
            members = [Member(WAY, left, "left"), Member(WAY, right, "right")]
            members.append(Member(WAY, self._centreline(link), "centerline"))
            members += [Member(RELATION, one, "regulatory_element") for one in elements[link]]
            found.append(self._writer.relation(members, self._tags(link)))
        return found

    def _centreline(self, link: int) -> int:
        """The way of a link's own points; links that follow each other have the node between them in common."""
        network = self._network
        points = network.points_of(link)
        nodes = self._writer.nodes(points[1:-1])
        ends = []
        for node, point in ((network.link_from_node[link], points[0]), (network.link_to_node[link], points[-1])):
            # links that a node joins may end some millimetres apart
            key = (int(node), *np.round(point * 1e6).astype(np.int64).tolist())
            if key not in self._centre_nodes:
                self._centre_nodes[key] = self._writer.node(point.tolist())
            ends.append(self._centre_nodes[key])
        return self._writer.way([ends[0], *nodes, ends[1]], {"type": "centerline"})

    def _tags(self, link: int) -> dict[str, str]:
        network = self._network
        kind, movement = network.link_types[link], network.link_movements[link]
        limit = network.link_speed_limit[link] / KMH.factor
        drivable = bool(network.link_drivable[link])
        tags = {
            "type": "lanelet",
            "subtype": "road" if drivable else _SUBTYPES.get(kind.lower(), "road_shoulder"),
            "location": "urban",
            "one_way": "yes",
            "speed_limit": f"{limit:.6f}".rstrip("0").rstrip("."),
        }
        if drivable:
            tags["participant:vehicle"] = "yes"
        if drivable and movement:
            name = movement_name(movement)
            turn = "right" if "right" in name else "left" if "left" in name or name.startswith("uturn") else "straight"
            tags |= {"turn_direction": turn, MOVEMENT_TAG: movement}
        tags[LINK_TAG] = network.link_ids[link]
        if kind:
            tags[TYPE_TAG] = kind
        return tags
