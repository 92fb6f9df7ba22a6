"""The pace that a run can reach with its sensors, reckoned from what their readings take."""

from __future__ import annotations

import pytest

from dorosim.endpoint.sensor import rehearsal
from dorosim.endpoint.sensor.rehearsal import ROUNDS, mounted, pace_within_reach, slow_notice
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import CameraSettings, GpsSettings, Lidar3dSettings
from dorosim.world.snapshot import EGO

MS = 1e-3
TICK = 10_000_000


class FakeRig:
    """Each look lets the clock go on: that of the wall and, for packets, that of the thread."""

    def __init__(self, clock, cost):
        self.clock, self.cost, self.asked = clock, cost, []

    def read_now(self, before, now, only, *, whole):
        assert not whole
        assert now.time == before.time + TICK
        (sensor,) = only
        self.asked.append(sensor)
        self.clock.wall += self.cost[sensor]
        return [sensor]


class FakePacker:
    def __init__(self, clock, cost):
        self.clock, self.cost = clock, cost

    def packets(self, sensor):
        self.clock.thread += self.cost[sensor]
        yield b""


class FakeClock:
    wall = thread = 0.0

    def perf_counter(self):
        return self.wall

    monotonic = perf_counter

    def thread_time(self):
        return self.thread


@pytest.fixture
def clock(monkeypatch):
    made = FakeClock()
    monkeypatch.setattr(rehearsal, "time", made)
    monkeypatch.setattr(rehearsal, "packets_of", lambda packer, reading: packer.packets(reading))
    return made


def begin(town, *rates_and_settings):
    commands = [
        AddSensor(EGO, settings=settings, sensor=number, period=None if rate is None else round(1e9 / rate))
        for number, (rate, settings) in enumerate(rates_and_settings, start=1)
    ]
    return mounted(town.built.first, town.built.scene, commands)


def reach(clock, both, read, pack, **more):
    rig = FakeRig(clock, dict(enumerate(read, start=1)))
    packer = FakePacker(clock, dict(enumerate(pack, start=1)))
    return pace_within_reach(rig, packer, both, TICK, **{"cores": 2, "threads": 2, **more}), rig


def test_the_thread_that_reads_is_the_bound_where_packets_cost_nothing(town, clock):
    """Two cameras at 20 Hz, 40 ms each: 1.6 s for a second."""
    both = begin(town, (20.0, CameraSettings()), (20.0, CameraSettings(width=320)))
    pace, _ = reach(clock, both, (40 * MS, 40 * MS), (0.0, 0.0))
    assert pace == pytest.approx(1 / 1.6)


def test_packets_take_from_what_the_processors_can_do(town, clock):
    """20 pictures of 50 ms keep two processors for a second; 10 ms of each JPEG are 0.2 s more for the two."""
    both = begin(town, (20.0, CameraSettings()))
    assert reach(clock, both, (50 * MS,), (10 * MS,))[0] == pytest.approx(1 / 1.1)
    assert reach(clock, both, (50 * MS,), (10 * MS,), cores=4, threads=2)[0] == pytest.approx(1.0)
    assert reach(clock, both, (50 * MS,), (10 * MS,), cores=1, threads=1)[0] == pytest.approx(1 / 1.2)


def test_a_lidar_reads_in_every_tick_and_a_gps_at_its_rate(town, clock):
    both = begin(town, (10.0, Lidar3dSettings()), (5.0, GpsSettings()))
    pace, _ = reach(clock, both, (4 * MS, 20 * MS), (0.0, 0.0))
    assert pace == pytest.approx(1 / (100 * 4 * MS + 5 * 20 * MS))


def test_sensors_that_take_long_read_once_for_all_with_their_settings(town, clock):
    """50 cameras of 2 s each: the first tells for the others, which look nowhere else in this test."""
    both = begin(town, *[(1.0, CameraSettings())] * 50)
    pace, rig = reach(clock, both, (2.0,) * 50, (0.0,) * 50)
    assert rig.asked == [1]
    assert pace == pytest.approx(1 / 100)


def test_sensors_that_are_quick_read_a_few_times(town, clock):
    both = begin(town, (20.0, CameraSettings()), (20.0, CameraSettings()))
    _, rig = reach(clock, both, (10 * MS, 30 * MS), (0.0, 0.0))
    assert rig.asked == [1, 2] * ROUNDS


def test_the_start_says_so_where_the_pace_is_not_reached():
    assert "about 0.62 x real time" in slow_notice(0.6213, 1.0)
    assert slow_notice(0.99, 1.0) == ""
    assert slow_notice(3.0, 1.0) == ""
    assert "about 1.50 x" in slow_notice(1.5, 2.0)
    assert slow_notice(0.1, None) == "", "a run as fast as possible has no pace to miss"
