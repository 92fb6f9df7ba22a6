"""The service Sensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dorosim.bridge.answer import Refusal
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.standard.result import failure, result_of, success
from dorosim.bridge.grpc.standard.target import problem_with_owner
from dorosim.bridge.grpc.truth import object_fields, wish_from_message
from dorosim.bridge.grpc.vector import angles_of, vector_of
from dorosim.bridge.reply import DeferredReply, outcome_of
from dorosim.bridge.sensor.mounting import (
    sensor_named,
    sensor_to_add,
    sensors_on,
    truth_to_set,
    vehicle_named,
)
from dorosim.bridge.sensor.saving import no_file_name, no_folder
from dorosim.bridge.sensor.truth import truth_of
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.mount.command import RemoveSensor, SetSensor
from dorosim.world.mount.setting import GroundTruthSettings
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import Outcome, Snapshot

if TYPE_CHECKING:
    from google.protobuf.message import Message

ObjectIdentifier = message_class("morai_sim_api.ObjectIdentifier")
ObjectInfo = message_class("morai_sim_api.ObjectInfo")
ResourceIdentifier = message_class("morai_sim_api.ResourceIdentifier")
SensorInfo = message_class("morai_sim_api.sensor.SensorInfo")
SensorInfos = message_class("morai_sim_api.sensor.SensorInfos")
SensorData = message_class("morai_sim_api.sensor.SensorData")
GroundTruth = message_class("morai_sim_api.sensor.GroundTruth")
ObjectStatus = message_class("morai_sim_api.sensor.ObjectStatus")
VEHICLE = 1
"""OBJECT_TYPE_VEHICLE."""


def _add(request: Any, at: Situation) -> Message | DeferredReply:
    wrong = _no_vehicle(request.vehicle_id, at)
    place, turn = request.transform.location, request.transform.rotation
    command = wrong or sensor_to_add(
        at.now,
        at.names,
        request.vehicle_id.id.value,
        request.sensor_type,
        vector_of(place),
        angles_of(turn),
    )
    return failure(command.reason) if isinstance(command, Refusal) else DeferredReply((command,), _added)


def _added(_: Snapshot, outcomes: tuple[Outcome, ...]) -> Message:
    """A sensor is known by its number, whatever actors are called."""
    outcome = outcome_of(outcomes)
    return failure(outcome.refusal) if outcome.refusal else success(custom_message=str(outcome.actor))


def _remove(request: Any, at: Situation) -> Message | DeferredReply:
    mount = _sensor(request, at)
    return failure(mount.reason) if isinstance(mount, Refusal) else DeferredReply((RemoveSensor(mount.id),), result_of)


def _sensor(info: Any, at: Situation) -> Mount | Refusal:
    """The sensor that a SensorInfo means."""
    wrong = _no_vehicle(info.vehicle_info, at)
    if wrong is not None:
        return wrong
    mount = sensor_named(at.now, at.names, info.vehicle_info.id.value, info.sensor_id.value, info.sensor_type)
    foreign = "" if isinstance(mount, Refusal) else problem_with_owner(info.vehicle_info, at, mount.actor)
    return Refusal("refused", foreign) if foreign else mount


def _no_vehicle(info: Any, at: Situation) -> Refusal | None:
    """A refusal if an ObjectInfo is said to be of something else, or of another owner."""
    if info.object_type not in (0, VEHICLE):
        return Refusal("refused", f"object_type is {info.object_type}; sensors are on vehicles, {VEHICLE}")
    foreign = problem_with_owner(info, at, at.names.actor_of(info.id.value))
    return Refusal("refused", foreign) if foreign else None


def _set(request: Any, at: Situation) -> Message | DeferredReply:
    if request.WhichOneof("Settings") is None:
        return failure("no settings are given")
    command = truth_to_set(
        _sensor(request.sensor_info, at), wish_from_message(request.gt_sensor, request.gt_sensor.viz_range)
    )
    return failure(command.reason) if isinstance(command, Refusal) else DeferredReply((command,), result_of)


def _data(request: Any, at: Situation) -> Message:
    mount = _sensor(request, at)
    if isinstance(mount, Refusal):
        raise InputError("GetSensorData", "", mount.reason)
    if not isinstance(mount.settings, GroundTruthSettings):
        kind = mount.kind.name.lower().replace("_", " ")
        cure = "take its packets, or let SaveSensorData write files"
        raise InputError("GetSensorData", "", f"sensor {mount.id} is of the kind {kind}, which has no message", cure)
    reading = truth_of(at.now, at.scene, mount)
    if reading is None:
        raise InputError("GetSensorData", "", f"sensor {mount.id} is switched off, or its vehicle has left the map")
    seen = [ObjectStatus(id=ObjectIdentifier(value=name), **rest) for name, rest in object_fields(reading, at.names)]
    info = _info(at, mount.actor, mount.id, mount.kind)
    return SensorData(sensor_info=info, ground_truth=GroundTruth(data=seen))


def _info(at: Situation, actor: int, sensor: int, kind: int) -> Message:
    vehicle = ObjectInfo(
        id=ObjectIdentifier(value=at.names.text_of(actor)), object_type=VEHICLE, client_key=at.names.owner_of(actor)
    )
    return SensorInfo(vehicle_info=vehicle, sensor_id=ResourceIdentifier(value=str(sensor)), sensor_type=kind)


def _infos(request: Any, at: Situation) -> Message:
    actor = _no_vehicle(request, at) or vehicle_named(at.now, at.names, request.id.value)
    if isinstance(actor, Refusal):
        raise InputError("GetSensorInfos", "", actor.reason)
    return SensorInfos(values=[_info(at, actor, number, kind) for number, kind in sensors_on(at.now, actor)])


def _save(request: Any, at: Situation) -> Message:
    name, folder = request.custom_file_name if request.is_custom_file_name else "", request.file_dir
    problem = (no_file_name(name) if request.is_custom_file_name else "") or no_folder(folder)
    if problem:
        return failure(problem)
    try:
        return success(at.host.files.save_sensor_data(folder.replace("\\", "/"), name))
    except InputError as error:
        return failure(str(error))


def _load(request: Any, at: Situation) -> Message | DeferredReply:
    try:
        commands, notes = at.host.files.sensor_set(request.value, at.now)
    except InputError as error:
        return failure(str(error))

    def reply(_: Snapshot, outcomes: tuple[Outcome, ...]) -> Message:
        refusal = outcome_of(outcomes).refusal
        return failure(refusal) if refusal else success("\n".join(notes))

    return DeferredReply(commands, reply)


def _set_capture(request: Any, at: Situation) -> Message | DeferredReply:
    mount = sensor_named(at.now, at.names, "", request.sensor_id.value)
    if isinstance(mount, Refusal):
        return failure(mount.reason)
    return DeferredReply((SetSensor(mount.id, captured=request.is_sensor_capture_mode_on),), result_of)


def _capture(request: Any, at: Situation) -> Message:
    mount = sensor_named(at.now, at.names, "", request.value)
    if isinstance(mount, Refusal):
        return failure(mount.reason)
    text = "is" if mount.captured else "is not"
    return success(f"what sensor {mount.id} sees {text} recorded", str(mount.captured).lower())


SENSORS: dict[str, Procedure] = {
    "Sensor/AddSensor": _add,
    "Sensor/RemoveSensor": _remove,
    "Sensor/SetSensorSetting": _set,
    "Sensor/GetSensorData": _data,
    "Sensor/SaveSensorData": _save,
    "Sensor/LoadSensorFile": _load,
    "Sensor/GetSensorInfos": _infos,
    "Sensor/SetSensorCaptureMode": _set_capture,
    "Sensor/GetSensorCaptureMode": _capture,
}
"""By "Service/Name"."""
