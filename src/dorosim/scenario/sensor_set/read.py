"""Sensor set files to commands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from dorosim.ground.error import InputError, kind_of
from dorosim.scenario.morai.codec import record_from_file
from dorosim.scenario.sensor_set.flaw import Flaw, block_key, flaw_of_item
from dorosim.scenario.sensor_set.kind import ENTRIES, LIDAR_MODELS, SENSOR_SET_FILE, UNKNOWN_LISTS
from dorosim.scenario.sensor_set.record import Block, CameraBlock, LidarBlock, SensorSetFile, SensorSetItem
from dorosim.world.mount.command import NEW_SENSOR, AddSensor
from dorosim.world.mount.effect import change_mounts
from dorosim.world.mount.setting import CameraImage, SensorKind
from dorosim.world.snapshot import Snapshot

MAX_HOST_LENGTH = 253
"""Letters of a host's name (RFC 1035)."""
LAST_PORT = 65535
MAX_SENSOR_SET_SIZE = 1 << 22
"""A file of more bytes is taken for a mistake, or for malice."""
MAX_PERIOD_S = 1e6
"""Periods beyond it [s] are all too long, and counted as this one."""
UDP, ROS = 1, 3
UNSET_TOPICS = frozenset({"", "/dafault_topic", "/default_topic"})
"""Topics of files in which the user named none."""
TRANSPORTS = {UDP: "UDP", 2: "TCP", ROS: "ROS", 4: "LCM", 5: "a serial port", 7: "Apollo"}


@dataclass(frozen=True, slots=True)
class SensorLink:
    """Where a sensor's packets go.

    Attributes:
        sensor: its number.
        transport: commType; of those, UDP and ROS are spoken here.
        source, destination: host and port; 0 for any, or the usual one of the kind.
        topic, frame: of ROS; "" for the usual ones. on: whether it has a topic.
        depth_bits: of depth pictures in ROS; 8, 16, else 32.
    """

    sensor: int = 0
    transport: int = UDP
    source: tuple[str, int] = ("127.0.0.1", 0)
    destination: tuple[str, int] = ("127.0.0.1", 0)
    topic: str = ""
    frame: str = ""
    on: bool = True
    depth_bits: int = 0


@dataclass(frozen=True, slots=True)
class SensorSet:
    """A sensor set file.

    Attributes:
        source: the file, as messages name it. content: its bytes.
        file: what it holds.
        notes: what was left out where it was made of another file, one line each.
        sized: numbers of the cameras whose pictures go as a template of MORAI SIM 2 lays them out.
    """

    source: str
    content: bytes
    file: SensorSetFile
    notes: tuple[str, ...] = ()
    sized: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SensorOrders:
    """What a sensor set asks for.

    Attributes:
        commands: that add its sensors, in the order of the file.
        links: where their packets go, by number.
        notes: what of the file is not done as it says, one line each.
    """

    commands: tuple[AddSensor, ...]
    links: dict[int, SensorLink]
    notes: tuple[str, ...]


def read_sensor_set(name: str, content: bytes) -> SensorSet:
    """A sensor set file.

    Args:
        name: of the file, as messages shall name it.
        content: its bytes: JSON in UTF-8, with or without a byte order mark.

    Raises:
        InputError: the file is broken; it names line and column, or the key path.
    """
    return SensorSet(name, content, record_from_file(SENSOR_SET_FILE, "sensor set", MAX_SENSOR_SET_SIZE, name, content))


def orders_from_sensor_set(sensors: SensorSet, now: Snapshot) -> SensorOrders:
    """The commands that mount a sensor set in the present world, and where its packets go.

    Raises:
        InputError: a sensor cannot be as the file says; it names the key path.
    """
    commands: list[AddSensor] = []
    links: dict[int, SensorLink] = {}
    notes = list(sensors.notes)
    mounted = now.mounts
    greatest = max((item.number for _, _, item in items_of(sensors.file)), default=0)
    for path, kind, item in items_of(sensors.file):
        if not 0 <= item.target < len(now.egos):
            notes.append(
                f"{path}.m_TargetUniqueID: {item.target} is ego vehicle {item.target + 1}, which is not there; "
                f"sensor {item.number} is left"
            )
            continue
        command = command_of(item, kind, now.egos[item.target])
        if item.number == NEW_SENSOR:
            greatest = max(greatest, mounted.next_number() - 1) + 1
            command = msgspec.structs.replace(command, sensor=greatest)
            notes.append(f"{path}.m_SensorUniqueID: numbers begin with 1; the sensor gets {greatest}")
        flaw = flaw_of_item(item, kind, path) or _flaw_of_address(item, path)
        if flaw is not None:
            raise InputError(sensors.source, *flaw)
        mounted, problem = change_mounts(mounted, command, now.time)
        if problem:
            raise InputError(sensors.source, path, problem)
        commands.append(command)
        links[command.sensor] = _link_of(item.block, command.sensor)
        notes += _notes(path, kind, item)
    for name, key in UNKNOWN_LISTS.items():
        held = getattr(sensors.file, name)
        if held:
            notes.append(f"{key}: {kind_of(list(held))} is kept, and no sensor here")
    return SensorOrders(tuple(commands), links, tuple(notes))


