"""A rig reads what is due, passes faults on, and keeps nothing of what has gone."""

from __future__ import annotations

import dataclasses
import gc
import os
import resource
from pathlib import Path

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor import kind
from dorosim.sensor.fault import FaultFilter
from dorosim.sensor.reading import GpsReading, ImuReading, Reading
from dorosim.sensor.rig import Rig
from dorosim.sensor.sensor_input import SensorInput
from dorosim.world.command.catalogue import Command
from dorosim.world.fault.command import SetSensorFault
from dorosim.world.mount.command import AddSensor, MoveSensor, RemoveAllSensors, RemoveSensor, SetSensor
from dorosim.world.mount.setting import GpsSettings, ImuSettings
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.world.world import CAR, street

MS = 1_000_000
SCENE = street(10.0)


class Odometer:
    """A sensor that tells its place in the map as an altitude, and draws its noise."""

    def __init__(self, mount, _):
        self.mount = mount

    def read(self, inputs: SensorInput) -> Reading:
        noise = inputs.noise.stream(f"sensor/{inputs.mount.id}/white", inputs.now.tick).normal()
        x = float(inputs.map_from_sensor.position[0])
        return GpsReading(sensor=inputs.mount.id, time=inputs.now.time, altitude=x, speed=float(noise))


@pytest.fixture(autouse=True)
def odometers(monkeypatch):
    made = {one: dataclasses.replace(row, maker=f"{__name__}:Odometer") for one, row in kind.DESCRIPTORS.items()}
    monkeypatch.setattr(kind, "DESCRIPTORS", made)


def no_stage():
    raise AssertionError("nobody asked for geometry")


class Run:
    """A vehicle that drives at 10 m/s along x, read after every tick."""

    def __init__(self, *commands: Command) -> None:
        self.noise = Noise(3)
        self.now = first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
        self.rig = Rig(SCENE, self.noise, no_stage)
        self.turn(DriveVehicle(EGO, ControlKind.VELOCITY, velocity=10.0), *commands)

    def turn(self, *commands: Command) -> list[Reading]:
        before = self.now
        self.now = step(SCENE, before, commands, self.noise)
        assert not self.now.refusals
        return self.rig.read(before, self.now)

    def read(self, ticks: int) -> list[Reading]:
        return [reading for _ in range(ticks) for reading in self.turn()]


def gps(number: int = 0, period_ms: int = 50) -> AddSensor:
    return AddSensor(EGO, settings=GpsSettings(), sensor=number, period=period_ms * MS)


