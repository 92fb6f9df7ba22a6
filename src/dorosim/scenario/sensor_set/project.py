"""The sensors of a project of MORAI SIM (.mproj) as a sensor set."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from dorosim.ground.error import InputError
from dorosim.scenario.morai.codec import encode_object, json_from_record
from dorosim.scenario.morai.project import Interface, ProjectFileRecord, ProjectQuaternion, ProjectSensor
from dorosim.scenario.sensor_set.kind import ENTRIES, SENSOR_SET_FILE
from dorosim.scenario.sensor_set.read import ROS, UDP, SensorSet
from dorosim.scenario.sensor_set.record import (
    Pixel,
    RosConfig,
    SensorPlace,
    SensorRotation,
    SensorSetItem,
    UdpConfig,
)
from dorosim.world.mount.setting import CameraImage, SensorKind

CENTIMETRE = 0.01

_KINDS = {
    "camera": SensorKind.CAMERA,
    "lidar2d": SensorKind.LIDAR_2D,
    "lidar": SensorKind.LIDAR_3D,
    "gps": SensorKind.GPS,
    "gnss": SensorKind.GPS,
    "imu": SensorKind.IMU,
    "radar": SensorKind.RADAR,
    "ultrasonic": SensorKind.ULTRASONIC,
    "groundtruth": SensorKind.GROUND_TRUTH,
}
"""Kinds by a part of `sensorType`, in small letters; only "BP_SensorCamera_C" has been seen in a file."""

_EFFECTS = ("depth_of_field", "motion_blur", "chromatic_aberration", "bloom", "lens_flare")


def sensor_set_of_project(
    source: str,
    project: ProjectFileRecord,
    interfaces: Sequence[Interface] = (),
    ego: str = "",
    pictures: Collection[str] = (),
) -> SensorSet:
    """The sensors that a project has on its ego, as a sensor set, with notes on what of them is not done as it says.

    Args:
        source: the project's file.
        project: what it holds.
        interfaces: where its data goes.
        ego: name of the vehicle whose sensors they are; "" for that of the first sensor.
        pictures: names of the interfaces whose template has a JPEG behind its size.

    Raises:
        InputError: a number of a sensor cannot be used.
    """
    owner = ego or next((one.parent for one in project.sensors if one.parent), "")
    lists: dict[str, Any] = {}
    notes: list[str] = []
    sized: set[int] = set()
    for number, sensor in enumerate(project.sensors, 1):
        place = f"sensorList[{number - 1}]"
        kind = _kind_of(sensor.kind)
        if kind is None:
            notes.append(f"{place}: {sensor.kind!r} is no sensor here; it is left out")
            continue
        if sensor.parent != owner:
            notes.append(f"{place}: {sensor.name!r} is on {sensor.parent!r}, which is not the ego; it is left out")
            continue
        interface = _interface_of(sensor, interfaces)
        if kind is SensorKind.CAMERA and interface is not None and interface.name in pictures:
            sized.add(number)
        try:
            item = _item(sensor, kind, number, interface)
        except ValueError as error:
            raise InputError(source, place, str(error), "correct it, or save the project again") from None
        lists.setdefault(kind.name.lower(), []).append(item)
        notes += (f"{place}: {note}" for note in _notes(sensor, kind))
    notes += _template_notes(project, interfaces, pictures)
    made: dict[str, Any] = {name: tuple(items) for name, items in lists.items()}
    file = SENSOR_SET_FILE(**made)
    return SensorSet(source, encode_object(json_from_record(file)), file, tuple(notes), frozenset(sized))


def _kind_of(name: str) -> SensorKind | None:
    """The kind of a sensor by the name of its class."""
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    return next((kind for part, kind in _KINDS.items() if part in plain), None)


def _interface_of(sensor: ProjectSensor, interfaces: Sequence[Interface]) -> Interface | None:
    """The interface by which a sensor's data leaves; None for none."""
    for one in interfaces:
        if one.active and any(entity.name == sensor.name for entity in one.entities):
            return one
    return None


def _item(sensor: ProjectSensor, kind: SensorKind, number: int, interface: Interface | None) -> SensorSetItem:
    """One sensor.

    Raises:
        ValueError: a number cannot be used; the text is for people.
    """
    at = sensor.transform.translation
    roll, pitch, yaw = _angles(sensor.transform.rotation)
    values: dict[str, Any] = {
        "name": sensor.name,
        "kind": int(kind),
        "period": 1.0 / sensor.rate if sensor.rate > 0.0 else 0.1,
    }
    if interface is not None:
        values |= _network(interface)
    if kind is SensorKind.CAMERA:
        values |= _camera(sensor)
    entry = ENTRIES[kind]
    return entry.item(
        target=0,
        number=number,
        kind=int(kind),
        pos=SensorPlace(x=_metres(at.x), y=_metres(-at.y), z=_metres(at.z)),
        rot=SensorRotation(roll=_degrees(roll), pitch=_degrees(pitch), yaw=_degrees(yaw)),
        block=entry.block(**values),
    )


