"""Time of day, weather and season as clients set them, and as they are reported to clients."""

from __future__ import annotations

import math

from dorosim.ground.error import InputError
from dorosim.world.environment.command import SetTimeOfDay
from dorosim.world.environment.weather import DAY, Season, WeatherKind
from dorosim.world.snapshot import Snapshot

HOUR = 3600.0
"""[s]"""
_SAME = 0.5
"""Times of day that differ by less are the same [s]: what comes bit by bit ends as near as numbers are exact."""


def set_hour(hour: int, *, at_once: bool, clock_only: bool) -> SetTimeOfDay:
    """Sets the time of day to a whole hour.

    Args:
        hour: 0 to 23.
        at_once: whether it comes at once.
        clock_only: the light stays as it is.

    Raises:
        InputError: there is no such hour.
    """
    if not 0 <= hour <= 23:
        raise InputError("time", "hour", f"{hour} is not a valid hour", "use 0 to 23")
    return SetTimeOfDay(hour * HOUR, at_once=at_once, clock_only=clock_only)


def hour_of(now: Snapshot) -> int:
    """The hour that clocks show."""
    return int((float(now.environment.time_of_day[0]) + _SAME) // HOUR) % 24


def has_light_of_another_hour(now: Snapshot) -> bool:
    """Whether the clock was set alone, so that the light is that of another time."""
    gap = float(now.environment.time_of_day[0]) - float(now.environment.sun_time[0])
    return abs(math.remainder(gap, DAY)) > _SAME


def is_time_settled(now: Snapshot) -> bool:
    """Whether no change of the time of day goes on."""
    return not int(now.environment.time_left[0])


def weather_of(now: Snapshot) -> WeatherKind:
    """The weather that was set last; it may still be coming."""
    return WeatherKind(int(now.environment.weather[0]))


def is_weather_settled(now: Snapshot) -> bool:
    """Whether no change of the weather goes on."""
    return not int(now.environment.sky_left[0])


def season_of(now: Snapshot) -> Season:
    """The season."""
    return Season(int(now.environment.season[0]))
