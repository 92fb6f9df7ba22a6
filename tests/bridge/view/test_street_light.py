"""What shines on the page at night: windows, street lamps, and the road below these."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dorosim.bridge.view.crowd import NO_LIGHTS
from dorosim.bridge.view.sky import light_of
from dorosim.bridge.view.street_light import POOL_RADIUS, pools_of
from dorosim.bridge.view.tint import LEVELS, palette
from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.material import Material, MaterialTable
from dorosim.world.environment.weather import WeatherKind
from tests.bridge.view.shown import shown_street
from tests.sensor.camera.shot import environment

SLOPE = 0.1


def strip() -> Mesh:
    """A road along x that rises by `SLOPE`, with a corner every metre."""
    x, y = (grid.ravel() for grid in np.meshgrid(np.arange(-30.0, 31.0), (-4.0, 0.0, 4.0)))
    points = np.column_stack((x, y, SLOPE * x))
    row = np.arange(60)
    faces = np.concatenate([np.column_stack((row + low, row + low + 1, row + low + 61)) for low in (0, 61)])
    return Mesh.of(points, faces, Material.ASPHALT)


def test_a_pool_lies_below_its_lamp_as_the_road_slopes_and_a_lamp_far_from_roads_has_none():
    static = shown_street().static
    lamps = np.array([(10.0, 2.0, 7.0), (10.0, 80.0, 7.0)])
    pools = pools_of(replace(static, mesh=strip(), street_lamp=lamps), (5.0, 0.0, 0.0))
    assert pools.position.tolist() == [pytest.approx((5.0, 2.0, SLOPE * 10.0 + 0.12), abs=1e-3)]
    w, x, y, z = pools.wxyz[0].tolist()
    up = (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))
    assert up == pytest.approx(np.array((-SLOPE, 0.0, 1.0)) / np.sqrt(1.0 + SLOPE**2), abs=1e-4)
    assert (pools.scale == POOL_RADIUS).all()
    assert pools_of(replace(static, street_lamp=np.zeros((0, 3))), (0.0, 0.0, 0.0)) is NO_LIGHTS


@pytest.mark.parametrize(
    ("hour", "burning"),
    [
        (12.0, ()),
        (20.0, (Material.STREET_LAMP, Material.WINDOW_OF_EVENING, Material.WINDOW_OF_NIGHT, Material.WINDOW_OF_STAIRS)),
        (2.0, (Material.STREET_LAMP, Material.WINDOW_OF_STAIRS)),
    ],
)
def test_windows_and_lamps_shine_in_the_dark_as_in_pictures(hour, burning):
    light = light_of(environment(hour))
    assert set(light.burning) == set(map(int, burning))
    colours = palette(MaterialTable.standard().albedo, light).reshape(-1, LEVELS, 4)
    for material in (Material.STREET_LAMP, Material.WINDOW_OF_EVENING, Material.WINDOW_OF_STAIRS):
        assert (colours[material, :, 0].min() > 180) == (material in burning), material


def test_lamps_burn_a_little_earlier_below_clouds():
    hours = np.arange(16.0, 20.0, 0.05)
    first = [
        next(hour for hour in hours if light_of(environment(float(hour), kind)).burning)
        for kind in (WeatherKind.CLOUDY, WeatherKind.SUNNY)
    ]
    assert 0.05 < first[1] - first[0] < 1.0
