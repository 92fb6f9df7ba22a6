"""What a sensor set file holds, key by key (facts/ros-grpc-mgeo.md, section 5, and `samples/sensor_set.json`).

Only keys that mean something here are listed; all others are kept as they are. Units stand in the names where they are
not SI. Two keys are dorosim's own: `isActive` (a sensor that does not read) and `sensorPhase` [s].
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec
from msgspec import field

from dorosim.scenario.morai.codec import Record, number_text
from dorosim.world.mount.setting import SensorKind

R = TypeVar("R", bound=Record)


def _shown(value: float) -> str:
    """A number as the product shows it, to the millimetre, unless that would change it."""
    short = f"{value:.3f}"
    return short if float(short) == value else number_text(value)


def made_record(name: str, base: type[R], fields: Iterable[tuple[str, Any, Any]]) -> type[R]:
    """A record with the keys of another one and more, each given as name, type and `msgspec.field`."""
    made: Any = msgspec.defstruct(name, fields, bases=(base,), module=__name__, frozen=True, kw_only=True)
    return cast(type[R], made)


class _ShownNumbers(Record, frozen=True, kw_only=True):
    """Numbers that the file holds as texts."""

    def complete(self, written: dict[str, Any], changed: frozenset[str]) -> None:
        """Write numbers as texts."""
        for key in changed:
            written[key] = _shown(written[key])


class SensorPlace(_ShownNumbers, frozen=True, kw_only=True):
    """Where a sensor is on its vehicle [m]: x forward, y left, z up, from the rear axle's centre on the ground."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0


class SensorRotation(_ShownNumbers, frozen=True, kw_only=True):
    """How a sensor is turned on its vehicle, in degrees from 0 to 360."""

    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0


class UdpConfig(Record, frozen=True, kw_only=True):
    """Addresses of a sensor's packets."""

    host: str = field(name="hostIP", default="127.0.0.1")
    host_port: int = field(name="hostPort", default=0)
    destination: str = field(name="destinationIP", default="127.0.0.1")
    destination_port: int = field(name="destinationPort", default=0)


class RosConfig(Record, frozen=True, kw_only=True):
    """A sensor's topic. `/dafault_topic` and an empty name stand for the usual one of the kind."""

    topic: str = field(name="Topic", default="")
    frame: str = field(name="frameID", default="")
    on: bool = field(name="RosMessageOnOff", default=True)


class Gaussian(Record, frozen=True, kw_only=True):
    """White noise on a reading."""

    active: bool = field(name="isActivated", default=False)
    mean: float = field(name="gaussianMean", default=0.0)
    deviation: float = field(name="gaussianStdev", default=0.0)


class RandomWalk(Record, frozen=True, kw_only=True):
    """A walk of the bias: standard deviation of the step from one reading to the next."""

    active: bool = field(name="isActivated", default=False)
    deviation: float = field(name="RWgaussianStdev", default=0.0)


class GaussMarkov(Record, frozen=True, kw_only=True):
    """First-order Gauss-Markov bias: stationary deviation and correlation time."""

    active: bool = field(name="isActivated", default=False)
    deviation: float = field(name="GMgaussianStdev", default=0.0)
    correlation_time: float = field(name="GMCorrelationTime", default=0.0)


class WhiteNoise(Record, frozen=True, kw_only=True):
    """White noise: standard deviation of each reading."""

    active: bool = field(name="isActivated", default=False)
    deviation: float = field(name="WNgaussianStdev", default=0.0)


class Pixel(Record, frozen=True, kw_only=True):
    """A place in a picture [pixels]."""

    x: float = 0.0
    y: float = 0.0


class Block(Record, frozen=True, kw_only=True):
    """The keys that the blocks of all sensors have."""

    name: str = field(name="sensorName", default="DefaultSensor")
    kind: int = field(name="sensorType", default=0)
    period: float = field(name="sensorPeriod", default=0.1)
    transport: int = field(name="commType", default=1)
    udp: UdpConfig = field(name="udpConfig", default=UdpConfig())
    ros: RosConfig = field(name="rosConfig", default=RosConfig())
    gaussian: Gaussian = field(name="gnGenerator", default=Gaussian())


