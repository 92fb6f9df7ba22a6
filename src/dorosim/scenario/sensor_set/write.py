"""The sensors of a world to a sensor set file, in which all that was read and not changed is as it was."""

from __future__ import annotations

import math
from collections.abc import Mapping
from difflib import SequenceMatcher

import msgspec

from dorosim.scenario.morai.codec import encode_object, json_from_record
from dorosim.scenario.sensor_set.kind import ENTRIES, SENSOR_SET_FILE
from dorosim.scenario.sensor_set.read import SensorLink, SensorSet, command_of
from dorosim.scenario.sensor_set.record import (
    CameraBlock,
    RosConfig,
    SensorPlace,
    SensorRotation,
    SensorSetItem,
    UdpConfig,
)
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import SensorKind
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import Snapshot


def sensor_set_bytes(sensors: SensorSet | None, now: Snapshot, links: Mapping[int, SensorLink]) -> bytes:
    """The sensor set file of the present sensors of all ego vehicles.

    Args:
        sensors: the file that they were read from, None for none; its lines without a new value stay as they are.
        now: the world.
        links: where the sensors' packets go; those of sensors that the file has are left as they are.
    """
    before = SENSOR_SET_FILE() if sensors is None else sensors.file
    lists = {}
    for kind in ENTRIES:
        mounts = {mount.id: mount for mount in now.mounts.all() if mount.kind is kind and mount.actor in now.egos}
        kept = [
            _updated(item, kind, mounts.pop(item.number), now) for item in before.items(kind) if item.number in mounts
        ]
        new = [_new_item(mount, now, links.get(mount.id)) for mount in mounts.values()]
        lists[kind.name.lower()] = (*kept, *new)
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


def _updated(item: SensorSetItem, kind: SensorKind, mount: Mount, now: Snapshot) -> SensorSetItem:
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
        block |= ENTRIES[mount.kind].values(mount.settings, mount.period * 1e-9)
    if block:
        changes["block"] = msgspec.structs.replace(item.block, **block)
    return msgspec.structs.replace(item, **changes) if changes else item


def _new_item(mount: Mount, now: Snapshot, link: SensorLink | None) -> SensorSetItem:
    entry = ENTRIES[mount.kind]
    udp, ros = UdpConfig(), RosConfig()
    if link is not None:
        ros = RosConfig(topic=link.topic, frame=link.frame, on=link.on)
        udp = UdpConfig(
            host=link.source[0],
            host_port=link.source[1],
            destination=link.destination[0],
            destination_port=link.destination[1],
        )
    block = entry.block(
        kind=int(mount.kind),
        period=mount.period * 1e-9,
        transport=1 if link is None else link.transport,
        udp=udp,
        ros=ros,
        **ENTRIES[mount.kind].values(mount.settings, mount.period * 1e-9),
    )
    if link is not None and isinstance(block, CameraBlock):
        block = msgspec.structs.replace(block, depth_bits=link.depth_bits)
    x, y, z = mount.position
    roll, pitch, yaw = map(_degrees, mount.rotation)
    return entry.item(
        target=now.egos.index(mount.actor),
        number=mount.id,
        kind=int(mount.kind),
        pos=SensorPlace(x=x, y=y, z=z),
        rot=SensorRotation(roll=roll, pitch=pitch, yaw=yaw),
        active=mount.enabled,
        phase=mount.phase * 1e-9,
        block=block,
    )


def _degrees(angle: float) -> float:
    """An angle from 0 to 360 degrees, without the last digits that a turn through radians adds."""
    return round(math.degrees(angle), 9) % 360.0
