"""Faults of vehicles: Actor/SetVehicleFaultInjection."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.fault import fault_of
from dorosim.bridge.grpc.call import Procedure, Response
from dorosim.bridge.grpc.standard.result import answered, check_owner, failure, success
from dorosim.bridge.reply import ElementOutcome, Elements
from dorosim.bridge.situation import Situation
from dorosim.world.fault.code import FaultTarget
from dorosim.world.snapshot import Snapshot

_VEHICLE_TYPES = (0, 1)
"""Codes of ObjectType that a request may give for a vehicle: none, vehicle."""


def _inject(request: Any, at: Situation) -> Response:
    """Sets the faults of the list that `type` names, each by itself; the description names those that are refused."""
    actor = request.actor_info
    if actor.object_type not in _VEHICLE_TYPES:
        return failure(f"{actor.id.value!r}: object_type {actor.object_type} is not that of a vehicle; use 1")
    check_owner(actor, at, at.names.actor_of(actor.id.value))
    target = FaultTarget(request.type)
    faults = {FaultTarget.CONTROL: request.control, FaultTarget.TIRE: request.tire, FaultTarget.SENSOR: request.sensor}
    if not faults[target]:
        return failure(f"type {target.value} is {target.name}, and the list {target.name.lower()} is empty")
    vehicle = actor.id.value
    return Elements(partial(fault_of, one, target, vehicle, at.now, at.names) for one in faults[target]).ask(_result)


def _result(_: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
    refused = [f"[{row}] {outcome.refusal}" for row, outcome in enumerate(outcomes) if outcome.refusal]
    return failure("; ".join(refused)) if refused else success()


PROCEDURES: dict[str, Procedure] = {"Actor/SetVehicleFaultInjection": answered(_inject)}
"""By "Service/Name"."""
