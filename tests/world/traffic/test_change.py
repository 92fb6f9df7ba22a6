"""Lane changes: MOBIL, the map's permissions, and what routes ask for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.route import Router
from dorosim.world.traffic.route import RouteTable, set_route
from dorosim.world.traffic.state import Obstruction, SpeedMode
from tests.road.small_map import network_of, straight
from tests.world.traffic.rig import ALIKE, CAR, overlaps, run_with

LENGTH, S0, T, A, B = CAR.length, 2.0, 1.5, 1.4, 2.0


def road(to_left=True, to_right=True, length=1200.0):
    """Two lanes side by side; the right one's id is "right"."""
    return network_of(
        straight(
            "right", "A", "B", (0, 0, 0), (length, 0, 0), 5.0, max_speed=72, can_move_left_lane=to_left,
            left_lane_change_dst_link_idx="left", width_start=3.2, width_end=3.2,
        ),
        straight(
            "left", "C", "D", (0, 3.2, 0), (length, 3.2, 0), 5.0, max_speed=72, can_move_right_lane=to_right,
            right_lane_change_dst_link_idx="right", width_start=3.2, width_end=3.2,
        ),
    )  # fmt: skip


ROAD = road()


def interaction(gap, speed, ahead) -> float:
    """What the IDM takes off for the one ahead."""
    return A * ((S0 + max(0.0, speed * T + speed * (speed - ahead) / (2 * math.sqrt(A * B)))) / gap) ** 2


def changes(run, seconds=1.0) -> bool:
    """Whether the first vehicle begins a change within a time."""
    link = run.state.link[0]
    for _ in range(round(seconds / run.dt)):
        run.step()
        if run.state.link[0] != link:
            return True
    return False


def test_a_fast_driver_overtakes_a_slow_one_and_his_body_moves_over_evenly():
    run = run_with(
        ROAD, [("right", 50.0), ("right", 110.0)], speed=[20.0, 8.0], speed_mode=SpeedMode.CONSTANT,
        desired_speed=[20.0, 8.0], may_change=[1, 0],
    )  # fmt: skip
    aside, yaw = [], []
    for _ in range(400):
        run.step()
        aside.append(run.state.y[0])
        yaw.append(run.state.yaw[0])
        assert not overlaps(run.state)
        if run.state.s[0] > 1000:
            break
    assert max(aside) == pytest.approx(3.2, abs=1e-6)
    assert np.abs(np.diff(aside)).max() < 0.2
    assert np.abs(yaw).max() < 0.15
    assert run.state.s[0] > run.state.s[1] + 50


def test_nobody_changes_for_less_than_the_threshold():
    """With an equal leader on both lanes there is nothing to win."""
    places = [("right", 100.0), ("right", 140.0), ("left", 140.0)]
    run = run_with(ROAD, places, speed=12.0, speed_mode=SpeedMode.CONSTANT, desired_speed=15.0, may_change=[1, 0, 0])
    assert not changes(run, 5.0)


@pytest.mark.parametrize("margin", [-0.15, 0.15])
def test_the_incentive_is_that_of_the_model(margin):
    """The own advantage must exceed the threshold by what it costs the new follower times the politeness."""
    speed, gap = 10.0, 25.0
    win = interaction(gap, speed, speed)
    back = 16.0
    loss = interaction(back, speed, speed)
    threshold = win - ALIKE.politeness * loss - margin
    places = [("right", 500.0), ("right", 500.0 + gap + LENGTH), ("left", 500.0 - LENGTH - back)]
    run = run_with(
        ROAD, places, speed=speed, speed_mode=SpeedMode.CONSTANT, desired_speed=20.0, may_change=[1, 0, 0],
        change_threshold=threshold,
    )  # fmt: skip
    run.turn = (5 - int(run.state.id[0])) % 5
    assert changes(run, 0.1) == (margin > 0)


@pytest.mark.parametrize(("back", "safe"), [(13.0, True), (7.5, False), (0.5, False), (-3.0, False)])
def test_nobody_cuts_in_where_the_follower_had_to_brake_hard(back, safe):
    """MOBIL's b_safe is 4 m/s²."""
    speed = 10.0
    assert back < 1 or (interaction(back, speed, speed) < 4.0) == safe
    places = [("right", 500.0), ("right", 512.0 + LENGTH), ("left", 500.0 - LENGTH - back)]
    run = run_with(
        ROAD, places, speed=speed, speed_mode=SpeedMode.CONSTANT, desired_speed=20.0, may_change=[1, 0, 0],
        politeness=0.0,
    )  # fmt: skip
    run.turn = (5 - int(run.state.id[0])) % 5
    assert changes(run, 0.1) == safe


