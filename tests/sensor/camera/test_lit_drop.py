"""Rain and snow that lamps light: how drops scatter, and where one sees it."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.sensor.camera.lit_drop import MATT_PHASE, PHASE_STEPS, drop_phase, light_particles
from dorosim.sensor.camera.picture_weather import PictureSurroundings
from dorosim.sensor.camera.precipitation import Precipitation
from dorosim.sensor.lidar.weather import DROP_BACKSCATTER
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.weather import WeatherKind
from tests.sensor.camera.shot import camera, environment, light_of, shoot, view_of
from tests.sensor.scene.build import box, plane

EYE = np.zeros(3, np.float32)


def lamp(place, forward, candela: float = 2000.0) -> np.ndarray:
    """One lamp that shines evenly into the half space before it."""
    row = np.zeros((1, 18), np.float32)
    row[0, :3], row[0, 3:6], row[0, 6:9], row[0, 9:12] = place, forward, (0, 1, 0), (0, 0, 1)
    row[0, 12:15], row[0, 17] = candela, 100.0
    return row


def test_a_drop_sends_on_nearly_all_light_and_back_as_much_as_the_theory_of_its_front_and_rear_says():
    phase = drop_phase().astype(float)
    whole = (phase * 4.0 * np.pi / PHASE_STEPS).sum()
    assert 0.98 < whole < 1.0, "what is turned back more than once within the drop is left out"
    assert phase[-1] == pytest.approx(DROP_BACKSCATTER, rel=0.1)
    assert (MATT_PHASE * 4.0 * np.pi / PHASE_STEPS).sum() == pytest.approx(1.0, rel=1e-5)


def test_a_rainbow_stands_at_138_degrees():
    angle = np.degrees(np.arccos(1.0 - 2.0 * (np.arange(PHASE_STEPS) + 0.5) / PHASE_STEPS))
    back = angle > 120.0
    assert angle[back][drop_phase()[back].argmax()] == pytest.approx(138.0, abs=3.0)


def test_a_drop_shines_by_illuminance_and_by_the_angle():
    place = np.array([(5.0, 0.0, 0.0)])
    shine = np.zeros((1, 3), np.float32)
    found = {}
    for name, source in {
        "behind": lamp((10.0, 0.0, 0.0), (-1, 0, 0)),
        "own": lamp((0.0, 0.0, 0.0), (1, 0, 0)),
        "away": lamp((0.0, 0.0, 0.0), (-1, 0, 0)),
    }.items():
        light_particles(place, EYE, source, drop_phase(), shine)
        found[name] = float(shine[0, 0])
    assert found["own"] == pytest.approx(2000.0 / 25.01 * np.pi * float(drop_phase()[-1]) / 80_000.0, rel=1e-3)
    assert found["behind"] > 30.0 * found["own"], "light goes on through drops"
    assert found["away"] == 0.0


@pytest.mark.parametrize("snow", [False, True])
def test_a_lamp_shows_what_falls_at_night_and_a_wall_before_it_hides_that(snow):
    light = light_of(environment(23.0, WeatherKind.RAINY))
    lens = camera(320, 240)
    rate = (2.0 if snow else 20.0) * MM_PER_HOUR

    def picture(view) -> np.ndarray:
        fall = Precipitation(
            rain=0.0 if snow else rate,
            snow=rate if snow else 0.0,
            wind=np.zeros(3),
            velocity=np.zeros(3),
            exposure_time=1 / 60,
            random=np.random.default_rng(3),
        )
        around = PictureSurroundings(np.zeros((0, 10)), fall)
        return shoot(view, (0.0, 0.0, 1.5), lens=lens, light=light, around=around).rgb[:100, :120].astype(int)

    open_, walled = (view_of(*([plane(), *more])) for more in ((), ([box((0.1, 0.6, 0.6))], [wall_pose()])))
    source = lamp((8.0, 0.0, 1.5), (-1, 0, 0), 20_000.0)
    dark, lit = picture(open_), picture(open_._replace(moving_light=_from_origin(source, open_)))
    hidden, shown = picture(walled), picture(walled._replace(moving_light=_from_origin(source, walled)))
    assert (lit - dark).max() > 25
    assert np.abs(shown - hidden).max() < 10
    again = picture(open_._replace(moving_light=_from_origin(source, open_)))
    np.testing.assert_array_equal(lit, again)


def wall_pose() -> object:
    """A small screen between camera and lamp."""
    from tests.sensor.scene.build import pose

    return pose(2.5, 0.0, 1.5)


def _from_origin(source: np.ndarray, view) -> np.ndarray:
    moved = source.copy()
    moved[:, :3] -= view.origin
    return moved
