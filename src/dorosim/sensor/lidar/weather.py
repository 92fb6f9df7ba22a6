"""What weather does to lidars: it takes light away, blurs ranges, and sends light back where nothing solid is.

- Rain: C. Goodin et al., "Predicting the Influence of Rain on LIDAR in ADAS", Electronics 8 (2019) 89: extinction of
  0.01 R^0.6 1/m, R in mm/h, and a range whose deviation is 0.02 (1 - e^-R)^2 of it. It is far more than what rain takes
  of sight (`rain_extinction`): a lidar loses what drops turn by little.
- Fog: I. I. Kim et al. (`air_extinction` at 905 nm). It sends back 0.046 over the visibility [1/(m sr)]
  (R. H. Rasshofer, M. Spies, H. Spies, Adv. Radio Sci. 9 (2011) 49; M. Hahner et al., ICCV 2021).
- Snow: `snow_extinction`; flakes by number and size of R. S. Sekhon and R. C. Srivastava.

Ranges of detection are of clear air, so what counts is the extinction beyond it. An echo of fog has the length of the
pulse, one of a drop or flake the share of the beam that it covers. Where the echo is found as a surface of its strength
would be, it is a point: of all such places on a beam the nearest, by chance. So fog and snow make points near the
sensor, and few where a surface throws more light back.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.aerosol import PULSE_DEPTH
from dorosim.sensor.lidar.model import LidarSpec
from dorosim.world.environment.atmosphere import (
    MM_PER_HOUR,
    NEAR_INFRARED,
    NO_PARTICLES,
    SNOW_LIDAR_RATIO,
    WATER_DENSITY,
    SizeDistribution,
    air_extinction,
    raindrops,
    snow_extinction,
    snowflakes,
)
from dorosim.world.environment.weather import EnvironmentState, first_environment, sky_of

ECHO_STEP = 0.5
"""Distance between two places at which echoes of the air are tabulated [m]."""
FOG_PATCH = 3.0
"""Depth of air in which fog is found, or not found, by one chance [m]. Ours: fogs differ."""
FULL_GAIN_RANGE = 7.0
"""Nearer than this receivers are no more sensitive, so as not to be blinded [m]. Ours, such that points in
fog begin to show at a visibility of about 100 m, as in fog chambers (M. Bijelic, T. Gruber, W. Ritter, IV 2018)."""
APERTURE = 0.01
"""Width of the beam where it leaves the sensor [m]."""
FOG_BACKSCATTER = 0.046
"""Backscatter of fog times its visibility [1/sr]."""
DROP_BACKSCATTER = (0.02 + 0.96**2 * 0.02 * (1.333 / 0.667) ** 2) / (4.0 * math.pi)
"""Light that a large drop sends back over that which meets it [1/sr]: 2 % from its front, and as much from its back,
which the drop gathers (H. C. van de Hulst, "Light Scattering by Small Particles", chapter 12)."""
FLAKE_BACKSCATTER = 2.0 / SNOW_LIDAR_RATIO
"""The same of a flake, whose extinction is twice what it covers [1/sr]."""
FLAKE_DENSITY = 0.17
"""Density of flakes times their diameter [kg/m²] (E. W. Holroyd, J. Appl. Meteorol. 10 (1971) 633)."""

_CLEAR = sky_of(first_environment()).visibility


class LidarWeather(NamedTuple):
    """What a lidar needs of the weather.

    Attributes:
        haze: extinction beyond that of clear air [1/m].
        spread: deviation of a range over the range.
        chance: `(K,)` how many echoes of the air are found up to each `ECHO_STEP`, on average; none in clear air.
        strength: `(K,)` how strong they are, over what is found half of the times.
    """

    haze: float
    spread: float
    chance: NDArray[np.float32]
    strength: NDArray[np.float32]


class PlanarSpec(NamedTuple):
    """Optics of a 2D lidar: by default those of a usual one for vehicles (SICK LMS511-10100 PRO, data sheet).

    Attributes:
        farthest: [m].
        detection: range at which it finds a surface that throws 10 % back, half of the times [m].
        nearest: [m].
        divergence: of its beam [rad].
    """

    farthest: float
    detection: float = 40.0
    nearest: float = 0.1
    divergence: float = 4.7e-3


NO_ECHOES = np.zeros(0, np.float32)
CLEAR_WEATHER = LidarWeather(0.0, 0.0, NO_ECHOES, NO_ECHOES)


def rain_haze(rain: float) -> float:
    """Extinction of rain at a rate [m/s], of lidars [1/m] (Goodin et al. 2019)."""
    return 0.01 * math.pow(max(rain, 0.0) / MM_PER_HOUR, 0.6)


def rain_spread(rain: float) -> float:
    """Deviation of a range over the range in rain at a rate [m/s] (Goodin et al. 2019)."""
    return 0.02 * math.pow(1.0 - math.exp(-max(rain, 0.0) / MM_PER_HOUR), 2)


def haze_of(environment: EnvironmentState) -> float:
    """Extinction beyond that of a sunny day, for lidars [1/m]; 0 where the air is as clear or clearer."""
    rain, snow, visibility, _, _ = sky_of(environment)
    in_air = air_extinction(visibility, NEAR_INFRARED) - air_extinction(_CLEAR, NEAR_INFRARED)
    return max(in_air, 0.0) + rain_haze(rain) + snow_extinction(snow)


def lidar_weather(environment: EnvironmentState, kind: LidarSpec | PlanarSpec) -> LidarWeather:
    """What a kind of lidar needs of the weather; the very same while it does not change."""
    haze = haze_of(environment)
    if haze <= 0.0:
        return CLEAR_WEATHER
    rain, snow, visibility, _, _ = sky_of(environment)
    return _weather(haze, rain, snow, visibility, kind.detection, kind.nearest, kind.farthest, kind.divergence)


@lru_cache(maxsize=32)
def _weather(
    haze: float,
    rain: float,
    snow: float,
    visibility: float,
    detection: float,
    nearest: float,
    farthest: float,
    divergence: float,
) -> LidarWeather:
    """The tables of a weather for the optics of a kind of lidar."""
    place = np.arange(0.0, farthest + ECHO_STEP, ECHO_STEP)
    gain = 10.0 * (detection / np.maximum(place, FULL_GAIN_RANGE)) ** 2 * np.exp(-2.0 * haze * place)
    fog = gain * math.pi * PULSE_DEPTH * FOG_BACKSCATTER * max(1.0 / visibility - 1.0 / _CLEAR, 0.0)
    beam = APERTURE + divergence * place
    rate = fog**4 / (1.0 + fog**4) / FOG_PATCH
    for drops, flakes, backscatter in (
        (raindrops(rain), False, DROP_BACKSCATTER),
        (snowflakes(snow), True, FLAKE_BACKSCATTER),
    ):
        rate += _found(drops, flakes, beam * np.sqrt(1.0 / (gain * math.pi * backscatter)), beam)
    rate[place < nearest] = 0.0
    chance = np.cumsum(rate) * ECHO_STEP
    strength = np.maximum(fog, 1.0)
    return LidarWeather(haze, rain_spread(rain), chance.astype(np.float32), strength.astype(np.float32))


def _found(
    drops: SizeDistribution, flakes: bool, least: NDArray[np.float64], beam: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How many particles are found on a metre of a beam [1/m].

    Args:
        drops: sizes, of melted drops.
        flakes: whether they are flakes.
        least: smallest diameter that is found at each place [m].
        beam: width of the beam there [m].
    """
    if drops == NO_PARTICLES:
        return np.zeros(len(beam))
    melted = np.cbrt(least**2 * FLAKE_DENSITY / WATER_DENSITY) if flakes else least
    found: NDArray[np.float64] = 0.25 * math.pi * beam**2 * drops.number * np.exp(-drops.slope * melted)
    return found
