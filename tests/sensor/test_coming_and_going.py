"""Thousands of real sensors that come and go in one process leave nothing behind."""

from __future__ import annotations

import gc
import os
import resource
from pathlib import Path

import msgspec
import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.world.mount.command import AddSensor, RemoveAllSensors, RemoveSensor
from dorosim.world.mount.setting import AnySettings, CameraSettings, Lidar3dSettings
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from tests.sensor.drive import SCENE
from tests.sensor.witness import OTHERS, PLACE, crowd, first, real_stage

TICK = 10_000_000
MOST = 8 << 20
"""By how much memory may grow after the first third [bytes]; in the soak a leak of 1.3 kB a sensor is more."""


def test_hundreds_of_sensors_leave_nothing():
    assert grown(304) < MOST


@pytest.mark.soak
def test_ten_thousand_sensors_leave_nothing():
    assert grown(10_000) < MOST


def grown(sensors: int) -> int:
    """By how much memory grows in the last two thirds of a run in which so many sensors read and go [bytes]."""
    noise, now = Noise(1), first()
    now = step(SCENE, now, crowd(), noise)
    rig, rounds, least, read = Rig(SCENE, noise, real_stage), sensors // len(OTHERS), 0, 0
    for turn in range(rounds):
        adds = [
            AddSensor(EGO, settings=varied(settings, turn), position=PLACE, period=TICK_OF.get(type(settings), TICK))
            for settings in OTHERS
        ]
        before, now = now, step(SCENE, now, adds, noise)
        assert not now.refusals
        before, now = now, step(SCENE, now, (), noise)
        read += len(rig.read(before, now))
        assert not rig.problems
        going = RemoveSensor(now.mounts.all()[0].id)
        now = step(SCENE, now, (going, RemoveAllSensors()), noise)
        assert not len(now.mounts)
        rig.read(before, now)
        assert rig.kept == 0
        if turn == rounds // 3:
            gc.collect()
            least = memory()
    assert read == rounds * len(OTHERS), "each of them has read"
    gc.collect()
    return memory() - least


TICK_OF = {Lidar3dSettings: None}


def varied(settings: AnySettings, number: int) -> AnySettings:
    """The same kind with other numbers each time, so that nothing that is kept by settings is found again."""
    if isinstance(settings, CameraSettings):
        return msgspec.structs.replace(settings, fov=1.0 + 1e-4 * number)
    if isinstance(settings, Lidar3dSettings):
        return msgspec.structs.replace(settings, range=50.0 + 0.01 * number)
    return settings


def memory() -> int:
    """Resident memory [bytes]."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
