"""The service Infrastructure: traffic lights and intersections."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.schedule import set_schedule
from dorosim.bridge.grpc.standard.result import answered
from dorosim.bridge.link import known_link
from dorosim.bridge.signal import (
    LightInfo,
    known_intersection,
    known_light,
    light_info,
    light_of_link,
    lights_of_intersection,
    set_intersection,
    set_light,
)
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.command import Command

_BY_LINK, _BY_LIGHT = 1, 2
"""Codes of GetTrafficLightInfoType."""


def _light_message(light: LightInfo) -> Message:
    return SIM_API.infrastructure.TrafficLightInfo(id={"value": light.id}, color=light.colour)


def _get_light(request: Any, at: Situation) -> Message:
    """A link without a light has one of no id, which is not detected; what the map does not have is an error."""
    plan = at.scene.signal_plan
    if request.type == _BY_LINK:
        return _light_message(
            light_of_link(plan, at.index.lights, at.now, known_link(at.index.link_row, request.value))
        )
    if request.type == _BY_LIGHT:
        return _light_message(light_info(plan, at.now, known_light(plan, request.value)))
    raise InputError("GetTrafficLightInfo", "type", "is not set", "use 1 for a link, 2 for a traffic light")


def _get_intersection(request: Any, at: Situation) -> Message:
    plan = at.scene.signal_plan
    row = known_intersection(plan, at.index.signals, request.value)
    lights = [_light_message(light) for light in lights_of_intersection(plan, at.now, row)]
    return SIM_API.infrastructure.IntersectionState(traffic_lights=lights, phase=int(at.now.signal.state[row]))


def _set_light(request: Any, at: Situation) -> Command:
    info = request.info
    return set_light(
        at.scene.signal_plan, info.id.value, info.color, once=request.is_impulse, siblings=request.set_sibling
    )


def _set_phase(request: Any, at: Situation) -> Command:
    return set_intersection(at.scene.signal_plan, at.index.signals, request.id.value, request.phase)


def _set_schedule(request: Any, at: Situation) -> Command:
    row = known_intersection(at.scene.signal_plan, at.index.signals, request.id.value)
    return set_schedule(row, request.vehicle, request.yellow, request.pedestrian)


PROCEDURES: dict[str, Procedure] = {
    "Infrastructure/GetTrafficLightInfo": _get_light,
    "Infrastructure/SetTrafficLightState": answered(_set_light),
    "Infrastructure/GetIntersectionTLInfo": _get_intersection,
    "Infrastructure/SetIntersectionPhase": answered(_set_phase),
    "Infrastructure/SetIntersectionSchedule": answered(_set_schedule),
}
"""By "Service/Name"."""
