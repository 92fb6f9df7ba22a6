"""Cameras in small scenes."""

from __future__ import annotations

import math

import numpy as np

from dorosim.sensor.camera.camera import Camera, CameraPicture
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.camera.setting import CameraModel
from dorosim.world.environment.weather import first_environment
from tests.sensor.scene.build import scene_of

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
