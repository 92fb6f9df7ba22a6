"""Cars stand out in pictures: by day, at night with lamps and in rain."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.world.environment.weather import WeatherKind
from tests.sensor.camera.contrast import contrasts

DAY, DARK = (0.15, 0.8, 0.65), (0.1, 0.6, 0.6)
"""Contrast to be reached, the share of cars that reach it, and the share that has so much more than an empty street."""


def check(hour: float, weather: WeatherKind, limits: tuple[float, float, float], cameras: int) -> None:
    """Assert that enough cars stand out from what is beside them, and from the street that is there without them."""
    seen = contrasts(hour, weather, cameras)
    car, street = (np.array([getattr(one, name) for one in seen]) for name in ("contrast", "without"))
    contrast, share, share_of_more = limits
    assert len(seen) >= cameras // 3
    assert (car >= contrast).mean() >= share
    assert (car - street >= contrast).mean() >= share_of_more, "a street without cars has contrasts, too"


def test_cars_stand_out_in_rain_at_night():
    check(22.0, WeatherKind.RAINY, DARK, cameras=24)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("hour", "weather", "limits"),
    [
        (8.0, WeatherKind.SUNNY, DAY),
        (12.0, WeatherKind.SUNNY, DAY),
        (22.0, WeatherKind.SUNNY, DARK),
        (12.0, WeatherKind.RAINY, DARK),
        (22.0, WeatherKind.RAINY, DARK),
    ],
)
def test_cars_stand_out(hour, weather, limits):
    check(hour, weather, limits, cameras=100)
