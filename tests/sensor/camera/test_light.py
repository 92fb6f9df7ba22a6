"""Light of the time of day and the weather."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.sensor.camera.light import MEAN_SIDE, light_of
from dorosim.world.environment.weather import Season, WeatherKind
from tests.sensor.camera.shot import camera, environment, shoot, view_of
from tests.sensor.scene.build import plane


def test_light_is_a_light_at_every_hour_in_all_weathers():
    for kind in WeatherKind:
        for season in Season:
            for hour in np.arange(0.0, 24.25, 0.25):
                light = light_of(environment(float(hour), kind, season))
                for part in light:
                    assert np.all(np.isfinite(part))
                for colour in (light.sun, light.zenith, light.horizon, light.ground, light.above, light.below):
                    assert np.all(colour >= 0.0)
                assert light.gain > 0.0


def test_the_sun_goes_from_red_to_white_and_not_at_night():
    noon, evening, night = (light_of(environment(hour)) for hour in (12.0, 17.8, 23.0))
    assert noon.sun[0] / noon.sun[2] < 1.4 < evening.sun[0] / evening.sun[2]
    assert noon.shining
    assert not night.shining
    assert not night.sun.any()


def test_the_camera_exposes_for_dusk_but_not_wholly():
    noon, dusk = light_of(environment(12.0)), light_of(environment(18.2))
    assert dusk.gain > noon.gain
    assert dusk.gain * dusk.above.sum() < noon.gain * (noon.above.sum() + noon.sun.sum())
    assert light_of(environment(12.0), exposure=2.0).gain == pytest.approx(4.0 * noon.gain)


def test_rain_hides_the_sun_and_fog_takes_the_view():
    assert not light_of(environment(12.0, WeatherKind.RAINY)).shining
    assert light_of(environment(12.0, WeatherKind.RAINY)).wetness == 1.0
    fog = light_of(environment(12.0, WeatherKind.FOGGY))
    assert fog.extinction == pytest.approx(3.0 / 200.0, rel=0.01), "5 % contrast at the visibility of 200 m"


def test_fog_takes_the_sun_and_dusk_gets_dark_as_tables_say():
    noon, fog = light_of(environment(12.0)), light_of(environment(12.0, WeatherKind.FOGGY))
    assert fog.sun.max() < 0.2 * noon.sun.max()
    # civil twilight ends at -6 degrees with 3 lx (Seidelmann), nautical at -12 with less than a lux: here skies are
    # up to three times as bright at all hours, and the moon and the town give a lux
    hours = np.arange(17.0, 20.0, 0.01)
    lights = [light_of(environment(float(hour))) for hour in hours]
    elevation = np.degrees([np.arcsin(float(light.toward_sun[2])) for light in lights])
    lux = 80_000.0 * np.array([float(light.above @ (0.2126, 0.7152, 0.0722)) for light in lights])
    assert np.all(np.diff(lux)[elevation[1:] < 5.0] <= 1e-6 * lux[0]), "it only gets darker"
    assert 3.0 < np.interp(6.0, -elevation, lux) < 15.0
    assert 0.5 < np.interp(12.5, -elevation, lux) < 3.0
    assert 300.0 < np.interp(0.5, -elevation, lux) < 3000.0


def test_a_low_sun_reddens_its_side_of_the_sky_and_a_high_one_does_not():
    view, lens = view_of(plane()), camera(160, 120)
    warmth = {}
    for hour in (5.8, 8.0):
        light = light_of(environment(hour))
        azimuth = float(np.arctan2(light.toward_sun[1], light.toward_sun[0]))
        sides = (
            shoot(view, yaw=azimuth + turn, lens=lens, light=light).rgb[40:56].astype(float) for turn in (0.5, 2.6)
        )
        warmth[hour] = [float(side[..., 0].mean() / side[..., 2].mean()) for side in sides]
    low, high = warmth[5.8], warmth[8.0]
    assert low[0] > 1.3 * low[1], "red below the sun, blue across the sky from it"
    assert low[0] > 1.3 * high[0]
    assert high[0] == pytest.approx(high[1], rel=0.15)


def test_on_average_over_all_sides_the_red_of_a_low_sun_is_what_the_light_on_the_ground_has_of_it():
    around = np.linspace(-np.pi, np.pi, 3600, endpoint=False)
    assert np.mean((0.5 + 0.5 * np.cos(around)) ** 2) == pytest.approx(MEAN_SIDE, rel=1e-3)
    for hour in (5.4, 5.8, 18.2):
        light = light_of(environment(hour))
        assert (light.glow[0] > 3.0 * light.glow[2]).all()
        assert (light.horizon > 0.0).all()
