"""The lanes around a vehicle that is stuck: where it may drive, and where it could go on."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.road.network import RoadNetwork
from dorosim.world.scene import Scene
from dorosim.world.traffic.lane_matching import along_lane
from dorosim.world.traffic.manoeuvre_kernel import BOX, GOAL, MANOEUVRE_HORIZON, ManoeuvreGoal
from dorosim.world.traffic.road import LINK
from dorosim.world.traffic.state import TrafficState

LANE_SAMPLE = 1.0
"""Distance between places of a lane [m]."""

VERGE = 4.0
"""A vehicle that manoeuvres may leave the lanes by this [m]."""

FREE_AHEAD, OTHER_FREE_AHEAD = 50.0, 25.0
"""A lane along which a vehicle would go on is free so far ahead [m], and one that leads another way."""

TURNING_COST = 15.0
"""How much longer a way to a lane that leads another way seems than it is [m]."""

_LEVEL = 3.0
_BESIDE = 1.3
_MAX_LINKS_AHEAD = 4


def lanes_around(scene: Scene, traffic: TrafficState, row: int, stands: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where a manoeuvre may end, `(4, N)` of `ManoeuvreGoal`, and `(3, M)` places of lanes and the room around them.

    Args:
        scene: the lanes.
        traffic: the vehicles.
        row: the one that is stuck.
        stands: `(5, K)` of `ManoeuvreBox`: the bodies that stand around it.
    """
    network, road = scene.network, scene.traffic_plan.road
    place = np.array((traffic.x[row], traffic.y[row], traffic.z[row]), np.float64)
    lanes, goals = [], []
    front = float(traffic.wheelbase[row] + traffic.front_overhang[row])
    taken: dict[int, float] = {}
    for link in _links_near(scene, place):
        s = np.arange(0.0, network.link_length[link], LANE_SAMPLE)
        pose = network.pose_at(np.full(len(s), link), s)
        at = pose.point - place + (MANOEUVRE_HORIZON, MANOEUVRE_HORIZON, 0.0)
        good = (np.abs(at[:, :2] - MANOEUVRE_HORIZON) < MANOEUVRE_HORIZON).all(axis=1) & (np.abs(at[:, 2]) < _LEVEL)
        lanes.append(np.vstack((at[good, :2].T, np.full(good.sum(), road.half_width[link] + VERGE))))
        blocked = _blocked(at, stands)
        if road.link_ints[link, LINK.conflicting] == 1:
            continue
        free = _free_ahead(scene, link, s, blocked, place, stands, taken)
        along = np.cos(pose.heading - float(traffic.yaw[row])) > 0.5
        good &= free > np.where(along, FREE_AHEAD, OTHER_FREE_AHEAD)
        good &= _front_is_free(scene, link, s, front)
        goal = np.empty((ManoeuvreGoal.float_width, int(good.sum())))
        goal[GOAL.x], goal[GOAL.y], goal[GOAL.yaw] = at[good, 0], at[good, 1], pose.heading[good]
        goal[GOAL.cost] = np.where(along[good], 0.0, TURNING_COST)
        goals.append(goal)
    ends = np.hstack([np.empty((ManoeuvreGoal.float_width, 0)), *goals])
    return np.ascontiguousarray(ends), np.ascontiguousarray(np.hstack([np.empty((3, 0)), *lanes]))


def _links_near(scene: Scene, place: FloatArray) -> list[int]:
    """Rows of the links whose bounds come near a place, in their order."""
    lines, reach = scene.network.lines, MANOEUVRE_HORIZON
    first = lines.first[:-1]
    low, high = (pick.reduceat(lines.points[:, :2], first, axis=0) for pick in (np.minimum, np.maximum))
    near = ((low < place[:2] + reach) & (high > place[:2] - reach)).all(axis=1) & scene.network.link_drivable
    return [int(link) for link in np.flatnonzero(near)]


def _blocked(at: FloatArray, stands: FloatArray) -> np.ndarray:
    """Which places `(S, 3)` of a lane bodies stand on that would touch a vehicle there."""
    dx, dy = at[:, None, 0] - stands[BOX.x], at[:, None, 1] - stands[BOX.y]
    c, s = np.cos(stands[BOX.yaw]), np.sin(stands[BOX.yaw])
    along, aside = np.abs(c * dx + s * dy), np.abs(c * dy - s * dx)
    found = (along < stands[BOX.half_length] + _BESIDE) & (aside < stands[BOX.half_width] + _BESIDE)
    return np.asarray(found.any(axis=1))


def _free_ahead(
    scene: Scene,
    link: int,
    s: FloatArray,
    blocked: np.ndarray,
    place: FloatArray,
    stands: FloatArray,
    taken: dict[int, float],
) -> FloatArray:
    """`(S,)` how far ahead of each place the lane is free, on the links after it too [m]."""
    network = scene.network
    beyond = max((_first_taken(network, one, place, stands, taken, 1) for one in _after(network, link)), default=np.inf)
    following = np.where(blocked, s, np.inf)
    following = np.minimum.accumulate(following[::-1])[::-1]
    found: FloatArray = np.minimum(following, float(network.link_length[link]) + beyond) - s
    return found


def _first_taken(
    network: RoadNetwork, link: int, place: FloatArray, stands: FloatArray, taken: dict[int, float], depth: int
) -> float:
    """Where the first body stands on a link or those after it [m]; infinite for none."""
    if link not in taken:
        s = np.arange(0.0, network.link_length[link], LANE_SAMPLE)
        at = network.point_at(np.full(len(s), link), s, np.zeros(len(s))) - place
        middle = np.array((MANOEUVRE_HORIZON, MANOEUVRE_HORIZON, 0.0))
        blocked = _blocked(at + middle, stands) & (np.abs(at[:, 2]) < _LEVEL)
        taken[link] = float(s[blocked][0]) if blocked.any() else np.inf
    if np.isfinite(taken[link]) or depth >= _MAX_LINKS_AHEAD:
        return taken[link]
    beyond = [_first_taken(network, one, place, stands, taken, depth + 1) for one in _after(network, link)]
    return float(network.link_length[link]) + max(beyond, default=np.inf)


def _after(network: RoadNetwork, link: int) -> list[int]:
    return [int(one) for one in network.successors.of(link) if network.link_drivable[one]]


def _front_is_free(scene: Scene, link: int, s: FloatArray, front: float) -> np.ndarray:
    """`(S,)` whether a vehicle whose rear axle is at a place has its front on a lane that conflicts with none."""
    network, ints = scene.network, scene.traffic_plan.road.link_ints
    length = float(network.link_length[link])
    found = s + front <= length
    for at in np.flatnonzero(~found).tolist():
        there, nose = along_lane(network, link, float(s[at]) + front)
        after = there in network.successors.of(link)
        found[at] = after and nose <= network.link_length[there] and ints[there, LINK.conflicting] == 0
    return np.asarray(found)
