"""Lidars in rain, fog, snow, smoke and spray, against the formulas of the papers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.aerosol import volumes_near
from dorosim.sensor.lidar.lidar import Lidar
from dorosim.sensor.lidar.model import MODELS
from dorosim.sensor.lidar.motion import SweepMotion
from dorosim.sensor.lidar.setting import LidarSetting
from dorosim.sensor.lidar.weather import haze_of, lidar_weather
from dorosim.sensor.scene.material import Material
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import CreateMapObject, SetSky
from dorosim.world.environment.friction_area import Friction
from dorosim.world.environment.spray import spray_behind
from dorosim.world.environment.weather import EnvironmentState, first_environment
from tests.sensor.crowd import CAR_SIZE, SCENE, Crowd
from tests.sensor.lidar.place import SECOND
from tests.sensor.scene.build import box, plane, pose, scene_of
from tests.world.effect import changed

VLP = MODELS["VLP-16"]
LEVEL = np.eye(3)
DETECTION = VLP.detection
"""Range at which half of the echoes of a 10 % surface are found in clear air [m]: the z_max of Goodin et al."""


def weather_of(**sky) -> EnvironmentState:
    state, problem = changed("environment", first_environment(), SetSky(**sky))
    assert problem == ""
    return state


def look(state, distance=None, *, material=Material.PLASTIC, seed=1, until=SECOND // 2, ground=-1000.0, **more):
    """A reading of a lidar at the origin before a wall."""
    noise = more.pop("noise", 0.0)
    setting = LidarSetting(noise=noise, return_mode=more.pop("return_mode", "strongest"))
    wall = ([box((1.0, 300.0, 300.0), material=material)], [pose(distance + 1.0, 0.0, 0.0)]) if distance else ()
    scene, view = scene_of(plane(ground), *wall)
    assert scene
    motion = SweepMotion.at_rest(np.zeros(3), LEVEL, 0, 1)
    return Lidar(7, setting, Noise(seed)).read(view, motion, 0, until, weather=lidar_weather(state, VLP), **more)


def ahead(reading) -> tuple[np.ndarray, np.ndarray]:
    """Distances [m] and intensities of the lasers that are nearly level, where the sensor looks forward."""
    forward = (reading.azimuth < 500) | (reading.azimuth > 35500)
    level = [values[forward].reshape(-1, 2, 16)[:, :, [1, 14]] for values in (reading.distance, reading.intensity)]
    return level[0] * 0.002, level[1]


@pytest.mark.parametrize("rate", [1.0, 5.0, 10.0, 25.0, 50.0])
def test_rain_shortens_the_range_as_goodin_predicts(rate):
    """Half of the echoes are lost where exp(-0.02 R^0.6 z) / z^2 is as in clear air at the range of detection."""
    low, high = 1.0, DETECTION
    while high - low > 1e-6:
        z = 0.5 * (low + high)
        found = math.exp(-0.02 * rate**0.6 * z) / z**2 > 1.0 / DETECTION**2
        low, high = (z, high) if found else (low, z)
    shares = []
    for distance in (0.9 * z, z, 1.1 * z):
        reach, _ = ahead(look(weather_of(rain=rate * MM_PER_HOUR), distance))
        shares.append(np.count_nonzero(reach > 0.95 * distance) / reach.size)
    assert shares[0] > 0.55
    assert shares[1] == pytest.approx(0.5, abs=0.08)
    assert shares[2] < 0.45


@pytest.mark.parametrize(("rate", "distance"), [(0.5, 20.0), (2.0, 10.0), (5.0, 10.0)])
def test_rain_blurs_ranges_as_goodin_predicts(rate, distance):
    reach, _ = ahead(look(weather_of(rain=rate * MM_PER_HOUR), distance, material=Material.WHITE_LINE))
    reach = reach[reach > 0.5 * distance]
    assert np.std(reach) == pytest.approx(0.02 * distance * (1.0 - math.exp(-rate)) ** 2, rel=0.1)


def test_rain_takes_intensity_by_range():
    """A white wall, 0.75 by its reflectivity, in 5 mm/h: exp(-2 0.01 5^0.6 z) of its intensity in clear air."""
    for distance in (5.0, 10.0, 20.0):
        clear, wet = (
            np.median(ahead(look(weather_of(rain=rate * MM_PER_HOUR), distance, material=Material.WHITE_LINE))[1])
            for rate in (0.0, 5.0)
        )
        assert wet == pytest.approx(clear * math.exp(-0.02 * 5.0**0.6 * distance), rel=0.1)


def test_fog_takes_light_as_kim_says():
    """Below 500 m of visibility as much at 905 nm as at 550 nm; beyond, less."""
    clear = 3.0 / 20e3 * (905 / 550) ** -1.3
    for visibility, exponent in ((50.0, 0.0), (200.0, 0.0), (2000.0, 0.16 * 2.61 + 0.34)):
        expected = 3.0 / visibility * (905 / 550) ** -exponent - clear
        assert haze_of(weather_of(visibility=visibility)) == pytest.approx(expected, rel=0.01)


def to_the_sky(state, **more):
    """Ranges of the points of a lidar that nothing solid surrounds."""
    points = look(state, **more).points()
    return np.sqrt(points["x"].astype(float) ** 2 + points["y"] ** 2 + points["z"] ** 2)


def test_fog_makes_points_near_the_sensor_and_the_more_the_denser():
    """As in fog chambers: none worth mentioning in thin fog, a ball of some metres around the sensor in a dense one."""
    assert len(to_the_sky(weather_of(visibility=20_000.0))) == 0
    rays = SECOND // 2 // VLP.sequence * 16
    shares = [len(to_the_sky(weather_of(visibility=visibility))) / rays for visibility in (1000.0, 100.0, 50.0, 25.0)]
    assert shares == sorted(shares)
    assert shares[0] < 0.001
    assert shares[2] > 0.3
    near = to_the_sky(weather_of(visibility=50.0))
    assert near.min() >= VLP.nearest - 0.01
    assert np.percentile(near, 95) < 15.0
    assert np.std(near) > 0.5


def test_flakes_and_drops_make_points_and_snow_many_more():
    rays = SECOND // 2 // VLP.sequence * 16
    rain = len(to_the_sky(weather_of(rain=40 * MM_PER_HOUR))) / rays
    snow = [len(to_the_sky(weather_of(snow=rate * MM_PER_HOUR))) / rays for rate in (0.2, 2.0)]
    assert 0.0 < rain < 0.05
    assert rain < snow[0] < snow[1]
    assert np.percentile(to_the_sky(weather_of(snow=2 * MM_PER_HOUR)), 90) < 25.0


def test_the_same_seed_gives_the_same_flakes():
    state = weather_of(snow=2 * MM_PER_HOUR)
    one, same, other = (look(state, seed=seed).distance for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


def test_a_strong_echo_hides_the_fog_and_the_last_one_is_the_wall():
    """A white wall 6 m away in 40 m of visibility."""
    state = weather_of(visibility=40.0)

    def share_of_wall(mode, row=None):
        reading = look(state, 6.0, material=Material.WHITE_LINE, return_mode=mode)
        forward = (reading.azimuth < 500) | (reading.azimuth > 35500)
        blocks = reading.distance[forward] * 0.002
        return np.count_nonzero(blocks[blocks > 0.0] > 5.9) / np.count_nonzero(blocks)

    assert share_of_wall("strongest") > 0.98
    assert share_of_wall("last") > 0.98
    assert 0.5 < share_of_wall("dual") < 0.9, "the second return of a beam is the fog's"


def test_a_wet_road_is_darker_and_a_white_one_brighter():
    """A lidar 2 m over asphalt; the third laser looks 13 degrees down."""

    def intensity(water: float, snow: float) -> float:
        scene, view = scene_of(plane(-2.0))
        assert scene
        setting = LidarSetting(noise=0.0, drop_out=False)
        motion = SweepMotion.at_rest(np.zeros(3), LEVEL, 0, 1)
        got = Lidar(7, setting, Noise(1)).read(view, motion, 0, SECOND // 10, cover=(water, snow))
        return float(np.median(got.intensity.reshape(-1, 16)[:, 2]))

    dry, wet, white = intensity(0.0, 0.0), intensity(1e-3, 0.0), intensity(0.0, 0.05)
    assert white == pytest.approx(100 * 0.85 * math.sin(math.radians(13.0)), abs=1.0)
    assert wet < dry < white


def smoking(name: str, x: float) -> Friction:
    friction, problem = changed("friction", Friction(), CreateMapObject(5, name, (x, 0.0, -2.0)))
    assert problem == ""
    return friction


def test_smoke_hides_what_is_behind_it_and_shows_as_points_inside():
    """10 m by 6 m by 5 m of smoke around a place 20 m ahead, before a wall at 40 m."""
    crowd = Crowd().now()
    crowd.friction = smoking("DenseSmoke", 20.0)
    volume = volumes_near(SCENE, crowd, np.zeros(3), 100.0)
    assert volume.shape == (1, 10)
    reach, _ = ahead(look(first_environment(), 40.0, material=Material.WHITE_LINE, volume=volume))
    assert np.count_nonzero(reach > 35.0) == 0, "no light comes through 20 m of it"
    inside = reach[reach > 0.0]
    assert len(inside) > 0.5 * reach.size
    assert inside.min() > 9.5
    assert inside.max() < 31.0
    crowd.friction = smoking("Smoke", 20.0)
    thin = volumes_near(SCENE, crowd, np.zeros(3), 100.0)
    reach, _ = ahead(look(first_environment(), 40.0, material=Material.WHITE_LINE, volume=thin, return_mode="last"))
    assert thin[0, 8] == pytest.approx(volume[0, 8] / 10.0)
    assert volumes_near(SCENE, crowd, np.array((200.0, 0.0, 0.0)), 100.0).shape == (0, 10)


def test_spray_follows_fast_vehicles_on_wet_roads():
    state = weather_of(rain=40 * MM_PER_HOUR).copy()
    state.water_depth[0] = 1e-3
    crowd = Crowd()
    crowd.npc(30.0, 0.0, speed=25.0)
    crowd.npc(30.0, 5.0, speed=5.0)
    now = crowd.now()
    now.friction = Friction()
    assert len(volumes_near(SCENE, now, np.zeros(3), 100.0)) == 0, "dry"
    now.environment = state
    (one,) = volumes_near(SCENE, now, np.zeros(3), 100.0)
    rear = 30.0 + 1.3 - 0.5 * CAR_SIZE[0]
    assert one[0] + one[5] == pytest.approx(rear), "it begins at the bumper"
    assert one[5] == pytest.approx(12.5), "and hangs for a second"


def test_spray_behind_a_lorry_hides_what_is_farther_than_some_thirty_metres():
    """FHWA-RD-79-84, at 90 km/h on 1 mm; a car's is thinner, at 60 km/h by half and more."""
    speed, width, height = np.array([25.0, 25.0, 16.0]), np.array([2.5, 1.8, 1.8]), np.array([3.8, 1.5, 1.5])
    lorry, car, slow = (-math.log(0.05) / spray_behind(speed, width, height, 1e-3).extinction).tolist()
    assert 15.0 < lorry < 60.0
    assert slow > 2.0 * car
