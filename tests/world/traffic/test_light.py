"""Lights: red, yellow, green, a turn on red, and what a queue does at them."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.mapmaking.track import grid_map
from dorosim.road.mgeo.record import TrafficLightRecord
from dorosim.road.network import network_from_mgeo
from dorosim.world.signal.permission import Permission
from dorosim.world.traffic.conflict_kernel import PRIORITY_WAITING_TIME
from dorosim.world.traffic.junction_kernel import RED_DECELERATION, YELLOW_DECELERATION
from dorosim.world.traffic.state import SpeedMode, Waiting
from tests.road.small_map import map_of, straight
from tests.world.traffic.rig import MIXED, overlaps, run_on, run_with

LIT = TrafficLightRecord(idx="TL", point=(0, 0, 5), link_id_list=["over"], sub_type=["red", "yellow", "straight"])
ROAD = network_from_mgeo(
    map_of(
        straight("in", "A", "B", (0, 0, 0), (300, 0, 0), max_speed=72),
        straight("over", "B", "C", (300, 0, 0), (320, 0, 0), max_speed=72, related_signal="straight"),
        straight("out", "C", "D", (320, 0, 0), (600, 0, 0), max_speed=72),
        traffic_lights=[LIT],
    )
)
LINE = 300.0


def light(permission) -> np.ndarray:
    """Permissions of the three links."""
    found = np.zeros(3, np.int64)
    found[ROAD.link_index("over")] = permission
    return found


def place(run) -> float:
    """Where the first vehicle's front is along the road."""
    return float(run.state.s[0] + (0, 300, 320)[run.state.link[0]])


def drive(s, speed, permission, seconds=20.0) -> tuple[float, float]:
    """Where a car comes to, and its hardest braking."""
    run = run_with(ROAD, [("in", s)], speed=speed, speed_mode=SpeedMode.CONSTANT, desired_speed=20.0)
    hardest = 0.0
    for _ in range(round(seconds / run.dt)):
        run.step(light(permission))
        hardest = min(hardest, float(run.state.acceleration[0]))
        if place(run) > 400:
            break
    return place(run), hardest


@pytest.mark.parametrize("permission", [Permission.FREE, Permission.GO, Permission.YIELD])
def test_green_is_passed_without_braking(permission):
    at, hardest = drive(150.0, 15.0, permission)
    assert at > 400
    assert hardest >= 0.0


def test_red_is_waited_for_at_the_line():
    at, hardest = drive(100.0, 18.0, Permission.STOP, 40.0)
    assert LINE - 1.5 < at < LINE
    assert hardest > -2.5


@pytest.mark.parametrize("permission", [Permission.CLEAR, Permission.STOP])
@pytest.mark.parametrize("speed", [5.0, 10.0, 15.0, 20.0])
def test_nobody_passes_who_could_stop_and_nobody_stops_who_could_not(permission, speed):
    limit = YELLOW_DECELERATION if permission == Permission.CLEAR else RED_DECELERATION
    way = speed**2 / (2 * limit)
    passed, _ = drive(LINE - 0.9 * way, speed, permission)
    stopped, _ = drive(LINE - 1.15 * way - 1.0, speed, permission)
    assert passed > 400
    assert stopped < LINE


def test_at_yellow_those_who_can_stop_do_and_the_others_are_through_before_red():
    """All over the approach: yellow for 3 s, then red."""
    for s in np.arange(180.0, 299.0, 4.0):
        run = run_with(ROAD, [("in", float(s))], speed=14.0, speed_mode=SpeedMode.CONSTANT, desired_speed=14.0)
        at_red = None
        for tick in range(200):
            run.step(light(Permission.CLEAR if tick < 30 else Permission.STOP))
            if tick == 30:
                at_red = place(run)
        assert (place(run) < LINE) == (at_red < LINE)
        assert (place(run) < LINE) == (14.0**2 / (2 * (LINE - s)) <= YELLOW_DECELERATION)


def test_a_queue_waits_bumper_to_bumper_and_starts_one_after_the_other():
    run = run_with(ROAD, [("in", 60.0 + 25.0 * n) for n in range(8)], speed=10.0)
    for _ in range(600):
        run.step(light(Permission.STOP))
    assert run.state.speed.max() < 0.05
    gaps = np.diff(run.state.s) - 4.6
    assert 1.5 < gaps.min() <= gaps.max() < 3.0
    crossed = []
    for tick in range(220):
        before = run.state.link.copy()
        run.step(light(Permission.GO))
        crossed += [tick * run.dt] * int(((before == 0) & (run.state.link == 1)).sum())
    headway = np.diff(crossed)
    assert len(crossed) == 8
    # the IDM's drivers start one after the other; later headways come down to T + (l + s0) / v
    assert (np.diff(headway) < 0.15).all()
    assert 1.9 < headway[-1] < 2.6


def test_a_turn_on_red_comes_after_a_stop():
    run = run_with(ROAD, [("in", 200.0)], speed=12.0)
    seen = []
    for _ in range(300):
        run.step(light(Permission.STOP_THEN_YIELD))
        seen.append((place(run), float(run.state.speed[0])))
    slowest = min(speed for at, speed in seen if LINE - 3.0 < at < LINE)
    assert slowest < 0.5
    assert seen[-1][0] > LINE + 50.0


def test_on_a_grid_nobody_enters_a_junction_at_red_who_could_have_stopped():
    network = network_from_mgeo(grid_map(3))
    run = run_on(network, 120, seed=2, bodies=MIXED)
    lit = run.plan.road.link_ints[:-1, 2] == 1
    since_red = np.full(network.link_count, 1e9)
    for _ in range(3000):
        before, entry = run.state.copy(), run.signal.link.entry.copy()
        run.step()
        red = run.signal.link.entry == Permission.STOP
        since_red = np.where(red, np.where(entry == Permission.STOP, since_red + run.dt, 0.0), 1e9)
        entered = np.flatnonzero(lit[run.state.link] & (run.state.link != before.link))
        for row in entered:
            link = run.state.link[row]
            if red[link]:
                # yellow lasts 3 s and the line is at the junction: only who could not stop then comes after it
                assert since_red[link] < 1.0
        assert not overlaps(run.state)


def test_waiting_at_a_light_does_not_count_as_patience():
    run = run_with(ROAD, [("in", 280.0)], speed=5.0)
    for _ in range(600):
        run.step(light(Permission.STOP))
    assert run.state.waiting[0] == Waiting.LIGHT
    assert run.state.patience[0] == 0.0 < PRIORITY_WAITING_TIME
