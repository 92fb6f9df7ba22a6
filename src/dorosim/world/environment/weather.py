"""Weather, season, time of day and visibility: what surrounds the whole world.

One table of one row, so that it goes into a Snapshot like every other. The documents name kinds of weather and give no
numbers (Standard API, environment: WeatherType, SeasonType); the numbers of each kind are below with their sources.
Changes that are not asked for at once come evenly within `CHANGE_TIME`.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import NamedTuple

from dorosim.ground.column import Columns, float64, float64_vector, int64
from dorosim.ground.unit import METRE, NANOSECOND, NONE, SECOND
from dorosim.world.environment.atmosphere import (
    MM_PER_HOUR,
    NEW_SNOW_DENSITY,
    WATER_DENSITY,
    air_extinction,
    rain_extinction,
    snow_extinction,
)
from dorosim.world.environment.ground_cover import (
    AT_ONCE_SNOWFALL,
    air_temperature,
    cover_later,
    evaporation,
    melting,
    standing_water,
)

DAY = 86_400.0
"""Length of a day [s]."""
CHANGE_TIME = 10_000_000_000
"""How long a change of weather or time of day takes that does not come at once [ns]."""
MAX_VISIBILITY, MIN_VISIBILITY = 100_000.0, 10.0
"""Range of visibility [m]; seldom is it better anywhere, and the densest fogs are worse by little."""
MAX_RAIN = 200.0 * MM_PER_HOUR
"""Heaviest rain [m/s]; Korea's record for an hour is 145 mm (Suncheon 1998)."""


class WeatherKind(IntEnum):
    """Kinds of weather, with the numbers of the Standard API (WeatherType)."""

    SUNNY = 0
    CLOUDY = 1
    FOGGY = 2
    STORM = 3
    RAINY = 4
    SNOWY = 5


class Season(IntEnum):
    """Seasons, with the numbers of the Standard API (SeasonType)."""

    WINTER = 0
    SPRING = 1
    SUMMER = 2
    FALL = 3


class Sky(NamedTuple):
    """The numbers of a weather.

    Attributes:
        rain: rate of rain [m/s]. snow: rate of snow, as water [m/s].
        visibility: meteorological optical range without rain and snow [m]. cloud: cover, 0 to 1. wind: speed [m/s].
    """

    rain: float
    snow: float
    visibility: float
    cloud: float
    wind: float


SKIES: dict[WeatherKind, Sky] = {
    WeatherKind.SUNNY: Sky(0.0, 0.0, 20_000.0, 0.1, 2.0),
    WeatherKind.CLOUDY: Sky(0.0, 0.0, 15_000.0, 0.8, 3.0),
    WeatherKind.FOGGY: Sky(0.0, 0.0, 200.0, 0.6, 1.0),
    WeatherKind.STORM: Sky(40.0 * MM_PER_HOUR, 0.0, 8_000.0, 1.0, 14.0),
    WeatherKind.RAINY: Sky(8.0 * MM_PER_HOUR, 0.0, 12_000.0, 1.0, 5.0),
    WeatherKind.SNOWY: Sky(0.0, 2.0 * MM_PER_HOUR, 8_000.0, 1.0, 3.0),
}
"""Korea Meteorological Administration: rain of 3 to 15 mm/h is moderate, of 30 mm/h and more very heavy; a visibility
of 200 m is dense fog; a wind of 14 m/s is a strong wind advisory; cloud cover of 6 to 8 tenths is cloudy. Snow of
2 mm/h of water is about 2 cm/h. Visibility in dry clear air: its usual upper reading of 20 km."""

DAY_OF_YEAR: dict[Season, int] = {Season.WINTER: 15, Season.SPRING: 105, Season.SUMMER: 196, Season.FALL: 288}
"""A day in the middle of each season: 15 January, April, July, October."""


MEAN_TEMPERATURE: dict[Season, float] = {
    Season.WINTER: -2.0,
    Season.SPRING: 12.6,
    Season.SUMMER: 25.3,
    Season.FALL: 15.0,
}
"""Of the air of each season's middle [degrees C]: Seoul, January, April, July, October, 1991 to 2020 (KMA)."""


