"""What the page's fields of weather, daylight and roads mean, and what they show."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from dorosim.bridge.environment import HOUR, season_of, weather_of
from dorosim.ground.error import InputError
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import SetRoadFriction, SetSeason, SetSky, SetTimeOfDay, SetWeather, ShowPuddles
from dorosim.world.environment.weather import Season, Sky, WeatherKind
from dorosim.world.snapshot import Snapshot

WEATHERS = tuple(kind.name.lower() for kind in WeatherKind)
"""Kinds of weather, as they are chosen."""
SEASONS = tuple(season.name.lower() for season in Season)
"""Seasons, as they are chosen."""


class Surroundings(NamedTuple):
    """What the fields show.

    Attributes:
        weather, season: of `WEATHERS`, `SEASONS`. hour: time of day, 0 to 24.
        rain: [mm/h]. visibility: [m]. cloud: 0 to 100 %. friction: of the roads over that of dry asphalt.
        puddles: whether they are seen.
    """

    weather: str
    season: str
    hour: float
    rain: float
    visibility: float
    cloud: float
    friction: float
    puddles: bool


def surroundings_of(now: Snapshot) -> Surroundings:
    """What the fields show of a snapshot: the weather that is coming, where it changes slowly."""
    state = now.environment
    sky = Sky(*state.goal[:, 0].tolist())
    return Surroundings(
        weather=weather_of(now).name.lower(),
        season=season_of(now).name.lower(),
        hour=round(float(state.time_of_day[0]) / HOUR, 2),
        rain=round(sky.rain / MM_PER_HOUR, 1),
        visibility=round(sky.visibility),
        cloud=round(100.0 * sky.cloud),
        friction=round(float(now.friction.road), 2),
        puddles=bool(state.puddles[0]),
    )


def set_weather(kind: Any) -> SetWeather:
    """The command that sets the kind of weather.

    Raises:
        InputError: there is none of this name.
    """
    return SetWeather(WeatherKind(_place(kind, WEATHERS, "weather")))


def set_season(season: Any) -> SetSeason:
    """The command that sets the season.

    Raises:
        InputError: there is none of this name.
    """
    return SetSeason(Season(_place(season, SEASONS, "season")))


def set_rain(rate: Any) -> SetSky:
    """The command that sets the rate of rain [mm/h]."""
    return SetSky(rain=number(rate, "rain") * MM_PER_HOUR)


def set_visibility(distance: Any) -> SetSky:
    """The command that sets the visibility [m]."""
    return SetSky(visibility=number(distance, "visibility"))


def set_cloud(share: Any) -> SetSky:
    """The command that sets the cover of clouds [%]."""
    return SetSky(cloud=number(share, "clouds") / 100.0)


def set_hour(hour: Any) -> SetTimeOfDay:
    """The command that sets the time of day [h]."""
    return SetTimeOfDay(number(hour, "time of day") * HOUR)


def set_friction(multiplier: Any) -> SetRoadFriction:
    """The command that sets the friction of all roads over that of dry asphalt."""
    return SetRoadFriction(number(multiplier, "friction"))


def show_puddles(shown: Any) -> ShowPuddles:
    """The command that shows puddles or hides them."""
    return ShowPuddles(bool(shown))


def number(value: Any, what: str) -> float:
    """Returns a finite number that a visitor gave.

    Raises:
        InputError: it is none.
    """
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise InputError(what, "", f"{value!r} is not a valid number")
    return found


def _place(name: Any, names: tuple[str, ...], what: str) -> int:
    if name not in names:
        raise InputError(what, "", f"there is no {name!r}", f"it must be one of {', '.join(names)}")
    return names.index(name)
