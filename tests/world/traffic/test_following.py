"""Car following against the formulas of the Intelligent Driver Model."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.world.traffic.driver import MOTORWAY_DRIVER, draw_drivers
from dorosim.world.traffic.plan import CURVE_ACCELERATION
from dorosim.world.traffic.state import SpeedMode
from tests.road.small_map import arc, network_of, straight
from tests.world.traffic.rig import CAR, run_with

ROAD = network_of(straight("a", "A", "B", (0, 0, 0), (3000, 0, 0), max_speed=200))
RADIUS = 400.0
RING = network_of(
    arc("one", "A", "B", (0, 0), RADIUS, 0, math.pi, count=401, max_speed=60),
    arc("two", "B", "A", (0, 0), RADIUS, math.pi, math.pi, count=401, max_speed=60),
)
S0, T, A, B, LENGTH = 2.0, 1.5, 1.4, 2.0, CAR.length


def idm(speed, wish, gap=math.inf, ahead=0.0) -> float:
    """The acceleration as published: Treiber, Hennecke and Helbing (2000), equations 3 and 4."""
    desired = S0 + max(0.0, speed * T + speed * (speed - ahead) / (2 * math.sqrt(A * B)))
    return A * (1 - (speed / wish) ** 4 - (desired / gap) ** 2)


def equilibrium_gap(speed, wish) -> float:
    """The gap at which nobody accelerates, at one speed of all."""
    return (S0 + speed * T) / math.sqrt(1 - (speed / wish) ** 4)


def equilibrium_speed(gap, wish) -> float:
    """The speed at which nobody accelerates, at one gap of all; by bisection."""
    low, high = 0.0, wish
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if equilibrium_gap(middle, wish) < gap else (low, middle)
    return low


@pytest.mark.parametrize("speed", [0.0, 5.0, 12.0, 19.0])
def test_the_free_road(speed):
    run = run_with(ROAD, [("a", 50.0)], speed=speed, speed_mode=SpeedMode.CONSTANT, desired_speed=20.0)
    run.step()
    assert run.state.acceleration[0] == pytest.approx(idm(speed, 20.0))


@pytest.mark.parametrize(("speed", "ahead", "gap"), [(10, 10, 20), (15, 15, 30), (8, 12, 12), (15, 10, 45), (2, 0, 8)])
def test_behind_somebody(speed, ahead, gap):
    run = run_with(
        ROAD, [("a", 50.0), ("a", 50.0 + gap + LENGTH)], speed=[speed, ahead], speed_mode=1, desired_speed=20.0
    )
    run.step()
    assert run.state.acceleration[0] == pytest.approx(idm(speed, 20.0, gap, ahead))


def test_a_driver_too_fast_slows_down_comfortably():
    run = run_with(ROAD, [("a", 50.0)], speed=30.0, speed_mode=SpeedMode.CONSTANT, desired_speed=15.0)
    run.step()
    assert run.state.acceleration[0] == -B


def test_a_column_behind_a_slow_vehicle_comes_to_the_gap_of_equilibrium():
    wish = np.full(5, 20.0)
    wish[4] = 10.0
    run = run_with(ROAD, [("a", 60.0 + 30 * n) for n in range(5)], speed=10.0, speed_mode=1, desired_speed=wish)
    for _ in range(2400):
        run.step()
    gaps = np.diff(run.state.s) - LENGTH
    assert np.abs(run.state.speed - 10.0).max() < 0.05
    np.testing.assert_allclose(gaps, equilibrium_gap(10.0, 20.0), rtol=0.02)


def test_a_stop_ends_behind_who_stands_with_the_gap_at_standstill_and_without_hard_braking():
    run = run_with(ROAD, [("a", 50.0), ("a", 300.0)], speed=[15.0, 0.0], paused=[0, 1], speed_mode=1, desired_speed=15)
    hardest = 0.0
    for _ in range(600):
        run.step()
        hardest = min(hardest, run.state.acceleration[0])
    assert run.state.s[1] - LENGTH - run.state.s[0] == pytest.approx(S0, abs=0.4)
    assert hardest > -2.2


def test_an_emergency_stop_of_who_is_ahead_ends_without_a_collision():
    run = run_with(ROAD, [("a", 50.0), ("a", 50.0 + LENGTH + 16.0)], speed=15.0, speed_mode=1, desired_speed=15.0)
    for _ in range(100):
        run.state.acceleration[1] = -9.0
        run.step()
        run.state.speed[1] = max(run.state.speed[1] - 0.9, 0.0)
        run.state.acceleration[1] = 0.0
        assert run.state.s[1] - LENGTH > run.state.s[0]
    assert run.state.speed[0] < 0.5


@pytest.mark.parametrize("count", [10, 30, 60, 100, 150, 250, 350])
def test_the_fundamental_diagram_of_a_ring_road_is_that_of_the_model(count):
    length = 2 * math.pi * RADIUS
    gap = length / count - LENGTH
    wish = 15.0
    expected = equilibrium_speed(gap, wish)
    half = RING.link_length[0]
    at = (np.arange(count) + 0.5) * 2 * half / count
    places = [("one" if s < half else "two", float(s % half)) for s in at]
    run = run_with(RING, places, speed=expected * 0.8, speed_mode=SpeedMode.CONSTANT, desired_speed=wish)
    flow = 0.0
    for tick in range(1800):
        run.step()
        if tick >= 600:
            flow += run.state.speed.mean() / 1200 * count / length
    assert flow == pytest.approx(expected * count / length, rel=0.03)
    assert np.diff(np.sort(run.state.s[run.state.link == 0])).min() > LENGTH


def test_a_column_of_motorway_drivers_at_the_capacity_of_the_model_stays_as_it_is():
    """Treiber, Hennecke and Helbing (2000), table I: v0 = 120 km/h, T = 1.6 s, a = 0.73 m/s²."""
    speed = np.linspace(1, 33.0, 2000)
    gap = (2 + speed * 1.6) / np.sqrt(1 - (speed / (120 / 3.6)) ** 4)
    best = int(np.argmax(speed / (gap + LENGTH)))
    places = [("a", 60.0 + float(gap[best] + LENGTH) * n) for n in range(20)]
    run = run_with(ROAD, places, speed=float(speed[best]), speed_mode=SpeedMode.CONSTANT, desired_speed=120 / 3.6)
    draw_drivers(run.state, MOTORWAY_DRIVER, Noise(1))
    run.step()
    assert np.abs(run.state.acceleration[:-1]).max() < 1e-3


def test_speed_by_the_links_limit_and_by_a_constant():
    road = network_of(
        straight("fast", "A", "B", (0, 0, 0), (800, 0, 0), max_speed=72),
        straight("slow", "B", "C", (800, 0, 0), (1600, 0, 0), max_speed=36),
    )
    run = run_with(road, [("fast", 20.0), ("slow", 20.0)], desired_speed=[0.9, 15.0], speed_mode=[0, 1])
    seen = []
    for _ in range(450):
        run.step()
        seen.append((run.state.s[0], run.state.speed[0]))
    assert run.state.speed[1] == pytest.approx(15.0, rel=0.01) or run.state.present[1] == 0
    assert max(speed for _, speed in seen) == pytest.approx(18.0, rel=0.02)
    while run.name(0) == "fast":
        before = run.state.speed[0]
        run.step()
    assert before == pytest.approx(9.0, abs=0.3)


def test_bends_are_taken_with_the_lateral_acceleration_that_drivers_like():
    bend = network_of(
        straight("a", "A", "B", (0, 0, 0), (300, 0, 0), max_speed=80),
        arc("b", "B", "C", (300, 20), 20, -math.pi / 2, math.pi / 2, max_speed=80),
        straight("c", "C", "D", (320, 20, 0), (320, 300, 0), max_speed=80),
    )
    run = run_with(bend, [("a", 100.0)], speed=20.0)
    fastest = hardest = 0.0
    for _ in range(400):
        run.step()
        hardest = min(hardest, run.state.acceleration[0])
        if run.name(0) == "b":
            fastest = max(fastest, run.state.speed[0])
            assert run.state.yaw_rate[0] < 1.2 * run.state.speed[0] / 20
    assert fastest**2 / 20 == pytest.approx(CURVE_ACCELERATION, rel=0.1)
    assert hardest > -2.5