class CameraBlock(Block, frozen=True, kw_only=True):
    """A camera (`cc`)."""

    parameters: int = field(name="paramType", default=0)
    focal_length_pixels: float = field(name="focalLengthpixel", default=0.0)
    principal_point: Pixel | None = field(name="principalPoint", default=None)
    width: int = field(name="cameraResWidth", default=640)
    height: int = field(name="cameraResHeight", default=480)
    quality: int = field(name="compressedRatio", default=90)
    fov_deg: float = field(name="cameraFOV", default=90.0)
    image: int = field(name="cameraType", default=0)
    boxes: bool = field(name="bVizBoundingBox", default=False)
    boxes_2d: bool = field(name="vizBoundingBox2D", default=False)
    boxes_3d: bool = field(name="vizBoundingBox3D", default=False)
    near: float = field(name="minDepthRange", default=0.01)
    far: float = field(name="maxDepthRange", default=100.0)
    depth_bits: int = field(name="depthbit", default=0)
    distortion: tuple[float, ...] = field(name="lensDistortion", default=(0.0, 0.0, 0.0))


class LidarBlock(Block, frozen=True, kw_only=True):
    """A lidar (`lc`), spinning or plane."""

    model: int = field(name="lidar3DType", default=0)
    range: float = field(name="fireDistance", default=100.0)
    intensity: int = field(name="intensityType", default=0)


AXES = ("x", "y", "z", "roll", "pitch", "yaw")
"""Of accelerations along the sensor's axes and of rates about them."""
ERRORS = {"walk": ("rd", RandomWalk), "bias": ("bi", GaussMarkov), "white": ("wn", WhiteNoise)}
"""Errors of an IMU: what their keys begin with, and what stands there."""
ImuBlock = made_record(
    "ImuBlock",
    Block,
    [
        (f"{name}_{axis}", error, field(name=f"{prefix}{'Acc' if axis in 'xyz' else 'AngV'}_{axis}", default=error()))
        for name, (prefix, error) in ERRORS.items()
        for axis in AXES
    ],
)
"""An IMU (`ic`): walk, bias and white noise of each axis, as `walk_x`."""


class SensorSetItem(Record, frozen=True, kw_only=True):
    """A sensor on a vehicle: where it is, and the block of its kind.

    `target` is 0 for the ego vehicle, and counts the others in the order of creation.
    """

    if TYPE_CHECKING:
        block: Block  # under the key of its kind: `item_record`
    target: int = field(name="m_TargetUniqueID", default=0)
    number: int = field(name="m_SensorUniqueID")
    kind: int = field(name="m_SensorType", default=0)
    pos: SensorPlace = SensorPlace()
    rot: SensorRotation = SensorRotation()
    active: bool = field(name="isActive", default=True)
    phase: float = field(name="sensorPhase", default=0.0)


@cache
def item_record(key: str, block: type[Block], *, required: bool = False) -> type[SensorSetItem]:
    """The record of a sensor in a list.

    Args:
        key: of the sensor's block.
        block: what stands there.
        required: whether the block must be there.
    """
    default = msgspec.NODEFAULT if required else block()
    return made_record("SensorSetItem", SensorSetItem, [("block", block, field(name=key, default=default))])


class SensorSetFile(Record, frozen=True, kw_only=True):
    """A sensor set: a list for each kind of sensor (`kind.SENSOR_SET_FILE`), and those that no sensor here is in."""

    def items(self, kind: SensorKind) -> tuple[SensorSetItem, ...]:
        """The sensors of a kind, in the order of the file."""
        found: tuple[SensorSetItem, ...] = getattr(self, kind.name.lower())
        return found
