"""Scenario files, saved sensor data and places of sensors (documents/ros-messages-ko.txt)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dorosim.bridge import scenario
from dorosim.bridge.answer import Answer, Notice, Refusal
from dorosim.bridge.reply import DeferredReply, ElementOutcome, reply_of
from dorosim.bridge.ros.guard import Range, guarded, provided
from dorosim.bridge.ros.topic import RosSituation, Subscribed
from dorosim.bridge.sensor.saving import checked_place
from dorosim.bridge.storyboard import value_from_text
from dorosim.ground.error import InputError
from dorosim.scenario.load import LoadOptions
from dorosim.world.mount.command import MoveSensor
from dorosim.world.snapshot import Snapshot

RESPONSE = "morai_msgs/MoraiSrvResponse"
_METRES, _RADIANS = Range(-100.0, 100.0, "refuse"), Range(-628.4, 628.4, "refuse")
_POSE = ("pose_x", "pose_y", "pose_z", "roll", "pitch", "yaw")
RANGES: dict[str, Range] = {
    f"SensorPosControl.{name}": _METRES if name.startswith("pose") else _RADIANS for name in _POSE
}


def options_of(message: Any) -> LoadOptions:
    """What of a scenario a morai_msgs/ScenarioLoad, or SyncModeScenarioLoad, says to load."""
    return scenario.options_of(message, objects=message.load_obstacle_data)


def _load(message: Any, to: RosSituation) -> Iterable[Answer]:
    loading = to.at.host.files.scenario(message.file_name, options_of(message), to.at.now)
    return (*loading.commands, Notice("scenario loaded", loading.headline, loading.notes))


def load_scenario(message: Any, to: RosSituation, response: str = RESPONSE) -> Any | DeferredReply:
    """Loads a scenario. The answer says whether it is done, and users are shown why it is not.

    Args:
        message: with the fields of morai_msgs/ScenarioLoad.
        to: the situation.
        response: type of the answer, which has a field `result`.
    """
    make, host = to.form.registry.make, to.at.host
    try:
        loading = host.files.scenario(message.file_name, options_of(message), to.at.now)
    except InputError as error:
        host.runs.report("refused", f"scenario: {error}")
        return make(response, result=False)

    def reply(_: Snapshot, outcome: ElementOutcome) -> Any:
        if outcome.refusal:
            host.runs.report("refused", f"scenario: {outcome.refusal}")
        else:
            host.runs.report("scenario loaded", loading.headline, loading.notes)
        return make(response, result=not outcome.refusal)

    return reply_of(loading.commands, reply)


def _give_value(message: Any, _: RosSituation) -> Iterable[Answer]:
    """A std_msgs/String of the form "NAME=VALUE"."""
    value = value_from_text(message.data)
    if value is None:
        return (Refusal(f"{str(message.data)[:40]!r} is not of the form NAME=VALUE"),)
    return (value,)


def _save(message: Any, to: RosSituation) -> Iterable[Answer]:
    files = to.at.host.files
    folder, name = checked_place(message.is_custom_file_name, message.custom_file_name, message.file_dir, files.place)
    return (Notice("sensor data", f"what every sensor sees next goes to {files.save_sensor_data(folder, name)}"),)


def _move_sensors(message: Any, to: RosSituation) -> Iterable[Answer]:
    """The index is the number of the sensor set (m_SensorUniqueID), which the product shows in names: Camera-4."""
    numbers = [int(number) for number in message.sensor_index]
    columns = [[float(value) for value in getattr(message, name)] for name in _POSE]
    for name, column in zip(_POSE, columns, strict=True):
        if len(column) != len(numbers):
            problem = f"{name} has {len(column)} entries, sensor_index {len(numbers)}"
            return (Refusal(f"{problem}; each sensor needs one of each"),)
    missing = [number for number in numbers if to.at.now.mounts.row_of(number) < 0]
    if missing:
        known = ", ".join(map(str, to.at.now.mounts.table.id.tolist())) or "none"
        return (Refusal(f"there is no sensor {missing[0]}; there are {known}"),)
    x, y, z, roll, pitch, yaw = columns
    poses = zip(numbers, zip(x, y, z, strict=True), zip(roll, pitch, yaw, strict=True), strict=True)
    return tuple(MoveSensor(number, position, rotation) for number, position, rotation in poses)


SUBSCRIBED = (
    Subscribed("scenario", "/ScenarioLoad", "morai_msgs/ScenarioLoad", guarded(_load), module=783),
    Subscribed("user_value", "/UserDefinedValue", "std_msgs/String", guarded(_give_value)),
    Subscribed("save_sensors", "/SaveSensorData", "morai_msgs/SaveSensorData", guarded(_save), module=266),
    Subscribed(
        "move_sensors", "/SensorPosControl", "morai_msgs/SensorPosControl", guarded(_move_sensors, RANGES), module=262
    ),
)
PROVIDED = (provided("load_scenario", "/Service_MoraiSL", "MoraiScenarioLoadSrv", load_scenario, module=775),)
