"""Sensor sets that no machine bears are told of, with the memory and time that they need."""

from __future__ import annotations

import pytest

from dorosim.app.serve.sensor.need import Need, need_notices, need_of
from dorosim.app.serve.sensor.store import plan_sensors
from dorosim.app.setting.settings import SensorRow, Settings
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.effect import change_mounts
from dorosim.world.mount.setting import CameraSettings, GpsSettings, Lidar3dSettings
from dorosim.world.mount.state import Mounts
from dorosim.world.snapshot import EGO

GB = 10**9


def mounts_of(*settings, period=50_000_000) -> Mounts:
    mounts = Mounts.empty()
    for one in settings:
        mounts, problem = change_mounts(mounts, AddSensor(EGO, settings=one, position=(0, 0, 1), period=period), 0)
        assert not problem
    return mounts


def test_a_set_as_stacks_have_it_is_no_news():
    need = need_of(mounts_of(*[CameraSettings(width=1280, height=720)] * 3, Lidar3dSettings(), GpsSettings()))
    assert need.memory < 0.1 * GB
    assert 2.0 < need.cores < 2.5  # three pictures of 37 ms twenty times a second
    assert need_notices(need, cores=2, free=8 * GB) == ()


def test_a_thousand_big_cameras_are_told_of_with_memory_and_time():
    need = need_of(mounts_of(*[CameraSettings(width=1920, height=1080)] * 1000, period=10_000_000))
    assert need.memory == pytest.approx(33.2 * GB, rel=0.01)
    assert need.cores == pytest.approx(8_294, rel=0.01)
    (line,) = need_notices(need, cores=2, free=9 * GB)
    assert line == (
        "sensors need about 33.2 GB of memory (9.0 GB are free) and about 8,294.4 processor cores for real time "
        "(2 are there, so the run goes at 0.00024 of real time); fewer or smaller ones, or a lower rate_hz, need less"
    )


def test_either_is_told_of_alone():
    assert need_notices(Need(5 * GB, 1.0), cores=4, free=8 * GB)
    assert not need_notices(Need(5 * GB, 1.0), cores=4, free=0)
    assert need_notices(Need(1, 41.0), cores=4, free=8 * GB)
    assert not need_notices(Need(1, 39.0), cores=4, free=8 * GB)
    assert not need_notices(Need(0, 0.0), cores=1, free=1)


def test_four_rays_a_pixel_are_four_times_the_time():
    one, four = (need_of(mounts_of(CameraSettings(samples=samples))) for samples in (1, 4))
    assert four.cores == pytest.approx(4 * one.cores)


def test_the_start_of_a_run_has_the_line(tmp_path, town):
    rows = tuple(SensorRow(kind="camera", rate_hz=100.0, settings={"width": 1920, "height": 1080}) for _ in range(600))
    plan = plan_sensors(Settings(sensor=rows), tmp_path, town.now)
    assert plan.notices[0].startswith("sensors need about 19.9 GB of memory")
    assert plan_sensors(Settings(sensor=rows[:1]), tmp_path, town.now).notices == ()
