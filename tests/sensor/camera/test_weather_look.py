"""Weather in pictures: contrast in fog, wet roads that mirror, lying snow, streaks, smoke, and equal bytes."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.mesh import Mesh
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.camera.picture_weather import NO_SURROUNDINGS, PictureSurroundings
from dorosim.sensor.camera.precipitation import Precipitation
from dorosim.sensor.camera.shading_tables import TONE_BITS, TONE_LOW, finish_table, tone_table
from dorosim.sensor.scene.material import Material
from dorosim.world.environment.atmosphere import GREEN_LIGHT, MM_PER_HOUR, air_extinction, smoke_extinction
from dorosim.world.environment.command import SetSky, SetWeather
from dorosim.world.environment.spray import spray_behind
from dorosim.world.environment.weather import Season, WeatherKind
from dorosim.world.mount.setting import CameraSettings
from tests.sensor.camera.cabin import SMALL, shots
from tests.sensor.camera.shot import camera, environment, shoot, view_of
from tests.sensor.scene.build import box, plane
from tests.world.effect import changed

DARK = Material.PLASTIC


def radiance(rgb: np.ndarray) -> np.ndarray:
    """The exposed radiance that the film curve makes these bytes of: the middle of what it can be."""
    tone = tone_table().astype(int)
    steps = 2.0 ** (np.arange(len(tone)) / (1 << TONE_BITS) + TONE_LOW)
    low, high = (np.searchsorted(tone, np.arange(256), side) for side in ("left", "right"))
    return (0.5 * (steps[np.minimum(low, len(steps) - 1)] + steps[np.minimum(high, len(steps) - 1)]))[rgb]


def light(kind: WeatherKind, hour: float = 12.0, **depths: float):
    """The light of a weather, with depths of water and snow in its place."""
    state = environment(hour, kind, Season.WINTER if kind is WeatherKind.SNOWY else Season.SPRING).copy()
    for name, depth in depths.items():
        getattr(state, name)[0] = depth
    return light_of(state)


def test_contrast_in_fog_falls_as_koschmieder_says():
    fog, rate = light(WeatherKind.FOGGY), air_extinction(200.0)
    contrasts = []
    for distance in (20.0, 60.0, 100.0):
        view = view_of(
            Mesh.joined((plane(-50.0), box((0.5, 0.2 * distance, 0.2 * distance), (distance, 0.0, 1.0), DARK)))
        )
        seen = radiance(shoot(view, lens=camera(160, 120), light=fog).rgb)
        target, sky = seen[58:62, 78:82].mean(), seen[58:62, :6].mean()
        contrasts.append((sky - target) / sky)
    assert contrasts[1] / contrasts[0] == pytest.approx(np.exp(-40.0 * rate), rel=0.1)
    assert contrasts[2] / contrasts[0] == pytest.approx(np.exp(-80.0 * rate), rel=0.1)


def test_a_wet_road_mirrors_what_stands_on_it_and_a_dry_one_does_not():
    view = view_of(Mesh.joined((plane(), box((0.5, 3.0, 8.0), (25.0, 0.0, 8.0), DARK))))
    sides = {}
    for name, water in (("dry", 0.0), ("wet", 1.2e-3)):
        rgb = radiance(shoot(view, lens=camera(160, 120), light=light(WeatherKind.CLOUDY, water_depth=water)).rgb)
        sides[name] = rgb[66:76, 74:86].mean() / rgb[66:76, 20:40].mean()
    assert sides["dry"] == pytest.approx(1.0, abs=0.15)
    assert sides["wet"] < 0.75, "the dark body stands in the mirror of the sky"


def test_a_wet_road_mirrors_a_lamp_at_night():
    lamp = np.zeros((1, 18), np.float32)
    lamp[0, :3], lamp[0, 3:6], lamp[0, 6:9], lamp[0, 9:12] = (30.0, 0.0, 4.0), (-1, 0, 0), (0, -1, 0), (0, 0, 1)
    lamp[0, 12:15], lamp[0, 17] = 5000.0, 120.0
    view = view_of(plane())._replace(fixed_light=lamp)
    dry, wet = (
        radiance(shoot(view, lens=camera(160, 120), light=light(WeatherKind.SUNNY, 23.0, water_depth=water)).rgb)
        for water in (0.0, 1e-3)
    )
    below, beside = (slice(64, 100), slice(78, 82)), (slice(64, 100), slice(20, 30))
    assert wet[below].mean() > 2.0 * dry[below].mean()
    assert wet[below].mean() - dry[below].mean() > 5.0 * abs(wet[beside].mean() - dry[beside].mean())


def test_lying_snow_whitens_the_ground_in_patches_while_it_is_thin():
    view = view_of(plane(material=Material.GRASS))
    bare, thin, deep = (
        radiance(
            shoot(
                view,
                (0.0, 0.0, 20.0),
                pitch=0.8,
                lens=camera(160, 120),
                light=light(WeatherKind.CLOUDY, snow_depth=snow),
            ).rgb
        )[40:]
        for snow in (0.0, 0.006, 0.05)
    )
    assert bare.mean() < thin.mean() < deep.mean()
    assert deep.mean() > 3.0 * bare.mean()
    assert thin.std() / thin.mean() > 2.0 * deep.std() / deep.mean()


def test_snow_lies_on_roofs_trees_and_cars_and_not_on_their_walls():
    """A body of each material is looked at from above and from the side, with snow and without."""
    above, beside = {"at": (0.0, 0.0, 8.0), "pitch": np.pi / 2}, {"at": (-8.0, 0.0, 1.5)}
    for material in (Material.ROOF, Material.LEAF, Material.PAINT):
        view = view_of(Mesh.joined((plane(-20.0), box((2.0, 2.0, 1.5), (0.0, 0.0, 1.5), material))))
        top, side = (
            [
                radiance(
                    shoot(view, lens=camera(80, 60), light=light(WeatherKind.CLOUDY, snow_depth=snow), **place).rgb
                )[25:35, 35:45].mean()
                for snow in (0.0, 0.05)
            ]
            for place in (above, beside)
        )
        assert top[1] > 1.5 * top[0], material
        assert side[1] / side[0] < 0.9 * top[1] / top[0], f"{material}: it has only what the white ground throws up"


def test_cloud_softens_shadows_by_its_cover_and_takes_them_in_the_end():
    """From above, the shadow of a wall lies to its north at noon: left of it in the picture."""
    view = view_of(Mesh.joined((plane(), box((3.0, 0.2, 2.0), (10.0, 0.0, 2.0)))))
    above = {"at": (10.0, 0.0, 30.0), "pitch": np.pi / 2, "lens": camera(focal_length=(300.0, 300.0))}
    shade = []
    for cover in (0.0, 0.3, 0.6, 0.8, 0.95, 1.0):
        state, problem = changed("environment", environment(12.0), SetSky(cloud=cover))
        assert problem == ""
        seen = radiance(shoot(view, light=light_of(state), **above).rgb)
        shade.append(seen[110:130, 145:152].mean() / seen[110:130, 175:182].mean())
    assert shade[0] < 0.5
    assert (np.diff(shade) > 0.0).all(), "each cover softens them more"
    assert np.diff(shade).max() < 0.35, "and none takes them at once"
    assert shade[-1] == pytest.approx(1.0, abs=0.15)


def test_spray_behind_a_lorry_veils_what_is_behind_it():
    spray = spray_behind(np.array([20.0]), np.array([2.5]), np.array([3.8]), 1e-3)
    length, rate = float(spray.length[0]), float(spray.extinction[0])
    height = float(spray.height[0])
    # it lies above its middle, so a ray at the camera's height of 1 m goes through less than the whole of it
    volume = np.array([(5.0 + 0.5 * length, 0.0, 0.0, 1.0, 0.0, 0.5 * length, 1.5, height, rate, 0.05)])
    path = length * np.sqrt(1.0 - 1.0 / height**2)
    near_target, seen = (slice(58, 62), slice(78, 82)), {}
    for name, around in (("clear", NO_SURROUNDINGS), ("spray", PictureSurroundings(volume))):
        for target in (DARK, Material.WHITE_LINE):
            view = view_of(Mesh.joined((plane(), box((0.1, 3.0, 3.0), (10.0 + length, 0.0, 0.0), target))))
            rgb = shoot(view, lens=camera(160, 120), light=light(WeatherKind.CLOUDY), around=around).rgb
            seen[name, target] = radiance(rgb)[near_target].mean()
    contrast = {name: seen[name, Material.WHITE_LINE] - seen[name, DARK] for name in ("clear", "spray")}
    # near white, one byte stands for radiances that differ by up to 3 %
    assert contrast["spray"] / contrast["clear"] == pytest.approx(np.exp(-rate * path), rel=0.2)


def test_smoke_hides_what_is_behind_it_and_nothing_before_it():
    air = light(WeatherKind.CLOUDY)
    rate = smoke_extinction(3e-4, GREEN_LIGHT)
    volume = np.array([(10.0, 0.0, 0.0, 1.0, 0.0, 3.0, 4.0, 4.0, rate, 0.05)])

    def row_of(distance: float, around: PictureSurroundings) -> float:
        view = view_of(Mesh.joined((plane(), box((0.1, 1.0, 2.0), (distance, 0.0, 0.0), Material.CONE))))
        red, green, _ = shoot(view, lens=camera(160, 120), light=air, around=around).rgb[58:62, 78:82].mean(axis=(0, 1))
        return float(red - green)

    clear, smoky = PictureSurroundings(np.zeros((0, 10))), PictureSurroundings(volume)
    assert row_of(20.0, clear) > 60.0
    assert abs(row_of(20.0, smoky)) < 0.1 * row_of(20.0, clear)
    assert row_of(4.0, smoky) == pytest.approx(row_of(4.0, clear), rel=0.02)


def test_streaks_are_as_long_as_drops_fall_while_the_shutter_is_open():
    view, lens = view_of(plane()), camera(320, 240)
    sums, peaks, pixels = [], [], []
    for exposure_time in (1e-4, 4e-3, 16e-3):
        fall = Precipitation(
            rain=20.0 * MM_PER_HOUR,
            snow=0.0,
            wind=np.zeros(3),
            velocity=np.zeros(3),
            exposure_time=exposure_time,
            random=np.random.default_rng(3),
        )
        aim = lens.aim_at(view, np.array((0.0, 0.0, 1.5)), np.eye(3))
        drawn = fall.draw(view, aim, lens.lens, light(WeatherKind.RAINY))
        veil = drawn.near + drawn.behind
        sums.append(veil.sum())
        peaks.append(np.quantile(veil[veil > 0], 0.9))
        pixels.append((veil > 0).sum())
    assert pixels[0] < pixels[1] < pixels[2], "longer"
    assert peaks[0] > peaks[1] > peaks[2], "and fainter"


def test_the_same_seed_gives_the_same_drops_and_another_others():
    settings = CameraSettings(**SMALL, lens_drops=True)
    first, again, other = (shots(settings, SetWeather(WeatherKind.STORM), count=2, seed=seed) for seed in (2, 2, 3))
    assert all(np.array_equal(one.image, two.image) for one, two in zip(first, again, strict=True))
    assert (first[0].image != other[0].image).any(axis=-1).mean() > 0.01
    assert (first[0].image != first[1].image).any(), "drops fall"


def test_leaves_turn_in_fall_and_are_bare_in_winter_and_hedges_stay_green():
    view = view_of(plane())
    colour = {season: finish_table(view, 0.0, 1.0, int(season))[:, :3] for season in Season}
    np.testing.assert_array_equal(colour[Season.SUMMER], colour[Season.SPRING])
    for season in (Season.FALL, Season.WINTER):
        red, green, _ = colour[season][Material.LEAF]
        assert red > green
        np.testing.assert_array_equal(colour[season][Material.HEDGE], colour[Season.SPRING][Material.HEDGE])
    assert colour[Season.WINTER][Material.LEAF].sum() < colour[Season.FALL][Material.LEAF].sum()


@pytest.mark.parametrize("season", Season)
def test_the_season_of_the_run_is_the_season_of_its_pictures(season):
    assert light_of(environment(12.0, WeatherKind.SUNNY, season)).season == season
