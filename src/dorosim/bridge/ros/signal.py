"""Traffic lights and intersections: topics and the service about a light (documents/ros-messages-ko.txt)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dorosim.bridge.answer import Answer
from dorosim.bridge.ros.guard import Range, guarded, provided
from dorosim.bridge.ros.topic import Published, RosSituation, Subscribed
from dorosim.bridge.signal import known_light, set_intersection_numbered, set_light_named

_NO_LIGHT = -1
"""Status where there is no light to report, and of a light that is not lit."""
RANGES: dict[str, Range] = {"IntersectionControl.intersection_status_time": Range(0.0, 1e6, "refuse")}
WITHOUT_EFFECT: dict[str, str] = {
    "IntersectionControl.header": "a message counts when it comes, whatever its stamp says"
}
"""By type and field: why it changes nothing."""


def _light_status(to: RosSituation) -> Any:
    """The light that the ego vehicle faces: the next one ahead on its lane, else the nearest that faces it."""
    at = to.at
    light, index, kind, status = at.index.around.at(at.now).light, "", 0, _NO_LIGHT
    if light is not None:
        index, kind = light.index, light.type
        status = at.scene.signal_plan.status_of(light.row, at.now.signal)
    return to.form.registry.make(
        "morai_msgs/GetTrafficLightStatus",
        header=to.header(),
        trafficLightIndex=index,
        trafficLightType=kind,
        trafficLightStatus=status,
    )


def _intersection_status(to: RosSituation) -> Any:
    """The intersection of that light, else the nearest one; status -1 where the map has none."""
    at = to.at
    row = at.index.lights.controller_of(at.index.around.at(at.now).light, at.now)
    number, state, elapsed = 0, _NO_LIGHT, 0.0
    if row >= 0:
        number, state = at.index.signals.numbers[row], int(at.now.signal.state[row])
        elapsed = at.scene.signal_plan.elapsed_of(row, at.now.signal)
    return to.form.registry.make(
        "morai_msgs/IntersectionStatus",
        header=to.header(),
        intersection_index=number,
        intersection_status=state,
        intersection_status_time=elapsed,
    )


def _all_intersections(to: RosSituation) -> Any:
    """All intersections by MGeo id, with the state of each and the time in it, as in scenario files (tlList)."""
    at, plan = to.at, to.at.scene.signal_plan
    return to.form.registry.make(
        "morai_msgs/IntscnTL",
        header=to.header(),
        idx=list(plan.controller_ids),
        state=at.now.signal.state.astype(np.int32),
        delta_time=np.array(
            [plan.elapsed_of(row, at.now.signal) for row in range(len(plan.controller_ids))], np.float32
        ),
    )


def _set_light(message: Any, to: RosSituation) -> Iterable[Answer]:
    return (set_light_named(to.at.index.signals, message.trafficLightIndex, message.trafficLightStatus),)


def _set_intersection(message: Any, to: RosSituation) -> Iterable[Answer]:
    number, state, elapsed = (
        message.intersection_index,
        message.intersection_status,
        message.intersection_status_time,
    )
    return (set_intersection_numbered(to.at.index.signals, number, state, elapsed),)


def _light_info(request: Any, to: RosSituation) -> Any:
    """What burns on a light; an id that the map does not have is an error of the call."""
    plan = to.at.scene.signal_plan
    status = plan.status_of(known_light(plan, request.idx), to.at.now.signal)
    return to.form.registry.make("morai_msgs/MoraiTLInfo", header=to.header(), idx=request.idx, status=status)


PUBLISHED = (
    Published("light", "/GetTrafficLightStatus", "morai_msgs/GetTrafficLightStatus", _light_status, module=258),
    Published("intersection", "/InsnStatus", "morai_msgs/IntersectionStatus", _intersection_status, module=265),
    Published("intersections", "/IntscnTL_topic", "morai_msgs/IntscnTL", _all_intersections, module=263),
)
SUBSCRIBED = (
    Subscribed("set_light", "/SetTrafficLight", "morai_msgs/SetTrafficLight", guarded(_set_light), module=259),
    Subscribed(
        "set_intersection",
        "/InsnControl",
        "morai_msgs/IntersectionControl",
        guarded(_set_intersection, RANGES),
        module=264,
    ),
)
PROVIDED = (provided("light_info", "/Morai_TLSrv", "MoraiTLInfoSrv", _light_info, module=778),)
