"""Which lanes lie on bridges, and which pass under them.

A bridge begins where the ground beside the road below could not reach up to it: pavements there are level, and behind
them an abutment rises no steeper than it may.
"""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.road.network import RoadNetwork
from dorosim.road.terrain.field_kernel import lanes_crossed, road_field

CLEARANCE = 3.0
"""Lanes cross on two levels if they are this far apart [m]."""
_NEAR = 2.5
"""Points of lanes are so far apart that one this close beside a lane counts as on it [m]."""
_MAX_BRIDGE_DISTANCE = 18.0
"""How far from what passes under it a bridge may begin [m]."""
_LOWEST = 1.5
"""A bridge is not lower than this [m]."""
_LEVEL, _STEP, _SLOPE = 3.0, 0.4, 1.4
"""Beside what passes under a bridge the ground is level for so long [m], but for a step [m]; then it rises so."""


@overload
def abutment_height(away: float) -> float: ...
@overload
def abutment_height(away: FloatArray) -> FloatArray: ...
def abutment_height(away: float | FloatArray) -> float | FloatArray:
    """How high above what passes under a bridge the ground may be, at distances from its edge `(N,)` [m]."""
    return _STEP + _SLOPE * np.maximum(0.0, np.subtract(away, _LEVEL))


def find_bridges(
    network: RoadNetwork, left: FloatArray, right: FloatArray
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the segment that begins at each point of the lanes lies on a bridge, and whether it passes under one.

    Args:
        network: the lanes.
        left: `(P,)` width of the paving to the left of each centre line at its points [m].
        right: the same to the right.
    """
    lines, surface = network.lines, network.surface
    points = np.ascontiguousarray(lines.points)
    drivable = np.ascontiguousarray(network.link_drivable[lines.line])
    below = lanes_crossed(points, surface, left, right, drivable, _NEAR, CLEARANCE) & drivable
    under = _segments(below, lines.line)
    if not under.any():
        return under, under.copy()
    plane = np.ascontiguousarray(points[:, :2])
    away, low = road_field(plane, surface, left, right, under, _MAX_BRIDGE_DISTANCE)
    height = points[:, 2] - low  # NaN where nothing is near
    above = (height > _LOWEST) & (height > abutment_height(away)) & drivable & ~below
    return _segments(above, lines.line) & ~under, under


def _segments(point: NDArray[np.bool_], line: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the segment that begins at each point `(P,)` has an end that is flagged."""
    found = np.zeros(len(point), np.bool_)
    if len(point):
        found[:-1] = (point[:-1] | point[1:]) & (line[:-1] == line[1:])
    return found
