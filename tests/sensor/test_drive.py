"""GPS, IMU and ground truth on a vehicle that drives in a real world, read by a rig."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.road.projection import MapProjection
from dorosim.sensor.reading import GpsReading, ImuReading, TruthReading
from dorosim.world.actor.command import PauseActor
from dorosim.world.mount.setting import GpsSettings, GroundTruthSettings, ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.sensor.drive import LEVER, PLAIN, SCENE, Drive
from tests.world.world import CAR


def test_the_specific_force_is_the_second_derivative_of_the_sensors_place():
    drive, places, forces = Drive(ImuSettings()), [], []
    drive.turn(DriveVehicle(EGO, ControlKind.VELOCITY, velocity=8.0, steer=0.15))
    for _ in range(800):
        (reading,) = drive.turn()
        assert isinstance(reading, ImuReading)
        w, x, y, z = reading.orientation
        yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        ax, ay, _ = reading.acceleration
        forces.append((math.cos(yaw) * ax - math.sin(yaw) * ay, math.sin(yaw) * ax + math.cos(yaw) * ay))
        places.append(drive.place(drive.now)[:2])
    span = 20
    path, felt = np.array(places[400:]), np.array(forces[400:])
    second = (path[2 * span :] - 2.0 * path[span:-span] + path[: -2 * span]) / (span * 0.01) ** 2
    strength = np.linalg.norm(second, axis=1).mean()
    assert strength > 1.0, "it drives a circle"
    # gravity leaks in by the body's roll of some 0.01 to 0.03 rad
    rolled = 9.81 * np.abs(drive.now.vehicle.roll[0]) + 0.05
    np.testing.assert_allclose(felt[span:-span], second, atol=rolled)


def test_a_receiver_follows_the_map():
    drive = Drive(GpsSettings())
    drive.turn(DriveVehicle(EGO, ControlKind.VELOCITY, velocity=8.0))
    for _ in range(100):
        (reading,) = drive.turn()
    assert isinstance(reading, GpsReading)
    wanted = MapProjection("UTM52N", SCENE.map_origin).geographic_from_map(drive.place(drive.now))
    found = reading.latitude, reading.longitude
    assert found == pytest.approx((wanted.latitude[0], wanted.longitude[0]), abs=5e-9), "3 cm: it pitches"
    assert reading.speed == pytest.approx(drive.now.vehicle.velocity_x[0], abs=0.05)


def test_slow_errors_of_a_run_stand_in_its_fixes():
    drive = Drive(GpsSettings(drift=(2.0, 2.0, 2.0), drift_time=5.0))
    (reading,) = drive.turn()
    assert isinstance(reading, GpsReading)
    errors = drive.now.mounts.table.noise[:3, 0]
    assert np.count_nonzero(errors) == 3
    east = reading.east - SCENE.map_origin[0] - drive.place(drive.now)[0]
    assert east == pytest.approx(errors[0], abs=1e-6)


def test_a_map_without_a_projection_has_no_reception():
    drive = Drive(GpsSettings(), scene=PLAIN)
    (reading,) = drive.turn()
    assert isinstance(reading, GpsReading)
    assert reading.denied


def test_who_is_paused_stands_for_his_sensors_too():
    drive = Drive(GpsSettings(), ImuSettings())
    drive.turn(DriveVehicle(EGO, ControlKind.VELOCITY, velocity=8.0))
    for _ in range(100):
        drive.turn()
    drive.turn(PauseActor(EGO, paused=True))
    drive.turn()
    fix, felt = drive.turn()
    assert isinstance(fix, GpsReading)
    assert isinstance(felt, ImuReading)
    assert fix.speed == 0.0
    assert np.hypot(*felt.acceleration[:2]) < 0.5, "gravity by the pitch that it keeps, and nothing else"


def test_ground_truth_tells_of_the_other_vehicle():
    drive = Drive(GroundTruthSettings())
    (reading,) = drive.turn()
    assert isinstance(reading, TruthReading)
    assert (reading.actor.tolist(), reading.name) == ([2], (CAR,))
    assert reading.position[0] == pytest.approx((80.0, 3.0, 0.0), abs=0.01)
    assert reading.heading[0] == pytest.approx(0.3, abs=1e-6)
    assert reading.position_in_sensor[0] == pytest.approx((30.0 - LEVER[0], 3.0 - LEVER[1], -LEVER[2]), abs=0.1)
