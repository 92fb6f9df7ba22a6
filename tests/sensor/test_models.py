"""Radar and ultrasonic among the models of the real scene, against ground truth."""

from __future__ import annotations

import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GroundTruthSettings, RadarSettings, UltrasonicSettings
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from tests.sensor.scene.build import NO_LIGHTS, plane
from tests.world.world import CAR, street

TICK = 10_000_000
SCENE = street(10.0)
EXACT = RadarSettings(
    range_noise=0.0, rate_noise=0.0, azimuth_noise=0.0, clutter=0.0, fluctuation=False, sensitivity=-20.0
)


def readings(*npcs: tuple[int, float]):
    """Radar, ultrasonic in the bumper and in the cabin, ground truth; NPC vehicles on (link, place of the front)."""
    noise, before = Noise(1), first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
    bumper, cabin = (3.7, 0.0, 0.5), (1.5, 0.0, 0.9)
    echo = UltrasonicSettings(range=10.0, range_noise=0.0)
    sensors = ((EXACT, bumper), (echo, bumper), (echo, cabin), (GroundTruthSettings(), bumper))
    commands = [AddSensor(EGO, settings=settings, position=place, period=TICK) for settings, place in sensors]
    cars = [CreateNpc(model="2015_Kia_K5", link=link, s=s, move_on=True) for link, s in npcs]
    now = step(SCENE, before, (*commands, *cars), noise)
    assert not now.refusals
    rig = Rig(SCENE, noise, lambda: SensorScene.from_scene(SCENE, StaticWorld(plane(half=700.0), NO_LIGHTS)))
    found = rig.read(before, now)
    assert not rig.problems
    return found


def test_a_radar_detects_who_is_there_where_they_are():
    radar, _, _, truth = readings((1, 100.0), (0, 80.0))
    assert sorted(radar.actor.tolist()) == sorted(truth.actor.tolist())
    for actor, point, rate in zip(radar.actor, radar.point, radar.range_rate, strict=True):
        row = truth.actor.tolist().index(actor)
        assert -2.5 < truth.position_in_sensor[row, 0] - point[0] < 1.5, "on its rear or the side that is seen"
        assert point[1] == pytest.approx(truth.position_in_sensor[row, 1], abs=0.95)
        assert rate == pytest.approx(truth.velocity_in_sensor[row, 0], abs=0.5)


def test_a_car_close_by_hides_those_behind_it():
    radar, *_ = readings((1, 60.0), (1, 100.0))
    assert len(radar.actor) == 1


def test_ultrasonic_sensors_hear_the_car_ahead_and_not_their_own():
    _, bumper, cabin, truth = readings((1, 62.0))
    gap = float(truth.position_in_sensor[0, 0])
    assert 0.3 < gap - bumper.distance < 1.5, "the rear overhang"
    assert cabin.distance == pytest.approx(bumper.distance + 2.2, abs=0.3)
