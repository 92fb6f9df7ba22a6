"""Where poses stand on lanes, and how a vehicle that was knocked off its lane gets back on one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dorosim.ground.column import RealArray, WholeArray
from dorosim.road.adjacency import FlagArray
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.world.traffic.state import Presence, TrafficState

_REACH = 5.0
"""A pose farther than this from the middle of every lane is on none [m]."""

_LEVEL = 2.5
"""A lane this much higher or lower is on another level [m]."""

ALIGNED = math.cos(math.radians(20))
"""A vehicle drives on from where it was pushed to if its heading agrees with the lane's by so much, within 20°."""

BESIDE = 1.5
"""It does so if it is no farther than this from the lane's middle [m]."""


class LanePlace(NamedTuple):
    """Where poses stand on lanes; each array is `(N,)`.

    Attributes:
        link: row of the lane for vehicles, -1 for none.
        s: arc length along it [m], NaN for none.
        lateral: offset from its centre line, left positive [m], NaN for none.
        agreement: cosine of the angle between heading and lane: 1 along it, -1 against it, NaN for none.
    """

    link: WholeArray
    s: RealArray
    lateral: RealArray
    agreement: RealArray


def lane_places(network: RoadNetwork, point: ArrayLike, yaw: ArrayLike) -> LanePlace:
    """The lane on which each pose stands, of several the one that agrees best with its heading.

    Args:
        network: the roads.
        point: `(N, 3)` or `(3,)` in map [m].
        yaw: `(N,)` or one, counter-clockwise from east [rad].
    """
    points = np.asarray(point, np.float64).reshape(-1, 3)
    heading = np.broadcast_to(np.asarray(yaw, np.float64), len(points))
    place = locate(network, points, heading, drivable_only=True, reach=_REACH)
    link = place.link.copy()
    pose = network.pose_at(np.maximum(link, 0), np.nan_to_num(place.s))
    link[np.abs(pose.point[:, 2] - points[:, 2]) > _LEVEL] = -1
    off = link < 0
    return LanePlace(
        link,
        np.where(off, math.nan, place.s),
        np.where(off, math.nan, place.lateral),
        np.where(off, math.nan, np.cos(heading - pose.heading)),
    )


def return_to_lanes(network: RoadNetwork, state: TrafficState, rows: ArrayLike) -> FlagArray:
    """Put vehicles that are OFF_LANE back on the lanes that they stand on, if they stand on them well enough.

    They stand still then, and drive on where they are; their bodies turn into the lane's direction at once, by less
    than 20°, and move back to its middle on their way.

    Args:
        network: the roads.
        state: the vehicles, writable.
        rows: `(N,)` of those that want to drive on.

    Returns:
        which of them could, `(N,)`; the others stay as they are.
    """
    chosen = np.asarray(rows, np.int64)
    yaw = state.yaw[chosen]
    ahead = state.wheelbase[chosen] + state.front_overhang[chosen]
    origin = np.column_stack((state.x[chosen], state.y[chosen], state.z[chosen]))
    front = origin + np.column_stack((ahead * np.cos(yaw), ahead * np.sin(yaw), np.zeros(len(chosen))))
    place, rear = lane_places(network, front, yaw), lane_places(network, origin, yaw)
    fits = (place.link >= 0) & (place.agreement > ALIGNED) & (np.abs(place.lateral) < BESIDE)
    fits &= state.present[chosen] == Presence.OFF_LANE
    back = chosen[fits]
    for column in (state.speed, state.acceleration, state.authority, state.patience, state.slide_x, state.slide_y):
        column[back] = 0.0
    state.present[back] = Presence.ON_LANE
    state.link[back], state.s[back] = place.link[fits], place.s[fits]
    state.lateral[back] = place.lateral[fits]
    state.change_from[back] = state.before_previous[back] = -1
    state.previous[back] = [
        link if link in network.predecessors.of(here) else -1
        for here, link in zip(place.link[fits].tolist(), rear.link[fits].tolist(), strict=True)
    ]
    return fits
