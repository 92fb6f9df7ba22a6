"""Slow errors of sensors: their statistics, and that nobody changes another's."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.world.mount.command import AddSensor, SetSensor
from dorosim.world.mount.drift import advance_mounts, advance_noise, slow_error
from dorosim.world.mount.effect import change_mounts
from dorosim.world.mount.setting import CameraSettings, GpsSettings, ImuSettings
from dorosim.world.mount.state import NOISE_COLUMNS, Mounts

DT = 0.01
GPS = GpsSettings(drift=(1.5, 1.0, 0.0), drift_time=0.5)
IMU = ImuSettings(acceleration_walk=(0.02, 0.0, 0.0), rate_bias=(0.0, 0.0, 0.1), bias_time=2.0)


def many(settings, count: int, ticks: int, seed: int = 4) -> np.ndarray:
    """`(ticks, NOISE_COLUMNS, count)` errors of many sensors of the same settings."""
    one = slow_error(settings, DT)
    errors = type(one)(*(np.ascontiguousarray(np.repeat(part[:, None], count, axis=1)) for part in one))
    state, found = np.zeros((NOISE_COLUMNS, count)), np.empty((ticks, NOISE_COLUMNS, count))
    for tick in range(ticks):
        state = found[tick] = advance_noise(state, np.arange(count), errors, Noise(seed), tick)
    return found


def test_a_gauss_markov_error_is_stationary_and_forgets_with_its_correlation_time():
    errors = many(GPS, count=20000, ticks=60)
    for tick in (0, 10, 59):
        assert errors[tick, 0].std() == pytest.approx(1.5, rel=0.02)
        assert errors[tick, 1].std() == pytest.approx(1.0, rel=0.02)
        assert abs(errors[tick, 0].mean()) < 0.05
    correlation = np.corrcoef(errors[9, 0], errors[59, 0])[0, 1]
    assert correlation == pytest.approx(np.exp(-50 * DT / 0.5), abs=0.02), "one correlation time apart: 1/e"
    assert abs(np.corrcoef(errors[59, 0], errors[59, 1])[0, 1]) < 0.03, "axes know nothing of each other"
    assert not errors[:, 2].any(), "no error where none was asked for"


def test_draws_are_normal_and_neighbours_know_nothing_of_each_other():
    draws = many(GpsSettings(drift=(1.0, 1.0, 1.0)), count=50000, ticks=1)[0, :3]
    for one in draws:
        for sigma, share in ((1.0, 0.3173), (2.0, 0.0455), (3.0, 0.0027)):
            assert np.mean(np.abs(one) > sigma) == pytest.approx(share, rel=0.06, abs=4e-4)
        assert abs(np.corrcoef(one[1:], one[:-1])[0, 1]) < 0.02, "sensors 1 and 2"
    assert np.abs(np.corrcoef(draws) - np.eye(3)).max() < 0.02, "axes"


def test_the_variance_of_a_random_walk_grows_with_time():
    errors = many(IMU, count=20000, ticks=100)
    for ticks in (1, 25, 100):
        assert errors[ticks - 1, 6].std() == pytest.approx(0.02 * np.sqrt(ticks * DT), rel=0.03)
    assert errors[99, 5].std() == pytest.approx(0.1, rel=0.03)


def mounts_of(*commands) -> Mounts:
    mounts = Mounts.empty()
    for command in commands:
        mounts, refusal = change_mounts(mounts, command, 0)
        assert not refusal
    return mounts


def run(mounts: Mounts, ticks: int) -> Mounts:
    for tick in range(1, ticks + 1):
        mounts = advance_mounts(mounts, Noise(1), tick, DT)
    return mounts


def test_another_sensor_changes_no_error():
    alone = run(mounts_of(AddSensor(actor=1, sensor=5, settings=GPS)), 20)
    others = (AddSensor(actor=1, sensor=2, settings=IMU), AddSensor(actor=1, sensor=9, settings=CameraSettings()))
    among = run(mounts_of(AddSensor(actor=1, sensor=5, settings=GPS), *others), 20)
    row = among.row_of(5)
    np.testing.assert_array_equal(among.table.noise[:, row], alone.table.noise[:, 0])
    assert not np.array_equal(among.table.noise[:3, among.row_of(2)], alone.table.noise[:3, 0])


def test_sensors_without_slow_errors_stay_the_very_same():
    mounts = mounts_of(AddSensor(actor=1, settings=GpsSettings()), AddSensor(actor=1, settings=CameraSettings()))
    assert run(mounts, 3) is mounts


def test_errors_end_when_settings_take_them_away():
    mounts = run(mounts_of(AddSensor(actor=1, sensor=5, settings=GPS)), 3)
    assert mounts.table.noise.any()
    changed, refusal = change_mounts(mounts, SetSensor(sensor=5, settings=GpsSettings()), 0)
    assert not refusal
    assert not run(changed, 1).table.noise.any()


def test_the_same_seed_gives_the_same_errors():
    np.testing.assert_array_equal(many(GPS, 10, 5, seed=3), many(GPS, 10, 5, seed=3))
    assert not np.array_equal(many(GPS, 10, 5, seed=3), many(GPS, 10, 5, seed=4))
