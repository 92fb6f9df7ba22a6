"""Cameras in the cabin of the ego."""

from __future__ import annotations

from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.world.mount.command import AddSensor
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from tests.sensor.drive import SCENE
from tests.sensor.witness import crowd, first, real_stage

CABIN = (1.5, 0.0, 1.3)
SMALL = {"width": 160, "height": 120}


def shots(settings, *commands, count: int = 1, seed: int = 2):
    """Pictures of a camera in the cabin, one a tick."""
    noise = Noise(seed)
    camera = AddSensor(EGO, settings=settings, position=CABIN, period=SCENE.tick)
    before = step(SCENE, first(), (*crowd(), *commands, camera), noise)
    assert not before.refusals
    rig, pictures = Rig(SCENE, noise, real_stage), []
    for _ in range(count):
        now = step(SCENE, before, (), noise)
        (reading,) = rig.read(before, now)
        pictures.append(reading)
        before = now
    assert not rig.problems
    return pictures
