"""The lane under a vehicle, and the light that it faces."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.bridge.surroundings import NO_LANE, LightFinder, lane_under, light_type
from dorosim.road.signal import Light
from dorosim.world.vehicle.placement import new_vehicle_rows, place


def vehicle_at(x: float, y: float, z: float, yaw: float):
    state, _ = new_vehicle_rows([1], ["2016_Hyundai_Ioniq"])
    place(state, 0, (x, y, z), yaw)
    return state


def test_the_distances_are_those_of_the_network_itself(town):
    network = town.built.scene.network
    rng = np.random.default_rng(1)
    for link in rng.choice(np.flatnonzero(network.link_drivable), 60, replace=False):
        s, lateral = float(rng.uniform(1, network.link_length[link] - 1)), float(rng.uniform(-1, 1))
        pose = network.pose_at(link, s, lateral)
        x, y, z = pose.point[0].tolist()
        lane = lane_under(network, vehicle_at(x, y, z, float(pose.heading[0])), 0)
        left, right = network.boundary_distances(lane.link, lane.s, lane.lateral)
        assert (lane.left, lane.right) == pytest.approx((left[0], right[0]), abs=1e-9)


def test_far_from_every_lane_there_is_none(town):
    assert lane_under(town.built.scene.network, vehicle_at(5000.0, 0.0, 0.0, 0.0), 0) == NO_LANE


def light(*lamps: str) -> Light:
    return Light("A", (0.0, 0.0, 5.0), 0.0, lamps, "car", ())


@pytest.mark.parametrize(
    ("lamps", "code"),
    [
        (("red", "yellow", "straight"), 0),
        (("red", "yellow", "left"), 1),
        (("red", "yellow", "left", "straight"), 2),
        (("yellow", "yellow", "yellow"), 100),
        (("red", "yellow", "left", "right", "straight"), 2),
        ((), 0),
    ],
)
def test_the_products_types_follow_from_the_lamps(lamps, code):
    assert light_type(light(*lamps)) == code


def test_a_vehicle_before_a_stop_line_faces_the_light_of_its_lane(town):
    scene = town.built.scene
    network, finder = scene.network, LightFinder(scene)
    checked = 0
    for link in range(network.link_count):
        governed = network.signals.lights_of_link.of(link)
        cars = [int(row) for row in governed if network.signals.lights[row].kind == "car"]
        before = network.predecessors.of(link)
        if not cars or len(before) != 1:
            continue
        approach = int(before[0])
        pose = network.pose_at(approach, network.link_length[approach] - 5)
        x, y, z = pose.point[0].tolist()
        lane = lane_under(network, vehicle_at(x, y, z, float(pose.heading[0])), 0)
        faced = finder.faced(lane, x, y, float(pose.heading[0]))
        assert faced is not None
        found = network.signals.lights[faced.row]
        assert np.hypot(found.point[0] - x, found.point[1] - y) < 60
        assert np.cos(found.heading - float(pose.heading[0])) < 0, "it looks at the vehicle"
        checked += 1
    assert checked > 20
