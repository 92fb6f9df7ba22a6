"""How bodies stand on their lanes: lateral bias, long bodies in bends, slopes; and vehicles that are paused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.traffic.move_kernel import LANE_SIDE_MARGIN, LATERAL_BIAS_END
from dorosim.world.traffic.state import Presence
from dorosim.world.traffic.step import step_traffic
from tests.road.small_map import arc, network_of, straight
from tests.world.traffic.rig import BUS, CAR, corners, run_with

ROAD = network_of(straight("a", "A", "B", (0, 0, 0), (2000, 0, 0), 5.0, width_start=3.6, width_end=3.6))
REAR = CAR.wheelbase + CAR.front_overhang


def test_the_body_origin_is_the_rear_axle_behind_the_front_bumper():
    run = run_with(ROAD, [("a", 100.0)], speed=10.0)
    assert (run.state.x[0], run.state.y[0], run.state.yaw[0]) == pytest.approx((100.0 - REAR, 0.0, 0.0))
    run.step()
    assert run.state.x[0] == pytest.approx(run.state.s[0] - REAR)
    assert run.state.yaw_rate[0] == 0.0


@pytest.mark.parametrize("bias", [0.0, 0.3, -0.4])
def test_a_bias_is_kept_on_open_road(bias):
    run = run_with(ROAD, [("a", 100.0)], speed=12.0, lateral_bias=bias)
    for _ in range(300):
        run.step()
    assert run.state.y[0] == pytest.approx(bias * 1.8)
    seen = []
    for _ in range(200):
        run.step()
        seen.append(run.state.y[0])
    assert np.ptp(seen) < 1e-9


def test_a_bias_leads_nobody_off_his_lane_and_ends_before_junctions():
    run = run_with(ROAD, [("a", 100.0)], speed=12.0, lateral_bias=-1.0, desired_speed=1.0)
    lowest = 0.0
    while run.state.s[0] < 2000.0 - LATERAL_BIAS_END:
        run.step()
        lowest = min(lowest, float(run.state.y[0]))
    assert lowest == pytest.approx(-(1.8 - 0.5 * CAR.width - LANE_SIDE_MARGIN))
    while run.state.s[0] < 1999.0 and run.state.present[0] == Presence.ON_LANE:
        at = float(run.state.y[0])
        run.step()
    assert abs(at) < 0.2


def test_who_is_paused_stands_where_he_is_and_drives_on_afterwards():
    run = run_with(ROAD, [("a", 100.0), ("a", 60.0)], speed=10.0)
    run.step()
    run.state.paused[0] = 1
    at = float(run.state.x[0])
    for _ in range(200):
        run.step()
    assert run.state.x[0] == at
    assert (run.state.speed[0], run.state.acceleration[0], run.state.yaw_rate[0]) == (0.0, 0.0, 0.0)
    assert run.state.s[1] == pytest.approx(run.state.s[0] - CAR.length - 2.0, abs=0.5)
    run.state.paused[0] = 0
    for _ in range(200):
        run.step()
    assert run.state.speed.min() > 8.0


def test_who_is_paused_off_the_map_does_not_come_back():
    run = run_with(ROAD, [("a", 1995.0)], speed=12.0)
    for _ in range(10):
        run.step()
        run.state.paused[0] = int(run.state.present[0] == Presence.OFF_MAP)
    assert run.state.present[0] == Presence.OFF_MAP
    run.state.paused[0] = 0
    run.step()
    assert run.state.present[0] == Presence.ON_LANE


def test_a_slope_pitches_the_body():
    hill = network_of(straight("a", "A", "B", (0, 0, 0), (200, 0, 20), 5.0))
    run = run_with(hill, [("a", 100.0)], speed=10.0)
    run.step()
    assert run.state.pitch[0] == pytest.approx(-math.atan(0.1))
    assert run.state.z[0] == pytest.approx(0.1 * run.state.x[0])


def test_a_bus_in_a_bend_swings_out_as_little_as_it_can():
    radius = 16.0
    bend = network_of(arc("a", "A", "B", (0, 0), radius, 0, math.pi * 1.5, count=241))
    run = run_with(bend, [("a", 30.0)], bodies=BUS, speed=4.0)
    for _ in range(40):
        run.step()
        ends = np.hypot(*corners(run.state)[0].T)
        axis = [ends[[0, 1]], ends[[2, 3]]]
        # the middle of the bus is as far inside as its ends are outside: a chord of length L
        swing = BUS.length**2 / 16 / radius
        for pair in axis:
            assert pair.mean() == pytest.approx(radius + swing, abs=0.1)


def test_a_tick_of_no_duration_changes_nothing_but_poses():
    run = run_with(ROAD, [("a", 100.0)], speed=10.0)
    run.step()
    run.state.yaw_rate[:] = 0.0
    before = run.state.floats.tobytes(), run.state.ints.tobytes()
    permission = np.zeros(1, np.int64)
    step_traffic(run.plan, run.state, permission, dt=0.0, seed=1, turn=5, decision=0.0)
    assert (run.state.floats.tobytes(), run.state.ints.tobytes()) == before


def test_no_vehicles_and_no_lanes():
    run = run_with(ROAD, [])
    run.step()
    empty = run_with(network_of(), [])
    empty.step()
    assert len(empty.state) == 0
