"""Test tracks: a circle and a straight road, on which one thing at a time can be looked at."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import (
    IntersectionController,
    IntersectionProgramme,
    Link,
    MGeoMap,
    NodeRecord,
    SignalStateRecord,
    TrafficLightRecord,
)

LANE_WIDTH = 3.5
"""Width of a lane [m]."""

QUARTERS = 4
"""Links of a circle."""

YELLOW = 3.0
"""Yellow of the light of a straight track [s]."""

LIGHT = "TL0"
"""Id of the light of a straight track."""


def circle_map(circumference: float, limit_kmh: float = 50.0) -> MGeoMap:
    """One lane in a circle, counter-clockwise about the map's origin, without a beginning: a lap.

    Args:
        circumference: of the lane [m].
        limit_kmh: speed limit.
    """
    radius = circumference / (2 * math.pi)
    links = []
    for quarter in range(QUARTERS):
        angle = (quarter + np.linspace(0.0, 1.0, 181)) * 0.5 * math.pi
        points = radius * np.column_stack((np.cos(angle), np.sin(angle)))
        links.append(_lane(f"circle{quarter}", f"n{quarter}", f"n{(quarter + 1) % QUARTERS}", points, limit_kmh))
    return _map_of(f"circle {circumference:g} m", links)


def straight_map(
    length: float, lanes: int = 1, limit_kmh: float = 50.0, light_at: float | None = None, green: float = 30.0
) -> MGeoMap:
    """Lanes that lead east from the map's origin, the leftmost on the x axis, with open ends.

    Args:
        length: of the road [m].
        lanes: how many, 0 is the leftmost; one may change between them.
        limit_kmh: speed limit.
        light_at: where a stop line with a light is, None for none [m].
        green: how long the light is green; after 3 s of yellow it is red as long [s].
    """
    links = []
    ends = (0.0, length) if light_at is None else (0.0, light_at, length)
    for lane in range(lanes):
        for part, (begin, end) in enumerate(pairwise(ends)):
            points = np.array([(begin, -LANE_WIDTH * lane), (end, -LANE_WIDTH * lane)])
            link = _lane(f"lane{lane}_{part}", f"n{lane}_{part}", f"n{lane}_{part + 1}", points, limit_kmh)
            if lane > 0:
                link.can_move_left_lane, link.left_lane_change_dst_link_idx = True, f"lane{lane - 1}_{part}"
            if lane < lanes - 1:
                link.can_move_right_lane, link.right_lane_change_dst_link_idx = True, f"lane{lane + 1}_{part}"
            links.append(link)
    found = _map_of(f"straight {length:g} m", links)
    if light_at is not None:
        _add_light(found, light_at, [f"lane{lane}_1" for lane in range(lanes)], green)
    return found


def _lane(idx: str, start: str, end: str, points: FloatArray, limit_kmh: float) -> Link:
    """A lane along points `(n, 2)` [m]."""
    return Link(
        idx=idx,
        from_node_idx=start,
        to_node_idx=end,
        points=np.column_stack((points, np.zeros(len(points)))),
        link_type="6",
        max_speed=limit_kmh,
        width_start=LANE_WIDTH,
        width_end=LANE_WIDTH,
        related_signal="straight",
    )


def _map_of(name: str, links: list[Link]) -> MGeoMap:
    nodes: dict[str | None, NodeRecord] = {}
    for link in links:
        for idx, point in ((link.from_node_idx, link.points[0]), (link.to_node_idx, link.points[-1])):
            x, y, z = point.tolist()
            nodes.setdefault(idx, NodeRecord(idx=str(idx), point=(x, y, z)))
    return MGeoMap(name=name, nodes=list(nodes.values()), links=links)


def _add_light(track: MGeoMap, at: float, links: list[str], green: float) -> None:
    """A light over the stop line at the end of the links before `links`, green first."""
    lamps = ["red", "yellow", "straight"]
    track.traffic_lights.append(TrafficLightRecord(idx=LIGHT, point=(at, 0.0, 5.0), link_id_list=links, sub_type=lamps))
    track.intersection_controllers.append(IntersectionController(idx="I0", TL=[[LIGHT]]))
    states = [SignalStateRecord(duration=green, lightcolor=[colour]) for colour in ("SG", "R")]
    programme = IntersectionProgramme(idx="I0", TLState=states, yelloduration=[YELLOW, 0.0])
    track.intersection_programmes.append(programme)
