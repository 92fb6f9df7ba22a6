"""Sensors are added, moved, changed and removed by commands; a refused one changes nothing."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.world.actor.command import RemoveActor
from dorosim.world.command import NEW_ACTOR, Command
from dorosim.world.effect import AnyCommand
from dorosim.world.mount.command import AddSensor, MoveSensor, RemoveAllSensors, RemoveSensor, SetSensor
from dorosim.world.mount.setting import (
    SETTINGS,
    CameraImage,
    CameraSettings,
    GpsSettings,
    GroundTruthSettings,
    ImuSettings,
    Lidar3dSettings,
    SensorKind,
    settings_from_text,
    text_from_settings,
)
from dorosim.world.mount.state import Mounts
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import CreateVehicle
from tests.world.world import CAR, street

MS = 1_000_000


@pytest.fixture
def now() -> Snapshot:
    return first_snapshot(street(), [(CAR, (50.0, 0.0, 0.0), 0.0)])


def after(now: Snapshot, *commands: Command) -> Snapshot:
    return step(street(), now, commands, Noise(0))


def refusal(now: Snapshot, command: Command) -> str:
    """Why a command is refused; all else stays as it was."""
    told = after(now, command)
    assert told.digest() == after(now).digest()
    (text,) = told.refusals
    return text


def test_a_sensor_has_the_usual_rate_of_its_kind_and_the_next_number(now):
    now = after(now, AddSensor(EGO, settings=CameraSettings(width=320), position=(1.5, 0.0, 1.4)))
    now = after(now, AddSensor(EGO, settings=GpsSettings(), sensor=7), AddSensor(EGO, settings=ImuSettings()))
    assert [outcome.actor for outcome in now.outcomes] == [7, 8]
    camera, gps, imu = now.mounts.all()
    assert (camera.id, camera.kind, camera.position, camera.since) == (1, SensorKind.CAMERA, (1.5, 0.0, 1.4), 0)
    assert camera.settings == CameraSettings(width=320)
    assert (gps.period, imu.period, imu.since) == (200 * MS, 20 * MS, 50 * MS)


def test_numbers_stay_in_order_whatever_the_order_of_adding(now):
    for number in (5, 2, 9, 1):
        now = after(now, AddSensor(EGO, settings=CameraSettings(quality=number), sensor=number))
    assert now.mounts.table.id.tolist() == [1, 2, 5, 9]
    assert [mount.settings.quality for mount in now.mounts.all()] == [1, 2, 5, 9]
    now = after(now, RemoveSensor(5))
    assert [mount.settings.quality for mount in now.mounts.all()] == [1, 2, 9]


def test_a_sensor_moves_and_changes_while_it_reads(now):
    now = after(now, AddSensor(EGO, settings=CameraSettings(), rotation=(0.0, 0.1, 0.0)))
    now = after(now, MoveSensor(1, position=(2.0, 0.5, 1.0)), SetSensor(1, CameraSettings(image=CameraImage.DEPTH)))
    now = after(now, SetSensor(1, period=40 * MS, phase=3 * MS, enabled=False))
    (camera,) = now.mounts.all()
    assert (camera.position, camera.rotation) == ((2.0, 0.5, 1.0), (0.0, 0.1, 0.0))
    assert (camera.settings, camera.period, camera.phase) == (CameraSettings(image=CameraImage.DEPTH), 40 * MS, 3 * MS)
    assert not camera.is_due(0, 10**9)


def test_a_reading_is_due_at_each_multiple_of_the_period_after_the_phase(now):
    now = after(now, AddSensor(EGO, settings=CameraSettings(), period=25 * MS, phase=5 * MS))
    (camera,) = now.mounts.all()
    due = [time for time in range(0, 140 * MS, 10 * MS) if camera.is_due(time - 10 * MS, time)]
    assert due == [time * MS for time in (10, 30, 60, 80, 110, 130)]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (AddSensor(99, settings=GpsSettings()), "no vehicle 99"),
        (AddSensor(EGO, settings=GpsSettings(), sensor=3), "there is a sensor 3 already"),
        (AddSensor(EGO, settings=GpsSettings(), sensor=40_000), "1 to 32767"),
        (AddSensor(EGO, settings=GpsSettings(), position=(math.nan, 0.0, 0.0)), "not finite"),
        (AddSensor(EGO, settings=GpsSettings(), position=(0.0, 0.0, 101.0)), "farther than 100 m"),
        (AddSensor(EGO, settings=GpsSettings(), period=0), "a period of 0 s"),
        (AddSensor(EGO, settings=CameraSettings(width=0)), "width"),
        (AddSensor(EGO, settings=CameraSettings(near=5.0, far=2.0)), "near"),
        (AddSensor(EGO, settings=CameraSettings(fov=math.nan)), "fov"),
        (AddSensor(EGO, settings=GroundTruthSettings(range_min=200.0)), "range_min"),
        (MoveSensor(8, (0.0, 0.0, 0.0)), "no sensor 8; there are 3"),
        (MoveSensor(3, (0.0, math.inf, 0.0)), "not finite"),
        (SetSensor(3, CameraSettings()), "stays so"),
        (SetSensor(3, phase=1 << 61), "phase"),
        (RemoveSensor(8), "no sensor 8"),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(now, command, reason):
    now = after(now, AddSensor(EGO, settings=GpsSettings(), sensor=3))
    assert reason in refusal(now, command)


def test_sensors_leave_with_their_vehicle(now):
    other = CreateVehicle(actor=NEW_ACTOR, model=CAR, position=(90.0, 0.0, 0.0))
    now = after(now, other, AddSensor(EGO, settings=GpsSettings()), AddSensor(2, settings=ImuSettings()))
    assert len(now.mounts) == 2
    assert [mount.actor for mount in after(now, RemoveActor(2)).mounts.all()] == [EGO]
    assert len(after(now, RemoveAllSensors(EGO)).mounts) == 1
    assert len(after(now, RemoveAllSensors()).mounts) == 0


@pytest.mark.parametrize("kind", SensorKind)
def test_settings_of_every_kind_survive_as_text(kind):
    settings = SETTINGS[kind]()
    assert settings_from_text(text_from_settings(settings)) == settings


def test_a_command_with_settings_survives_a_recording():
    command = AddSensor(EGO, settings=Lidar3dSettings(ideal=True))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(command), type=AnyCommand) == command


def test_a_run_without_sensors_hands_on_the_very_same_table(now):
    assert after(now).mounts is now.mounts


def test_ten_thousand_sensors_that_come_and_go_leave_nothing():
    mounts = Mounts.empty()
    world = first_snapshot(street(), [(CAR, (50.0, 0.0, 0.0), 0.0)])
    for _ in range(3):
        world = after(world, *(AddSensor(EGO, settings=GpsSettings()) for _ in range(5)), RemoveAllSensors())
    assert len(world.mounts) == 0
    assert world.mounts.text.size == mounts.text.size
    assert np.array_equal(world.mounts.first, mounts.first)
