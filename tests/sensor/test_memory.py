"""Sensors of every kind that come and go leave no memory behind."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.mount.command import AddSensor, RemoveAllSensors
from dorosim.world.mount.setting import SETTINGS, CameraSettings, SensorKind
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.sensor.scene.build import plane
from tests.sensor.test_models import NO_LIGHTS
from tests.world.world import CAR, street

SCENE = street(10.0)
TICK = 10_000_000
STATUS = Path("/proc/self/statm")
ALL = [settings() for kind, settings in SETTINGS.items() if kind is not SensorKind.CAMERA] * 10
ALL += [CameraSettings(width=32, height=24, boxes=True)] * 10


def resident_mb() -> float:
    gc.collect()
    return int(STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.skipif(not STATUS.exists(), reason="this system does not tell the memory of a process in /proc")
def test_sensors_of_every_kind_come_and_go_without_memory():
    rig = Rig(SCENE, Noise(1), lambda: SensorScene.from_scene(SCENE, StaticWorld(plane(half=300.0), NO_LIGHTS)))
    now = first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
    used = []
    for turn in range(50):
        place = (1.0, 0.0, 1.5 + 1e-3 * turn)
        period = {SensorKind.LIDAR_3D: 10 * TICK}
        added = [AddSensor(EGO, settings=one, position=place, period=period.get(one.KIND, TICK)) for one in ALL]
        before, now = now, step(SCENE, now, (RemoveAllSensors(), *added), Noise(1))
        assert not now.refusals
        assert len(rig.read(before, now)) == len(ALL)
        assert not rig.problems
        assert rig.kept <= 3 * len(ALL)
        if turn in (9, 49):
            used.append(resident_mb())
    assert used[1] - used[0] < 4.0, "MB for 3,200 sensors"
