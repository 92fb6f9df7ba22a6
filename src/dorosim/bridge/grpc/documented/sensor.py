"""Sensors and ground truth (documents/grpc-api-en.txt, Sensor)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.answer import Answer
from dorosim.bridge.grpc.call import Procedure, Response, angles_of, vector_of
from dorosim.bridge.grpc.truth import changes_from_message, object_fields
from dorosim.bridge.reply import DeferredReply, ElementOutcome, Elements
from dorosim.bridge.sensor.mounting import sensor_named, sensor_to_add, truth_to_set
from dorosim.bridge.sensor.truth import truth_of
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.world.mount.command import RemoveSensor
from dorosim.world.mount.setting import GroundTruthSettings
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import Snapshot


def _each(make: Callable[[Any, Situation], Answer], sensor_of: Callable[[Any, ElementOutcome], str]) -> Procedure:
    """A procedure that does each entry of its list by itself, and answers with its vehicle, its sensor and success."""

    def procedure(request: Any, at: Situation) -> DeferredReply:
        elements = Elements(partial(make, one, at) for one in request.req_list)

        def responses(outcomes: Sequence[ElementOutcome]) -> Iterator[Message]:
            for one, outcome in _pairs(request, outcomes):
                sensor, done = sensor_of(one, outcome), not outcome.refusal
                yield MORAI_MSGS.SensorResponse(success=done, target_id=one.unique_id, sensor_id=sensor)

        return elements.ask(lambda _, outcomes: MORAI_MSGS.SensorResponseList(res_list=list(responses(outcomes))))

    return procedure


def _add(one: Any, at: Situation) -> Answer:
    place, rotation = vector_of(one.position), angles_of(one.rotation)
    return sensor_to_add(at.now, at.names, one.unique_id, one.sensor_type, place, rotation)


def _remove(one: Any, at: Situation) -> Answer:
    return RemoveSensor(_sensor(one, at).id)


def _sensor(one: Any, at: Situation) -> Mount:
    return sensor_named(at.now, at.names, one.unique_id, one.sensor_id)


def _set(one: Any, at: Situation) -> Answer:
    return truth_to_set(_sensor(one, at), changes_from_message(one.gt_setting, one.viz_range))


def _pairs(request: Any, outcomes: Sequence[ElementOutcome]) -> Any:
    return zip(request.req_list, outcomes, strict=True)


def _set_truth(request: Any, at: Situation) -> Response:
    if not request.req_list:
        return MORAI_MSGS.Result(success=False, description="the list is empty")
    elements = Elements(partial(_set, one, at) for one in request.req_list)

    def reply(_: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        problems = [
            f"sensor {one.sensor_id!r}: {outcome.refusal}"
            for one, outcome in _pairs(request, outcomes)
            if outcome.refusal
        ]
        return MORAI_MSGS.Result(success=not problems, description="; ".join(problems))

    return elements.ask(reply)


def _truth(request: Any, at: Situation) -> Message:
    return MORAI_MSGS.GroundTruthList(res_list=[_truth_of(one, at) for one in request.req_list])


def _truth_of(one: Any, at: Situation) -> Message:
    try:
        mount = _sensor(one, at)
    except InputError:
        return MORAI_MSGS.GroundTruth(success=False)
    reading = truth_of(at.now, at.scene, mount) if isinstance(mount.settings, GroundTruthSettings) else None
    if reading is None:
        return MORAI_MSGS.GroundTruth(success=False)
    seen = [MORAI_MSGS.ObjectStatus(unique_id=name, **rest) for name, rest in object_fields(reading, at.names)]
    return MORAI_MSGS.GroundTruth(success=True, data=seen)


PROCEDURES: dict[str, Procedure] = {
    "AddSensor": _each(_add, lambda _, outcome: str(outcome.actor or "")),
    "RemoveSensor": _each(_remove, lambda one, _: str(one.sensor_id)),
    "SetGroundTruthSensor": _set_truth,
    "GetGroundTruthData": _truth,
}
"""By name."""
