"""Which links are the roads of a file, and where these lie.

Links beside each other are lanes of one road as long as that has them where they are. At a corner of a polyline two
lanes beside each other cannot both be smooth; then they are two roads.
"""

from __future__ import annotations

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.lane_network import RoadNetwork
from dorosim.road.opendrive.export.lane_course import node_headings
from dorosim.road.opendrive.export.link_group import links_by_road
from dorosim.road.opendrive.export.node_width import widths_at_nodes
from dorosim.road.opendrive.export.profile_fit import values_of_cubics
from dorosim.road.opendrive.export.road_shape import RoadShape, project, road_shape
from dorosim.road.opendrive.reference_line import ReferenceLine

_MAX_MISS = 0.009
"""A link whose centre line would be farther from that of its lane gets a road of its own [m]."""


def roads_of_links(network: RoadNetwork) -> tuple[tuple[tuple[int, ...], ...], list[RoadShape]]:
    """The links of each road, from the innermost one outwards, and the lines of each.

    Args:
        network: of the map.
    """
    groups = [group[::-1] if network.left_hand_traffic else group for group in links_by_road(network)]
    headings, widths = node_headings(network, groups), widths_at_nodes(network, groups)
    found: list[tuple[tuple[int, ...], RoadShape]] = []
    while groups:
        group = groups.pop()
        shape = road_shape(network, group, headings, widths)
        place = _first_missed(network, group, shape)
        if place:
            groups += [group[place:], group[:place]]
        else:
            found.append((group, shape))
    found.sort(key=lambda one: min(one[0]))
    return tuple(group for group, _ in found), [shape for _, shape in found]


def _first_missed(network: RoadNetwork, group: tuple[int, ...], shape: RoadShape) -> int:
    """The place in a road of the first link that is not where its lane is; 0 for none."""
    reference = ReferenceLine(shape.geometries)
    side = 1.0 if network.left_hand_traffic else -1.0
    for place, link in enumerate(group):
        if place and _miss(network, link, shape, reference, side, place) > _MAX_MISS:
            return place
    return 0


def _miss(
    network: RoadNetwork, link: int, shape: RoadShape, reference: ReferenceLine, side: float, place: int
) -> float:
    """How far the points of a link, and the middles between them, lie beside its lane or its ends at most [m]."""
    points = network.points_of(link)[:, :2]
    points = np.concatenate([points, 0.5 * (points[1:] + points[:-1])])
    own = slice(int(network.lines.first[link]), int(network.lines.first[link + 1]))
    arc = network.lines.arc[own]
    guess = np.concatenate([arc, 0.5 * (arc[1:] + arc[:-1])]) * (shape.length / max(float(arc[-1]), 1e-9))
    s, t = project(reference, shape.length, points[:, 0], points[:, 1], guess)
    at: FloatArray = np.clip(s, 0.0, shape.length)
    middle = values_of_cubics(shape.lane_offsets, at) + side * (
        sum(values_of_cubics(one, at) for one in shape.widths[:place]) + 0.5 * values_of_cubics(shape.widths[place], at)
    )
    ends = s[[0, len(network.points_of(link)) - 1]] - [0.0, shape.length]
    return float(max(np.abs(t - middle).max(), np.abs(ends).max()))
