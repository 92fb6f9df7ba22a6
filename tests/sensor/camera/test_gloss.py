"""What shines: windows and paint mirror the sky, and paint has a highlight of the sun; plaster has neither."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.sensor.camera.light import light_of
from dorosim.sensor.scene.material import Material
from dorosim.world.environment.weather import WeatherKind
from tests.sensor.camera.shot import NOON, camera, environment, shoot, view_of
from tests.sensor.scene.build import box, plane, pose, sphere_mesh

LENS = camera(96, 72)


def wall(material: Material):
    """A wall 10 m ahead."""
    return view_of(plane(-20.0), [box((0.2, 30.0, 30.0), material=material)], [pose(10.0, 0.0, 0.0)])


@pytest.mark.parametrize(
    ("material", "mirrors"), [(Material.WINDOW, True), (Material.GLASS, True), (Material.PLASTER, False)]
)
def test_glass_mirrors_the_sky_and_plaster_does_not(material, mirrors):
    """Seen from below, a wall mirrors the sky above and before it: with another sky it looks another way."""
    light = light_of(environment(12.0, WeatherKind.CLOUDY))
    black = light._replace(zenith=0 * light.zenith, horizon=0 * light.horizon, cloud=0 * light.cloud)
    seen, without = (
        shoot(wall(material), (0.0, 0.0, 1.0), pitch=-0.6, lens=LENS, light=one).rgb.astype(float).mean()
        for one in (light, black)
    )
    assert (seen > 1.15 * without) == mirrors


def test_paint_has_a_highlight_where_it_mirrors_the_sun_and_plaster_has_none():
    """A ball before the camera: the brightest place is where the normal halves the angle between sun and camera."""
    toward = np.asarray(NOON.toward_sun, float)
    at = np.array((0.0, 0.0, 1.0)) + 12.0 * np.array((toward[0], toward[1], 0.0)) / np.hypot(*toward[:2])
    back = -toward[:2] / np.hypot(*toward[:2])
    dim = NOON._replace(gain=np.float32(0.2 * NOON.gain))  # so that the highlight is not lost in white
    peaks = {}
    for material in (Material.PAINT, Material.PLASTER):
        view = view_of(plane(-20.0), [sphere_mesh(2.0, material, 96)], [pose(0.0, 0.0, 1.0)])
        yaw = float(np.arctan2(back[1], back[0]))
        luma = shoot(view, at, yaw=yaw, lens=camera(160, 120), light=dim).rgb.astype(float).mean(axis=2)
        ball = luma[44:76, 70:90]
        row, column = np.unravel_index(ball.argmax(), ball.shape)
        beside = luma[44 + row, [70 + column - 3, 70 + column + 3]]
        peaks[material] = float(ball.max() / beside.mean())
    assert peaks[Material.PAINT] > 1.25, "a small bright place"
    assert peaks[Material.PLASTER] < 1.1, "bright all over"
