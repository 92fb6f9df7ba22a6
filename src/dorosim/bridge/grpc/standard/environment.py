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
from dorosim.world.environment.command import SetRoadFriction, SetSeason, SetWeather, ShowPuddles
from dorosim.world.environment.weather import Season, WeatherKind


def _get_time(_: Any, at: Situation) -> Message:
    return SIM_API.environment.SimulationTime(
        hour=hour_of(at.now), data_only=has_light_of_another_hour(at.now), instantly=is_time_settled(at.now)
    )


PROCEDURES: dict[str, Procedure] = {
    "Environment/GetTime": _get_time,
    "Environment/SetTime": answered(
        lambda request, _: set_hour(request.hour, at_once=request.instantly, clock_only=request.data_only)
    ),
    "Environment/GetWeather": lambda _, at: SIM_API.environment.Weather(
        type=int(weather_of(at.now)), instantly=is_weather_settled(at.now)
    ),
    "Environment/SetWeather": answered(
        lambda request, _: SetWeather(WeatherKind(request.type), at_once=request.instantly)
    ),
    "Environment/GetSeason": lambda _, at: SIM_API.environment.Season(type=int(season_of(at.now))),
    "Environment/SetSeason": answered(lambda request, _: SetSeason(Season(request.type))),
    "Environment/GetRoadFriction": lambda _, at: SIM_API.FloatValue(value=at.now.friction.road),
    "Environment/SetRoadFriction": answered(lambda request, _: SetRoadFriction(request.value)),
    # puddles are the only thing that can be hidden
    "Environment/SetVisibility": answered(lambda request, _: ShowPuddles(request.is_visible)),
}
"""By "Service/Name"."""
WITHOUT_EFFECT: dict[str, str] = {"EnvVisibility.type": "it has one code, that of puddles"}
"""What has no effect, by message and field, and why."""
