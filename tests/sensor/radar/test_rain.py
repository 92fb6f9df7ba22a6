"""Radars in rain, against the tables of ITU-R P.838-3 and the radar equation on paper."""

from __future__ import annotations

import math

import pytest

from dorosim.ground.noise import Noise
from dorosim.sensor.radar.radar import Radar
from dorosim.sensor.radar.rain import rain_attenuation, rain_coefficients, rain_section
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import SetSky
from dorosim.world.environment.weather import first_environment
from dorosim.world.mount.setting import RadarSettings
from tests.sensor.bench import body, mount_of, sensor_input
from tests.sensor.crowd import SCENE, Crowd, boxes_in_embree
from tests.world.effect import changed

P838 = {
    10: (0.01129, 1.2156),
    20: (0.09611, 0.9847),
    25: (0.1533, 0.9491),
    30: (0.2291, 0.9129),
    40: (0.4274, 0.8421),
    50: (0.6472, 0.7871),
    60: (0.8515, 0.7486),
    70: (1.0253, 0.7215),
    80: (1.1668, 0.7021),
    90: (1.2795, 0.6876),
    100: (1.3680, 0.6765),
}
"""k and alpha for vertical polarisation by frequency [GHz] (ITU-R P.838-3, table 5)."""


@pytest.mark.parametrize("frequency", list(P838))
def test_coefficients_are_those_of_the_recommendation(frequency: int) -> None:
    assert rain_coefficients(frequency * 1e9) == pytest.approx(P838[frequency], rel=0.005)


@pytest.mark.parametrize(("frequency", "low", "high"), [(24e9, 20, 25), (77e9, 70, 80)])
def test_the_bands_of_automotive_radars_lie_between_the_rows_of_the_table(frequency, low, high) -> None:
    """Linear in the logarithms of frequency and k, and alpha over the former, as the recommendation interpolates."""
    share = math.log(frequency / (low * 1e9)) / math.log(high / low)
    k = math.exp((1 - share) * math.log(P838[low][0]) + share * math.log(P838[high][0]))
    alpha = (1 - share) * P838[low][1] + share * P838[high][1]
    for rate in (1.0, 8.0, 40.0, 100.0):
        found = 1e3 * rain_attenuation(rate * MM_PER_HOUR, frequency)
        assert found == pytest.approx(k * rate**alpha, rel=0.02)
    assert rain_attenuation(0.0) == 0.0


def reading(distance: float, rain: float, **settings):
    crowd = Crowd()
    crowd.ego(0.0, 0.0)
    crowd.npc(distance, 0.0)
    now = crowd.now()
    environment, problem = changed("environment", first_environment(), SetSky(rain=rain * MM_PER_HOUR))
    assert problem == ""
    now.environment = environment
    exact = {"range_noise": 0.0, "rate_noise": 0.0, "azimuth_noise": 0.0, "clutter": 0.0, "fluctuation": False}
    mount = mount_of(RadarSettings(**{**exact, **settings}), actor=1)
    _, view = boxes_in_embree(now, None)
    inputs = sensor_input(mount, body(), place=(0.0, 0.0, 0.5), now=now, scene=SCENE, view=view, noise=Noise(1))
    return Radar(mount).read(inputs)


def test_rain_weakens_an_echo_both_ways_and_hides_it_among_drops() -> None:
    """The noise of the receiver goes with the fourth power of the distance, that of the drops with its square."""
    dry, wet = reading(100.0, 0.0), reading(100.0, 40.0)
    distance = float(dry.distance[0])
    thermal = (distance / 150.0) ** 4
    lost = 2.0 * rain_attenuation(40 * MM_PER_HOUR) * distance
    drops = 10**1.3 * rain_section(40 * MM_PER_HOUR) * distance**2
    expected = 10.0 * math.log10((thermal * 10 ** (0.1 * lost) + drops) / thermal)
    assert lost > 2.5, "two ways of 98 m at some 15 dB/km"
    assert float(dry.amplitude[0] - wet.amplitude[0]) == pytest.approx(expected, abs=0.05)


def test_a_downpour_shortens_the_range() -> None:
    settings = {"range": 250.0, "sensitivity": 10.0}
    assert len(reading(230.0, 0.0, **settings).distance) == 1
    assert len(reading(230.0, 100.0, **settings).distance) == 0
    assert len(reading(60.0, 100.0, **settings).distance) == 1
