"""Faults of controls, tyres and sensors (documents/grpc-api-en.txt, FaultStatus)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.answer import Answer
from dorosim.bridge.fault import FaultCode, control_fault, sensor_fault, tire_fault, vehicle_with_controls
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.documented.response import for_each
from dorosim.bridge.grpc.vector import angles_of, vector_of
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation

if TYPE_CHECKING:
    from google.protobuf.message import Message


def _vehicle(one: Any) -> str:
    return str(one.unique_id)


def _code(one: Any) -> FaultCode:
    return FaultCode(one.fault_class, one.fault_subclass)


def _on_controls(request: Any, at: Situation) -> DeferredReply | Message:
    def make(one: Any) -> Answer:
        return control_fault(vehicle_with_controls(at.now, at.names, one.unique_id), one.fault_location, _code(one))

    return for_each(request.req_list, _vehicle, make)


def _on_tires(request: Any, at: Situation) -> DeferredReply | Message:
    def make(one: Any) -> Answer:
        return tire_fault(vehicle_with_controls(at.now, at.names, one.unique_id), one.tire_index, _code(one))

    return for_each(request.req_list, _vehicle, make)


def _on_sensors(request: Any, at: Situation) -> DeferredReply | Message:
    def make(one: Any) -> Answer:
        offset, turn = vector_of(one.local_position_offset), angles_of(one.local_rotation_offset)
        return sensor_fault(at.now, at.names, one.unique_id, one.sensor_id, _code(one), offset, turn)

    return for_each(request.req_list, _vehicle, make)


FAULTS: dict[str, Procedure] = {
    "SetFaultStatusOnCtrl": _on_controls,
    "SetFaultStatusOnTire": _on_tires,
    "SetFaultStatusOnSensor": _on_sensors,
}
"""By name."""
