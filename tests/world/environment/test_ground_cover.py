"""Water and snow on the ground: how they come, and how they go."""

from __future__ import annotations

import pytest

from dorosim.world.command import Command
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import SetSeason, SetSky, SetTimeOfDay, SetWeather
from dorosim.world.environment.ground_cover import STANDING_WATER, drainage, evaporation, standing_water
from dorosim.world.environment.weather import (
    EnvironmentState,
    Season,
    WeatherKind,
    advance_environment,
    first_environment,
)
from tests.world.effect import changed

SECOND = 1_000_000_000


def after(*commands: Command, state: EnvironmentState | None = None) -> EnvironmentState:
    state = first_environment().freeze() if state is None else state
    for command in commands:
        state, problem = changed("environment", state, command)
        assert problem == ""
    return state


def later(state: EnvironmentState, seconds: int) -> EnvironmentState:
    for _ in range(seconds):
        state = advance_environment(state, SECOND)
    return state


def depths(state: EnvironmentState) -> tuple[float, float]:
    return float(state.water_depth[0]), float(state.snow_depth[0])


@pytest.mark.parametrize("rain", [1.0, 8.0, 40.0, 145.0])
def test_water_drains_as_fast_as_it_comes_at_the_depth_of_gallaway(rain: float) -> None:
    """Gallaway et al. 1979 in their units, plus the texture that they leave out."""
    gallaway = 0.01485 * 0.5**0.11 * 5.0**0.43 * rain**0.59 / 0.025**0.42 * 1e-3
    assert standing_water(rain * MM_PER_HOUR) == pytest.approx(gallaway)
    assert drainage(gallaway) == pytest.approx(rain * MM_PER_HOUR)


def test_rain_wets_a_road_within_minutes_and_then_costs_nothing() -> None:
    state = later(after(SetSky(rain=8 * MM_PER_HOUR)), 60)
    assert 0.1e-3 < depths(state)[0] < 0.2e-3, "a minute brings 0.13 mm"
    state = later(state, 3600)
    assert depths(state)[0] == pytest.approx(standing_water(8 * MM_PER_HOUR), rel=1e-3)
    assert advance_environment(state, SECOND) is state


def test_a_road_dries_by_the_sun_and_slowly_at_night() -> None:
    """Half an hour after a shower by day, hours after one at night."""

    def minutes_to_dry(hour: float) -> int:
        state = after(SetTimeOfDay(hour * 3600.0), SetWeather(WeatherKind.RAINY))
        assert depths(state)[0] == pytest.approx(standing_water(8 * MM_PER_HOUR))
        state = after(SetSky(rain=0.0, cloud=0.1, wind=2.0), state=state)
        minutes = 0
        while depths(state)[0] > 0.0:
            state, minutes = later(state, 60), minutes + 1
        assert advance_environment(state, SECOND) is state
        return minutes

    by_day, at_night = minutes_to_dry(12.0), minutes_to_dry(0.0)
    assert 5 < by_day < 40
    assert at_night > 2 * by_day
    assert evaporation(1.0, 0.0, 2.0) > 10 * evaporation(-1.0, 0.0, 2.0)


def test_snow_piles_up_ten_times_as_deep_as_its_water_and_stays_in_winter() -> None:
    state = later(after(SetSeason(Season.WINTER), SetSky(snow=2 * MM_PER_HOUR)), 1800)
    assert depths(state) == (0.0, pytest.approx(0.01))
    lying = after(SetSky(snow=0.0), state=state)
    assert advance_environment(lying, SECOND) is lying


def test_snow_melts_in_spring_and_wets_the_road() -> None:
    """At 12.6 degrees 4 mm/K a day are 2.1 mm/h, so 2 cm of new snow, 2 mm of water, go within the hour."""
    state = after(SetWeather(WeatherKind.SNOWY))
    assert depths(state) == (0.0, pytest.approx(0.02))
    assert depths(later(state, 600))[1] > 0.02, "it does not melt while it snows"
    melting = after(SetSky(snow=0.0), state=state)
    half = later(melting, 1800)
    assert depths(half)[1] == pytest.approx(0.02 - 0.5 * 10 * 12.6 * 4e-3 / 24, rel=1e-6)
    assert depths(half)[0] > 0.5 * STANDING_WATER
    assert depths(later(half, 1800))[1] == 0.0


def test_weather_that_comes_slowly_leaves_the_ground_as_it_is() -> None:
    state = after(SetWeather(WeatherKind.STORM, at_once=False))
    assert depths(state) == (0.0, 0.0)
    wet = after(SetWeather(WeatherKind.STORM))
    assert depths(after(SetWeather(WeatherKind.SUNNY, at_once=False), state=wet)) == depths(wet)
    assert depths(after(SetWeather(WeatherKind.SUNNY), state=wet)) == (0.0, 0.0)