def test_each_sensor_reads_at_a_rate_of_its_own():
    run = Run(gps(1, 50), gps(2, 30), AddSensor(EGO, settings=ImuSettings(), sensor=3, period=20 * MS, phase=10 * MS))
    times = {number: [] for number in (1, 2, 3)}
    for reading in run.read(14):
        times[reading.sensor].append(reading.time // MS)
    assert times == {1: [50, 100, 150], 2: [30, 60, 90, 120, 150], 3: [30, 50, 70, 90, 110, 130, 150]}


def test_adding_a_sensor_changes_no_other():
    alone = [dataclasses.astuple(reading) for reading in Run(gps(5)).read(30)]
    among = [dataclasses.astuple(reading) for reading in Run(gps(3), gps(5), gps(9)).read(30) if reading.sensor == 5]
    assert alone == among
    assert len(alone) == 6


def test_a_moved_sensor_reads_from_where_it_is():
    run = Run(gps(1, 10))
    (here,) = run.turn()
    (there,) = run.turn(MoveSensor(1, (3.0, 0.0, 0.0)))
    assert there.altitude - here.altitude == pytest.approx(3.0, abs=0.01)


def test_a_disabled_sensor_is_silent():
    run = Run(gps(1, 10))
    assert run.turn(SetSensor(1, enabled=False)) == []
    assert len(run.turn(SetSensor(1, enabled=True))) == 1


def test_nothing_is_read_while_time_stands_and_a_reset_begins_anew():
    run = Run(gps(1, 10))
    assert len(run.read(3)) == 3
    assert run.rig.read(run.now, step(SCENE, run.now, (), run.noise, paused=True)) == []
    again = Run(gps(1, 10))
    run.now = again.now
    assert [dataclasses.astuple(one) for one in run.read(2)] == [dataclasses.astuple(one) for one in again.read(2)]


def fault(subclass: int, **numbers) -> SetSensorFault:
    return SetSensorFault(EGO, fault_class=subclass // 100, fault_subclass=subclass, sensor=1, **numbers)


def test_a_lost_sensor_delivers_nothing_until_the_fault_ends():
    run = Run(gps(1, 10))
    assert run.turn(fault(101, duration=0.035)) == []
    assert [reading.time // MS for reading in run.read(6)] == [50, 60, 70, 80]


def test_a_delayed_sensor_delivers_what_it_read_before_with_its_time():
    run = Run(gps(1, 10))
    run.turn(fault(102, delay=0.03))
    late = run.read(6)
    assert [reading.time // MS for reading in late] == [10, 20, 30, 40, 50]
    assert run.rig.kept <= 1 + 5


def test_a_stuck_sensor_repeats_itself_as_if_it_were_new():
    run = Run(gps(1, 10))
    (last,) = run.turn()
    stuck = [*run.turn(fault(204)), *run.read(4)]
    assert {reading.altitude for reading in stuck} == {last.altitude}
    assert [reading.time // MS for reading in stuck] == [30, 40, 50, 60, 70]


def test_a_fault_of_the_data_changes_the_signals_within_their_range():
    run = Run(gps(1, 10))
    (sound,) = run.turn()
    (shifted,) = run.turn(fault(203, magnitude=0.5))
    assert shifted.altitude == pytest.approx(sound.altitude + 50.0, abs=0.2)
    (short,) = run.turn(fault(202))
    assert short.altitude == GpsReading.SIGNALS["altitude"][1]


def test_a_fix_with_an_offset_is_some_metres_away():
    run = Run(gps(1, 10))
    (sound,) = run.turn()
    (shifted,) = run.turn(fault(203))
    assert (shifted.latitude - sound.latitude) * 6.371e6 == pytest.approx(5.0, abs=0.5)
    assert (shifted.longitude - sound.longitude) * 6.371e6 == pytest.approx(5.0, abs=0.5)


def test_an_offset_of_the_mount_moves_what_is_seen():
    run = Run(gps(1, 10))
    (sound,) = run.turn()
    (moved,) = run.turn(fault(302, position_offset=(-2.0, 0.0, 0.0)))
    assert moved.altitude - sound.altitude == pytest.approx(-2.0, abs=0.2)


def test_signals_keep_their_type():
    reading = ImuReading(
        sensor=1, time=0, orientation=(1.0, 0.0, 0.0, 0.0), angular_velocity=np.zeros(3), acceleration=np.ones(3)
    )
    run = Run(gps(1, 10))
    run.turn(fault(202))
    shown = FaultFilter(EGO, 1).pass_on(run.now.fault, reading, run.now.time)
    assert shown.acceleration.tolist() == [160.0] * 3
    assert shown.orientation == (1.0, 0.0, 0.0, 0.0)


def test_a_stuck_spinning_sensor_repeats_the_slices_of_its_last_turn():
    run = Run(gps(1, 10))
    spinning = FaultFilter(EGO, 1, turn=40 * MS)
    plain = run.now.fault
    for time in range(0, 210 * MS, 10 * MS):
        spinning.pass_on(plain, GpsReading(sensor=1, time=time, altitude=time / MS), time)
    assert len(spinning) == 5
    while run.now.time < 200 * MS:
        run.turn()
    run.turn(fault(204))
    start = int(run.now.fault.start[0])
    assert start == 200 * MS
    told = [
        spinning.pass_on(run.now.fault, GpsReading(sensor=1, time=time, altitude=-1.0), time).altitude
        for time in range(210 * MS, 300 * MS, 10 * MS)
    ]
    assert told == [170, 180, 190, 200, 170, 180, 190, 200, 170]


def test_ten_thousand_sensors_that_come_and_go_leave_nothing():
    run = Run()
    peak = 0
    for number in range(1, 10_001, 50):
        adds = [gps(one, 10) for one in range(number, number + 50)]
        run.turn(*adds)
        assert len(run.now.mounts) == 50
        run.turn(RemoveSensor(number), RemoveAllSensors())
        if number == 1001:
            gc.collect()
            peak = _memory()
    run.turn()
    gc.collect()
    assert run.rig.kept == 0
    assert _memory() - peak < 8 << 20


def _memory() -> int:
    """Resident memory [bytes]."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def test_snapshots_alone_decide_what_is_read():
    run = Run(gps(1, 10))
    run.read(5)
    before, now = run.now, step(SCENE, run.now, (), run.noise)
    fresh = Rig(SCENE, Noise(3), no_stage)
    assert [dataclasses.astuple(one) for one in fresh.read(before, now)] == [
        dataclasses.astuple(one) for one in run.rig.read(before, now)
    ]


def snapshot_without_sensors() -> Snapshot:
    return first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])


def test_without_sensors_nothing_is_imported_or_made():
    now = snapshot_without_sensors()
    rig = Rig(SCENE, Noise(0), no_stage)
    assert rig.read(now, step(SCENE, now, (), Noise(0))) == []
    assert rig.kept == 0
