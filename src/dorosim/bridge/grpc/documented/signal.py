"""Traffic lights and intersections (documents/grpc-api-en.txt, Traffic, Intersection)."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.answer import Answer
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.documented.answer import each
from dorosim.bridge.grpc.schedule import set_schedule
from dorosim.bridge.signal import (
    NO_LIGHT,
    LightInfo,
    known_intersection,
    light_info,
    light_of_link,
    lights_of_intersection,
    set_intersection,
    set_light,
)
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import MORAI_MSGS


def _light_message(light: LightInfo) -> Message:
    return MORAI_MSGS.TLInfo(success=light is not NO_LIGHT, tl_id=light.id, tl_color=light.colour)


def _by_link(request: Any, at: Situation) -> Message:
    link = at.index.link_row(request.unique_id)
    if link < 0:
        return _light_message(NO_LIGHT)
    return _light_message(light_of_link(at.scene.signal_plan, at.index.lights, at.now, link))


def _by_id(request: Any, at: Situation) -> Message:
    plan = at.scene.signal_plan
    row = plan.light_row(request.unique_id)
    return _light_message(NO_LIGHT if row < 0 else light_info(plan, at.now, row))


def _of_intersection(request: Any, at: Situation) -> Message:
    """An intersection that is not there has one light that is none, since the list has no result of its own."""
    plan = at.scene.signal_plan
    try:
        lights = lights_of_intersection(plan, at.now, known_intersection(plan, at.index.signals, request.unique_id))
    except InputError:
        lights = [NO_LIGHT]
    return MORAI_MSGS.TLInfoList(res_list=[_light_message(light) for light in lights])


def _set_light(one: Any, at: Situation) -> Answer:
    plan = at.scene.signal_plan
    return set_light(plan, one.tl_id, one.tl_color, once=one.is_impulse, siblings=one.set_sibling)


def _set_state(one: Any, at: Situation) -> Answer:
    return set_intersection(at.scene.signal_plan, at.index.signals, one.intscn_id, one.state_idx)


def _set_schedule(one: Any, at: Situation) -> Answer:
    row = known_intersection(at.scene.signal_plan, at.index.signals, one.intscn_id)
    return set_schedule(row, one.tl_schedule, one.yellow_duration, one.ps_schedule)


PROCEDURES: dict[str, Procedure] = {
    "GetTrafficLightInfoByLink": _by_link,
    "GetTrafficLightInfoByUid": _by_id,
    "GetIntscnTLInfo": _of_intersection,
    "SetTrafficLightState": each(_set_light, "tl_id"),
    "SetIntersectionState": each(_set_state, "intscn_id"),
    "SetIntersectionSchedule": each(_set_schedule, "intscn_id"),
}
"""By name."""
