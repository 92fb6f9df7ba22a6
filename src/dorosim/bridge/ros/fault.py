"""Faults: services and topics that set them, and a topic that reports them.

No document names them; names follow the product's pattern and can be set (facts/ros-grpc-mgeo.md, 1.6, row 28; modules
280 to 284 of facts/standard-api.json). Codes are those of the gRPC page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from dorosim.bridge.answer import Answer
from dorosim.bridge.drive import problem_with_ego
from dorosim.bridge.fault import FaultCode, control_fault, sensor_fault, tire_fault
from dorosim.bridge.reply import DeferredReply, ElementOutcome, reply_of
from dorosim.bridge.ros.guard import Range, guarded, provided, vector_of
from dorosim.bridge.ros.topic import Provided, Published, RosSituation, Subscribed
from dorosim.ground.error import InputError
from dorosim.ground.unit import DEGREE
from dorosim.world.fault.code import FaultLocation, FaultTarget
from dorosim.world.fault.command import WHEELS, SetFault
from dorosim.world.fault.table import rows_of
from dorosim.world.snapshot import EGO, Snapshot

RANGES: dict[str, Range] = {
    "FaultInjection_Sensor.local_position_offset": Range(-1e3, 1e3, "refuse"),
    "FaultInjection_Sensor.local_rotation_offset": Range(-36_000.0, 36_000.0, "refuse"),
}
_RESPONSE = "morai_msgs/FaultInjection_Response"
_OVERALL = "morai_msgs/FaultStatusInfo_Overall"
Make = Callable[[Any, RosSituation], SetFault]


def _vehicle(to: RosSituation, unique_id: int) -> int:
    """Id of a vehicle with full dynamics; 0 is the ego vehicle, as in the product's network files."""
    actor = unique_id or EGO
    problem = problem_with_ego(to.at.now, actor, str(actor))
    if problem:
        raise InputError("", "", f"{problem}; only ego vehicles have controls and tyres that fail")
    return actor


def _control(message: Any, to: RosSituation) -> SetFault:
    return control_fault(_vehicle(to, message.unique_id), message.fault_location, FaultCode.of(message))


def _tire(message: Any, to: RosSituation) -> SetFault:
    return tire_fault(_vehicle(to, message.unique_id), message.tire_index, FaultCode.of(message))


def _sensor(message: Any, to: RosSituation) -> SetFault:
    """Offsets in the sensor's own axes: metres, and roll, pitch, yaw in degrees."""
    offset = vector_of(message.local_position_offset)
    rotation = vector_of(message.local_rotation_offset, DEGREE.factor)
    at = to.at
    vehicle, sensor = at.names.text_of(at.names.actor_numbered(message.unique_id or EGO)), str(message.sensor_id)
    return sensor_fault(at.now, at.names, vehicle, sensor, FaultCode.of(message), offset, rotation)


def _as_topic(make: Make) -> Callable[[Any, RosSituation], Iterable[Answer]]:
    return guarded(lambda message, to: (make(message, to),), RANGES)


def _injection(key: str, name: str, kind: str, make: Make) -> Provided:
    """Returns a service that sets a fault. `result` says whether it is done; users are shown why it is not.

    Args:
        key: in the settings.
        name: its default name.
        kind: its type, of morai_msgs.
        make: the command.
    """

    def inject(message: Any, to: RosSituation) -> Any | DeferredReply:
        actor, host = to.at.names.actor_numbered(message.unique_id or EGO), to.at.host
        try:
            command = make(message, to)
        except InputError as error:
            host.runs.report("refused", f"{kind}: {error}")
            return _response(to, to.at.now, actor, done=False)

        def reply(now: Snapshot, outcome: ElementOutcome) -> Any:
            if outcome.refusal:
                host.runs.report("refused", f"{kind}: {outcome.refusal}")
            return _response(to, now, actor, done=not outcome.refusal)

        return reply_of((command,), reply)

    return provided(key, name, kind, inject, ranges=RANGES)


def _response(to: RosSituation, now: Snapshot, actor: int, *, done: bool) -> Any:
    number = to.at.names.number_of(actor)
    return to.form.registry.make(_RESPONSE, result=done, unique_id=number, **_faults(to, now, actor))


def _status(to: RosSituation) -> Any:
    """Faults of the ego vehicle and its sensors."""
    info = "morai_msgs/FaultStatusInfo"
    return to.form.registry.make(info, header=to.header(), unique_id=EGO, **_faults(to, to.at.now, EGO))


def _faults(to: RosSituation, now: Snapshot, actor: int) -> dict[str, Any]:
    """The fields `vehicle` and `sensors`: of each part whether it has a fault, and which."""
    make, kind = to.form.registry.make, to.form.registry.kind(_OVERALL)
    found: dict[tuple[FaultTarget, int], list[int]] = {}
    for target in FaultTarget:
        for row in rows_of(now.fault, now.time, target).tolist():
            if now.fault.actor[row] == actor:
                found.setdefault((target, int(now.fault.place[row])), []).append(int(now.fault.subclass[row]))

    def overall(target: FaultTarget, place: int) -> Any:
        codes = found.get((target, place), [])
        return kind(bool(codes), np.array(codes, np.int32))

    vehicle = make(
        "morai_msgs/FaultStatusInfo_Vehicle",
        accel=overall(FaultTarget.CONTROL, FaultLocation.ACCELERATOR),
        brake=overall(FaultTarget.CONTROL, FaultLocation.BRAKE),
        steer=overall(FaultTarget.CONTROL, FaultLocation.STEERING),
        tires=[overall(FaultTarget.TIRE, wheel) for wheel in range(WHEELS)],
    )
    mounts = now.mounts.table
    sensors = [
        make("morai_msgs/FaultStatusInfo_Sensor", sensor_id=number, sensor=overall(FaultTarget.SENSOR, number))
        for number in mounts.id[mounts.actor == actor].tolist()
    ]
    return {"vehicle": vehicle, "sensors": sensors}


PUBLISHED = (Published("fault_status", "/FaultStatusInfo", "morai_msgs/FaultStatusInfo", _status, module=280),)
SUBSCRIBED = (
    Subscribed(
        "fault_control",
        "/FaultInjection_Controller",
        "morai_msgs/FaultInjection_Controller",
        _as_topic(_control),
        module=281,
    ),
    Subscribed("fault_tire", "/FaultInjection_Tire", "morai_msgs/FaultInjection_Tire", _as_topic(_tire), module=283),
    Subscribed(
        "fault_sensor", "/FaultInjection_Sensor", "morai_msgs/FaultInjection_Sensor", _as_topic(_sensor), module=284
    ),
)
PROVIDED = (
    _injection("set_fault_control", "/Service_FaultInjectionCtrl", "FaultInjectionCtrlSrv", _control),
    _injection("set_fault_tire", "/Service_FaultInjectionTire", "FaultInjectionTireSrv", _tire),
    _injection("set_fault_sensor", "/Service_FaultInjectionSensor", "FaultInjectionSensorSrv", _sensor),
)
