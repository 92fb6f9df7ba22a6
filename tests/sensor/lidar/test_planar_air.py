"""The 2D lidar in rain, fog, snow and smoke, against the laws of the papers that the spinning ones follow."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.aerosol import NO_VOLUMES
from dorosim.sensor.lidar.planar import PlanarLidar
from dorosim.sensor.lidar.planar_air import scan_through_air
from dorosim.sensor.lidar.weather import CLEAR_WEATHER, LidarWeather, PlanarSpec, lidar_weather
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import SetSky
from dorosim.world.environment.weather import first_environment
from dorosim.world.mount.setting import Lidar2dSettings
from tests.sensor.scene.build import box, scene_of
from tests.world.effect import changed

FAR = PlanarSpec(65.0)
RAYS = 360


def weather_of(**sky) -> LidarWeather:
    state, problem = changed("environment", first_environment(), SetSky(**sky))
    assert problem == ""
    return lidar_weather(state, FAR)


def look(distance: float, weather: LidarWeather, bright: float = 0.1, volume=NO_VOLUMES, seed: int = 1):
    """All rays along x towards a wall of a brightness."""
    draw = 1.0 - np.random.default_rng(seed).random((1 + len(volume), RAYS))
    direction = np.tile((1.0, 0.0, 0.0), (RAYS, 1))
    wall, light = np.full(RAYS, distance), np.full(RAYS, bright)
    return scan_through_air(np.zeros(3), direction, wall, light, weather, volume, FAR, draw)


def test_in_clear_air_all_is_found_however_dark():
    assert np.isfinite(look(64.0, CLEAR_WEATHER, bright=0.001).distance).all()


@pytest.mark.parametrize("rate", [2.0, 8.0, 20.0])
def test_rain_ends_the_range_where_goodin_says(rate):
    """Found while (40 m / r)² exp(-0.02 R^0.6 r) is at least 1: 10 % back, 0.01 R^0.6 1/m there and back."""
    weather = LidarWeather(0.01 * rate**0.6, 0.0, np.zeros(0, np.float32), np.zeros(0, np.float32))
    found = [metres for metres in np.arange(10.0, 64.0, 0.1) if np.isfinite(look(metres, weather).distance[0])]
    reserve = [(40.0 / metres) ** 2 for metres in np.arange(10.0, 64.0, 0.1)]
    expected = [
        metres
        for metres, signal in zip(np.arange(10.0, 64.0, 0.1), reserve, strict=True)
        if max(signal, 4.0) * math.exp(-0.02 * rate**0.6 * metres) >= 1.0
    ]
    assert max(found) == pytest.approx(max(expected), abs=0.11)
    assert max(found) < 63.0


def test_fog_hides_what_is_far_and_makes_points_near():
    fog = weather_of(visibility=40.0)
    seen = look(30.0, fog)
    assert seen.in_air.mean() > 0.2
    assert np.isinf(seen.distance[~seen.in_air]).all()
    assert seen.distance[seen.in_air].mean() < 12.0
    near = look(3.0, fog, bright=0.5)
    assert not near.in_air.all()
    assert np.isfinite(near.distance).all()


def test_smoke_hides_what_is_behind_it_and_is_found_itself():
    cloud = np.array([[10.0, 0.0, 0.0, 1.0, 0.0, 2.0, 2.0, 2.0, 3.0, 0.02]])
    behind, beside = look(20.0, CLEAR_WEATHER, volume=cloud), look(6.0, CLEAR_WEATHER, volume=cloud)
    assert behind.in_air.mean() > 0.5
    assert ((behind.distance > 8.0) & (behind.distance < 12.0))[behind.in_air].all()
    assert np.isinf(behind.distance[~behind.in_air]).all()
    assert (beside.distance == 6.0).all()


def test_a_scan_in_fog_has_points_of_it_and_the_same_seed_gives_the_same():
    scene, view = scene_of(box((30.0, 30.0, 30.0)))
    assert scene
    fog = weather_of(visibility=60.0)
    lidar = PlanarLidar(3, Lidar2dSettings(range=60.0))
    clear = lidar.scan(view, np.zeros(3), np.eye(3), 5, Noise(1))
    first, again, other = (
        lidar.scan(view, np.zeros(3), np.eye(3), 5, Noise(seed), weather=fog).distance_mm for seed in (1, 1, 2)
    )
    assert (clear.distance_mm > 29_000).all()
    assert 3 < (first < 29_000).sum() < 300
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_the_more_flakes_are_found_on_a_ray_the_heavier_the_snow():
    chances = [float(weather_of(snow=rate * MM_PER_HOUR).chance[-1]) for rate in (0.5, 2.0, 8.0)]
    assert 0.0 < chances[0] < chances[1] < chances[2] < 2.0
