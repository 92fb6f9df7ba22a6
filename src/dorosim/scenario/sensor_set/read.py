"""Sensor set files to commands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from dorosim.ground.error import InputError, kind_of
from dorosim.scenario.morai.codec import fields_of, record_from_file
from dorosim.scenario.sensor_set.flaw import Flaw, block_key, flaw_of_item
from dorosim.scenario.sensor_set.record import (
    AnyItem,
    Block,
    CameraBlock,
    GaussMarkov,
    ImuBlock,
    LidarBlock,
    RandomWalk,
    SensorSetFile,
    WhiteNoise,
)
from dorosim.world.mount.command import NEW_SENSOR, AddSensor
from dorosim.world.mount.effect import change_mounts
from dorosim.world.mount.setting import (
    SETTINGS,
    AnySettings,
    CameraImage,
    CameraSettings,
    GpsSettings,
    ImuSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    LidarIntensity,
    LidarModel,
    RadarSettings,
    SensorKind,
    UltrasonicSettings,
)
from dorosim.world.snapshot import Snapshot

LONGEST_HOST = 253
"""Letters of a host's name (RFC 1035)."""
LAST_PORT = 65535
LARGEST_FILE = 1 << 22
"""A file of more bytes is taken for a mistake, or for malice."""
LONGEST = 1e6
"""Periods beyond it [s] are all too long, and counted as this one."""
UDP, ROS = 1, 3
UNSET_TOPICS = frozenset({"", "/dafault_topic", "/default_topic"})
"""Topics of files in which the user named none."""
TRANSPORTS = {UDP: "UDP", 2: "TCP", ROS: "ROS", 4: "LCM", 5: "a serial port", 7: "Apollo"}
LIDAR_MODELS = {0: LidarModel.VLP_16, 1: LidarModel.HDL_32E, 2: LidarModel.HDL_64E}
"""lidar3DType; of its codes only 0 and 13 have been seen in files, with no word of what they mean."""
LISTS: dict[str, SensorKind] = {
    "cameras": SensorKind.CAMERA,
    "lidars_3d": SensorKind.LIDAR_3D,
    "lidars_2d": SensorKind.LIDAR_2D,
    "gps": SensorKind.GPS,
    "imu": SensorKind.IMU,
    "radars": SensorKind.RADAR,
    "ultrasonic": SensorKind.ULTRASONIC,
    "ground_truth": SensorKind.GROUND_TRUTH,
}
"""Attributes of `SensorSetFile` that are lists of sensors."""
_WITHOUT_NOISE = frozenset({SensorKind.CAMERA, SensorKind.IMU, SensorKind.GROUND_TRUTH})
"""Kinds without the noise that all blocks have; that of an IMU stands in its own keys."""
UNKNOWN_LISTS = ("light", "delphi_radar", "radar_4d")


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

    sensor: int
    transport: int
    source: tuple[str, int]
    destination: tuple[str, int]
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
    """

    source: str
    content: bytes
    file: SensorSetFile


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
    return SensorSet(name, content, record_from_file(SensorSetFile, "sensor set", LARGEST_FILE, name, content))


def orders_from_sensor_set(sensors: SensorSet, now: Snapshot) -> SensorOrders:
    """The commands that mount a sensor set in the present world, and where its packets go.

    Raises:
        InputError: a sensor cannot be as the file says; it names the key path.
    """
    commands: list[AddSensor] = []
    links: dict[int, SensorLink] = {}
    notes: list[str] = []
    mounted = now.mounts
    greatest = max((item.number for _, _, item in items_of(sensors.file)), default=0)
    for path, kind, item in items_of(sensors.file):
        if not 0 <= item.target < len(now.egos):
            notes.append(
                f"{path}.m_TargetUniqueID: there is no ego vehicle {item.target}; sensor {item.number} is left"
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
    for name in UNKNOWN_LISTS:
        held = getattr(sensors.file, name)
        if held:
            key = next(field.key for field in fields_of(SensorSetFile) if field.name == name)
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


def _flaw_of_address(item: AnyItem, path: str) -> Flaw | None:
    """The first address of a sensor sending by UDP that no socket can use; None if there is none."""
    block, udp = item.block, item.block.udp
    if block.transport != UDP:
        return None
    place = f"{path}.{block_key(item)}.udpConfig"
    for key, host in (("hostIP", udp.host), ("destinationIP", udp.destination)):
        if not host or not host.isprintable() or " " in host or len(host) > LONGEST_HOST:
            return f"{place}.{key}", f"{host[:40]!r} is no address", "write it as 127.0.0.1"
    for key, port in (("hostPort", udp.host_port), ("destinationPort", udp.destination_port)):
        if not 0 <= port <= LAST_PORT:
            return f"{place}.{key}", f"{port} is no port", f"give 0 to {LAST_PORT}"
    return None


def items_of(file: SensorSetFile) -> Iterator[tuple[str, SensorKind, AnyItem]]:
    """Every sensor of a file, with its key path and kind."""
    keys = {field.name: field.key for field in fields_of(SensorSetFile)}
    for name, kind in LISTS.items():
        for number, item in enumerate(getattr(file, name)):
            yield f"{keys[name]}[{number}]", kind, item


def command_of(item: AnyItem, kind: SensorKind, actor: int) -> AddSensor:
    """The command that mounts a sensor."""
    pos, rot = item.pos, item.rot
    return AddSensor(
        actor,
        settings=settings_of(item, kind),
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
    if seconds > LONGEST:
        return round(LONGEST * 1e9)
    return round(float(str(np.float32(seconds))) * 1e9)


def settings_of(item: AnyItem, kind: SensorKind) -> AnySettings:
    """The settings of a sensor; what its block does not say is as usual."""
    block = item.block
    if isinstance(block, CameraBlock):
        return _camera(block)
    if isinstance(block, LidarBlock):
        return _lidar(block, kind)
    if isinstance(block, ImuBlock):
        return _imu(block)
    noise = _white(block)
    if kind is SensorKind.GPS:
        return GpsSettings(white=(noise, noise, noise))
    if kind is SensorKind.RADAR and noise:
        return RadarSettings(range_noise=noise)
    if kind is SensorKind.ULTRASONIC and noise:
        return UltrasonicSettings(range_noise=noise)
    return SETTINGS[kind]()


def _distortion(told: tuple[float, ...]) -> tuple[float, float, float, float, float]:
    """k1, k2, p1, p2, k3: fewer than five numbers are k1, k2, k3, as in the product; five are in OpenCV's order."""
    if len(told) >= 5:
        k1, k2, p1, p2, k3 = told[:5]
        return k1, k2, p1, p2, k3
    k1, k2, k3 = (*told, 0.0, 0.0, 0.0)[:3]
    return k1, k2, 0.0, 0.0, k3


