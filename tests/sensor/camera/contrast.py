"""How cars stand out in pictures of the town: cameras of drivers, and the contrast of each car that they see."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.sensor.camera.camera import Camera, CameraPicture
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.camera.picture_weather import PictureSurroundings
from dorosim.sensor.camera.precipitation import Precipitation
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.camera.surroundings import surroundings_of
from dorosim.sensor.scene.semantic import Semantic
from dorosim.world.environment.command import SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import WeatherKind, sky_of
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.traffic.state import Presence
from tests.sensor.camera.shot import turn
from tests.sensor.scene.town import shared_scene, town

MAX_DISTANCE = 40.0
"""From the camera to the middle of a car [m]."""
MIN_VISIBLE = 0.9
"""Share of a car's pixels that nothing covers."""
MIN_PIXELS = 60
LUMA = np.array((0.2126, 0.7152, 0.0722))
"""Weights of colours (ITU-R BT.709)."""
EXPOSURE_TIME = 4e-3
"""By which drops before the lens are streaks [s]."""
CARS = range(int(Semantic.VEHICLE), int(Semantic.VAN) + 1)


class Seen(NamedTuple):
    """One car in one picture: its id, its distance [m], its contrast, and that of an empty street in its place."""

    actor: int
    distance: float
    contrast: float
    without: float


@cache
def traffic(seconds: float = 3.0) -> Snapshot:
    """The town with people and 160 vehicles on their way."""
    made, noise = town(), Noise(1)
    now = step(made.scene, made.first, population(made.scene, made.first, noise, 160, 80), noise)
    for _ in range(round(seconds * 1e9 / made.scene.tick)):
        now = step(made.scene, now, (), noise)
    return now


class Look(NamedTuple):
    """A picture of a driver's camera: itself, the driver's own id, and its place `(3,)` and yaw [rad]."""

    picture: CameraPicture
    own: int
    place: np.ndarray
    yaw: float


def lens_of(**more) -> Camera:
    """The lens of the cameras that contrasts are measured with, or another."""
    model = {"width": 640, "height": 360, "instance": True, "semantic": True, "depth": True, "boxes": True}
    return Camera(CameraModel(**{**model, **more}))


def looks(hour: float, weather: WeatherKind, cameras: int, lens: Camera) -> list[Look]:
    """What drivers' cameras see at an hour in a weather that came at once."""
    made, noise = town(), Noise(1)
    now = step(made.scene, traffic(), (SetWeather(weather), SetTimeOfDay(hour * 3600.0)), noise)
    view, light = shared_scene(made).update(now), light_of(now.environment)
    rain, snow, _, _, _ = sky_of(now.environment)
    cars, found = now.traffic, []
    drivers = np.flatnonzero((cars.plan_of_ego == 0) & (cars.present != Presence.OFF_MAP))
    for row in drivers[np.linspace(0, len(drivers) - 1, cameras).astype(int)].tolist():
        place = np.array((cars.x[row], cars.y[row], cars.z[row] + 1.4))
        velocity = cars.speed[row] * np.array((math.cos(cars.yaw[row]), math.sin(cars.yaw[row]), 0.0))
        fall = Precipitation(rain, snow, np.zeros(3), velocity, EXPOSURE_TIME, noise.stream("contrast", row))
        around = PictureSurroundings(surroundings_of(made.scene, now, place).volumes, fall if rain or snow else None)
        own = int(now.number.numbers_of(cars.id[row : row + 1])[0])
        picture = lens.shoot(view, place, turn(float(cars.yaw[row])), light, own, around=around)
        found.append(Look(picture, int(cars.id[row]), place, float(cars.yaw[row])))
    return found


def contrasts(hour: float, weather: WeatherKind, cameras: int) -> list[Seen]:
    """How the cars stand out that drivers' cameras see."""
    made, lens = town(), lens_of()
    taken = looks(hour, weather, cameras, lens)
    state = step(made.scene, traffic(), (SetWeather(weather), SetTimeOfDay(hour * 3600.0)), Noise(1)).environment
    empty, found = shared_scene(made).update(made.first), []
    for look in taken:
        street = lens.shoot(empty, look.place, turn(look.yaw), light_of(state)).rgb
        assert street is not None
        found += contrasts_in(look, street)
    return found


def whole_cars(look: Look) -> list[int]:
    """Rows of the boxes of cars near the camera that nothing covers, whole in the picture."""
    boxes = look.picture.boxes
    height, width = look.picture.rgb.shape[:2]
    found = []
    for row in range(len(boxes.actor)):
        distance = float(np.linalg.norm(boxes.corners[row].mean(axis=0)))
        left, top, right, bottom = boxes.bounds[row]
        whole = left > 0 and top > 0 and right < width - 1 and bottom < height - 1
        if int(boxes.actor[row]) == look.own or int(boxes.label[row]) not in CARS:
            continue
        seen = boxes.visible[row] >= max(MIN_PIXELS, MIN_VISIBLE * boxes.covered[row])
        if seen and whole and distance <= MAX_DISTANCE:
            found.append(row)
    return found


def contrasts_in(look: Look, street: np.ndarray) -> list[Seen]:
    """How the cars of a picture stand out, and the same street without cars in their places."""
    boxes = look.picture.boxes
    luma, empty, found = look.picture.rgb @ LUMA, street @ LUMA, []
    for row in whole_cars(look):
        actor = int(boxes.actor[row])
        car = look.picture.instance == actor
        both = [contrast_of(one, car, boxes.bounds[row]) for one in (luma, empty)]
        found.append(Seen(actor, float(np.linalg.norm(boxes.corners[row].mean(axis=0))), *both))
    return found


def contrast_of(luma: np.ndarray, car: np.ndarray, bounds: np.ndarray) -> float:
    """Weber contrast of a car to what is beside it, in each row of pixels; the mean over its pixels.

    Args:
        luma: `(H, W)` of a picture as it is shown.
        car: `(H, W)` its pixels.
        bounds: `(4,)` of its box; its surroundings reach half of the box's width beyond it.
    """
    left, top, right, bottom = bounds
    wide = 0.5 * (right - left)
    found, weight = [], []
    for row in range(max(int(top), 0), min(math.ceil(bottom) + 1, len(luma))):
        inside = car[row]
        around = np.zeros(len(inside), bool)
        around[max(int(left - wide), 0) : math.ceil(right + wide) + 1] = True
        around &= ~inside
        if inside.any() and around.any():
            beside = luma[row, around].mean()
            found.append(abs(luma[row, inside].mean() - beside) / max(beside, 1.0))
            weight.append(inside.sum())
    return float(np.average(found, weights=weight))
