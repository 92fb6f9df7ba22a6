"""The numbers of the weather page are those of the sensors, and what it calls untouched does not know the weather."""

from __future__ import annotations

import ast
import importlib
import math
from pathlib import Path

import numpy as np
import pytest

from dorosim.sensor.lidar.model import MODELS, VLP_16
from dorosim.sensor.lidar.weather import haze_of
from dorosim.sensor.radar.rain import rain_attenuation
from dorosim.world.environment.weather import SKIES, WeatherKind, first_environment, sky_of
from dorosim.world.mount.setting import SETTINGS
from tools.reference.weather import UNTOUCHED, lidar_range, points_in_air, radar_range, weather_page


def state_of(kind):
    state = first_environment()
    state.sky[:, 0] = SKIES[kind]
    return state


def test_the_page_has_every_weather_and_every_kind_of_sensor():
    page = weather_page()
    for kind in WeatherKind:
        assert f"| `{kind.name.lower()}` |" in page
    for name in (*MODELS, *UNTOUCHED, "2D lidar", "camera", "radar", "all lidars"):
        assert f"\n| {name}" in page
    known = {"camera", "lidar_3d", "lidar_2d", "radar", "ultrasonic", "gps", "imu", "ground_truth"}
    assert {kind.name.lower() for kind in SETTINGS} == known, "a new kind of sensor belongs on the page"


def test_tables_have_as_many_cells_in_each_row():
    for block in weather_page().split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1


@pytest.mark.parametrize("kind", WeatherKind)
def test_a_lidar_ends_where_the_light_that_comes_back_is_as_weak_as_in_clear_air(kind):
    state = state_of(kind)
    way = lidar_range(state, VLP_16)
    left = (VLP_16.detection / way) ** 2 * math.exp(-2.0 * haze_of(state) * way)
    assert np.isclose(left, 1.0)
    assert way == VLP_16.detection if kind is WeatherKind.SUNNY else way < VLP_16.detection


def test_a_radar_sees_less_far_in_rain_only():
    ranges = {kind: radar_range(state_of(kind)) for kind in WeatherKind}
    clear = ranges[WeatherKind.SUNNY]
    assert ranges[WeatherKind.STORM] < ranges[WeatherKind.RAINY] < clear
    assert ranges[WeatherKind.FOGGY] == ranges[WeatherKind.SNOWY] == ranges[WeatherKind.CLOUDY] == clear
    assert rain_attenuation(sky_of(state_of(WeatherKind.STORM)).rain) > 0.0


def test_fog_and_snow_make_points_in_the_air_and_sun_makes_none():
    shares = {kind: points_in_air(state_of(kind), VLP_16) for kind in WeatherKind}
    assert shares[WeatherKind.SUNNY] == 0.0
    assert shares[WeatherKind.SNOWY] > shares[WeatherKind.FOGGY] > shares[WeatherKind.RAINY] > 0.0


@pytest.mark.parametrize("module", UNTOUCHED.values())
def test_what_the_page_calls_untouched_does_not_know_the_weather(module):
    text = Path(str(importlib.import_module(module).__file__)).read_text(encoding="utf-8")
    names = {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
    assert "settings" in names or "position" in names, "attributes are found"
    assert "environment" not in names
