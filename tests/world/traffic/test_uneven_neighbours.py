"""Lane changes between lanes that do not begin and end side by side: nobody jumps, nobody drives backwards."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.traffic.insertion_gap import room_at
from dorosim.world.traffic.lane_insertion import rear_of_next
from dorosim.world.traffic.placement import CAR
from dorosim.world.traffic.state import Presence
from tests.road.small_map import arc, network_of, straight
from tests.road.uneven_ring import MAPS, ring
from tests.world.traffic.rig import overlaps, run_on, run_with

TICK = 0.01
DECIDE_EVERY = 10


def drive(network, seconds, seed=3, count=50):
    """Run traffic and look at each tick; returns the number of lane changes, and the worst of what is measured."""
    run = run_on(network, count, seed, bodies=(CAR,), dt=TICK)
    state = run.state
    state.desired_speed[:] = np.linspace(0.4, 1.3, count)
    worst = np.zeros(2)
    begun = 0
    for tick in range(round(seconds / TICK)):
        x, y, yaw, was, old = (
            state.x.copy(), state.y.copy(), state.yaw.copy(), state.present.copy(), state.change_from.copy()
        )  # fmt: skip
        run.turn = tick // DECIDE_EVERY
        run.step(decision=TICK * DECIDE_EVERY if tick % DECIDE_EVERY == 0 else 0.0)
        there = (was == Presence.ON_LANE) & (state.present == Presence.ON_LANE)
        dx, dy = (state.x - x)[there], (state.y - y)[there]
        told = state.speed[there] * TICK
        ahead = dx * np.cos(yaw[there]) + dy * np.sin(yaw[there])
        off = np.abs(np.hypot(dx, dy) - told)
        worst = np.maximum(worst, (off.max(), -ahead.min()))
        begun += int(((state.change_from >= 0) & (old < 0)).sum())
        if tick % 100 == 0:
            assert not overlaps(state)
    return begun, *worst.tolist()


@pytest.mark.parametrize("seconds", [150.0, pytest.param(600.0, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", MAPS)
def test_nobody_moves_otherwise_than_told_and_nobody_backwards(name, seconds):
    begun, off, back = drive(MAPS[name](), seconds)
    assert begun > seconds / 30.0
    assert off <= 0.05
    assert back <= 0.05
    # what is left is the way aside; a metre on one lane is never more than one on the other
    assert off <= 0.01


def test_nobody_changes_to_a_lane_that_lies_elsewhere():
    """The map names a lane on the far side of the ring."""
    network = ring(range(0, 1200, 300), range(0, 1200, 300), {"R0": "L2", "L0": "R2"})
    assert drive(network, 60.0)[0] == 0


def two_straight_lanes(begin, end):
    """The right lane from 0 to 400 m, the left one beside it from `begin` to `end`, 3.5 m off."""
    return network_of(
        straight(
            "right", "A", "B", (0, 0, 0), (400, 0, 0), max_speed=50, width_start=3.5, width_end=3.5,
            can_move_left_lane=True, left_lane_change_dst_link_idx="left",
        ),
        straight(
            "left", "C", "D", (begin, 3.5, 0), (end, 3.5, 0), max_speed=50, width_start=3.5, width_end=3.5,
            can_move_right_lane=True, right_lane_change_dst_link_idx="right",
        ),
    )  # fmt: skip


def overtaker(begin, end, s, leader):
    """A fast driver behind a slow one on the right lane; where he begins his change, and where he has ended it [m]."""
    run = run_with(
        two_straight_lanes(begin, end), [("right", s), ("right", leader)], speed=[12.0, 4.0], desired_speed=[1.0, 0.25],
        may_change=[1, 0],
    )  # fmt: skip
    first = last = math.nan
    for _ in range(500):
        before = float(run.state.x[0])
        run.step()
        if run.state.present[0] != Presence.ON_LANE:
            break
        assert abs(run.state.x[0] - before - run.state.speed[0] * run.dt) < 0.05
        if run.state.change_from[0] >= 0:
            first, last = before if math.isnan(first) else first, float(run.state.x[0])
    return first, last


def test_a_change_begins_where_the_other_lane_does_and_ends_before_that_ends():
    first, last = overtaker(100.0, 500.0, 60.0, 110.0)
    assert 100.0 < first + CAR.wheelbase + CAR.front_overhang < 140.0
    first, last = overtaker(0.0, 150.0, 20.0, 60.0)
    assert last < 150.0
    # what is left of the lane is too short for a change: 12 m or three seconds, and the body
    assert math.isnan(overtaker(0.0, 70.0, 30.0, 70.0)[0])
    assert math.isnan(overtaker(395.0, 800.0, 300.0, 330.0)[0])


def test_a_change_in_a_narrow_bend_begins_without_a_jump():
    """In a ring of 30 m the inner lane is an eighth shorter than the outer one."""
    turn, radius = 1.9 * math.pi, 30.0
    outer = arc(
        "outer", "A", "B", (0, 0), radius, 0.0, turn, count=200, max_speed=30, width_start=3.5, width_end=3.5,
        can_move_left_lane=True, left_lane_change_dst_link_idx="inner",
    )  # fmt: skip
    inner = arc("inner", "C", "D", (0, 0), radius - 3.5, 0.0, turn, count=200, max_speed=30)
    run = run_with(
        network_of(outer, inner), [("outer", 10.0), ("outer", 24.0)], dt=TICK, speed=[5.0, 1.0],
        desired_speed=[1.0, 0.1], may_change=[1, 0],
    )  # fmt: skip
    changed, worst = False, 0.0
    for tick in range(600):
        x, y = float(run.state.x[0]), float(run.state.y[0])
        run.turn = tick // DECIDE_EVERY
        run.step(decision=TICK * DECIDE_EVERY if tick % DECIDE_EVERY == 0 else 0.0)
        changed |= run.state.change_from[0] >= 0
        way = math.hypot(run.state.x[0] - x, run.state.y[0] - y)
        worst = max(worst, abs(way - run.state.speed[0] * TICK))
    assert changed
    assert worst < 0.02


def test_whoever_comes_in_sees_those_who_are_leaving_a_lane_where_they_are():
    """A vehicle 10 m on along the left lane is 110 m along the right one, which it leaves."""
    network = two_straight_lanes(100.0, 500.0)
    run = run_with(network, [("left", 10.0)], speed=0.0, change_start=10.0, change_length=12.0)
    run.state.change_from[0] = network.link_index("right")
    right = network.link_index("right")
    assert not room_at(run.plan, run.state, right, 112.0, CAR.length)
    assert room_at(run.plan, run.state, right, 20.0, CAR.length)
    assert rear_of_next(network, run.state, right, 112.0, CAR.length) == pytest.approx(110.0 - CAR.length)
    assert rear_of_next(network, run.state, right, 20.0, CAR.length) is None
