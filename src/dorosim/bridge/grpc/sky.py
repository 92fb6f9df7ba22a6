"""The service Sky: the numbers of the weather, and any time of day."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure, Response
from dorosim.bridge.reply import ElementOutcome, reply_of
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.command import Command
from dorosim.world.environment.command import SetSky, SetTimeOfDay
from dorosim.world.environment.weather import Sky
from dorosim.world.snapshot import Snapshot


def sky_message(now: Snapshot) -> Message:
    """Weather and time of day as they are."""
    state = now.environment
    numbers = dict(zip(Sky._fields, state.sky[:, 0].tolist(), strict=True))
    return message_class("dorosim.SkyState")(
        time_of_day_s=float(state.time_of_day[0]),
        water_depth=float(state.water_depth[0]),
        snow_depth=float(state.snow_depth[0]),
        **numbers,
    )


def _set(request: Any, _: Situation) -> Response:
    at_once = not request.gradually
    given = {name: getattr(request, name) for name in Sky._fields if request.HasField(name)}
    commands: list[Command] = [SetSky(**given, at_once=at_once)] if given else []
    if request.HasField("time_of_day_s"):
        commands.append(SetTimeOfDay(request.time_of_day_s, at_once=at_once))
    if not commands:
        raise InputError("", "", "nothing is to change", "give a time of day, or a number of the weather")
    return reply_of(commands, _changed)


def _changed(now: Snapshot, outcome: ElementOutcome) -> Message:
    if outcome.refusal:
        raise InputError("", "", outcome.refusal)
    return sky_message(now)


SKY: dict[str, Procedure] = {"GetSky": lambda _, at: sky_message(at.now), "SetSky": _set}
"""Procedures of the service, by name."""
