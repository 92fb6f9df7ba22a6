"""Drivers in rain, snow and fog."""

from __future__ import annotations

import math

import pytest

from dorosim.ground.unit import KMH
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import SetSky, SetWeather
from dorosim.world.environment.driving_conditions import DrivingConditions, driving_conditions
from dorosim.world.environment.weather import WeatherKind, first_environment
from dorosim.world.traffic.state import SpeedMode
from tests.road.small_map import network_of, straight
from tests.world.effect import changed
from tests.world.traffic.rig import CAR, run_with

LIMIT = 80
ROAD = network_of(straight("a", "A", "B", (0, 0, 0), (3000, 0, 0), max_speed=LIMIT))


def conditions(*commands) -> DrivingConditions:
    state = first_environment()
    for command in commands:
        state, problem = changed("environment", state, command)
        assert problem == ""
    return driving_conditions(state)


def test_good_weather_changes_nothing():
    for kind in (WeatherKind.SUNNY, WeatherKind.CLOUDY):
        assert conditions(SetWeather(kind)) == (1.0, 1.0, math.inf)


@pytest.mark.parametrize(
    ("sky", "least", "most"),
    [
        (SetSky(rain=0.1 * MM_PER_HOUR), 0.02, 0.036),
        (SetSky(rain=16 * MM_PER_HOUR), 0.06, 0.09),
        (SetSky(rain=60 * MM_PER_HOUR), 0.06, 0.09),
        (SetSky(snow=0.1 * MM_PER_HOUR), 0.05, 0.16),
        (SetSky(snow=3 * MM_PER_HOUR), 0.05, 0.19),
    ],
)
def test_speeds_fall_as_measured_on_motorways(sky, least, most):
    """FHWA-HOP-07-073, table of free-flow speeds."""
    assert least <= 1.0 - conditions(sky).speed <= most


def test_capacity_falls_as_measured():
    """The same report: 10 to 11 % in rain, 12 to 20 % in snow."""
    assert 0.10 <= 1.0 - 1.0 / conditions(SetSky(rain=5 * MM_PER_HOUR)).time_gap <= 0.11
    assert 0.12 <= 1.0 - 1.0 / conditions(SetSky(snow=1 * MM_PER_HOUR)).time_gap <= 0.20


def test_fog_holds_drivers_to_what_they_see():
    """Where one sees 50 m the German code (StVO, section 3) allows 50 km/h; at 200 m a town's limits count."""
    assert conditions(SetSky(visibility=50.0)).max_speed < 50 * KMH.factor
    assert 80 * KMH.factor < conditions(SetSky(visibility=200.0)).max_speed < 130 * KMH.factor
    assert conditions(SetSky(visibility=3000.0)).max_speed == math.inf


def test_a_wet_or_white_road_slows_drivers_down_when_nothing_falls():
    after_rain = conditions(SetWeather(WeatherKind.RAINY), SetSky(rain=0.0))
    after_snow = conditions(SetWeather(WeatherKind.SNOWY), SetSky(snow=0.0))
    assert 1.0 > after_rain.speed > conditions(SetWeather(WeatherKind.RAINY)).speed > after_snow.speed


def speed_after_a_minute(weather: DrivingConditions, **more) -> float:
    run = run_with(ROAD, [("a", 50.0)], speed=15.0, **more)
    for _ in range(600):
        run.step(conditions=weather)
    return float(run.state.speed[0])


@pytest.mark.parametrize("weather", [DrivingConditions(), DrivingConditions(0.9), DrivingConditions(1.0, 1.0, 12.0)])
def test_drivers_take_the_speed_of_the_weather(weather):
    wanted = min(LIMIT * KMH.factor * weather.speed, weather.max_speed)
    assert speed_after_a_minute(weather) == pytest.approx(wanted, rel=0.01)


def test_a_commanded_speed_stays():
    weather = DrivingConditions(0.5, 1.0, 5.0)
    found = speed_after_a_minute(weather, speed_mode=SpeedMode.CONSTANT, desired_speed=20.0)
    assert found == pytest.approx(20.0, rel=0.01)


def test_drivers_leave_more_room_and_have_their_own_gaps_afterwards():
    def gap_behind(weather: DrivingConditions) -> float:
        run = run_with(ROAD, [("a", 50.0), ("a", 100.0)], speed=10.0, speed_mode=1, desired_speed=[20.0, 10.0])
        own = run.state.time_gap.copy()
        for _ in range(900):
            run.step(conditions=weather)
        assert run.state.time_gap.tolist() == own.tolist()
        return float(run.state.s[1] - run.state.s[0] - CAR.length - run.state.standstill_gap[0])

    assert gap_behind(DrivingConditions(1.0, 1.25)) == pytest.approx(1.25 * gap_behind(DrivingConditions()), rel=0.03)
