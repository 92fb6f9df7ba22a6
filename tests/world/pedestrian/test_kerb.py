"""People wait out of the way of vehicles that turn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.mgeo.record import SingleCrosswalk
from dorosim.road.network import network_from_mgeo
from dorosim.world.pedestrian.kerb import (
    BUS_LENGTH,
    BUS_WIDTH,
    KERB_STEP,
    MIN_KERB_DISTANCE,
    WAITING_BODY_ROOM,
    waiting_distances,
)
from tests.road.small_map import map_of, straight
from tests.world.pedestrian.rig import road


def test_beside_a_straight_lane_one_waits_at_the_edge():
    assert waiting_distances(road()).tolist() == [MIN_KERB_DISTANCE]


@pytest.mark.parametrize("edge", [-1.2, -1.7])
def test_one_is_out_of_the_way_of_a_lane_that_is_nearer_than_the_edge(edge):
    """A crosswalk that ends `edge` beside the middle of a lane: a bus and a person need 1.75 m."""
    ring = np.array([[48.0, edge, 0], [52, edge, 0], [52, 4, 0], [48, 4, 0]])
    lane = straight("lane", "A", "B", (0, 0, 0), (100, 0, 0))
    network = network_from_mgeo(map_of(lane, single_crosswalks=[SingleCrosswalk(idx="SCW", points=ring)]))
    found = float(waiting_distances(network)[0])
    assert found - KERB_STEP <= max(0.5 * BUS_WIDTH + WAITING_BODY_ROOM + edge, MIN_KERB_DISTANCE) <= found + 1e-9


def test_the_end_of_a_bus_swings_out_of_a_bend():
    """Where quarter points follow a bend of 10 m, the ends of 12 m are 0.9 m farther out."""
    angle = np.linspace(-math.pi / 2, math.pi / 2, 200)
    lane = straight("lane", "A", "B", (0, 0, 0), (100, 0, 0))
    lane.points = np.column_stack((50 + 10 * np.cos(angle), 10 * np.sin(angle), np.zeros(200)))
    ring = np.array([[55.0, -2, 0], [61.5, -2, 0], [61.5, 2, 0], [55, 2, 0]])
    network = network_from_mgeo(map_of(lane, single_crosswalks=[SingleCrosswalk(idx="SCW", points=ring)]))
    swing = BUS_LENGTH**2 / (16 * 10.0)
    needed = 60.0 + 0.5 * BUS_WIDTH + swing + WAITING_BODY_ROOM - 61.5
    assert float(waiting_distances(network)[0]) == pytest.approx(needed, abs=1.5 * KERB_STEP)