def _camera(block: CameraBlock) -> CameraSettings:
    focal = block.focal_length_pixels
    centre = block.principal_point
    k1, k2, p1, p2, k3 = _distortion(block.distortion)
    return CameraSettings(
        width=block.width,
        height=block.height,
        fov=math.radians(block.fov_deg),
        focal_length=(focal, focal) if block.parameters and focal > 0.0 else None,
        principal_point=(centre.x, centre.y) if centre and (centre.x or centre.y) else None,
        distortion=(k1, k2, k3),
        tangential=(p1, p2),
        image=CameraImage(block.image) if block.image in tuple(CameraImage) else CameraImage.RGB,
        boxes=block.boxes or block.boxes_2d or block.boxes_3d,
        quality=block.quality,
        near=block.near,
        far=block.far,
    )


def _lidar(block: LidarBlock, kind: SensorKind) -> AnySettings:
    intensity = LidarIntensity.REFLECTIVITY
    if block.intensity in tuple(LidarIntensity):
        intensity = LidarIntensity(block.intensity)
    noise = _white(block)
    if kind is SensorKind.LIDAR_2D:
        return Lidar2dSettings(range=block.range, range_noise=noise, intensity=intensity)
    model = LIDAR_MODELS.get(block.model, LidarModel.VLP_16)
    return Lidar3dSettings(model=model, range=block.range, range_noise=noise, intensity=intensity)


def _white(block: Block) -> float:
    return block.gaussian.deviation if block.gaussian.active else 0.0


def _imu(block: ImuBlock) -> ImuSettings:
    """Numbers of each reading become densities: white noise by the root of the period, a walk by one over it."""
    root = math.sqrt(max(block.period, 1e-9))

    def of(parts: tuple[RandomWalk | GaussMarkov | WhiteNoise, ...], factor: float = 1.0) -> tuple[float, float, float]:
        x, y, z = (part.deviation * factor if part.active else 0.0 for part in parts)
        return x, y, z

    b = block
    biases = (b.bias_x, b.bias_y, b.bias_z, b.bias_roll, b.bias_pitch, b.bias_yaw)
    times = [part.correlation_time for part in biases if part.active and part.correlation_time > 0.0]
    return ImuSettings(
        acceleration_white=of((b.white_x, b.white_y, b.white_z), root),
        rate_white=of((b.white_roll, b.white_pitch, b.white_yaw), root),
        acceleration_walk=of((b.walk_x, b.walk_y, b.walk_z), 1.0 / root),
        rate_walk=of((b.walk_roll, b.walk_pitch, b.walk_yaw), 1.0 / root),
        acceleration_bias=of(biases[:3]),
        rate_bias=of(biases[3:]),
        bias_time=times[0] if times else ImuSettings().bias_time,
    )


def _notes(path: str, kind: SensorKind, item: AnyItem) -> Iterator[str]:
    block = item.block
    if block.transport not in (UDP, ROS):
        way = TRANSPORTS.get(block.transport, f"transport {block.transport}")
        yield f"{path}: sensor {item.number} sends by {way}, which is not spoken here; it reads, and sends nothing"
    if kind is SensorKind.LIDAR_3D and isinstance(block, LidarBlock) and block.model not in LIDAR_MODELS:
        yield f"{path}.lc.lidar3DType: {block.model} is not known; a VLP-16 stands in"
    if block.gaussian.active and kind in _WITHOUT_NOISE:
        yield f"{path}: gnGenerator: noise of a {kind.name.lower().replace('_', ' ')} sensor is not made"
    elif block.gaussian.active and block.gaussian.mean:
        yield f"{path}: gnGenerator.gaussianMean: {block.gaussian.mean:g} is not added; noise has a mean of 0"
    if isinstance(block, CameraBlock) and block.image not in tuple(CameraImage):
        yield f"{path}.cc.cameraType: {block.image} is not known; colour pictures stand in"


def _radians(degrees: float) -> float:
    """An angle from -pi to pi; 360 degrees less the angle is the same to the last digit."""
    return math.radians(degrees - 360.0 if degrees > 180.0 else degrees)
