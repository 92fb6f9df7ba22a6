"""What lies on the ground: water that rain brings, and that drains and dries, and snow that falls, settles and melts.

One depth each for the whole map, of level sealed ground. Depths go on by explicit steps of a tick; every term is a rate
of the depth and the weather, so that the same run gives the same depths.

- Water drains such that under steady rain it stands as deep as by B. M. Gallaway et al. (FHWA-RD-79-30, 1979):
  0.01485 T^0.11 L^0.43 R^0.59 / S^0.42 mm, for a texture T [mm], a path L [m], rain R [mm/h] and a slope S. The formula
  gives the depth over the texture as that less T; here what is in the texture counts, too.
- It dries by the radiation and the wind of H. L. Penman (Proc. R. Soc. A 193 (1948) 120), with an albedo of 0.1, cloud
  after F. Kasten and G. Czeplak (Solar Energy 24 (1980) 177), and air with two thirds of the vapour that it can hold.
- Snow falls with `NEW_SNOW_DENSITY` and melts by degree-days, 4 mm of water a day and kelvin (R. Hock, J. Hydrology 282
  (2003) 104: 2.5 to 11.6). What melts is water on the ground.
- Temperatures are the means of Seoul, 1991 to 2020, of the middle of each season (Korea Meteorological Administration);
  where snow falls it is at most freezing, where rain falls at least `MIN_RAIN_TEMPERATURE`.
"""

from __future__ import annotations

import math

from dorosim.world.environment.atmosphere import MM_PER_HOUR, NEW_SNOW_DENSITY, WATER_DENSITY

TEXTURE, DRAINAGE_PATH, CROSSFALL = 0.5, 5.0, 0.025
"""Of a road: mean depth of its texture [mm], the way of water to its edge [m], and its slope: two lanes at 2.5 %."""
STANDING_WATER: float = 0.01485 * TEXTURE**0.11 * DRAINAGE_PATH**0.43 / CROSSFALL**0.42 * 1e-3
"""Depth of water under a steady rain of 1 mm/h [m]."""
DRAINAGE_EXPONENT = 0.59
"""By which power of the rain that depth grows."""
MELT_RATE = 4e-3 / 86_400.0
"""Water that snow gives by kelvin above freezing [m/s/K]."""
MIN_RAIN_TEMPERATURE = 4.0
"""Air in which rain falls is at least so warm [degrees C]."""
MAX_SNOW_DEPTH = 2.0
"""No more snow than this lies on the map [m]."""
AT_ONCE_SNOWFALL = 3600.0
"""Weather that comes at once has snowed for so long [s]."""
SOLAR_CONSTANT_AT_GROUND = 1000.0
"""Light of a clear sky's sun overhead [W/m²]."""
LATENT_HEAT = 2.45e9
"""To evaporate a cubic metre of water [J/m³]."""
_STEADY = 1e-10
"""Rates below this leave a depth as it is [m/s]: 0.4 µm an hour."""
_ALBEDO = 0.1
_RADIATION_SHARE = 0.62
"""Share of the radiation that evaporates at 15 degrees C: slope of the vapour curve over it and the psychrometric
constant; the rest of one is the wind's share."""
_VAPOUR_DEFICIT = 5.7
"""A third of the vapour pressure of water at 15 degrees C [hPa]."""


def standing_water(rain: float) -> float:
    """Depth of water on sealed ground after a long time of steady rain [m/s]: [m]."""
    return STANDING_WATER * math.pow(max(rain, 0.0) / MM_PER_HOUR, DRAINAGE_EXPONENT)


def drainage(depth: float) -> float:
    """How fast water of a depth [m] runs off [m/s]: the rain under which it would stand so deep."""
    return math.pow(max(depth, 0.0) / STANDING_WATER, 1.0 / DRAINAGE_EXPONENT) * MM_PER_HOUR


def evaporation(sun_height: float, cloud: float, wind: float) -> float:
    """How fast wet ground dries [m/s].

    Args:
        sun_height: sine of the sun's elevation; negative at night.
        cloud: cover, 0 to 1.
        wind: speed [m/s].
    """
    light = SOLAR_CONSTANT_AT_GROUND * max(sun_height, 0.0) * (1.0 - 0.75 * math.pow(cloud, 3.4)) * (1.0 - _ALBEDO)
    by_wind = 0.26e-3 / 86_400.0 * (1.0 + 0.54 * wind) * _VAPOUR_DEFICIT
    return _RADIATION_SHARE * light / LATENT_HEAT + (1.0 - _RADIATION_SHARE) * by_wind


def melting(temperature: float) -> float:
    """Water that lying snow gives at a temperature [degrees C]: [m/s]."""
    return MELT_RATE * max(temperature, 0.0)


def air_temperature(mean: float, rain: float, snow: float) -> float:
    """Temperature of the air [degrees C]: the season's mean, as far as what falls allows (rates [m/s])."""
    if snow > 0.0:
        return min(mean, 0.0)
    return max(mean, MIN_RAIN_TEMPERATURE) if rain > 0.0 else mean


def cover_later(
    water: float, lying: float, rain: float, snow: float, melt: float, drying: float, dt: float
) -> tuple[float, float]:
    """Depths of water and snow a tick later [m]; the very same where they hardly change.

    Args:
        water: depth of water [m].
        lying: depth of snow [m].
        rain: rate of rain [m/s].
        snow: rate of snow, as water [m/s].
        melt: `melting` of the air [m/s].
        drying: `evaporation`, which rain stops [m/s].
        dt: length of the tick [s].
    """
    swell = WATER_DENSITY / NEW_SNOW_DENSITY
    lost = min(melt, lying / swell / dt)
    rise = (snow - lost) * swell
    rate = rain + lost - drainage(water) - (0.0 if rain > 0.0 else drying)
    if abs(rise) >= _STEADY:
        lying = min(max(lying + rise * dt, 0.0), MAX_SNOW_DEPTH)
    if abs(rate) >= _STEADY:
        water = max(water + rate * dt, 0.0)
    return water, lying
