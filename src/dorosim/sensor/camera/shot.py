"""All that a picture is made of, as kernels get it."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.sensor.camera.clear_kernel import Clearance
from dorosim.sensor.camera.glow_kernel import Glow
from dorosim.sensor.camera.lamp_grid_kernel import LampGrid
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.near_kernel import Near
from dorosim.sensor.camera.picture_weather import PictureWeather
from dorosim.sensor.camera.ray_packet import Aim, ShadingTables
from dorosim.sensor.scene.instance import View


class Shot(NamedTuple):
    """A picture before it is taken.

    Attributes:
        view: the scene.
        aim: the camera.
        light: of the surroundings.
        near: where actors can be.
        clearance: heights from which on the sun is seen.
        lamps: that light what is seen. glow: around lamps.
        finish: tables of the shading.
        weather: what lies on surfaces, falls, and hangs in the air.
    """

    view: View
    aim: Aim
    light: SceneLight
    near: Near
    clearance: Clearance
    lamps: LampGrid
    glow: Glow
    finish: ShadingTables
    weather: PictureWeather