def _network(interface: Interface) -> dict[str, Any]:
    """Where an interface sends to."""
    if interface.network.upper().startswith("ROS"):
        return {"transport": ROS, "ros": RosConfig(topic=interface.ros.topic)}
    host, destination = interface.host, interface.destination
    udp = UdpConfig(host=host.ip, host_port=host.port, destination=destination.ip, destination_port=destination.port)
    return {"transport": UDP, "udp": udp}


def _camera(sensor: ProjectSensor) -> dict[str, Any]:
    """The settings of a camera; its focal length is in pixels."""
    if sensor.width < 1 or sensor.height < 1 or sensor.focal_length < 0.0:
        raise ValueError("resolution and focal length of a camera must be above 0")
    values: dict[str, Any] = {
        "width": sensor.width,
        "height": sensor.height,
        "image": int(_image(sensor)),
        "boxes_2d": sensor.boxes_2d,
        "boxes_3d": sensor.boxes_3d,
        "distortion": (sensor.k1, sensor.k2, sensor.p1, sensor.p2, sensor.k3),
    }
    if sensor.focal_length:
        values["parameters"] = 1
        values["focal_length_pixels"] = sensor.focal_length
        values["fov_deg"] = math.degrees(2.0 * math.atan2(sensor.width / 2.0, sensor.focal_length))
    if sensor.principal_x or sensor.principal_y:
        values["principal_point"] = Pixel(x=sensor.principal_x, y=sensor.principal_y)
    return values


def _image(sensor: ProjectSensor) -> CameraImage:
    if sensor.semantic:
        return CameraImage.SEMANTIC
    if sensor.instance:
        return CameraImage.INSTANCE
    return CameraImage.DEPTH if sensor.depth else CameraImage.RGB


def _notes(sensor: ProjectSensor, kind: SensorKind) -> Iterator[str]:
    """What of a sensor is not done as the project says."""
    if kind is not SensorKind.CAMERA:
        yield f"a sensor of the kind {sensor.kind!r} is taken for a {kind.name.lower()}, which is a guess"
        return
    on = [name.replace("_", " ") for name in _EFFECTS if getattr(sensor, name)]
    if on:
        yield f"{', '.join(on)} of pictures is not made"
    if sum((sensor.semantic, sensor.instance, sensor.depth)) > 1:
        yield f"of several pictures one is sent: {_image(sensor).name.lower()}"


def _template_notes(
    project: ProjectFileRecord, interfaces: Sequence[Interface], pictures: Collection[str]
) -> Iterator[str]:
    """What of the interfaces is not done."""
    sensors = {one.name for one in project.sensors}
    for one in interfaces:
        if not one.active or one.name in pictures:
            continue
        about = [entity.name for entity in one.entities]
        if any(name in sensors for name in about):
            yield f"interface {one.name!r}: packets are those of the manual's sensor page, not of its template"
        else:
            yield f"interface {one.name!r}: {one.template!r} of {', '.join(about) or 'nothing'} is not sent"


def _angles(one: ProjectQuaternion) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation in the body frame (REP-103) [rad].

    The file's axes are forward, right and up, left-handed. Mirrored at the plane of forward and up, y changes its sign,
    and so do rotations about the other two axes.

    Raises:
        ValueError: it is no rotation.
    """
    x, y, z, w = -one.x, one.y, -one.z, one.w
    length = math.sqrt(x * x + y * y + z * z + w * w)
    if not length > 1e-9 or not math.isfinite(length):
        raise ValueError("the rotation is no quaternion: its parts are 0")
    x, y, z, w = x / length, y / length, z / length, w / length
    roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    pitch = math.asin(max(-1.0, min(1.0, 2.0 * (w * y - z * x))))
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return roll, pitch, yaw


def _metres(length: float) -> float:
    """A length [m] of one in centimetres, without the last digits of float32."""
    return round(length * CENTIMETRE, 6) + 0.0


def _degrees(angle: float) -> float:
    """An angle from 0 to 360 degrees, without the last digits that a turn through radians adds."""
    return round(math.degrees(angle), 9) % 360.0 + 0.0
