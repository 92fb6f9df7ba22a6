"""The sensors of a world to a sensor set file, in which all that was read and not changed is as it was."""

from __future__ import annotations

import math
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

import msgspec

from dorosim.scenario.morai.codec import encode_object, json_from_record
from dorosim.scenario.sensor_set.read import LIDAR_MODELS, LISTS, SensorLink, SensorSet, command_of
from dorosim.scenario.sensor_set.record import (
    AnyItem,
    Block,
    CameraBlock,
    CameraItem,
    Gaussian,
    GpsItem,
    ImuBlock,
    ImuItem,
    LidarItem,
    Pixel,
    RadarItem,
    RosConfig,
    SensorPlace,
    SensorSetFile,
    TruthItem,
    Turn,
    UdpConfig,
    UltrasonicItem,
)
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import (
    CameraSettings,
    GpsSettings,
    ImuSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    RadarSettings,
    SensorKind,
    UltrasonicSettings,
)
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import Snapshot

NEW_ITEMS: dict[SensorKind, type[AnyItem]] = {
    SensorKind.CAMERA: CameraItem,
    SensorKind.LIDAR_3D: LidarItem,
    SensorKind.LIDAR_2D: LidarItem,
    SensorKind.GPS: GpsItem,
    SensorKind.IMU: ImuItem,
    SensorKind.RADAR: RadarItem,
    SensorKind.ULTRASONIC: UltrasonicItem,
    SensorKind.GROUND_TRUTH: TruthItem,
}


def sensor_set_bytes(sensors: SensorSet | None, now: Snapshot, links: Mapping[int, SensorLink]) -> bytes:
    """The sensor set file of the present sensors of all ego vehicles.

    Args:
        sensors: the file that they were read from, None for none; its lines without a new value stay as they are.
        now: the world.
        links: where the sensors' packets go; those of sensors that the file has are left as they are.
    """
    before = SensorSetFile() if sensors is None else sensors.file
    lists = {}
    for name, kind in LISTS.items():
        mounts = {mount.id: mount for mount in now.mounts.all() if mount.kind is kind and mount.actor in now.egos}
        kept = [
            _updated(item, kind, mounts.pop(item.number), now)
            for item in getattr(before, name)
            if item.number in mounts
        ]
        new = [_new_item(mount, now, links.get(mount.id)) for mount in mounts.values()]
        lists[name] = (*kept, *new)
    file = msgspec.structs.replace(before, **lists)
    if sensors is None or before.kept is None:
        return encode_object(json_from_record(file))
    return _with_kept_lines(sensors.content, encode_object(before.kept), encode_object(json_from_record(file)))


def _with_kept_lines(content: bytes, old: bytes, new: bytes) -> bytes:
    """The new text, in which lines that `old` has too stand as they stand in the file.

    The product writes numbers with more digits than they need, and its texts end without a line feed; a file in another
    layout is written in the product's.
    """
    if old == new:
        return content
    lines, before, after = content.split(b"\n"), old.split(b"\n")[:-1], new.split(b"\n")[:-1]
    tail = [lines.pop()] if lines[-1] == b"" else []
    if len(lines) != len(before):
        return new
    written: list[bytes] = []
    for kind, first, end, begin, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        written += lines[first:end] if kind == "equal" else after[begin:stop]
    return b"\n".join([*written, *tail])


def _updated(item: AnyItem, kind: SensorKind, mount: Mount, now: Snapshot) -> AnyItem:
    """A sensor of the file with its present values; what has not changed stays as the file has it."""
    said: AddSensor = command_of(item, kind, mount.actor)
    changes: dict[str, object] = {}
    if mount.position != said.position:
        changes["pos"] = msgspec.structs.replace(item.pos, **dict(zip("xyz", mount.position, strict=True)))
    if mount.rotation != said.rotation:
        angles = dict(zip(("roll", "pitch", "yaw"), map(_degrees, mount.rotation), strict=True))
        changes["rot"] = msgspec.structs.replace(item.rot, **angles)
    if now.egos.index(mount.actor) != item.target:
        changes["target"] = now.egos.index(mount.actor)
    if mount.enabled != said.enabled:
        changes["active"] = mount.enabled
    if mount.phase != said.phase:
        changes["phase"] = mount.phase * 1e-9
    block: dict[str, object] = {}
    if mount.period != said.period:
        block["period"] = mount.period * 1e-9
    if mount.settings != said.settings:
        block |= _block_values(mount)
    if block:
        changes["block"] = msgspec.structs.replace(item.block, **block)
    return msgspec.structs.replace(item, **changes) if changes else item


