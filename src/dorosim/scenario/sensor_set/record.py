"""What a sensor set file holds, key by key (facts/ros-grpc-mgeo.md, section 5, and `samples/sensor_set.json`).

Only keys that mean something here are listed; all others are kept as they are. Units stand in the names where they are
not SI. Two keys are dorosim's own: `isActive` (a sensor that does not read) and `sensorPhase` [s].
"""

from __future__ import annotations

from typing import Any

from msgspec import field

from dorosim.scenario.morai.codec import Record, number_text


def _shown(value: float) -> str:
    """A number as the product shows it, to the millimetre, unless that would change it."""
    short = f"{value:.3f}"
    return short if float(short) == value else number_text(value)


class SensorPlace(Record, frozen=True, kw_only=True):
    """Where a sensor is on its vehicle [m]: x forward, y left, z up, from the rear axle's centre on the ground."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0

    def complete(self, written: dict[str, Any], changed: frozenset[str]) -> None:
        """Write numbers as texts."""
        for key in changed:
            written[key] = _shown(written[key])


class Turn(Record, frozen=True, kw_only=True):
    """How a sensor is turned on its vehicle, in degrees from 0 to 360."""

    roll: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0

    def complete(self, written: dict[str, Any], changed: frozenset[str]) -> None:
        """Write numbers as texts."""
        for key in changed:
            written[key] = _shown(written[key])


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
    """A bias that comes and goes."""

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


class GpsBlock(Block, frozen=True, kw_only=True):
    """A GPS receiver (`gc`)."""


class ImuBlock(Block, frozen=True, kw_only=True):
    """An IMU (`ic`): walk, bias and white noise of each axis."""

    walk_x: RandomWalk = field(name="rdAcc_x", default=RandomWalk())
    walk_y: RandomWalk = field(name="rdAcc_y", default=RandomWalk())
    walk_z: RandomWalk = field(name="rdAcc_z", default=RandomWalk())
    walk_roll: RandomWalk = field(name="rdAngV_roll", default=RandomWalk())
    walk_pitch: RandomWalk = field(name="rdAngV_pitch", default=RandomWalk())
    walk_yaw: RandomWalk = field(name="rdAngV_yaw", default=RandomWalk())
    bias_x: GaussMarkov = field(name="biAcc_x", default=GaussMarkov())
    bias_y: GaussMarkov = field(name="biAcc_y", default=GaussMarkov())
    bias_z: GaussMarkov = field(name="biAcc_z", default=GaussMarkov())
    bias_roll: GaussMarkov = field(name="biAngV_roll", default=GaussMarkov())
    bias_pitch: GaussMarkov = field(name="biAngV_pitch", default=GaussMarkov())
    bias_yaw: GaussMarkov = field(name="biAngV_yaw", default=GaussMarkov())
    white_x: WhiteNoise = field(name="wnAcc_x", default=WhiteNoise())
    white_y: WhiteNoise = field(name="wnAcc_y", default=WhiteNoise())
    white_z: WhiteNoise = field(name="wnAcc_z", default=WhiteNoise())
    white_roll: WhiteNoise = field(name="wnAngV_roll", default=WhiteNoise())
    white_pitch: WhiteNoise = field(name="wnAngV_pitch", default=WhiteNoise())
    white_yaw: WhiteNoise = field(name="wnAngV_yaw", default=WhiteNoise())


class SensorSetItem(Record, frozen=True, kw_only=True):
    """A sensor on a vehicle: where it is, and the block of its kind.

    `target` is 0 for the ego vehicle, and counts the others in the order of creation.
    """

    target: int = field(name="m_TargetUniqueID", default=0)
    number: int = field(name="m_SensorUniqueID")
    kind: int = field(name="m_SensorType", default=0)
    pos: SensorPlace = SensorPlace()
    rot: Turn = Turn()
    active: bool = field(name="isActive", default=True)
    phase: float = field(name="sensorPhase", default=0.0)


class CameraItem(SensorSetItem, frozen=True, kw_only=True):
    """A camera."""

    block: CameraBlock = field(name="cc")


class LidarItem(SensorSetItem, frozen=True, kw_only=True):
    """A lidar."""

    block: LidarBlock = field(name="lc")


class GpsItem(SensorSetItem, frozen=True, kw_only=True):
    """A GPS receiver."""

    block: GpsBlock = field(name="gc")


class ImuItem(SensorSetItem, frozen=True, kw_only=True):
    """An IMU."""

    block: ImuBlock = field(name="ic")


class RadarItem(SensorSetItem, frozen=True, kw_only=True):
    """A radar; only the keys that all blocks have are known, since no file shows others."""

    block: Block = field(name="rc", default=Block())


class UltrasonicItem(SensorSetItem, frozen=True, kw_only=True):
    """An ultrasonic sensor; only the keys that all blocks have are known, since no file shows others."""

    block: Block = field(name="uc", default=Block())


class TruthItem(SensorSetItem, frozen=True, kw_only=True):
    """A ground truth sensor; only the keys that all blocks have are known, since no file shows others."""

    block: Block = field(name="gtc", default=Block())


AnyItem = CameraItem | LidarItem | GpsItem | ImuItem | RadarItem | UltrasonicItem | TruthItem


class SensorSetFile(Record, frozen=True, kw_only=True):
    """A sensor set. Lists that dorosim has no sensors for are kept."""

    cameras: tuple[CameraItem, ...] = field(name="cameraList", default=())
    lidars_3d: tuple[LidarItem, ...] = field(name="Lidar3DList", default=())
    lidars_2d: tuple[LidarItem, ...] = field(name="Lidar2DList", default=())
    gps: tuple[GpsItem, ...] = field(name="GPSList", default=())
    imu: tuple[ImuItem, ...] = field(name="IMUList", default=())
    radars: tuple[RadarItem, ...] = field(name="RadarList", default=())
    ultrasonic: tuple[UltrasonicItem, ...] = field(name="UltrasonicList", default=())
    ground_truth: tuple[TruthItem, ...] = field(name="GroundTruthList", default=())
    light: tuple[Any, ...] | None = field(name="LightList", default=None)
    delphi_radar: tuple[Any, ...] | None = field(name="DelphiRadarList", default=None)
    radar_4d: tuple[Any, ...] | None = field(name="Radar4DList", default=None)
