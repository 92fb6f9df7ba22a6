"""Maps of a few lanes, with coordinates that can be checked by head."""

from __future__ import annotations

import numpy as np

from dorosim.road.mgeo.record import Link, MGeoMap, NodeRecord
from dorosim.road.network import RoadNetwork, network_from_mgeo


def lane(idx, start, end, points, **more) -> Link:
    """A driving lane from node `start` to node `end`."""
    return Link(
        idx=idx, from_node_idx=start, to_node_idx=end, points=np.array(points, float), **{"link_type": "driving"} | more
    )


def straight(idx, start, end, a, b, spacing=1.0, **more) -> Link:
    """A straight lane from point a to point b with points about `spacing` apart."""
    a, b = np.array(a, float), np.array(b, float)
    count = max(round(float(np.linalg.norm(b - a)) / spacing), 1) + 1
    return lane(idx, start, end, a + (b - a) * np.linspace(0, 1, count)[:, None], **more)


def arc(idx, start, end, centre, radius, begin, turn, count=65, height=0.0, **more) -> Link:
    """A lane on a circle, `turn` [rad] counter-clockwise from the angle `begin`, rising evenly to `height`."""
    angle = begin + turn * np.linspace(0, 1, count)
    points = np.column_stack(
        (centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle), height * np.linspace(0, 1, count))
    )
    return lane(idx, start, end, points, **more)


def map_of(*links, name="small", **more) -> MGeoMap:
    """A map of links, with a node at each of their ends."""
    nodes = {}
    for link in links:
        for node, point in ((link.from_node_idx, link.points[0]), (link.to_node_idx, link.points[-1])):
            if node is not None:
                nodes.setdefault(node, NodeRecord(idx=node, point=tuple(point.tolist())))
    return MGeoMap(name=name, nodes=list(nodes.values()), links=list(links), **more)


def network_of(*links, **more) -> RoadNetwork:
    return network_from_mgeo(map_of(*links, **more))
