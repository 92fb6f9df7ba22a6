"""What air, fog, rain and snow are made of and do to light, against tables and by conservation of water."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.world.environment.atmosphere import (
    CONTRAST,
    FLAKE_SPEED,
    KIM_CONTRAST,
    MM_PER_HOUR,
    SizeDistribution,
    air_extinction,
    drop_speed,
    drop_speeds,
    flake_diameter,
    rain_extinction,
    raindrops,
    smoke_extinction,
    snow_extinction,
    snowflakes,
)

KIM = {
    50: (340, 340),
    200: (85, 85),
    500: (34, 34),
    1000: (14, 10),
    1900: (7, 4.5),
    4000: (3, 1.5),
    10_000: (1.07, 0.44),
    23_000: (0.47, 0.19),
}
"""Attenuation at 785 and 1550 nm [dB/km] by visibility [m] (Kim et al. 2001, table of weather conditions)."""


def decibels(extinction: float) -> float:
    return extinction * 1e4 / math.log(10.0)


@pytest.mark.parametrize("visibility", list(KIM))
def test_fog_takes_light_as_in_the_table_of_kim(visibility: int) -> None:
    optical_range = visibility * math.log(CONTRAST) / math.log(KIM_CONTRAST)
    found = [decibels(air_extinction(optical_range, wavelength)) for wavelength in (785e-9, 1550e-9)]
    assert found == pytest.approx(KIM[visibility], rel=0.05)


def fall(drops: SizeDistribution, speed: float | None) -> float:
    """Water that falls through a plane [m/s], by the sum over sizes."""
    sizes = np.linspace(0.0, 20e-3, 20_001)
    number = drops.intercept * np.exp(-drops.slope * sizes)
    falling = [speed or drop_speed(size) for size in sizes.tolist()]
    return float(np.trapezoid(number * np.pi / 6.0 * sizes**3 * falling, sizes))


@pytest.mark.parametrize("rate", [1.0, 8.0, 40.0])
def test_drops_bring_the_rain_that_they_stand_for(rate: float) -> None:
    assert fall(raindrops(rate * MM_PER_HOUR), None) == pytest.approx(rate * MM_PER_HOUR, rel=0.2)
    assert raindrops(rate * MM_PER_HOUR).water == pytest.approx(
        fall(raindrops(rate * MM_PER_HOUR), 1.0) * 1000.0, rel=1e-3
    )


@pytest.mark.parametrize("rate", [0.5, 2.0, 4.0])
def test_flakes_bring_the_snow_that_they_stand_for(rate: float) -> None:
    assert fall(snowflakes(rate * MM_PER_HOUR), FLAKE_SPEED) == pytest.approx(rate * MM_PER_HOUR, rel=0.2)


def shadow(drops: SizeDistribution, diameter: bool) -> float:
    """Extinction of large particles [1/m]: twice the area that they cover."""
    sizes = np.linspace(1e-6, 20e-3, 20_001)
    seen = np.array([flake_diameter(size) for size in sizes.tolist()]) if diameter else sizes
    return float(np.trapezoid(drops.intercept * np.exp(-drops.slope * sizes) * np.pi / 2.0 * seen**2, sizes))


def test_particles_take_the_light_that_the_laws_say() -> None:
    """Within a factor of 2: laws of light and of sizes were measured in other rains and snows."""
    for rate in (2.0, 8.0, 40.0):
        assert rain_extinction(rate * MM_PER_HOUR) == pytest.approx(
            shadow(raindrops(rate * MM_PER_HOUR), False), rel=0.5
        )
    for rate in (0.5, 2.0, 4.0):
        found = shadow(snowflakes(rate * MM_PER_HOUR), True)
        assert 0.5 < snow_extinction(rate * MM_PER_HOUR) / found < 2.0


def test_drops_fall_as_fast_as_measured() -> None:
    """R. Gunn and G. D. Kinzer, J. Meteor. 6 (1949) 243: 4.03, 6.49, 8.06, 9.09 m/s at 1, 2, 3 and 5 mm."""
    for diameter, speed in ((1e-3, 4.03), (2e-3, 6.49), (3e-3, 8.06), (5e-3, 9.09)):
        assert drop_speed(diameter) == pytest.approx(speed, rel=0.02)


def test_smoke_of_a_tenth_of_a_gram_hides_all_beyond_four_metres() -> None:
    assert -math.log(CONTRAST) / smoke_extinction(1e-4) == pytest.approx(3.0, abs=0.1)
    assert smoke_extinction(1e-4, 633e-9) == pytest.approx(0.87)


def test_many_drops_fall_as_one_does() -> None:
    sizes = np.geomspace(1e-5, 6e-3, 50)
    assert drop_speeds(sizes) == pytest.approx([drop_speed(size) for size in sizes.tolist()], rel=1e-12)