def _new_item(mount: Mount, now: Snapshot, link: SensorLink | None) -> AnyItem:
    kind: Any = NEW_ITEMS[mount.kind]
    block_kind = {field.name: field.type for field in msgspec.structs.fields(kind)}["block"]
    udp, ros = UdpConfig(), RosConfig()
    if link is not None:
        ros = RosConfig(topic=link.topic, frame=link.frame, on=link.on)
        udp = UdpConfig(
            host=link.source[0],
            host_port=link.source[1],
            destination=link.destination[0],
            destination_port=link.destination[1],
        )
    block: Block = block_kind(
        kind=int(mount.kind),
        period=mount.period * 1e-9,
        transport=1 if link is None else link.transport,
        udp=udp,
        ros=ros,
        **_block_values(mount),
    )
    if link is not None and isinstance(block, CameraBlock):
        block = msgspec.structs.replace(block, depth_bits=link.depth_bits)
    x, y, z = mount.position
    roll, pitch, yaw = map(_degrees, mount.rotation)
    made: AnyItem = kind(
        target=now.egos.index(mount.actor),
        number=mount.id,
        kind=int(mount.kind),
        pos=SensorPlace(x=x, y=y, z=z),
        rot=Turn(roll=roll, pitch=pitch, yaw=yaw),
        active=mount.enabled,
        phase=mount.phase * 1e-9,
        block=block,
    )
    return made


def _block_values(mount: Mount) -> dict[str, object]:
    """What a block says of settings; numbers of dorosim's own are not written."""
    settings = mount.settings
    if isinstance(settings, CameraSettings):
        return _camera_values(settings)
    if isinstance(settings, Lidar3dSettings):
        codes = {model: code for code, model in LIDAR_MODELS.items()}
        values: dict[str, object] = {"model": codes[settings.model], "intensity": int(settings.intensity)}
        return values | _gaussian(settings.range_noise) | ({} if settings.range is None else {"range": settings.range})
    if isinstance(settings, Lidar2dSettings):
        values = {"intensity": int(settings.intensity), "range": settings.range}
        return values | _gaussian(settings.range_noise)
    if isinstance(settings, GpsSettings):
        return _gaussian(settings.white[0])
    if isinstance(settings, RadarSettings | UltrasonicSettings):
        return _gaussian(settings.range_noise)
    if isinstance(settings, ImuSettings):
        return _imu_values(settings, mount.period * 1e-9)
    return {}


def _gaussian(deviation: float | None) -> dict[str, object]:
    if deviation is None:
        return {}
    return {"gaussian": Gaussian(active=deviation > 0.0, deviation=deviation)}


def _camera_values(settings: CameraSettings) -> dict[str, object]:
    centre = settings.principal_point
    k1, k2, k3 = settings.distortion
    values: dict[str, object] = {
        "parameters": 0 if settings.focal_length is None else 1,
        "width": settings.width,
        "height": settings.height,
        "quality": settings.quality,
        "fov_deg": math.degrees(settings.fov),
        "image": int(settings.image),
        "boxes": settings.boxes,
        "boxes_2d": settings.boxes,
        "boxes_3d": settings.boxes,
        "near": settings.near,
        "far": settings.far,
        "distortion": (k1, k2, *settings.tangential, k3) if any(settings.tangential) else settings.distortion,
    }
    if settings.focal_length is not None:
        values["focal_length_pixels"] = settings.focal_length[0]
    if centre is not None:
        values["principal_point"] = Pixel(x=centre[0], y=centre[1])
    return values


def _imu_values(settings: ImuSettings, period: float) -> dict[str, object]:
    """Densities as numbers of each reading: see `read.settings_of`."""
    root = math.sqrt(period)
    fields = {field.name: field.default for field in msgspec.structs.fields(ImuBlock)}
    rows = (
        ("walk", (*settings.acceleration_walk, *settings.rate_walk), root),
        ("bias", (*settings.acceleration_bias, *settings.rate_bias), 1.0),
        ("white", (*settings.acceleration_white, *settings.rate_white), 1.0 / root),
    )
    values: dict[str, object] = {}
    for name, densities, factor in rows:
        for axis, density in zip(("x", "y", "z", "roll", "pitch", "yaw"), densities, strict=True):
            part = {"active": density > 0.0, "deviation": density * factor}
            if name == "bias":
                part["correlation_time"] = settings.bias_time
            values[f"{name}_{axis}"] = msgspec.structs.replace(fields[f"{name}_{axis}"], **part)
    return values


def _degrees(angle: float) -> float:
    """An angle from 0 to 360 degrees, without the last digits that a turn through radians adds."""
    return round(math.degrees(angle), 9) % 360.0
