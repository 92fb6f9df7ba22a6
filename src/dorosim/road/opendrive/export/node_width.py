"""How wide lanes are where they meet, so that those of one road go on into those of the next without a step.

Links in a row need not have one width where they meet. Lanes of OpenDRIVE there have the least that all have, as far as
lanes side by side, whose middles are given, can have it; what a link has beyond that is kept beside its lane.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.lane_network import RoadNetwork

_MIDDLE_WEIGHT = 100.0
"""How much more the middles of lanes side by side count than widths."""


MIN_LANE_MARGIN = 0.05
"""A link that reaches farther than this beyond its lane has a margin there [m]."""


def even_widths(inner: FloatArray, outer: FloatArray) -> FloatArray:
    """Widths `(n, N)` of n lanes side by side without the room that the first and the last one have on one side only.

    Room of `MIN_LANE_MARGIN` or less stays part of the lane.

    Args:
        inner: `(n, N)` room from the middle of each link towards the centre of the road [m].
        outer: `(n, N)` the same away from it.
    """
    widths = inner + outer
    for place, excess in ((0, inner[0] - outer[0]), (-1, outer[-1] - inner[-1])):
        if excess.max() > MIN_LANE_MARGIN:
            widths[place] -= np.maximum(excess, 0.0)
    return widths


def widths_at_nodes(network: RoadNetwork, groups: Sequence[tuple[int, ...]]) -> tuple[FloatArray, FloatArray]:
    """Widths of the lanes of all links at their starts and ends, `(L,)` each [m]; NaN where a link has no node.

    Args:
        network: of the map.
        groups: the links of each road, from the innermost one outwards.
    """
    least: dict[int, float] = {}
    beside: defaultdict[int, dict[int, float]] = defaultdict(dict)
    ends = (network.lines.first[:-1], network.lines.first[1:] - 1)
    nodes_of_ends = (network.link_from_node, network.link_to_node)
    for group in groups:
        links = list(group)
        for rows, nodes in zip(ends, nodes_of_ends, strict=True):
            at = rows[links]
            sides = (network.left_width[at, None], network.right_width[at, None])
            inner, outer = reversed(sides) if network.left_hand_traffic else sides
            own = nodes[links].tolist()
            for node, width in zip(own, even_widths(inner, outer)[:, 0].tolist(), strict=True):
                least[node] = min(width, least.get(node, width))
            for (one, point), (other, beyond) in pairwise(zip(own, network.lines.points[at, :2], strict=True)):
                if one != other and min(one, other) >= 0:
                    spacing = float(np.hypot(*(beyond - point)))
                    beside[one][other] = beside[other][one] = spacing
    least.pop(-1, None)
    found = least | _fitted(least, beside)
    at_start, at_end = (np.array([found.get(node, np.nan) for node in nodes.tolist()]) for nodes in nodes_of_ends)
    return at_start, at_end


def _fitted(least: dict[int, float], beside: dict[int, dict[int, float]]) -> dict[int, float]:
    """The widths of lanes [m] at nodes that have others beside them: half of two neighbours' is how far apart they are.

    Args:
        least: of each node, the least width that a link has there [m].
        beside: node to those beside it, and how far away they are [m].
    """
    found: dict[int, float] = {}
    for start in beside:
        if start in found:
            continue
        members, open_nodes = {start: 0}, [start]
        while open_nodes:
            for other in beside[open_nodes.pop()]:
                if other not in members:
                    members[other] = len(members)
                    open_nodes.append(other)
        pairs = [(one, other) for one in members for other in beside[one] if members[one] < members[other]]
        matrix = np.zeros((len(pairs) + len(members), len(members)))
        wanted = np.zeros(len(matrix))
        for row, (one, other) in enumerate(pairs):
            matrix[row, [members[one], members[other]]] = 0.5 * _MIDDLE_WEIGHT
            wanted[row] = _MIDDLE_WEIGHT * beside[one][other]
        for node, column in members.items():
            matrix[len(pairs) + column, column] = 1.0
            wanted[len(pairs) + column] = least[node]
        widths = np.linalg.lstsq(matrix, wanted, rcond=None)[0]
        found |= dict(zip(members, widths.tolist(), strict=True))
    return found
