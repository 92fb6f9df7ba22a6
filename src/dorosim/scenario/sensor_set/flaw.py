"""Finds numbers of a sensor set file that a sensor cannot have, by key path, in the file's own units."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dorosim.scenario.morai.codec import fields_of
from dorosim.scenario.sensor_set.record import (
    Block,
    CameraBlock,
    GaussMarkov,
    ImuBlock,
    LidarBlock,
    RandomWalk,
    SensorSetItem,
    WhiteNoise,
)
from dorosim.world.mount.command import (
    LAST_SENSOR,
    MAX_LIDAR_TURN,
    MAX_MOUNT_DISTANCE,
    MAX_SENSOR_PERIOD,
    MIN_LIDAR_TURN,
    MIN_SENSOR_PERIOD,
)
from dorosim.world.mount.setting import MAX_FOV, MAX_PIXELS, MAX_RANGE_NOISE, MIN_FOV, MIN_LIDAR_RANGE, SensorKind

Flaw = tuple[str, str, str]
"""Key path, problem and cure."""
Bounds = tuple[str, float, float, float]
"""Key path inside the item, its value, the least and the greatest that it may be."""
MAX_IMAGE_SIDE = 8192
"""Longest side of a picture [pixels]."""
MAX_SENSOR_RANGE = 1e5
"""Longest range of cameras and lidars [m]."""
NARROWEST_DEG, WIDEST_DEG = round(math.degrees(MIN_FOV), 6), round(math.degrees(MAX_FOV), 6)
"""Field of view of a camera [deg]."""
MIN_POSITIVE = 1e-9
"""Least value of what must be above 0."""
MAX_NOISE_DEVIATION = 1e6
"""Standard deviations beyond it are no noise."""


def block_key(item: SensorSetItem) -> str:
    """The key of a sensor's block: cc, lc, gc, ..."""
    return next(field.key for field in fields_of(type(item)) if field.name == "block")


def flaw_of_item(item: SensorSetItem, kind: SensorKind, path: str) -> Flaw | None:
    """The first number of a sensor that is out of bounds, or None.

    Args:
        item: the sensor.
        kind: its kind.
        path: its key path.
    """
    for key, value, least, most in _bounds(item, kind):
        if not least <= value <= most:
            return f"{path}.{key}", f"{value:g} is out of range", f"give {least:g} to {most:g}"
    return None


def _bounds(item: SensorSetItem, kind: SensorKind) -> Iterator[Bounds]:
    block, key = item.block, block_key(item)
    yield "m_SensorUniqueID", item.number, 0, LAST_SENSOR
    for name in ("x", "y", "z"):
        yield f"pos.{name}", getattr(item.pos, name), -MAX_MOUNT_DISTANCE, MAX_MOUNT_DISTANCE
    yield "sensorPhase", item.phase, -1e9, 1e9
    spins = kind is SensorKind.LIDAR_3D
    shortest, longest = (MIN_LIDAR_TURN, MAX_LIDAR_TURN) if spins else (MIN_SENSOR_PERIOD, MAX_SENSOR_PERIOD)
    # files hold the float32 next to a period
    yield f"{key}.sensorPeriod", block.period, shortest * 0.999999e-9, longest * 1.000001e-9
    if block.gaussian.active:
        most = MAX_RANGE_NOISE if isinstance(block, LidarBlock) else MAX_NOISE_DEVIATION
        yield f"{key}.gnGenerator.gaussianStdev", block.gaussian.deviation, 0.0, most
    if isinstance(block, CameraBlock):
        yield from _camera(block, key)
    elif isinstance(block, LidarBlock):
        yield f"{key}.fireDistance", block.range, MIN_LIDAR_RANGE, MAX_SENSOR_RANGE
    elif isinstance(block, ImuBlock):
        yield from _imu(block, key)


def _camera(block: CameraBlock, key: str) -> Iterator[Bounds]:
    yield f"{key}.cameraResWidth", block.width, 1, MAX_IMAGE_SIDE
    yield f"{key}.cameraResHeight", block.height, 1, min(MAX_IMAGE_SIDE, MAX_PIXELS // max(block.width, 1))
    yield f"{key}.compressedRatio", block.quality, 1, 100
    yield f"{key}.cameraFOV", block.fov_deg, NARROWEST_DEG, WIDEST_DEG
    if block.parameters:
        least = 1.0 if block.focal_length_pixels > 0.0 else -MAX_SENSOR_RANGE
        yield f"{key}.focalLengthpixel", block.focal_length_pixels, least, MAX_SENSOR_RANGE
    if block.principal_point is not None:
        yield f"{key}.principalPoint.x", block.principal_point.x, -MAX_SENSOR_RANGE, MAX_SENSOR_RANGE
        yield f"{key}.principalPoint.y", block.principal_point.y, -MAX_SENSOR_RANGE, MAX_SENSOR_RANGE
    yield f"{key}.minDepthRange", block.near, 1e-3, 1e4
    yield f"{key}.maxDepthRange", block.far, MIN_POSITIVE, MAX_SENSOR_RANGE
    for number, coefficient in enumerate(block.distortion[:5]):
        yield f"{key}.lensDistortion[{number}]", coefficient, -1e3, 1e3


def _imu(block: Block, key: str) -> Iterator[Bounds]:
    """Noise that is switched on; as a density it stays in bounds at any period that a sensor may have."""
    for field in fields_of(ImuBlock):
        part = getattr(block, field.name)
        if not isinstance(part, RandomWalk | GaussMarkov | WhiteNoise) or not part.active:
            continue
        name = next(one.key for one in fields_of(type(part)) if one.name == "deviation")
        yield f"{key}.{field.key}.{name}", part.deviation, 0.0, 1e4
        if isinstance(part, GaussMarkov):
            yield f"{key}.{field.key}.GMCorrelationTime", part.correlation_time, 0.0, 1e6
