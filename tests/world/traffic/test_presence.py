"""Vehicles that leave the map, that are knocked off their lanes, and plans of egos that stay."""

from __future__ import annotations

import numpy as np

from dorosim.world.traffic.state import Obstruction, Presence
from tests.road.small_map import network_of, straight
from tests.world.traffic.rig import run_with

ROAD = network_of(straight("a", "A", "B", (0, 0, 0), (200, 0, 0)), straight("b", "B", "C", (200, 0, 0), (400, 0, 0)))


def test_who_comes_to_a_dead_end_of_the_map_comes_back_where_a_lane_begins():
    run = run_with(ROAD, [("b", 150.0)], speed=10.0)
    seen = []
    for _ in range(200):
        run.step()
        seen.append((int(run.state.present[0]), int(run.state.link[0])))
    gone = seen.index((Presence.OFF_MAP, 1))
    back = seen.index((Presence.ON_LANE, 0))
    assert gone < back <= gone + 5


def test_the_plan_of_an_ego_stops_at_a_dead_end_and_stays_there():
    run = run_with(ROAD, [("a", 20.0)], plan_of_ego=1)
    hardest = 0.0
    for _ in range(1200):
        run.step()
        hardest = min(hardest, run.state.acceleration[0])
    assert run.state.present[0] == Presence.ON_LANE
    assert run.state.link[0] == 1
    assert run.state.speed[0] < 0.01
    assert 195.0 < run.state.s[0] < 200.0
    assert hardest > -3.0


def test_a_plan_of_an_ego_put_right_at_a_dead_end_does_not_leave_the_map():
    run = run_with(ROAD, [("b", 199.0)], plan_of_ego=1, speed=13.0)
    for _ in range(50):
        run.step()
    assert run.state.present[0] == Presence.ON_LANE
    assert run.state.s[0] <= 200.0
    assert run.state.speed[0] == 0.0


def test_who_is_knocked_off_his_lane_is_left_alone_and_hinders_only_as_an_obstruction():
    run = run_with(ROAD, [("a", 100.0), ("a", 50.0)], speed=10.0)
    run.step()
    run.state.present[0] = Presence.OFF_LANE
    before = run.state.floats[:, 0].copy(), run.state.ints[:, 0].copy()
    for _ in range(150):
        run.step()
    np.testing.assert_array_equal(run.state.floats[:, 0], before[0])
    np.testing.assert_array_equal(run.state.ints[:, 0], before[1])
    assert run.state.x[1] > run.state.x[0] + 20.0


def test_who_finds_the_edge_of_the_map_full_comes_in_inside_it_after_a_while():
    run = run_with(ROAD, [("b", 199.0)], speed=10.0)
    wall = Obstruction.zeros(1)
    wall.link[0], wall.rear[0], wall.front[0], wall.right[0], wall.left[0] = 0, 2.0, 6.0, -1.0, 1.0
    seen = []
    for _ in range(400):
        run.step(obstruction=wall)
        seen.append((int(run.state.present[0]), int(run.state.link[0])))
    gone = seen.index((Presence.OFF_MAP, 1))
    back = gone + [present for present, _ in seen[gone:]].index(Presence.ON_LANE)
    assert 9.0 < (back - gone) * run.dt < 15.0
    assert seen[back] == (Presence.ON_LANE, 1)


def test_nobody_comes_in_inside_the_map_before_somebody_who_had_to_brake():
    run = run_with(ROAD, [("b", 199.0), ("a", 190.0)], speed=[10.0, 13.0])
    wall = Obstruction.zeros(1)
    wall.link[0], wall.rear[0], wall.front[0], wall.right[0], wall.left[0] = 0, 2.0, 6.0, -1.0, 1.0
    run.step(obstruction=wall)
    run.state.patience[0] = 100.0
    for _ in range(100):
        run.step(obstruction=wall)
        assert run.state.acceleration.min() > -3.0
        if run.state.present[0] == Presence.ON_LANE and run.state.present[1] == Presence.ON_LANE:
            assert abs(run.state.x[0] - run.state.x[1]) > 10.0
