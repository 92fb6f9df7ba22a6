"""Cameras in small scenes."""

from __future__ import annotations

import math

import numpy as np

from dorosim.sensor.camera.camera import Camera, CameraPicture
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.camera.setting import CameraModel
from dorosim.world.environment.command import SetSeason, SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import Season, WeatherKind, first_environment
from tests.sensor.scene.build import scene_of
from tests.world.effect import changed

ALL = {"depth": True, "semantic": True, "instance": True, "boxes": True}
NOON = light_of(first_environment())


def view_of(*parts):
    """The view of `build.scene_of`."""
    return scene_of(*parts)[1]


def camera(width: int = 320, height: int = 240, **more) -> Camera:
    return Camera(CameraModel(width=width, height=height, **{**ALL, **more}))


def turn(yaw: float = 0.0, pitch: float = 0.0) -> np.ndarray:
    """Map-from-mount; pitch is positive nose down (REP-103)."""
    c, s = math.cos(yaw), math.sin(yaw)
    a, b = math.cos(pitch), math.sin(pitch)
    return np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)]) @ np.array([(a, 0, b), (0, 1, 0), (-b, 0, a)])


def shoot(
    view, at=(0.0, 0.0, 1.0), yaw: float = 0.0, pitch: float = 0.0, lens: Camera | None = None, **more
) -> CameraPicture:
    """A picture at noon."""
    return (lens or camera()).shoot(view, np.array(at), turn(yaw, pitch), more.pop("light", NOON), **more)


def environment(hour: float, kind: WeatherKind = WeatherKind.SUNNY, season: Season = Season.SPRING):
    """The state of the surroundings, writable, of an hour and a weather that came at once."""
    state = first_environment()
    for command in (SetWeather(kind), SetTimeOfDay(hour * 3600.0), SetSeason(season)):
        state, problem = changed("environment", state, command)
        assert problem == ""
    return state.copy()
