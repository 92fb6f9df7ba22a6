"""The service Sensor."""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.actor import ActorKind
from dorosim.bridge.answer import Refusal
from dorosim.bridge.grpc.call import Procedure, Response, angles_of, vector_of
from dorosim.bridge.grpc.standard.result import answered, check_owner, failure, success, write_info
from dorosim.bridge.grpc.truth import changes_from_message, object_fields
from dorosim.bridge.reply import ElementOutcome, reply_of
from dorosim.bridge.sensor.mounting import sensor_named, sensor_to_add, sensors_on, truth_to_set, vehicle_named
from dorosim.bridge.sensor.saving import no_file_name, no_folder
from dorosim.bridge.sensor.truth import truth_of
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.command import Command
from dorosim.world.mount.command import RemoveSensor, SetSensor
from dorosim.world.mount.setting import GroundTruthSettings
from dorosim.world.mount.state import Mount

VEHICLE = 1
"""OBJECT_TYPE_VEHICLE."""


def _add(request: Any, at: Situation) -> Response:
    _check_vehicle(request.vehicle_id, at)
    place, turn = vector_of(request.transform.location), angles_of(request.transform.rotation)
    vehicle = request.vehicle_id.id.value
    command = sensor_to_add(at.now, at.names, vehicle, request.sensor_type, place, turn)
    return reply_of((command,), lambda _, outcome: _result(outcome, custom_message=str(outcome.actor)))


def _result(outcome: ElementOutcome, **texts: str) -> Message:
    """A Result; a sensor is known by its number, whatever actors are called."""
    return failure(outcome.refusal) if outcome.refusal else success(**texts)


def _remove(request: Any, at: Situation) -> Command | Refusal:
    return RemoveSensor(_sensor(request, at).id)


def _sensor(info: Any, at: Situation, source: str = "") -> Mount:
    """The sensor that a SensorInfo means.

    Raises:
        InputError: there is no such sensor, or it is another client's.
    """
    _check_vehicle(info.vehicle_info, at, source)
    vehicle, sensor = info.vehicle_info.id.value, info.sensor_id.value
    mount = sensor_named(at.now, at.names, vehicle, sensor, info.sensor_type, source)
    check_owner(info.vehicle_info, at, mount.actor, source)
    return mount


def _check_vehicle(info: Any, at: Situation, source: str = "") -> None:
    """See whether an ObjectInfo is that of a vehicle, and of no other owner than it has.

    Raises:
        InputError: it is not.
    """
    if info.object_type not in (0, VEHICLE):
        raise InputError(source, "", f"object_type is {info.object_type}; sensors are on vehicles, {VEHICLE}")
    check_owner(info, at, at.names.actor_of(info.id.value), source)


def _set(request: Any, at: Situation) -> Command | Refusal:
    if request.WhichOneof("Settings") is None:
        return Refusal("no settings are given")
    setting = request.gt_sensor
    return truth_to_set(_sensor(request.sensor_info, at), changes_from_message(setting, setting.viz_range))


def _data(request: Any, at: Situation) -> Message:
    mount = _sensor(request, at, "GetSensorData")
    if not isinstance(mount.settings, GroundTruthSettings):
        kind = mount.kind.name.lower().replace("_", " ")
        cure = "take its packets, or let SaveSensorData write files"
        raise InputError("GetSensorData", "", f"sensor {mount.id} is of the kind {kind}, which has no message", cure)
    reading = truth_of(at.now, at.scene, mount)
    if reading is None:
        raise InputError("GetSensorData", "", f"sensor {mount.id} is switched off, or its vehicle has left the map")
    seen = [SIM_API.sensor.ObjectStatus(id={"value": name}, **rest) for name, rest in object_fields(reading, at.names)]
    info = _info(at, mount.actor, mount.id, mount.kind)
    return SIM_API.sensor.SensorData(sensor_info=info, ground_truth=SIM_API.sensor.GroundTruth(data=seen))


def _info(at: Situation, actor: int, sensor: int, kind: int) -> Message:
    message = SIM_API.sensor.SensorInfo(sensor_id={"value": str(sensor)}, sensor_type=kind)
    write_info(message.vehicle_info, at.names, actor, ActorKind.EGO)
    return message


def _infos(request: Any, at: Situation) -> Message:
    _check_vehicle(request, at, "GetSensorInfos")
    actor = vehicle_named(at.now, at.names, request.id.value, "GetSensorInfos")
    return SIM_API.sensor.SensorInfos(
        values=[_info(at, actor, number, kind) for number, kind in sensors_on(at.now, actor)]
    )


def _save(request: Any, at: Situation) -> Message:
    name, folder = request.custom_file_name if request.is_custom_file_name else "", request.file_dir
    problem = (no_file_name(name) if request.is_custom_file_name else "") or no_folder(folder)
    return failure(problem) if problem else success(at.host.files.save_sensor_data(folder.replace("\\", "/"), name))


def _load(request: Any, at: Situation) -> Response:
    commands, notes = at.host.files.sensor_set(request.value, at.now)
    return reply_of(commands, lambda _, outcome: _result(outcome, description="\n".join(notes)))


def _set_capture(request: Any, at: Situation) -> Command | Refusal:
    mount = sensor_named(at.now, at.names, "", request.sensor_id.value)
    return SetSensor(mount.id, captured=request.is_sensor_capture_mode_on)


def _capture(request: Any, at: Situation) -> Message:
    mount = sensor_named(at.now, at.names, "", request.value)
    text = "is" if mount.captured else "is not"
    return success(f"what sensor {mount.id} sees {text} recorded", str(mount.captured).lower())


PROCEDURES: dict[str, Procedure] = {
    "Sensor/AddSensor": answered(_add),
    "Sensor/RemoveSensor": answered(_remove),
    "Sensor/SetSensorSetting": answered(_set),
    "Sensor/GetSensorData": _data,
    "Sensor/SaveSensorData": answered(_save),
    "Sensor/LoadSensorFile": answered(_load),
    "Sensor/GetSensorInfos": _infos,
    "Sensor/SetSensorCaptureMode": answered(_set_capture),
    "Sensor/GetSensorCaptureMode": answered(_capture),
}
"""By "Service/Name"."""
