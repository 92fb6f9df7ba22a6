"""A driver that knows ROS messages alone follows a path: it is how most clients of the product are made.

It steers by pure pursuit (Coulter, 1992) with the heading in degrees from east, the speed in m/s as velocity.x, and
wheel angles in radians, left positive; with a sign or a unit of another kind it leaves the path within seconds.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.bridge.ros.stage import RosStage
from tests.world.world import town_scene

WHEELBASE = 2.7
"""Of the ego vehicle [m], as the client knows it from /Service_MoraiVehicleSpec."""


def path_of(network, link: int, length: float) -> np.ndarray:
    """Points along a link and those after it, half a metre apart [m], that turns wherever it can."""
    points, done = [], 0.0
    while done < length:
        whole = float(network.link_length[link])
        points += [network.pose_at(link, s).point[0, :2] for s in np.arange(0.0, whole, 0.5)]
        done += whole
        link = max(network.successors.of(link).tolist(), key=lambda after: turn_of(network, after))
    return np.array(points)


def turn_of(network, link: int) -> float:
    """By how much a link turns, to either side [rad]."""
    ends = [float(network.pose_at(link, s).heading[0]) for s in (0.0, float(network.link_length[link]) - 0.01)]
    return abs(math.remainder(ends[1] - ends[0], math.tau))


@pytest.mark.parametrize("generation", ["2022", "2024", "26.r1"])
def test_a_driver_follows_a_path_by_messages_alone(generation):
    network = town_scene().network
    start = int(np.flatnonzero(network.link_drivable)[0])
    path = path_of(network, start, 250.0)
    pose = network.pose_at(start, 0.0)
    place = (*path[0], float(pose.point[0, 2]))
    stage = RosStage(network, generation=generation, egos=(("2016_Hyundai_Ioniq", place, float(pose.heading[0])),))
    assert stage.call("vehicle_spec").wheel_base == pytest.approx(WHEELBASE, abs=0.05)
    steer_field = "front_steer" if generation == "26.r1" else "steering"
    worst, turned, reached = 0.0, 0.0, 0
    for _ in range(2500):
        told = stage.told("ego")
        here = np.array((told.position.x, told.position.y))
        gaps = np.hypot(*(path[reached : reached + 40] - here).T)
        reached += int(np.argmin(gaps))
        worst = max(worst, float(gaps.min()))
        target = path[min(reached + round(2.0 * max(2.0, 0.6 * told.velocity.x)), len(path) - 1)] - here
        ahead = math.remainder(math.atan2(target[1], target[0]) - math.radians(told.heading), math.tau)
        steer = math.atan2(2.0 * WHEELBASE * math.sin(ahead), math.hypot(*target))
        assert stage.send("ctrl_cmd", longlCmdType=2, velocity=20.0, **{steer_field: steer}) == []
        stage.ticks(3)
        turned += abs(steer) * 0.03
        if reached > len(path) - 20:
            break
    assert reached > 400, "it gets on"
    assert turned > 0.5, "there are turns in the path"
    assert worst < 1.0
