"""Faults of controls, tyres and sensors (documents/grpc-api-en.txt, FaultStatus)."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.answer import Answer
from dorosim.bridge.fault import FaultCode, control_fault, sensor_fault, tire_fault, vehicle_with_controls
from dorosim.bridge.grpc.call import Procedure, angles_of, vector_of
from dorosim.bridge.grpc.documented.answer import each
from dorosim.bridge.situation import Situation


def _control(one: Any, at: Situation) -> Answer:
    vehicle = vehicle_with_controls(at.now, at.names, one.unique_id)
    return control_fault(vehicle, one.fault_location, FaultCode.of(one))


def _tire(one: Any, at: Situation) -> Answer:
    return tire_fault(vehicle_with_controls(at.now, at.names, one.unique_id), one.tire_index, FaultCode.of(one))


def _sensor(one: Any, at: Situation) -> Answer:
    offset, rotation = vector_of(one.local_position_offset), angles_of(one.local_rotation_offset)
    return sensor_fault(at.now, at.names, one.unique_id, one.sensor_id, FaultCode.of(one), offset, rotation)


PROCEDURES: dict[str, Procedure] = {
    "SetFaultStatusOnCtrl": each(_control),
    "SetFaultStatusOnTire": each(_tire),
    "SetFaultStatusOnSensor": each(_sensor),
}
"""By name."""
