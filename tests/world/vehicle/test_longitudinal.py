"""Speeding up, slowing down and the three ways to control it, against textbook formulas and the documents."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.physics import AIR_DENSITY, GRAVITY
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.world.vehicle.rig import ROAD_VEHICLES, TICK, Rig

FREE = {"creep_force": 0.0, "drag_area": 0.0, "rolling_resistance": 0.0, "engine_brake": 0.0}
"""Parameters of a vehicle that nothing slows down."""


def test_braking_distance_is_v2_over_2_mu_g() -> None:
    rig = Rig(speed=100 / 3.6, friction=0.8, brake_force=1e6, **FREE)
    rig.command(ControlKind.PEDALS, target_brake=1.0).run(5.0)
    assert rig.state.velocity_x[0] == 0.0
    assert rig.state.x[0] == pytest.approx((100 / 3.6) ** 2 / (2 * 0.8 * GRAVITY), rel=1e-3)


def test_brakes_limit_before_tires_do() -> None:
    rig = Rig(speed=20.0, brake_force=3.0 * (1370 + 75), **FREE).command(ControlKind.PEDALS, target_brake=1.0)
    assert rig.run(2.0).acceleration[-1, 0] == pytest.approx(-3.0)


def test_top_speed_is_where_power_meets_resistance() -> None:
    """P = v (rho c_d A v² / 2 + f m g)."""
    rig = Rig(speed=60.0, max_speed=150.0).command(ControlKind.PEDALS, target_accelerator=1.0)
    rig.run(200.0, dt=0.01, substeps=4)
    p, v = rig.parameter, rig.state.velocity_x[0]
    drag = 0.5 * AIR_DENSITY * p.drag_area[0] * v * v + p.rolling_resistance[0] * p.mass[0] * GRAVITY
    assert v * drag == pytest.approx(p.drive_power[0], rel=1e-3)


@pytest.mark.parametrize("name", [model.name for model in ROAD_VEHICLES])
def test_limiter_holds_the_top_speeds(name: str) -> None:
    """Forward some vehicles run out of power just below it, since power is fitted to the sprint."""
    rig = Rig([name] * 3)
    p = rig.parameter
    rig.state.gear[:] = (Gear.D, Gear.R, Gear.L)
    rig.command(ControlKind.PEDALS, target_accelerator=1.0).run(80.0, dt=0.01, substeps=4)
    speed = np.abs(rig.state.velocity_x)
    limit = np.array([p.max_speed[0], p.max_reverse_speed[0], p.low_gear_speed[0]])
    assert (speed <= limit).all()
    assert (speed[1:] > limit[1:] - 0.2).all()
    assert speed[0] > 0.96 * limit[0]


@pytest.mark.parametrize("model", [m for m in ROAD_VEHICLES if m.sprint_time], ids=lambda m: m.name)
def test_sprint_takes_the_time_of_the_data_sheet(model: object) -> None:
    rig = Rig(model.name).command(ControlKind.PEDALS, target_accelerator=1.0)
    history = rig.run(14.0)
    time = history.time[np.searchsorted(history.velocity_x, 100 / 3.6)]
    assert time == pytest.approx(model.sprint_time, rel=0.02)


def test_coasting_follows_drag_and_rolling_resistance() -> None:
    """With v0 = sqrt(c0 / c2), v = v0 tan(atan(v_s / v0) - t sqrt(c0 c2)) solves dv/dt = -c0 - c2 v²."""
    rig = Rig(speed=30.0, engine_brake=0.0).command(ControlKind.PEDALS)
    p = rig.parameter
    c0 = p.rolling_resistance[0] * GRAVITY
    c2 = 0.5 * AIR_DENSITY * p.drag_area[0] / p.mass[0]
    scale = math.sqrt(c0 / c2)
    history = rig.run(60.0)
    expected = scale * np.tan(np.arctan(30.0 / scale) - history.time * math.sqrt(c0 * c2))
    np.testing.assert_allclose(history.velocity_x, expected, atol=1e-3)


def test_engine_brakes_more_in_low_gear_and_not_in_neutral() -> None:
    rig = Rig(["2016_Hyundai_Ioniq"] * 4, speed=12.0)
    rig.state.gear[:] = (Gear.D, Gear.M, Gear.L, Gear.N)
    rig.command(ControlKind.PEDALS).run(1.0)
    d, m, low, neutral = rig.state.acceleration[0]
    assert d == m
    assert low < d - 0.7 < neutral - 1.0


def test_drive_force_comes_with_a_lag_and_brakes_at_once() -> None:
    rig = Rig(drive_lag=0.3, **FREE).command(ControlKind.PEDALS, target_accelerator=0.5)
    history = rig.run(1.0)
    full = 0.5 * rig.parameter.drive_force[0] / rig.parameter.mass[0]
    at = np.searchsorted(history.time, 0.3)
    assert history.acceleration[at, 0] == pytest.approx((1 - math.exp(-1)) * full, rel=0.03)
    rig = Rig(speed=20.0, drive_lag=0.3, **FREE).command(ControlKind.PEDALS, target_brake=0.5)
    assert rig.run(TICK).acceleration[-1, 0] == pytest.approx(-5.0, rel=1e-6)


def test_spinning_wheels_limit_the_drive() -> None:
    """A front-wheel drive on ice pulls with mu times the load of its front axle, which rises to the rear."""
    rig = Rig(**FREE).command(ControlKind.PEDALS, target_accelerator=1.0)
    rig.state.surface_friction[:] = 0.1 / 0.95
    rig.run(2.0)
    static = 0.1 * GRAVITY * 0.59
    assert 0.9 * static < rig.state.acceleration[0, 0] < static


def test_speed_control_keeps_the_documented_limits() -> None:
    """+1 m/s² and -2 m/s² (documents/udp-messages-en.txt), also on slopes, and it meets the speed."""
    rig = Rig(["2016_Hyundai_Ioniq", "2018_Hyundai_ElecCity", "2013_Hyundai_Porter2"], slope=(0.04, 0.0))
    history = rig.run(50.0, each=lambda t: rig.command(ControlKind.VELOCITY, target_velocity=15.0 if t < 25 else 4.0))
    change = np.diff(history.velocity_x, axis=0) / TICK
    assert change.max() <= 1.0 + 1e-9
    assert change.min() >= -2.0 - 1e-9
    np.testing.assert_allclose(change[800], 1.0, atol=0.01)
    np.testing.assert_allclose(change[2700], -2.0, atol=0.01)
    np.testing.assert_allclose(history.velocity_x[2499], 15.0, atol=0.02)
    np.testing.assert_allclose(history.velocity_x[-1], 4.0, atol=0.02)


def test_speed_control_by_ability_goes_beyond_the_documented_limits() -> None:
    """As hard as engine and brakes do it, and still to the speed."""
    names = ["2016_Hyundai_Ioniq", "2018_Hyundai_ElecCity", "2013_Hyundai_Porter2"]
    rigs = [Rig(names), Rig(names)]
    histories = []
    for rig, kind in zip(rigs, (ControlKind.VELOCITY, ControlKind.VELOCITY_BY_ABILITY), strict=True):
        order = {True: 15.0, False: 4.0}
        each = lambda t, rig=rig, kind=kind, order=order: rig.command(kind, target_velocity=order[t < 25])  # noqa: E731
        histories.append(rig.run(40.0, each=each))
    bounded, free = (np.diff(one.velocity_x, axis=0) / TICK for one in histories)
    assert (free.max(axis=0) > 1.3 * bounded.max(axis=0)).all()
    assert (free.min(axis=0) < 1.5 * bounded.min(axis=0)).all()
    np.testing.assert_allclose(histories[1].velocity_x[2499], 15.0, atol=0.05)
    np.testing.assert_allclose(histories[1].velocity_x[-1], 4.0, atol=0.05)


@pytest.mark.parametrize("kind", [ControlKind.VELOCITY, ControlKind.VELOCITY_BY_ABILITY])
@pytest.mark.parametrize("name", [model.name for model in ROAD_VEHICLES])
def test_speed_control_neither_overshoots_nor_chatters(name: str, kind: ControlKind) -> None:
    rig = Rig(name).command(kind, target_velocity=10.0)
    up = rig.run(25.0).velocity_x
    assert up.max() <= 10.0 + 1e-9
    assert (np.diff(up) >= -1e-12).all()
    down = rig.command(kind, target_velocity=3.0).run(15.0).velocity_x
    assert down.min() >= 3.0 - 1e-9
    assert (np.diff(down) <= 1e-12).all()
    stop = rig.command(kind, target_velocity=0.0).run(15.0)
    assert stop.velocity_x[-1] == 0.0
    assert (np.diff(stop.velocity_x) <= 0.0).all()


def test_speed_control_holds_its_speed_in_a_tight_turn() -> None:
    rig = Rig().command(ControlKind.VELOCITY, target_velocity=5.5, target_steer=0.6)
    assert rig.run(20.0).velocity_x[-1] == pytest.approx(5.5, abs=0.02)


def test_directions_of_speed_control() -> None:
    """D: negative targets mean standstill. R: 3 and -3 both mean 3 m/s backwards. N and P: none."""
    gears = [Gear.D, Gear.D, Gear.R, Gear.R, Gear.N, Gear.P, Gear.L, Gear.M]
    targets = [3.0, -3.0, 3.0, -3.0, 3.0, 3.0, 3.0, 3.0]
    rig = Rig(["2015_Kia_K5"] * 8)
    rig.state.gear[:] = gears
    rig.command(ControlKind.VELOCITY, target_velocity=targets).run(12.0)
    np.testing.assert_allclose(rig.state.velocity_x, [3, 0, -3, -3, 0, 0, 3, 3], atol=0.01)


def test_changing_to_reverse_brakes_first() -> None:
    rig = Rig(speed=5.0)
    rig.state.gear[:] = Gear.R
    history = rig.command(ControlKind.VELOCITY, target_velocity=2.0).run(12.0)
    assert np.diff(history.velocity_x).min() / TICK >= -2.0 - 1e-9
    assert history.velocity_x[-1] == pytest.approx(-2.0, abs=0.01)
    assert history.brake[100] > 0
    assert history.accelerator[100] == 0


def test_acceleration_control_tracks_and_makes_up_for_slope_and_drag() -> None:
    rig = Rig("2023_Hyundai_Ioniq5", speed=20.0, slope=(0.06, 0.0))
    history = rig.run(
        6.0, each=lambda t: rig.command(ControlKind.ACCELERATION, target_acceleration=1.5 if t < 3 else -3.0)
    )
    np.testing.assert_allclose(history.acceleration[150:300, 0], 1.5, atol=2e-3)
    np.testing.assert_allclose(history.acceleration[450:, 0], -3.0, atol=2e-3)
    assert history.brake[-1] == pytest.approx((3.0 - 0.06 * GRAVITY - 0.8) / 10, abs=0.05)
    assert history.accelerator[-1] == 0.0


def test_acceleration_control_ends_at_engine_and_brakes() -> None:
    rig = Rig(["2013_Hyundai_Porter2"] * 2, speed=20.0)
    rig.command(ControlKind.ACCELERATION, target_acceleration=(50.0, -1e300)).run(1.5)
    p = rig.parameter
    v = rig.state.velocity_x[0]
    drag = 0.5 * AIR_DENSITY * p.drag_area[0] * v * v + p.rolling_resistance[0] * p.mass[0] * GRAVITY
    assert rig.state.acceleration[0, 0] == pytest.approx((p.drive_power[0] / v - drag) / p.mass[0], rel=0.01)
    assert rig.state.acceleration[0, 1] == pytest.approx(-0.85 * GRAVITY, rel=0.03)


def test_acceleration_control_stops_and_holds_but_never_reverses() -> None:
    """A known bug of the product was that -1 m/s² did not stop the vehicle (its release notes, 22.R4.2)."""
    rig = Rig(speed=3.0, slope=(-0.08, 0.0)).command(ControlKind.ACCELERATION, target_acceleration=-1.0)
    history = rig.run(10.0)
    assert (history.velocity_x >= 0.0).all()
    assert history.velocity_x[-1] == 0.0
    assert history.x[-1] == history.x[-300]
