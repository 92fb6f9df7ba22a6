"""Faults of controls, tyres and sensors (documents/grpc-api-en.txt, FaultStatus)."""

from __future__ import annotations

from dorosim.bridge.fault import fault_of
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.documented.answer import each
from dorosim.world.fault.code import FaultTarget


def _fault(target: FaultTarget) -> Procedure:
    return each(lambda one, at: fault_of(one, target, one.unique_id, at.now, at.names))


PROCEDURES: dict[str, Procedure] = {
    "SetFaultStatusOnCtrl": _fault(FaultTarget.CONTROL),
    "SetFaultStatusOnTire": _fault(FaultTarget.TIRE),
    "SetFaultStatusOnSensor": _fault(FaultTarget.SENSOR),
}
"""By name."""