def test_a_polite_driver_stays_where_a_selfish_one_goes():
    found = []
    for politeness in (0.0, 1.0):
        places = [("right", 500.0), ("right", 530.0 + LENGTH), ("left", 500.0 - LENGTH - 14.0)]
        run = run_with(
            ROAD, places, speed=10.0, speed_mode=SpeedMode.CONSTANT, desired_speed=20.0, may_change=[1, 0, 0],
            politeness=politeness,
        )  # fmt: skip
        run.turn = (5 - int(run.state.id[0])) % 5
        found.append(changes(run, 0.1))
    assert found == [True, False]


@pytest.mark.parametrize("allowed", [False, True])
def test_the_map_says_where_one_may_change(allowed):
    run = run_with(
        road(to_left=allowed), [("right", 50.0), ("right", 90.0)], speed=[18.0, 6.0],
        speed_mode=SpeedMode.CONSTANT, desired_speed=[20.0, 6.0], may_change=[1, 0],
    )  # fmt: skip
    assert changes(run, 20.0) == allowed


def test_who_may_not_change_for_himself_stays_behind():
    run = run_with(
        ROAD, [("right", 50.0), ("right", 90.0)], speed=[18.0, 6.0],
        speed_mode=SpeedMode.CONSTANT, desired_speed=[20.0, 6.0], may_change=0,
    )  # fmt: skip
    assert not changes(run, 20.0)


def test_a_route_asks_for_a_change_that_does_not_pay():
    run = run_with(ROAD, [("right", 50.0)], speed=15.0, may_change=0)
    routes = set_route(Router(ROAD), run.state, RouteTable.from_lists([]), 0, np.array([0, 1]))
    for _ in range(50):
        run.step(routes=routes)
    assert run.name(0) == "left"
    assert run.state.cursor[0] == 1


def test_who_needs_a_change_waits_for_a_gap_before_the_lane_ends():
    """The left lane is full of slow cars; the first vehicle's route leads into it."""
    short = road(length=500.0)
    column = [("left", 30.0 + 11.0 * number) for number in range(42)]
    speeds = [12.0] + [3.0] * 42
    run = run_with(
        short, [("right", 300.0), *column], speed=speeds, speed_mode=SpeedMode.CONSTANT, desired_speed=speeds,
        may_change=0,
    )  # fmt: skip
    routes = set_route(Router(short), run.state, RouteTable.from_lists([]), 0, np.array([0, 1]))
    for _ in range(1200):
        run.step(routes=routes)
        assert not overlaps(run.state)
        if run.name(0) == "left":
            break
    assert run.name(0) == "left"
    assert run.state.present[0] == 1


def test_two_vehicles_do_not_change_into_the_same_gap():
    lanes = network_of(
        *(
            straight(
                name, f"{name}1", f"{name}2", (0, 3.2 * k, 0), (1000, 3.2 * k, 0), 5.0, max_speed=72,
                can_move_left_lane=k < 2, can_move_right_lane=k > 0,
                left_lane_change_dst_link_idx=f"lane{k + 1}" if k < 2 else None,
                right_lane_change_dst_link_idx=f"lane{k - 1}" if k else None,
            )
            for k, name in enumerate(("lane0", "lane1", "lane2"))
        )
    )  # fmt: skip
    places = [("lane0", 100.0), ("lane2", 100.0), ("lane0", 125.0), ("lane2", 125.0)]
    for first in range(5):
        run = run_with(
            lanes, places, speed=[15.0, 15.0, 7.0, 7.0], speed_mode=SpeedMode.CONSTANT,
            desired_speed=[18.0, 18.0, 7.0, 7.0], may_change=[1, 1, 0, 0],
        )  # fmt: skip
        run.state.id[:] = [5, 10, 15, 20]
        run.turn = first
        for _ in range(200):
            run.step()
            assert not overlaps(run.state)


def test_an_obstacle_in_the_lane_is_driven_around_sooner_where_the_map_lets_one_change():
    cone = Obstruction.zeros(1)
    cone.rear[0], cone.front[0], cone.right[0], cone.left[0] = 400.0, 402.0, -0.5, 0.5
    for allowed in (True, False):
        run = run_with(road(to_left=allowed), [("right", 200.0)], speed=15.0)
        passed, slowest = 0, 99.0
        while run.state.s[0] < 410.0:
            run.step(obstruction=cone)
            passed, slowest = passed + 1, min(slowest, float(run.state.speed[0]))
        assert (slowest > 5.0) == allowed
        assert passed < 250
