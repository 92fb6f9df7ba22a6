"""An IMU against mechanics on paper, and its noise against its stated densities by Allan deviation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.ground.physics import GRAVITY
from dorosim.ground.rotation import rotation_from_angles
from dorosim.sensor.imu import Imu
from dorosim.sensor.imu_kernel import quaternion_from_rotation
from dorosim.sensor.motion import sensor_motion
from dorosim.sensor.pose import pose_from_angles
from dorosim.world.mount.drift import advance_noise, slow_error
from dorosim.world.mount.setting import ImuSettings
from dorosim.world.mount.state import NOISE_COLUMNS
from tests.sensor.bench import STILL, body, mount_of, sensor_input


def read(moving, tick=1, **mount):
    carried = mount_of(ImuSettings(), **mount)
    return Imu(carried).read(sensor_input(carried, moving, tick=tick))


def felt(moving, place=STILL, angles=STILL, before=None, dt=0.0):
    return sensor_motion(moving, pose_from_angles(place, angles), before, dt)


def test_at_rest_it_feels_gravity_upwards():
    reading = read(body(), tick=5)
    assert reading.acceleration == pytest.approx((0.0, 0.0, GRAVITY), abs=1e-12)
    assert not reading.angular_velocity.any()
    assert reading.orientation == (1.0, 0.0, 0.0, 0.0)
    assert (reading.sensor, reading.time) == (1, 50_000_000)


def test_nose_down_gravity_pulls_forward_so_the_reading_points_back():
    reading = read(body(angles=(0.0, 0.3, 1.0)))
    wanted = (-GRAVITY * math.sin(0.3), 0.0, GRAVITY * math.cos(0.3))
    assert reading.acceleration == pytest.approx(wanted, abs=1e-12)


def test_on_a_circle_the_lever_arm_adds_its_own_centripetal_acceleration():
    radius, rate = 20.0, 0.5
    turning = body(velocity=(radius * rate, 0, 0), rate=(0, 0, rate), acceleration=(0, radius * rate**2, 0))
    moved = felt(turning, place=(2.0, 1.0, 0.5))
    assert moved.specific_force == pytest.approx((-2.0 * rate**2, (radius - 1.0) * rate**2, GRAVITY))
    assert moved.velocity == pytest.approx((radius * rate - 1.0 * rate, 2.0 * rate, 0.0))


def test_a_change_of_the_yaw_rate_adds_a_tangential_acceleration():
    moved = felt(body(), place=(2.0, 1.0, 0.0), before=body(rate=(0.0, 0.0, -0.03)), dt=0.01)
    assert moved.specific_force == pytest.approx((-3.0 * 1.0, 3.0 * 2.0, GRAVITY))


def test_a_lever_arm_moved_numerically_agrees():
    """The position of a point on a tumbling body, differentiated twice, is what is felt there less gravity."""
    place, rate = np.array((1.5, -0.8, 1.2)), np.array((0.7, -0.4, 0.9))
    x, y, z = rate / np.linalg.norm(rate)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])

    def position(t: float) -> np.ndarray:
        angle = np.linalg.norm(rate) * t
        return (np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross) @ place

    step = 1e-4
    numeric = (position(step) - 2 * position(0) + position(-step)) / step**2
    moved = felt(body(rate=rate), place=tuple(place))
    np.testing.assert_allclose(moved.specific_force - (0, 0, GRAVITY), numeric, atol=1e-6)


def test_a_turned_mount_measures_in_its_own_axes():
    moving = body(angles=(0.1, -0.2, 0.7), rate=(0.3, 0.2, 0.1), acceleration=(1.0, 2.0, 3.0))
    plain, turned = felt(moving), felt(moving, angles=(0.4, 0.5, -1.1))
    mount = rotation_from_angles(0.4, 0.5, -1.1)
    np.testing.assert_allclose(mount @ turned.specific_force, plain.specific_force, atol=1e-12)
    np.testing.assert_allclose(mount @ turned.angular_velocity, plain.angular_velocity, atol=1e-12)
    np.testing.assert_allclose(turned.rotation, rotation_from_angles(0.1, -0.2, 0.7) @ mount, atol=1e-12)


def test_the_quaternion_turns_the_sensor_frame_into_the_map():
    rng = np.random.default_rng(1)
    for angles in (*rng.uniform(-np.pi, np.pi, (200, 3)), (np.pi, 0, 0), (0, np.pi, 0), (0, 0, np.pi)):
        rotation = rotation_from_angles(*angles)
        w, x, y, z = quaternion_from_rotation(rotation)
        rebuilt = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
        np.testing.assert_allclose(rebuilt, rotation, atol=1e-12)
        assert w >= 0.0


def allan_deviation(values: np.ndarray, rate_hz: float, averaged: int) -> float:
    """Overlapping Allan deviation of a rate signal (IEEE Std 952, annex C.1)."""
    angle = np.concatenate(((0.0,), np.cumsum(values))) / rate_hz
    second = angle[2 * averaged :] - 2 * angle[averaged:-averaged] + angle[: -2 * averaged]
    return math.sqrt(np.mean(second**2) / 2) / (averaged / rate_hz)


def test_allan_deviation_of_readings_gives_the_density_of_white_noise():
    """N / sqrt(tau): at tau of 1 s it is the density itself, and the slope is -1/2 (IEEE Std 952, C.1.3)."""
    density, rate_hz, count = 0.002, 100.0, 60_000
    mount = mount_of(ImuSettings(rate_white=(0.0, 0.0, density)))
    imu = Imu(mount)
    values = np.array([imu.read(sensor_input(mount, tick=tick)).angular_velocity[2] for tick in range(count)])
    taus = np.array((0.1, 0.2, 0.5, 1.0))
    deviations = np.array([allan_deviation(values, rate_hz, round(tau * rate_hz)) for tau in taus])
    np.testing.assert_allclose(deviations * np.sqrt(taus), density, rtol=0.1)
    assert np.polyfit(np.log(taus), np.log(deviations), 1)[0] == pytest.approx(-0.5, abs=0.05)


def test_allan_deviation_of_slow_errors_gives_the_density_of_the_bias_walk():
    """K sqrt(tau / 3), slope +1/2 (IEEE Std 952, C.1.5); of 100 sensors, since one would take hours."""
    density, rate_hz, count, sensors = 0.0004, 10.0, 3000, 100
    one = slow_error(ImuSettings(rate_walk=(0.0, 0.0, density)), 1 / rate_hz)
    errors = type(one)(*(np.ascontiguousarray(np.repeat(part[:, None], sensors, axis=1)) for part in one))
    state, noise, values = np.zeros((NOISE_COLUMNS, sensors)), Noise(5), np.empty((count, sensors))
    for tick in range(count):
        state = advance_noise(state, np.arange(sensors), errors, noise, tick)
        values[tick] = state[11]
    taus = np.array((5.0, 10.0, 20.0))
    single = np.array([[allan_deviation(one, rate_hz, round(tau * rate_hz)) for one in values.T] for tau in taus])
    deviations = np.sqrt((single**2).mean(axis=1))
    np.testing.assert_allclose(deviations / np.sqrt(taus / 3), density, rtol=0.1)
    assert np.polyfit(np.log(taus), np.log(deviations), 1)[0] == pytest.approx(0.5, abs=0.05)


def test_slow_errors_of_the_snapshot_stand_in_the_readings():
    reading = read(body(), drift=(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0))
    np.testing.assert_allclose(reading.acceleration, (1.1, 1.2, GRAVITY + 1.3))
    np.testing.assert_allclose(reading.angular_velocity, (2.4, 2.5, 2.6))
