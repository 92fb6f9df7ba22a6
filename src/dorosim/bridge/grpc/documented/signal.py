"""Traffic lights and intersections (documents/grpc-api-en.txt, Traffic, Intersection)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.documented.response import for_each
from dorosim.bridge.grpc.schedule import set_schedule
from dorosim.bridge.reply import DeferredReply
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
from dorosim.wire.grpc.descriptor import message_class

if TYPE_CHECKING:
    from google.protobuf.message import Message

TLInfo = message_class("morai_msgs.TLInfo")
TLInfoList = message_class("morai_msgs.TLInfoList")


def _told(light: LightInfo) -> Message:
    return TLInfo(success=light is not NO_LIGHT, tl_id=light.id, tl_color=light.colour)


def _by_link(request: Any, at: Situation) -> Message:
    link = at.index.link_row(request.unique_id)
    if link < 0:
        return _told(NO_LIGHT)
    return _told(light_of_link(at.scene.signal_plan, at.index.lights, at.now, link))


def _by_id(request: Any, at: Situation) -> Message:
    plan = at.scene.signal_plan
    row = plan.light_row(request.unique_id)
    return _told(NO_LIGHT if row < 0 else light_info(plan, at.now, row))


def _of_intersection(request: Any, at: Situation) -> Message:
    """An intersection that is not there has one light that is none, since the list has no result of its own."""
    plan = at.scene.signal_plan
    try:
        row = known_intersection(plan, at.index.signals, request.unique_id)
    except InputError:
        return TLInfoList(res_list=[_told(NO_LIGHT)])
    return TLInfoList(res_list=[_told(light) for light in lights_of_intersection(plan, at.now, row)])


def _set_lights(request: Any, at: Situation) -> DeferredReply | Message:
    return for_each(
        request.req_list,
        lambda one: one.tl_id,
        lambda one: set_light(
            at.scene.signal_plan, one.tl_id, one.tl_color, once=one.is_impulse, siblings=one.set_sibling
        ),
    )


def _set_states(request: Any, at: Situation) -> DeferredReply | Message:
    return for_each(
        request.req_list,
        lambda one: one.intscn_id,
        lambda one: set_intersection(at.scene.signal_plan, at.index.signals, one.intscn_id, one.state_idx),
    )


def _set_schedules(request: Any, at: Situation) -> DeferredReply | Message:
    return for_each(
        request.req_list,
        lambda one: one.intscn_id,
        lambda one: set_schedule(
            known_intersection(at.scene.signal_plan, at.index.signals, one.intscn_id),
            one.tl_schedule,
            one.yellow_duration,
            one.ps_schedule,
        ),
    )


SIGNALS: dict[str, Procedure] = {
    "GetTrafficLightInfoByLink": _by_link,
    "GetTrafficLightInfoByUid": _by_id,
    "GetIntscnTLInfo": _of_intersection,
    "SetTrafficLightState": _set_lights,
    "SetIntersectionState": _set_states,
    "SetIntersectionSchedule": _set_schedules,
}
"""By name."""
