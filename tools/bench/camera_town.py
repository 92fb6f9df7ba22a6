"""Cameras that drive through the town, by day and at night, beside bare rays and JPEG of the same run.

One picture after another, each from another place, so that nothing is at hand from the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time

import numpy as np

from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scene import sensor_scene
from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.sensor.camera.camera import Camera, jpeg_of
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.camera.picture_weather import PictureSurroundings
from dorosim.sensor.camera.precipitation import Precipitation
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.camera.surroundings import surroundings_of
from dorosim.sensor.scene.bare_kernel import cast_bare
from dorosim.world.environment.command import SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import WeatherKind, sky_of
from dorosim.world.step import step
from tools.bench.figure import Figure
from tools.bench.sensor import camera_directions

WIDTH, HEIGHT = 640, 480
PICTURES = 60
START, STEP = np.array((112.3, -110.0, 1.6)), np.array((0.0, 0.5, 0.0))
"""Where the camera is, and how far it goes from one picture to the next, to the north [m]."""
VELOCITY, EXPOSURE_TIME = np.array((0.0, 15.0, 0.0)), 4e-3
"""By which drops before the lens are streaks [m/s], [s]."""
NORTH = np.array([(0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
CASES = (
    ("clear day", 12.0, WeatherKind.SUNNY, 1.0),
    ("night with lamps", 22.0, WeatherKind.SUNNY, 2.0),
    ("rain", 12.0, WeatherKind.RAINY, 2.0),
    ("rain at night", 22.0, WeatherKind.RAINY, 2.0),
    ("snow", 12.0, WeatherKind.SNOWY, 2.0),
)
"""Name, hour, weather, and what the ratio may be."""


def figures() -> Iterator[Figure]:
    """The time of a picture with JPEG, over that of two bare rays for each pixel and JPEG; the least of many each."""
    settings = Settings(seed=1)
    with TemporaryDirectory() as folder:
        made = build(settings, Path(folder))
        stage = sensor_scene(made)
    noise = Noise(settings.seed)
    now = step(made.scene, made.first, population(made.scene, made.first, noise, 160, 80), noise)
    for _ in range(600):
        now = step(made.scene, now, (), noise)
    noon = step(made.scene, now, (SetWeather(WeatherKind.SUNNY), SetTimeOfDay(43_200.0)), noise)
    sun = light_of(noon.environment).toward_sun
    camera = Camera(CameraModel(width=WIDTH, height=HEIGHT), lean=True)
    way = np.ascontiguousarray(camera_directions(WIDTH, HEIGHT) @ NORTH.T, np.float32)
    for name, hour, weather, target in CASES:
        seen = step(made.scene, now, (SetWeather(weather), SetTimeOfDay(hour * 3600.0)), noise)
        view, light = stage.update(seen), light_of(seen.environment)
        ours, floor, jpeg = [], [], []
        rain, snow, _, _, _ = sky_of(seen.environment)
        for number in range(PICTURES + 2):
            place = START + number * STEP
            begun = thread_time()
            fall = Precipitation(rain, snow, np.zeros(3), VELOCITY, EXPOSURE_TIME, noise.stream("bench", number))
            around = PictureSurroundings(
                surroundings_of(made.scene, seen, place).volumes, fall if rain or snow else None
            )
            rgb = camera.shoot(view, place, NORTH, light, around=around).rgb
            assert rgb is not None
            shot = thread_time()
            jpeg_of(rgb, 90)
            packed = thread_time()
            distance = np.empty(WIDTH * HEIGHT, np.float32)
            origin = (place - view.origin).astype(np.float32)
            cast_bare(view.static, view.top, view.arguments, origin, way, 1e30, sun, distance)
            floor.append(thread_time() - packed)
            ours.append(packed - begun)
            jpeg.append(packed - shot)
        # the first two draw what is kept of a sun
        mine, rays, pack = (float(np.min(times[2:])) for times in (ours, floor, jpeg))
        detail = f"{mine * 1e3:.1f} ms, bare rays {rays * 1e3:.1f} ms, JPEG {pack * 1e3:.1f} ms"
        title = f"moving camera {WIDTH}x{HEIGHT}, {name}, to bare rays and JPEG"
        yield Figure(title, mine / (rays + pack), "x", target, at_most=True, detail=detail)
