"""Sensors and ground truth (documents/grpc-api-en.txt, Sensor)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dorosim.bridge.answer import Refusal
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.truth import object_fields, wish_from_message
from dorosim.bridge.grpc.vector import angles_of, vector_of
from dorosim.bridge.reply import DeferredReply, ElementOutcome, Elements
from dorosim.bridge.sensor.mounting import sensor_named, sensor_to_add, sensor_to_remove, truth_to_set
from dorosim.bridge.sensor.truth import truth_of
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.mount.setting import GroundTruthSettings
from dorosim.world.snapshot import Snapshot

if TYPE_CHECKING:
    from google.protobuf.message import Message

Result = message_class("morai_msgs.Result")
SensorResponse = message_class("morai_msgs.SensorResponse")
SensorResponseList = message_class("morai_msgs.SensorResponseList")
GroundTruth = message_class("morai_msgs.GroundTruth")
GroundTruthList = message_class("morai_msgs.GroundTruthList")
ObjectStatus = message_class("morai_msgs.ObjectStatus")


def _add(request: Any, at: Situation) -> DeferredReply:
    elements = Elements()
    for one in request.req_list:
        place, turn = vector_of(one.position), angles_of(one.rotation)
        elements.add(sensor_to_add(at.now, at.names, one.unique_id, one.sensor_type, place, turn))

    def reply(_: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        return _responses(
            (one.unique_id, str(outcome.actor or ""), outcome) for one, outcome in _pairs(request, outcomes)
        )

    return elements.ask(reply)


def _remove(request: Any, at: Situation) -> DeferredReply:
    elements = Elements()
    for one in request.req_list:
        elements.add(sensor_to_remove(at.now, at.names, one.unique_id, one.sensor_id))

    def reply(_: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        return _responses((one.unique_id, one.sensor_id, outcome) for one, outcome in _pairs(request, outcomes))

    return elements.ask(reply)


def _pairs(request: Any, outcomes: Sequence[ElementOutcome]) -> Any:
    return zip(request.req_list, outcomes, strict=True)


def _responses(told: Any) -> Message:
    """One answer an element: id of its vehicle and of its sensor, and what became of it."""
    return SensorResponseList(
        res_list=[
            SensorResponse(success=not outcome.refusal, target_id=vehicle, sensor_id=sensor)
            for vehicle, sensor, outcome in told
        ]
    )


def _set_truth(request: Any, at: Situation) -> Message | DeferredReply:
    if not request.req_list:
        return Result(success=False, description="the list is empty")
    elements = Elements()
    for one in request.req_list:
        found = sensor_named(at.now, at.names, one.unique_id, one.sensor_id)
        elements.add(truth_to_set(found, wish_from_message(one.gt_setting, one.viz_range)))

    def reply(_: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        problems = [
            f"sensor {one.sensor_id!r}: {outcome.refusal}"
            for one, outcome in _pairs(request, outcomes)
            if outcome.refusal
        ]
        return Result(success=not problems, description="; ".join(problems))

    return elements.ask(reply)


def _truth(request: Any, at: Situation) -> Message:
    return GroundTruthList(res_list=[_truth_of(one, at) for one in request.req_list])


def _truth_of(one: Any, at: Situation) -> Message:
    mount = sensor_named(at.now, at.names, one.unique_id, one.sensor_id)
    if isinstance(mount, Refusal) or not isinstance(mount.settings, GroundTruthSettings):
        return GroundTruth(success=False)
    reading = truth_of(at.now, at.scene, mount)
    if reading is None:
        return GroundTruth(success=False)
    seen = [ObjectStatus(unique_id=name, **rest) for name, rest in object_fields(reading, at.names)]
    return GroundTruth(success=True, data=seen)


SENSORS: dict[str, Procedure] = {
    "AddSensor": _add,
    "RemoveSensor": _remove,
    "SetGroundTruthSensor": _set_truth,
    "GetGroundTruthData": _truth,
}
"""By name."""
