"""Lidars on vehicles among others: whom they see, and how weather reaches them."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.world.environment.command import SetSky
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import Lidar2dSettings, Lidar3dSettings, LidarIntensity, LidarModel
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from tests.sensor.drive import SCENE
from tests.sensor.witness import crowd, first, real_stage

CABIN = (1.4, 0.0, 1.0)


def turn(settings, *commands):
    """What a sensor in the cabin tells of a whole turn."""
    noise = Noise(2)
    before = step(SCENE, first(), (*crowd(), *commands, AddSensor(EGO, settings=settings, position=CABIN)), noise)
    now = step(SCENE, before, (), noise)
    assert not before.refusals
    (reading,) = Rig(SCENE, noise, real_stage).read_now(before, now)
    return reading


@pytest.mark.parametrize("model", list(LidarModel))
def test_a_lidar_in_the_cabin_sees_others_and_not_its_own_car(model):
    settings = Lidar3dSettings(model=model, intensity=LidarIntensity.INSTANCE, ideal=True)
    reading = turn(settings)
    seen = set(np.unique(reading.intensity[reading.distance > 0]).tolist())
    assert EGO not in seen
    assert len(seen) >= 3, "the ground and some of the others"


def test_a_lidar_above_the_roof_sees_its_own_car_if_it_is_to():
    def own(settings):
        noise = Noise(2)
        before = step(SCENE, first(), (*crowd(), AddSensor(EGO, settings=settings, position=(1.2, 0.0, 1.7))), noise)
        (reading,) = Rig(SCENE, noise, real_stage).read_now(before, step(SCENE, before, (), noise))
        return np.count_nonzero((reading.intensity == EGO) & (reading.distance > 0))

    settings = {"model": LidarModel.HDL_32E, "intensity": LidarIntensity.INSTANCE, "ideal": True}
    assert own(Lidar3dSettings(**settings)) == 0
    assert own(Lidar3dSettings(**settings, own_vehicle=True)) > 100


def test_a_2d_lidar_in_the_cabin_sees_others_and_not_its_own_car():
    reading = turn(Lidar2dSettings(range=60.0, range_noise=0.0, intensity=LidarIntensity.INSTANCE))
    assert EGO not in reading.intensity
    assert reading.intensity.any()
    assert reading.distance_mm.min() > 2000


def test_fog_leaves_what_is_near():
    clear, foggy = turn(Lidar3dSettings()), turn(Lidar3dSettings(), SetSky(visibility=50.0))
    far = clear.distance > 15.0 / 0.002
    assert np.count_nonzero(foggy.distance[far] > 15.0 / 0.002) < 0.1 * np.count_nonzero(far)
    near = (clear.distance > 0) & (clear.distance < 5.0 / 0.002)
    assert np.count_nonzero(foggy.distance[near]) > 0.9 * np.count_nonzero(near)
