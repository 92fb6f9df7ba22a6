"""The service Environment: time, weather, season, road friction, visibility."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from dorosim.bridge.grpc.standard.result import failure, result_of
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.environment.command import SetRoadFriction, SetSeason, SetWeather, ShowPuddles
from dorosim.world.environment.weather import Season, WeatherKind

if TYPE_CHECKING:
    from google.protobuf.message import Message

SimulationTime = message_class("morai_sim_api.environment.SimulationTime")
Weather = message_class("morai_sim_api.environment.Weather")
SeasonMessage = message_class("morai_sim_api.environment.Season")
FloatValue = message_class("morai_sim_api.FloatValue")


def _get_time(_: Any, at: Situation) -> Message:
    return SimulationTime(
        hour=hour_of(at.now), data_only=has_light_of_another_hour(at.now), instantly=is_time_settled(at.now)
    )


def _set_time(request: Any, _: Situation) -> DeferredReply | Message:
    try:
        command = set_hour(request.hour, at_once=request.instantly, clock_only=request.data_only)
    except InputError as error:
        return failure(str(error))
    return DeferredReply((command,), result_of)


def _get_weather(_: Any, at: Situation) -> Message:
    return Weather(type=int(weather_of(at.now)), instantly=is_weather_settled(at.now))


def _set_weather(request: Any, _: Situation) -> DeferredReply:
    return DeferredReply((SetWeather(WeatherKind(request.type), at_once=request.instantly),), result_of)


def _get_season(_: Any, at: Situation) -> Message:
    return SeasonMessage(type=int(season_of(at.now)))


def _set_season(request: Any, _: Situation) -> DeferredReply:
    return DeferredReply((SetSeason(Season(request.type)),), result_of)


def _get_friction(_: Any, at: Situation) -> Message:
    return FloatValue(value=at.now.friction.road)


def _set_friction(request: Any, _: Situation) -> DeferredReply:
    return DeferredReply((SetRoadFriction(request.value),), result_of)


def _set_visibility(request: Any, _: Situation) -> DeferredReply:
    """Puddles are the only thing that can be hidden."""
    return DeferredReply((ShowPuddles(request.is_visible),), result_of)


ENVIRONMENT: dict[str, Procedure] = {
    "Environment/GetTime": _get_time,
    "Environment/SetTime": _set_time,
    "Environment/GetWeather": _get_weather,
    "Environment/SetWeather": _set_weather,
    "Environment/GetSeason": _get_season,
    "Environment/SetSeason": _set_season,
    "Environment/GetRoadFriction": _get_friction,
    "Environment/SetRoadFriction": _set_friction,
    "Environment/SetVisibility": _set_visibility,
}
"""By "Service/Name"."""
WITHOUT_EFFECT: dict[str, str] = {"EnvVisibility.type": "it has one code, that of puddles"}
"""What has no effect, by message and field, and why."""
