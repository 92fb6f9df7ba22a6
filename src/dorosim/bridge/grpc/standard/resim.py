"""The service Simulation: recording and replaying.

Frame 0 is the state at the beginning of a recording, any other one the state after as many ticks.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.environment import HOUR
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.standard.result import answered, failure, success
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.command import Command
from dorosim.world.environment.command import SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import WeatherKind

INIT, START, STOP = 0, 1, 2
"""Codes of ResimRecordStatusType."""
RUN, DONE, _ERROR = 1, 2, 3
"""More codes of ResimReplayStatusType."""
WITHOUT_EFFECT: dict[str, str] = {
    "ResimRecordParam.interval": "every tick is recorded: a replay needs all of them",
    "ResimReplayInitParam.scenario_file_path": "a recording holds all that its scenario made",
    "ResimReplayInitParam.save_sensor_file_path": "sensors send what they see in a replay; SaveSensorData saves it",
}
"""Fields that have no meaning here, and why."""


def _record(request: Any, at: Situation) -> Message:
    if request.status == START:
        return success(at.host.records.begin(request.filepath))
    if request.status == STOP:
        file = at.host.records.finish()
        return success(file) if file else failure("nothing is being recorded")
    return failure("status must be 1, start, or 2, stop")


def _record_status(_: Any, at: Situation) -> Message:
    recording = at.host.records.recording
    return SIM_API.simulation.ResimRecordStatusParam(
        status=START if recording.active else STOP if recording.name else INIT
    )


def _choose(request: Any, at: Situation) -> Message:
    weathers: list[tuple[Command, ...]] = [(SetWeather(_weather(name)),) for name in request.weather_list] or [()]
    times: list[tuple[Command, ...]] = [(_time_of_day(hour),) for hour in request.time_list] or [()]
    takes = [(*weather, *time) for weather, time in product(weathers, times)]
    found = at.host.records.load(request.resim_file_Path, takes)
    return success(f"{found.name}: frames 0 to {found.end}")


def _weather(name: str) -> WeatherKind:
    plain = name.strip().upper().removeprefix("WEATHER_TYPE_")
    if plain not in WeatherKind.__members__:
        known = ", ".join(kind.lower() for kind in WeatherKind.__members__)
        raise InputError("weather_list", "", f"{name!r} is not a valid weather", f"use {known}")
    return WeatherKind[plain]


def _time_of_day(hour: int) -> SetTimeOfDay:
    if not 0 <= hour <= 23:
        raise InputError("time_list", "", f"{hour} is not a valid hour", "use 0 to 23")
    return SetTimeOfDay(hour * HOUR)


def _play(_: Any, at: Situation) -> Message:
    at.host.records.play()
    return success()


def _replay_status(_: Any, at: Situation) -> Message:
    replay = at.host.records.replaying
    status = INIT
    if replay.problem:
        status = _ERROR
    elif replay.active:
        status = RUN
    elif replay.ticks:
        status = DONE
    return SIM_API.simulation.ResimReplayStatusParam(frame_number=replay.ticks, replay_status=status)


def _add_range(request: Any, at: Situation) -> Message:
    at.host.records.add_span(request.start, request.end)
    return success()


PROCEDURES: dict[str, Procedure] = {
    "Simulation/SetResimRecordMode": answered(_record),
    "Simulation/GetResimRecordStatus": _record_status,
    "Simulation/ResimReplayInit": answered(_choose),
    "Simulation/ResimReplayStart": answered(_play),
    "Simulation/GetResimReplayStatus": _replay_status,
    "Simulation/AddResimReplayRange": answered(_add_range),
}
"""By "Service/Name"."""
