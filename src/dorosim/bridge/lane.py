"""The lane under a vehicle, as several messages report it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dorosim.ground.column import FloatArray
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.world.vehicle.state import VehicleState

REACH = 20.0
"""A vehicle farther than this from every lane [m] is on none."""


@dataclass(frozen=True, slots=True)
class Lane:
    """Where a vehicle is on its lane.

    Attributes:
        link: row of the link, -1 for none. link_id: its id, "" for none.
        s: arc length along it [m].
        lateral: offset of the body origin from the lane's centre, left positive [m].
        left, right: distance of the body origin to the lane's boundaries [m].
    """

    link: int = -1
    link_id: str = ""
    s: float = 0.0
    lateral: float = 0.0
    left: float = 0.0
    right: float = 0.0


NO_LANE = Lane()


def lane_under(network: RoadNetwork, vehicle: VehicleState, row: int) -> Lane:
    """The lane under one vehicle; `NO_LANE` where there is none within reach."""
    point = (vehicle.x[row], vehicle.y[row], vehicle.z[row])
    if not network.link_count or not all(math.isfinite(part) for part in point):
        return NO_LANE
    found = locate(network, point, vehicle.yaw[row], drivable_only=True, reach=REACH)
    link = int(found.link[0])
    if link < 0:
        return NO_LANE
    s, lateral, segment = float(found.s[0]), float(found.lateral[0]), int(found.segment[0])
    # one place on a known segment: `boundary_distances`, which takes many and searches, costs ten times as much
    start, end = network.lines.arc[segment : segment + 2].tolist()
    share = (s - start) / (end - start) if end > start else 0.0
    left = _between(network.left_width, segment, share) - lateral
    right = _between(network.right_width, segment, share) + lateral
    return Lane(link, network.link_ids[link], s, lateral, left, right)


def _between(values: FloatArray, segment: int, share: float) -> float:
    """A value `(P,)` at points of the lines, between the two points of a segment."""
    first, second = values[segment : segment + 2].tolist()
    return float(first + share * (second - first))