def _link_of(block: Block, number: int) -> SensorLink:
    udp, ros = block.udp, block.ros
    return SensorLink(
        number,
        block.transport,
        (udp.host, udp.host_port),
        (udp.destination, udp.destination_port),
        "" if ros.topic.strip() in UNSET_TOPICS else ros.topic.strip(),
        ros.frame.strip(),
        ros.on,
        block.depth_bits if isinstance(block, CameraBlock) else 0,
    )


def _flaw_of_address(item: SensorSetItem, path: str) -> Flaw | None:
    """The first address of a sensor sending by UDP that no socket can use; None if there is none."""
    block, udp = item.block, item.block.udp
    if block.transport != UDP:
        return None
    place = f"{path}.{block_key(item)}.udpConfig"
    for key, host in (("hostIP", udp.host), ("destinationIP", udp.destination)):
        if not host or not host.isprintable() or " " in host or len(host) > MAX_HOST_LENGTH:
            return f"{place}.{key}", f"{host[:40]!r} is no address", "write it as 127.0.0.1"
    for key, port in (("hostPort", udp.host_port), ("destinationPort", udp.destination_port)):
        if not 0 <= port <= LAST_PORT:
            return f"{place}.{key}", f"{port} is no port", f"give 0 to {LAST_PORT}"
    return None


def items_of(file: SensorSetFile) -> Iterator[tuple[str, SensorKind, SensorSetItem]]:
    """Every sensor of a file, with its key path and kind."""
    for kind, entry in ENTRIES.items():
        for number, item in enumerate(file.items(kind)):
            yield f"{entry.list_key}[{number}]", kind, item


def command_of(item: SensorSetItem, kind: SensorKind, actor: int) -> AddSensor:
    """The command that mounts a sensor."""
    pos, rot = item.pos, item.rot
    return AddSensor(
        actor,
        settings=ENTRIES[kind].settings(item.block),
        sensor=item.number,
        position=(pos.x, pos.y, pos.z),
        rotation=(_radians(rot.roll), _radians(rot.pitch), _radians(rot.yaw)),
        period=period_ns(item.block.period),
        phase=round(item.phase * 1e9) if abs(item.phase) < 1e9 else 1 << 62,
        enabled=item.active,
    )


def period_ns(seconds: float) -> int:
    """The period that a file means [ns]: it holds the float32 next to one over the rate.

    A rate that is a whole number to a millionth is that number, so that 10 Hz do not miss a tick by a nanosecond.
    """
    if not seconds > 0.0:
        return 0
    rate = 1.0 / seconds
    if rate >= 1.0 and abs(rate - round(rate)) < 1e-6 * rate:
        return round(1e9 / round(rate))
    if seconds > MAX_PERIOD_S:
        return round(MAX_PERIOD_S * 1e9)
    return round(float(str(np.float32(seconds))) * 1e9)


def _notes(path: str, kind: SensorKind, item: SensorSetItem) -> Iterator[str]:
    block = item.block
    if block.transport not in (UDP, ROS):
        way = TRANSPORTS.get(block.transport, f"transport {block.transport}")
        yield f"{path}: sensor {item.number} sends by {way}, which is not spoken here; it reads, and sends nothing"
    if kind is SensorKind.LIDAR_3D and isinstance(block, LidarBlock) and block.model not in LIDAR_MODELS:
        yield f"{path}.lc.lidar3DType: {block.model} is not known; a VLP-16 stands in"
    if block.gaussian.active and not ENTRIES[kind].noise:
        yield f"{path}: gnGenerator: noise of a {kind.name.lower().replace('_', ' ')} sensor is not made"
    elif block.gaussian.active and block.gaussian.mean:
        yield f"{path}: gnGenerator.gaussianMean: {block.gaussian.mean:g} is not added; noise has a mean of 0"
    if isinstance(block, CameraBlock) and len(block.distortion) > 5:
        yield f"{path}.cc.lensDistortion: only the first five of its {len(block.distortion)} numbers count"
    if isinstance(block, CameraBlock) and block.image not in tuple(CameraImage):
        yield f"{path}.cc.cameraType: {block.image} is not known; colour pictures stand in"


def _radians(degrees: float) -> float:
    """An angle from -pi to pi; 360 degrees less the angle is the same to the last digit."""
    return math.radians(degrees - 360.0 if degrees > 180.0 else degrees)
