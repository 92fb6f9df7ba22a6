"""The service Sensing: sensors with all of their settings, one reading on request, and rays that pass through an actor.

What streams is the endpoint's.
"""

from __future__ import annotations

import json
import math
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure, Response, vector_of
from dorosim.bridge.grpc.standard.result import write_vector
from dorosim.bridge.reply import ElementOutcome, reply_of
from dorosim.bridge.sensor.mounting import sensor_named, vehicle_named
from dorosim.bridge.sensor.ray import ray_between
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.mount.command import NANOSECONDS, AddSensor
from dorosim.world.mount.setting import AnySettings, problem_of_settings, settings_from_text
from dorosim.world.snapshot import NO_ACTOR, Snapshot

MIN_SENSOR_RATE, MAX_SENSOR_RATE = 1.0 / 3600.0, 10_000.0
"""Bounds of the rate of readings [Hz]: those of `MAX_SENSOR_PERIOD` and `MIN_SENSOR_PERIOD`."""


def settings_from_json(text: str) -> AnySettings:
    """Settings of a sensor from JSON; what is not named has its default.

    Raises:
        InputError: it is no such JSON, a setting is not known, or a number is out of bounds.
    """
    try:
        json.loads(text)
    except ValueError as error:
        cure = 'send an object such as {"kind": "camera", "width": 1280}'
        raise InputError("", "settings", f"is not valid JSON: {error}", cure) from None
    try:
        settings = settings_from_text(text.encode())
    except InputError as error:
        raise InputError("", "settings", error.problem, "see docs/reference/sensors.md") from None
    problem = problem_of_settings(settings)
    if problem:
        raise InputError("", "settings", problem)
    return settings


def _add(request: Any, at: Situation) -> Response:
    actor = vehicle_named(at.now, at.names, request.vehicle)
    period = None
    if request.HasField("rate_hz"):
        rate = request.rate_hz
        if not MIN_SENSOR_RATE <= rate <= MAX_SENSOR_RATE:
            cure = f"give {MIN_SENSOR_RATE:.2g} to {MAX_SENSOR_RATE:g} readings per second"
            raise InputError("", "rate_hz", f"{rate:g} is not a valid rate", cure)
        period = round(NANOSECONDS / rate)
    if not abs(request.phase_s) <= 1e9:
        raise InputError("", "phase_s", f"{request.phase_s:g} s is too far")
    command = AddSensor(
        actor,
        settings=settings_from_json(request.settings),
        position=vector_of(request.position),
        rotation=vector_of(request.rotation),
        period=period,
        phase=round(request.phase_s * NANOSECONDS),
    )
    return reply_of((command,), _added)


def _added(_: Snapshot, outcome: ElementOutcome) -> Message:
    if outcome.refusal:
        raise InputError("", "", outcome.refusal)
    return message_class("dorosim.AddedSensor")(sensor=outcome.actor)


def _read(request: Any, at: Situation) -> Message:
    mount = sensor_named(at.now, at.names, "", str(request.sensor))
    reading = at.host.sensors.look(mount.id)
    from dorosim.bridge.grpc.reading import ShownReading, whole_message  # with it come the modules of all sensors

    if reading is None:
        raise InputError("", "", f"sensor {mount.id} is switched off, or its vehicle has left the map")
    return whole_message(ShownReading((reading,), at.now, at.host.runs.epoch))


def _cast(request: Any, at: Situation) -> Message:
    through = NO_ACTOR
    if request.through:
        through = at.names.actor_of(request.through)
        if through == NO_ACTOR:
            cure = "give the id or name of an actor, or none"
            raise InputError("", "through", f"there is no actor {request.through!r}", cure)
    source, target = vector_of(request.source), vector_of(request.target)
    far = request.max_dist or math.dist(source, target)
    (hit,) = at.host.sensors.cast(at.now, (ray_between(source, target, far, through),))
    message: Any = message_class("dorosim.RayHit")()
    if hit is not None:
        message.met, message.distance = True, hit.distance
        message.actor = at.names.text_of(hit.actor) if hit.actor > 0 else ""
        write_vector(message.position, hit.position)
        write_vector(message.normal, hit.normal)
    return message


SENSING: dict[str, Procedure] = {"AddSensor": _add, "GetReading": _read, "RayCast": _cast}
"""Procedures of the service, by name."""
