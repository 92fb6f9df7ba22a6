"""Services about events of the ego vehicle, the map and vehicles (documents/ros-messages-ko.txt, Service Model)."""

from __future__ import annotations

import math
from typing import Any

from dorosim.bridge.actor import VEHICLES, kind_of
from dorosim.bridge.answer import Refusal
from dorosim.bridge.control_mode import CRUISE_26_R1, EVENT_CODES
from dorosim.bridge.event import Event, answers_of_event
from dorosim.bridge.reply import DeferredReply, ElementOutcome, reply_of
from dorosim.bridge.ros.guard import provided
from dorosim.bridge.ros.topic import RosSituation
from dorosim.bridge.vehicle_spec import spec_of
from dorosim.ground.error import InputError
from dorosim.road.projection import MapProjection
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.mode import ControlMode
from dorosim.world.vehicle.reported_gear import reported_gear_at

UTM, TM = 0, 1
FIRST_VIRTUAL = 10_000
"""Numbers of virtual maps begin here (design/seams.md, Codes left open by the documents)."""
WITHOUT_EFFECT: dict[str, str] = {
    "EventInfo.lamps.header": "a request counts when it comes, whatever its stamp says",
    "MapSpecIndex.load_map_data": "the document: true and false both ask for the map's data",
}
"""By type and field: why it changes nothing."""


def _event(request: Any, to: RosSituation) -> Any | DeferredReply:
    """Does an event. An unknown code refuses all of it; the answer reports the state afterwards. Option 0 only asks."""
    if request.option == 0:
        return _state(to.at.now, 0, to)
    event = Event(
        option=request.option,
        ctrl_mode=request.ctrl_mode,
        gear=request.gear,
        turn_signal=request.lamps.turnSignal,
        emergency_signal=request.lamps.emergencySignal,
        set_pause=request.set_pause,
    )
    answers = tuple(answers_of_event(event, EGO))
    reasons = [answer.reason for answer in answers if isinstance(answer, Refusal)]
    if reasons:
        raise InputError("", "", "; ".join(reasons))

    def reply(now: Snapshot, outcome: ElementOutcome) -> Any:
        if outcome.refusal:
            raise InputError("event", "", outcome.refusal)
        return _state(now, request.option, to)

    return reply_of(answers, reply)


def _state(now: Snapshot, option: int, to: RosSituation) -> Any:
    """Returns the ego vehicle's control mode, gear and lamps, and whether the run is paused; `option` as requested."""
    vehicle, row, make = now.vehicle, now.row_of(EGO), to.form.registry.make
    mode = ControlMode(int(vehicle.control_mode[row]))
    is_new_cruise = mode is ControlMode.CRUISE and to.form.registry.generation == "26.r1"
    return make(
        "morai_msgs/EventInfo",
        option=option,
        ctrl_mode=CRUISE_26_R1 if is_new_cruise else EVENT_CODES[mode],
        gear=int(reported_gear_at(vehicle, row)),
        lamps=make(
            "morai_msgs/Lamps",
            header=to.header(),
            turnSignal=int(vehicle.turn_lamp[row]),
            emergencySignal=int(vehicle.emergency_lamp[row]),
        ),
        set_pause=now.paused,
    )


def _map_spec(_: Any, to: RosSituation) -> Any:
    """The map's projection. A virtual map counts as UTM of zone 0, as the document says; the other numbers are true."""
    scene, make = to.at.scene, to.form.registry.make
    projection = MapProjection(scene.network.coordinate_system, scene.map_origin, scene.map_name)
    parts = projection.parameters
    is_virtual = scene.map_data_id >= FIRST_VIRTUAL
    return make(
        "morai_msgs/MapSpec",
        plane_coordinate_system=UTM if is_virtual or projection.utm_zone else TM,
        utm_num=0 if is_virtual else projection.utm_zone,
        utm_offset=to.form.registry.kind("geometry_msgs/Vector3")(*scene.map_origin),
        ellipse=parts.ellipsoid,
        central_latitude=math.degrees(parts.latitude),
        central_meridian=math.degrees(parts.longitude),
        scale_factor=parts.scale,
        false_easting=parts.false_easting,
        false_northing=parts.false_northing,
    )


def _vehicle_spec(request: Any, to: RosSituation) -> Any:
    """Measures of a vehicle of any kind; 0 is the ego vehicle, as in the product's network files."""
    at, actor = to.at, to.at.names.actor_numbered(request.unique_id or EGO)
    state = at.index.actors.state(at.now, actor) if kind_of(at.now, actor) in VEHICLES else None
    if state is None:
        raise InputError("", "", f"there is no vehicle {actor}", "take unique_id from /Ego_topic or /Object_topic")
    spec = spec_of(at.scene, at.now, state)
    return to.form.registry.make(
        "morai_msgs/VehicleSpec",
        size=to.form.registry.kind("geometry_msgs/Vector3")(*state.size),
        wheel_base=spec.model.wheelbase,
        max_steering=math.degrees(spec.max_steer),
        overhang=spec.model.front_overhang,
        rear_overhang=spec.model.rear_overhang,
    )


PROVIDED = (
    provided("event", "/Service_MoraiEventCmd", "MoraiEventCmdSrv", _event, module=780),
    provided("map_spec", "/Service_MoraiMapSpec", "MoraiMapSpecSrv", _map_spec, module=782),
    provided("vehicle_spec", "/Service_MoraiVehicleSpec", "MoraiVehicleSpecSrv", _vehicle_spec, module=781),
)
