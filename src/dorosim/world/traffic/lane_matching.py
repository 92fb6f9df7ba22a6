"""Finds the lane under a vehicle, and makes it a row of the traffic there."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.world.scene import Scene
from dorosim.world.traffic.placement import body_of, new_traffic
from dorosim.world.traffic.state import TrafficState

MAX_MATCHING_DISTANCE = 4.0
"""A vehicle farther than this from the centre of every lane [m] is on none."""
MAX_LANE_ANGLE = math.radians(60)
"""A vehicle that is turned farther than this from its lane [rad] does not drive on it."""


def lane_place(
    network: RoadNetwork, point: tuple[float, float, float], yaw: float, front: float
) -> tuple[int, float, float] | None:
    """Link, arc length of the front bumper [m] and lateral offset [m] of a vehicle on the lanes; None if it is on none.

    Args:
        network: the roads.
        point: body origin in map [m].
        yaw: of the body in map [rad].
        front: from the body origin to the front bumper [m].
    """
    if not network.link_count:
        return None
    found = locate(network, point, yaw, drivable_only=True, reach=MAX_MATCHING_DISTANCE)
    link, s = int(found.link[0]), float(found.s[0])
    if link < 0:
        return None
    heading = float(network.heading_at(np.array([link]), np.array([s]))[0])
    if abs(math.remainder(heading - yaw, math.tau)) > MAX_LANE_ANGLE:
        return None
    link, s = along_lane(network, link, s + front)
    return link, min(s, float(network.link_length[link])), float(found.lateral[0])


def along_lane(network: RoadNetwork, link: int, s: float) -> tuple[int, float]:
    """A place `s` along a link [m] as link and arc length, on the links after it where it is beyond its end.

    Where no link goes on, the arc length is greater than the link's length.
    """
    while s > network.link_length[link]:
        after = [int(one) for one in network.successors.of(link) if network.link_drivable[one]]
        if not after:
            break
        link, s = after[0], s - float(network.link_length[link])
    return link, s


MAX_FRONT_OFFSET = 3.0
"""A vehicle whose front is farther than this from where it would be on its lane [m] is turned away from it."""


def is_along_lane(
    network: RoadNetwork,
    point: tuple[float, float, float],
    yaw: float,
    front: float,
    place: tuple[int, float, float],
    aside: float,
) -> bool:
    """Whether a vehicle stands on its lane and along it, not across it.

    Args:
        network: the lanes.
        point: its origin in map [m].
        yaw: its heading [rad].
        front: from its origin to its front [m].
        place: on the lane, by `lane_place`.
        aside: how far it may be from the middle of the lane [m].
    """
    link, s, lateral = place
    if abs(lateral) > aside:
        return False
    lane = network.point_at(np.array([link]), np.array([s]), np.array([lateral]))[0]
    nose = (point[0] + front * math.cos(yaw), point[1] + front * math.sin(yaw))
    return math.dist(nose, lane[:2]) <= MAX_FRONT_OFFSET


def traffic_row_at(
    scene: Scene, actor: int, model: int, point: tuple[float, float, float], yaw: float, noise: Noise
) -> TrafficState | None:
    """A writable row of the traffic for a vehicle that stands somewhere, None if it is on no lane."""
    body = body_of(scene.models[model], model)
    place = lane_place(scene.network, point, yaw, body.wheelbase + body.front_overhang)
    if place is None:
        return None
    link, front, lateral = place
    row = new_traffic([actor], [body], np.array([link]), np.array([front]), noise)
    row.lateral[0] = lateral
    row.x[0], row.y[0], row.z[0], row.yaw[0] = *point, yaw
    return row
