"""Weather, season and time of day."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from dorosim.ground.state_tree import arrays_of
from dorosim.world.command import Command
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import SetSeason, SetSky, SetTimeOfDay, SetWeather, ShowPuddles
from dorosim.world.environment.weather import (
    CHANGE_TIME,
    DAY,
    SKIES,
    EnvironmentState,
    Season,
    WeatherKind,
    advance_environment,
    extinction,
    first_environment,
    sky_of,
    sun_direction,
)
from tests.world.effect import changed

TICK = 100_000_000
CHANGE = CHANGE_TIME / 1e9


def after(*commands: Command) -> EnvironmentState:
    state = first_environment()
    for command in commands:
        state, problem = changed("environment", state, command)
        assert problem == ""
    return state


def later(state: EnvironmentState, seconds: float) -> EnvironmentState:
    for _ in range(round(seconds * 10)):
        state = advance_environment(state, TICK)
    return state


def test_a_run_begins_at_a_sunny_noon_on_dry_roads():
    first = first_environment().freeze()
    assert sky_of(first) == SKIES[WeatherKind.SUNNY]
    assert first.time_of_day[0] == 43_200.0
    assert advance_environment(first, TICK) is first, "and stays"


@pytest.mark.parametrize("kind", list(WeatherKind))
def test_weather_comes_at_once(kind):
    state = after(SetWeather(kind))
    assert (state.weather[0], sky_of(state)) == (kind, SKIES[kind])


def test_weather_comes_evenly_when_not_asked_for_at_once():
    state = after(SetWeather(WeatherKind.RAINY, at_once=False))
    rain = SKIES[WeatherKind.RAINY].rain
    assert sky_of(state).rain == 0.0
    assert sky_of(later(state, 0.3 * CHANGE)).rain == pytest.approx(0.3 * rain)
    assert sky_of(later(state, CHANGE)) == pytest.approx(SKIES[WeatherKind.RAINY], rel=1e-12)
    assert later(state, CHANGE).sky_left[0] == 0
    assert not later(state, 3.0).floats.flags.writeable


def test_single_numbers_are_set_and_the_others_stay():
    state = after(SetWeather(WeatherKind.CLOUDY), SetSky(rain=5 * MM_PER_HOUR, visibility=700.0))
    sky = sky_of(state)
    assert (sky.rain, sky.visibility, sky.cloud) == (5 * MM_PER_HOUR, 700.0, SKIES[WeatherKind.CLOUDY].cloud)


def test_the_sun_goes_on_to_a_time_of_day_and_never_back():
    state = after(SetTimeOfDay(11 * 3600.0, at_once=False))
    assert later(state, 0.5 * CHANGE).time_of_day[0] == pytest.approx(23.5 * 3600)
    end = later(state, CHANGE + 1)
    assert end.time_of_day[0] == pytest.approx(11 * 3600)
    assert advance_environment(end, TICK) is end
    assert after(SetTimeOfDay(DAY)).time_of_day[0] == 0.0


def test_season_and_puddles_are_kept():
    state = after(SetSeason(Season.WINTER), ShowPuddles(shown=False))
    assert (state.season[0], state.puddles[0]) == (Season.WINTER, 0)


def test_the_clock_can_be_set_without_the_light_and_the_light_follows_again():
    noon = sun_direction(first_environment())
    state = after(SetTimeOfDay(20 * 3600.0, clock_only=True))
    assert (state.time_of_day[0], state.sun_time[0]) == (20 * 3600.0, 0.5 * DAY)
    assert sun_direction(state) == noon
    state, _ = changed("environment", state, SetTimeOfDay(21 * 3600.0, at_once=False))
    half = later(state, 0.5 * CHANGE)
    assert half.time_of_day[0] == pytest.approx(20.5 * 3600)
    assert half.sun_time[0] == pytest.approx(16.5 * 3600)
    end = later(half, 0.5 * CHANGE)
    assert end.sun_time[0] == pytest.approx(end.time_of_day[0]) == pytest.approx(21 * 3600)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (SetSky(cloud=1.1), "cloud: 0 to 1, not 1.1"),
        (SetSky(rain=-1.0), "rain: 0 to"),
        (SetSky(visibility=0.0), "visibility: 10 to 100000, not 0"),
        (SetSky(wind=math.nan), "wind: 0 to 100, not nan"),
        (SetTimeOfDay(-1.0), "time of day: 0 to 86400 s, not -1"),
    ],
)
def test_what_is_out_of_range_is_refused_and_changes_nothing(command, problem):
    state = first_environment()
    assert changed("environment", state, command)[1].startswith(problem)
    assert all(np.array_equal(a, b) for a, b in zip(arrays_of(state), arrays_of(first_environment()), strict=True))


def test_at_the_visibility_5_percent_of_the_contrast_is_left():
    state = after(SetSky(visibility=200.0))
    assert math.exp(-extinction(state) * 200.0) == pytest.approx(0.05)


def test_rain_dims_by_the_power_law_of_its_rate():
    """25 mm/h take 1.076 * 25^0.67 = 9.30 dB/km."""
    dry, wet = after(), after(SetSky(rain=25 * MM_PER_HOUR))
    assert (extinction(wet) - extinction(dry)) * 1000 * 10 / math.log(10) == pytest.approx(9.30, abs=0.01)


@pytest.mark.parametrize(
    ("season", "hour", "elevation"), [(Season.SUMMER, 12, 74.0), (Season.WINTER, 12, 31.2), (Season.SPRING, 0, -43.1)]
)
def test_the_sun_stands_as_high_as_season_and_hour_say(season, hour, elevation):
    """At noon its elevation is 90 deg - latitude + declination; at midnight declination - (90 deg - latitude)."""
    east, north, up = sun_direction(after(SetSeason(season), SetTimeOfDay(hour * 3600.0)))
    assert math.degrees(math.asin(up)) == pytest.approx(elevation, abs=0.3)
    assert math.hypot(east, north, up) == pytest.approx(1.0)
    assert east == pytest.approx(0.0, abs=1e-9)
    assert north < 0.0 or hour == 0


def test_the_sun_rises_in_the_east():
    assert sun_direction(after(SetTimeOfDay(7 * 3600.0)))[0] > 0.9


def test_commands_survive_the_recording():
    commands = [SetWeather(WeatherKind.FOGGY, at_once=False), SetSky(rain=1e-6), SetSeason(Season.FALL)]
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(commands), type=list[SetWeather | SetSky | SetSeason])
    assert again == commands