class EnvironmentState(Columns):
    """One row: the surroundings of the world. `sky` and `goal` hold the fields of `Sky` in order and in their units."""

    sky = float64_vector(5, NONE, "the weather as it is now")
    goal = float64_vector(5, NONE, "the weather as it will be when the change is over")
    time_of_day = float64(SECOND, "local solar time since midnight, as clocks tell it")
    time_change = float64(SECOND, "what the time of day still has to go on by")
    sun_time = float64(SECOND, "local solar time since midnight by which the light falls")
    sun_change = float64(SECOND, "what the time of the light still has to go on by")
    weather = int64("WeatherKind")
    season = int64("Season")
    puddles = int64("1 if puddles are seen (EnvVisibility, PUDDLE)")
    sky_left = int64("time until the sky is as its goal [ns]", NANOSECOND)
    time_left = int64("time until the time of day is as asked for [ns]", NANOSECOND)
    water_depth = float64(METRE, "water on sealed ground, with what fills its texture")
    snow_depth = float64(METRE, "snow that lies on the ground")


def first_environment() -> EnvironmentState:
    """A sunny noon in spring on dry roads; writable."""
    state = EnvironmentState.zeros(1)
    state.sky[:, 0] = state.goal[:, 0] = SKIES[WeatherKind.SUNNY]
    state.time_of_day[0] = state.sun_time[0] = 0.5 * DAY
    state.weather[0], state.season[0], state.puddles[0] = WeatherKind.SUNNY, Season.SPRING, 1
    return state


def advance_environment(now: EnvironmentState, tick: int) -> EnvironmentState:
    """The surroundings a tick [ns] later, read-only; the very same while nothing changes.

    The time of day stands still but for changes that are asked for, as in the product, which knows hours only.
    """
    sky_left, time_left = int(now.sky_left[0]), int(now.time_left[0])
    cover = _cover_later(now, tick * 1e-9)
    if not sky_left and not time_left and cover is None:
        return now
    after = now.copy()
    if cover is not None:
        after.water_depth[0], after.snow_depth[0] = cover
    if sky_left:
        after.sky += min(tick / sky_left, 1.0) * (now.goal - now.sky)
        after.sky_left[0] = max(sky_left - tick, 0)
    if time_left:
        share = min(tick / time_left, 1.0)
        for time, change in ((after.time_of_day, after.time_change), (after.sun_time, after.sun_change)):
            step = share * float(change[0])
            time[0] = (float(time[0]) + step) % DAY
            change[0] -= step
        after.time_left[0] = max(time_left - tick, 0)
    return after.freeze()


def _cover_later(now: EnvironmentState, dt: float) -> tuple[float, float] | None:
    """Depths of water and snow a tick [s] later [m]; None where they stay."""
    rain, snow, _, cloud, wind = sky_of(now)
    water, lying = float(now.water_depth[0]), float(now.snow_depth[0])
    if not (rain or snow or water or lying):
        return None
    temperature = air_temperature(MEAN_TEMPERATURE[Season(int(now.season[0]))], rain, snow)
    drying = evaporation(sun_direction(now)[2], cloud, wind)
    cover = cover_later(water, lying, rain, snow, melting(temperature), drying, dt)
    return None if cover == (water, lying) else cover


def settled_cover(sky: Sky) -> tuple[float, float]:
    """Depths of water and snow on the ground in a weather that has lasted [m]: what comes with one that is set at once.

    Water as under steady rain, snow of an hour.
    """
    return standing_water(sky.rain), sky.snow * AT_ONCE_SNOWFALL * WATER_DENSITY / NEW_SNOW_DENSITY


def sky_of(state: EnvironmentState) -> Sky:
    """The numbers of the weather as they are now."""
    return Sky(*state.sky[:, 0].tolist())


def extinction(state: EnvironmentState) -> float:
    """How much light air, fog, rain and snow take away, all together [1/m]; smoke has places of its own."""
    rain, snow, visibility, _, _ = sky_of(state)
    return air_extinction(visibility) + rain_extinction(rain) + snow_extinction(snow)


def sun_direction(state: EnvironmentState, latitude: float = math.radians(37.5)) -> tuple[float, float, float]:
    """Direction to the sun: east, north, up, of length 1; up is negative at night.

    Declination after P. I. Cooper (Solar Energy 12 (1969) 333) for the middle of the season; hours are solar time.

    Args:
        state: gives season and time of the light.
        latitude: of the map [rad]; Seoul if it is not known.
    """
    day = DAY_OF_YEAR[Season(int(state.season[0]))]
    declination = math.radians(23.45) * math.sin(math.tau * (284 + day) / 365)
    hour = math.tau * (float(state.sun_time[0]) / DAY - 0.5)
    east = -math.cos(declination) * math.sin(hour)
    north = math.sin(declination) * math.cos(latitude) - math.cos(declination) * math.sin(latitude) * math.cos(hour)
    up = math.sin(declination) * math.sin(latitude) + math.cos(declination) * math.cos(latitude) * math.cos(hour)
    return east, north, up
