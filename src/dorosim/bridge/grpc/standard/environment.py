"""The service Environment: time, weather, season, road friction, visibility."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.environment import (
    has_light_of_another_hour,
    hour_of,
    is_time_settled,
    is_weather_settled,
    season_of,
    set_hour,
    weather_of,
)
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.standard.result import answered
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.environment.command import SetRoadFriction, SetSeason, SetTimeOfDay, SetWeather, ShowPuddles
from dorosim.world.environment.weather import Season, WeatherKind


def _get_time(_: Any, at: Situation) -> Message:
    return SIM_API.environment.SimulationTime(
        hour=hour_of(at.now), data_only=has_light_of_another_hour(at.now), instantly=is_time_settled(at.now)
    )


def _set_time(request: Any, _: Situation) -> SetTimeOfDay:
    return set_hour(request.hour, at_once=request.instantly, clock_only=request.data_only)


def _get_weather(_: Any, at: Situation) -> Message:
    return SIM_API.environment.Weather(type=int(weather_of(at.now)), instantly=is_weather_settled(at.now))


def _set_weather(request: Any, _: Situation) -> SetWeather:
    return SetWeather(WeatherKind(request.type), at_once=request.instantly)


def _get_season(_: Any, at: Situation) -> Message:
    return SIM_API.environment.Season(type=int(season_of(at.now)))


def _get_friction(_: Any, at: Situation) -> Message:
    return SIM_API.FloatValue(value=at.now.friction.road)


PROCEDURES: dict[str, Procedure] = {
    "Environment/GetTime": _get_time,
    "Environment/SetTime": answered(_set_time),
    "Environment/GetWeather": _get_weather,
    "Environment/SetWeather": answered(_set_weather),
    "Environment/GetSeason": _get_season,
    "Environment/SetSeason": answered(lambda request, _: SetSeason(Season(request.type))),
    "Environment/GetRoadFriction": _get_friction,
    "Environment/SetRoadFriction": answered(lambda request, _: SetRoadFriction(request.value)),
    # puddles are the only thing that can be hidden
    "Environment/SetVisibility": answered(lambda request, _: ShowPuddles(request.is_visible)),
}
"""By "Service/Name"."""
WITHOUT_EFFECT: dict[str, str] = {"EnvVisibility.type": "it has one code, that of puddles"}
"""What has no effect, by message and field, and why."""
