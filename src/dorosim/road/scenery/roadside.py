"""Places along the edges of roads, where things are put by rule."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.terrain.field import RoadField

_STEP_BESIDE = 1.2
"""What lies so far beside the edge of a lane [m] must not be road, else this edge is inside of it."""


class RoadsidePlace(NamedTuple):
    """A place at the edge of a road.

    Attributes:
        point: `(2,)` in map [m]. heading: of the lane there [rad]. side: 1 for its left edge, -1 for its right.
    """

    point: FloatArray
    heading: float
    side: float


def roadside_places(field: RoadField, step: float, fastest: float = math.inf) -> list[RoadsidePlace]:
    """Places at the edges of lanes every `step` metres, outside of junctions and bridges.

    Args:
        field: the roads.
        step: from one place to the next [m].
        fastest: lanes with a higher limit are left out [m/s].
    """
    network, lines = field.network, field.network.lines
    links, arcs = [], []
    for link in np.flatnonzero(network.link_drivable).tolist():
        if not network.link_movements[link] and network.link_speed_limit[link] <= fastest:
            s = np.arange(0.5 * step, float(network.link_length[link]), step)
            links += [link] * len(s)
            arcs += s.tolist()
    if not links:
        return []
    pose = network.pose_at(links, arcs)
    segment, _ = lines.segment_at(np.array(links), np.array(arcs))
    normal = np.column_stack((-np.sin(pose.heading), np.cos(pose.heading)))
    places = []
    for side, width in ((1.0, network.left_width), (-1.0, network.right_width)):
        edge = pose.point[:, :2] + side * (width[segment])[:, None] * normal
        free = field.distance(edge + side * _STEP_BESIDE * normal) > 0.4
        rows = np.flatnonzero(free & ~field.bridge[segment])
        places += [RoadsidePlace(edge[k], float(pose.heading[k]), side) for k in rows]
    return places
