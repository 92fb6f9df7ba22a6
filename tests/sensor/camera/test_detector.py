"""Pictures as a detector sees them that was trained on photographs: it finds the cars."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.environment.weather import WeatherKind
from tests.sensor.camera.contrast import lens_of, looks, whole_cars
from tests.sensor.camera.detector import overlap, vehicles_in, why_not

MIN_SCORE, MIN_OVERLAP = 0.3, 0.4
DAY, DARK = 0.8, 0.6
"""Shares of cars within 40 m that are to be found."""
CAMERAS, MIN_CARS = 40, 12


@pytest.mark.soak
@pytest.mark.parametrize(
    ("hour", "weather", "share"),
    [
        (12.0, WeatherKind.SUNNY, DAY),
        (22.0, WeatherKind.SUNNY, DARK),
        (12.0, WeatherKind.RAINY, DARK),
        (22.0, WeatherKind.RAINY, DARK),
    ],
)
def test_a_public_detector_finds_cars(hour, weather, share):
    if reason := why_not():
        pytest.skip(f"no detector: {reason}; contrast stands in for it (test_contrast.py)")
    lens = lens_of(width=1280, height=720, field_of_view=math.radians(60.0), samples=4)
    seen = [look for look in looks(hour, weather, CAMERAS, lens) if whole_cars(look)]
    scores = []
    for look, found in zip(seen, vehicles_in([look.picture.rgb for look in seen]), strict=True):
        for row in whole_cars(look):
            same = overlap(found[:, 1:], look.picture.boxes.bounds[row]) > MIN_OVERLAP
            scores.append(float(found[same, 0].max(initial=0.0)))
    print(f"{hour} h, {weather.name}: {(np.array(scores) > MIN_SCORE).sum()} of {len(scores)} found")
    assert len(scores) >= MIN_CARS
    assert (np.array(scores) > MIN_SCORE).mean() >= share
