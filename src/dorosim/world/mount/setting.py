"""What each kind of sensor can be set to: typed, in SI, with bounds.

A sensor's settings are part of the Snapshot, so they go into recordings, snapshot files and digests; there they stand
as JSON text (`text_from_settings`). A new kind of sensor is a number in `SensorKind` and a class in
`AnySettings`; `sensor/kind.py`, `bridge/sensor/kind.py` and `scenario/sensor_set/kind.py` have a row of it each.
"""

from __future__ import annotations

import math
from enum import IntEnum
from functools import lru_cache
from typing import Annotated, ClassVar, Literal, get_args

import msgspec

from dorosim.ground.error import InputError
from dorosim.world.mount.denied_area import DeniedCircle, DeniedPolygon

MIN_FOV, MAX_FOV = math.radians(0.1), math.radians(170.0)
"""Horizontal field of view of a lens that draws straight lines straight [rad]."""
MAX_PIXELS = 8192 * 4320
"""Largest picture [pixels]: what the largest automotive cameras have, with room to spare."""
MIN_LIDAR_RANGE = 2.0
"""Lidars reach at least as far [m]: spinning ones see nothing nearer than 0.5 to 1 m."""
MAX_DRAWN_SEGMENTS = 360
"""Finest drawing of a volume: corners of its circles, and steps along it."""
MAX_RANGE_NOISE = 10.0
"""Standard deviations of lidars beyond it are no noise [m]."""
_STILL = (0.0, 0.0, 0.0)
_Deviation = Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]
_Deviations = tuple[_Deviation, _Deviation, _Deviation]
_Distance = Annotated[float, msgspec.Meta(gt=0.0, le=1e5)]
_Turn = Annotated[float, msgspec.Meta(gt=0.0, le=math.tau)]
_Half = Annotated[float, msgspec.Meta(gt=0.0, lt=math.pi)]
_UpToHalf = Annotated[float, msgspec.Meta(gt=0.0, le=math.pi)]
_View = Annotated[float, msgspec.Meta(ge=MIN_FOV, le=MAX_FOV)]
_Focal = Annotated[float, msgspec.Meta(ge=1.0, le=1e6)]
_Reach = Annotated[float, msgspec.Meta(ge=MIN_LIDAR_RANGE, le=1e5)]
_RangeNoise = Annotated[float, msgspec.Meta(ge=0.0, le=MAX_RANGE_NOISE)]
_Pixels = Annotated[int, msgspec.Meta(ge=1, le=8192)]
_Pixel = Annotated[float, msgspec.Meta(ge=-1e5, le=1e5)]
_Radial = Annotated[float, msgspec.Meta(ge=-1e3, le=1e3)]
_Time = Annotated[float, msgspec.Meta(gt=0.0, le=1e6)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class SensorKind(IntEnum):
    """Kinds of sensors, with the numbers of the Standard API (SensorType) and of sensor set files (m_SensorType)."""

    CAMERA = 1
    LIDAR_3D = 2
    LIDAR_2D = 3
    GPS = 4
    IMU = 5
    RADAR = 6
    ULTRASONIC = 7
    GROUND_TRUTH = 8


class SensorSettings(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    """What all kinds have in common.

    Attributes:
        RATE_HZ: how often a sensor of the kind reads if no rate is given; of the first five kinds as in saved sensor
            sets.
    """

    KIND: ClassVar[SensorKind]
    RATE_HZ: ClassVar[float]


class CameraImage(IntEnum):
    """What a camera's pictures show."""

    RGB = 0
    DEPTH = 1
    SEMANTIC = 2
    INSTANCE = 3


class CameraExposure(IntEnum):
    """What decides how much light a camera takes in."""

    AMBIENT = 0
    AUTO = 1
    MANUAL = 2


class CameraSettings(SensorSettings, frozen=True, kw_only=True, tag="camera"):
    """A camera; its optical axis is the mount's x.

    Attributes:
        width, height: of its pictures [pixels].
        fov: horizontal field of view [rad]; counts where there is no focal length.
        focal_length: along x and y [pixels], or None.
        principal_point: [pixels] from the upper left corner; None: the middle.
        distortion: radial coefficients k1, k2, k3 (Brown's model). tangential: its coefficients p1, p2.
        image: what its pictures show.
        boxes: whether its readings have the boxes of what it sees, too.
        quality: of JPEG, 1 to 100.
        near, far: range of depth pictures [m].
        exposure: correction of the automatic exposure [stops].
        samples: rays per pixel, 1, or 4 for smooth edges.
        exposure_mode: by the light of the hour and the weather (0), metered on its pictures with a lag (1), or as
            `exposure_time` and `gain` say (2).
        exposure_time: of mode 2 [s]. gain: of mode 2 [dB].
        max_exposure_time: of modes 0 and 1, from which on gain takes over [s].
        exposure_lag: time constant with which mode 1 follows [s].
        noise: whether its pixels have noise (EMVA 1288).
        full_well: electrons of a full pixel. read_noise: standard deviation [electrons].
        dark_current: [electrons/s]. bits: of its digital numbers.
        own_vehicle: whether it sees the vehicle that carries it, and its shadow; through its windows it looks.
        readout_time: of a rolling shutter, from the first row of a picture to the last [s]; 0: all at once.
        blur_samples: parts of the exposure time that are averaged, so that what moves is blurred; 1: none.
        lens_drops: whether rain leaves drops on its lens.
    """

    KIND: ClassVar[SensorKind] = SensorKind.CAMERA
    RATE_HZ: ClassVar[float] = 30.0
    width: _Pixels = 640
    height: _Pixels = 480
    fov: _View = math.pi / 2
    focal_length: tuple[_Focal, _Focal] | None = None
    principal_point: tuple[_Pixel, _Pixel] | None = None
    distortion: tuple[_Radial, _Radial, _Radial] = _STILL
    tangential: tuple[_Radial, _Radial] = (0.0, 0.0)
    image: CameraImage = CameraImage.RGB
    boxes: bool = False
    quality: Annotated[int, msgspec.Meta(ge=1, le=100)] = 90
    near: Annotated[float, msgspec.Meta(ge=1e-3, le=1e4)] = 0.01
    far: _Distance = 100.0
    exposure: Annotated[float, msgspec.Meta(ge=-20.0, le=20.0)] = 0.0
    samples: Literal[1, 4] = 1
    exposure_mode: CameraExposure = CameraExposure.AMBIENT
    exposure_time: Annotated[float, msgspec.Meta(ge=1e-6, le=1.0)] = 1e-4
    gain: Annotated[float, msgspec.Meta(ge=0.0, le=72.0)] = 0.0
    max_exposure_time: Annotated[float, msgspec.Meta(ge=1e-5, le=1.0)] = 1.0 / 60.0
    exposure_lag: Annotated[float, msgspec.Meta(ge=0.0, le=60.0)] = 0.25
    noise: bool = False
    full_well: Annotated[float, msgspec.Meta(ge=100.0, le=1e6)] = 10_000.0
    read_noise: Annotated[float, msgspec.Meta(ge=0.0, le=1e3)] = 3.0
    dark_current: Annotated[float, msgspec.Meta(ge=0.0, le=1e5)] = 10.0
    bits: Literal[8, 10, 12, 14, 16] = 12
    own_vehicle: bool = False
    readout_time: Annotated[float, msgspec.Meta(ge=0.0, le=0.1)] = 0.0
    blur_samples: Annotated[int, msgspec.Meta(ge=1, le=32)] = 1
    lens_drops: bool = False


class LidarModel(IntEnum):
    """Spinning lidars whose packets are known."""

    VLP_16 = 0
    HDL_32E = 1
    HDL_64E = 2


class LidarReturn(IntEnum):
    """Which returns of a shot a lidar reports."""

    STRONGEST = 0
    LAST = 1
    DUAL = 2


class LidarIntensity(IntEnum):
    """What the intensity of a point says."""

    REFLECTIVITY = 0
    SEMANTIC = 1
    INSTANCE = 2


class Lidar3dSettings(SensorSettings, frozen=True, kw_only=True, tag="lidar_3d"):
    """A spinning lidar. The mount's period is that of a turn.

    Attributes:
        model: which.
        returns: which of them its readings have.
        intensity: what the intensity of a point says.
        range: farthest return [m]; None: that of the model.
        range_noise: standard deviation [m]; None: that of the model.
        drop_out: whether weak returns get lost.
        focus: whether packets are made for readers by the manual, as velodyne_decoder, which know where the lens puts
            the lasers, or for the public ROS driver, which does not. It is the same for an HDL-64E.
        ideal: without noise and drop-out: for tests and calibration.
        own_vehicle: whether it sees the vehicle that carries it: its own roof.
        position_rate: position packets a second beside those of data, as from a receiver of satellite navigation that
            is wired to the sensor; 0: none. An HDL-64E has none.
    """

    KIND: ClassVar[SensorKind] = SensorKind.LIDAR_3D
    RATE_HZ: ClassVar[float] = 10.0
    model: LidarModel = LidarModel.VLP_16
    returns: LidarReturn = LidarReturn.STRONGEST
    intensity: LidarIntensity = LidarIntensity.REFLECTIVITY
    range: _Reach | None = None
    range_noise: _RangeNoise | None = None
    drop_out: bool = True
    focus: bool = False
    ideal: bool = False
    own_vehicle: bool = False
    position_rate: Annotated[float, msgspec.Meta(ge=0.0, le=1000.0)] = 0.0


class Lidar2dSettings(SensorSettings, frozen=True, kw_only=True, tag="lidar_2d"):
    """A lidar of 360 rays in the mount's xy plane.

    Attributes:
        range: farthest return [m], which clients take for none. range_noise: standard deviation [m].
        intensity: what the intensity of a ray says.
    """

    KIND: ClassVar[SensorKind] = SensorKind.LIDAR_2D
    RATE_HZ: ClassVar[float] = 10.0
    range: _Reach = 10.0
    range_noise: _RangeNoise = 0.01
    intensity: LidarIntensity = LidarIntensity.REFLECTIVITY


class GpsSettings(SensorSettings, frozen=True, kw_only=True, tag="gps"):
    """A receiver of satellite navigation; its antenna is at the mount.

    Attributes:
        white: standard deviation of each fix, along the map's axes [m].
        drift: standard deviation of a slow error (first-order Gauss-Markov) along the map's axes [m].
        drift_time: its correlation time [s].
        velocity_white: standard deviation of the velocity, along the map's axes [m/s].
        denied: where there is no reception: tunnels, garages, between high buildings.
    """

    KIND: ClassVar[SensorKind] = SensorKind.GPS
    RATE_HZ: ClassVar[float] = 5.0
    white: _Deviations = _STILL
    velocity_white: _Deviations = _STILL
    denied: Annotated[tuple[DeniedCircle | DeniedPolygon, ...], msgspec.Meta(max_length=1000)] = ()
    drift: _Deviations = _STILL
    drift_time: _Time = 300.0


class ImuSettings(SensorSettings, frozen=True, kw_only=True, tag="imu"):
    """An inertial measurement unit. Its axes are the mount's.

    Attributes:
        acceleration_white: density of white noise [m/s^2/sqrt(Hz)]. rate_white: [rad/s/sqrt(Hz)].
        acceleration_walk: density of the random walk of the bias [m/s^3/sqrt(Hz)]. rate_walk: [rad/s^2/sqrt(Hz)].
        acceleration_bias, rate_bias: standard deviation of a bias that comes and goes (first-order Gauss-Markov)
            [m/s^2], [rad/s].
        bias_time: its correlation time [s].
    """

    KIND: ClassVar[SensorKind] = SensorKind.IMU
    RATE_HZ: ClassVar[float] = 50.0
    acceleration_white: _Deviations = _STILL
    rate_white: _Deviations = _STILL
    acceleration_walk: _Deviations = _STILL
    rate_walk: _Deviations = _STILL
    acceleration_bias: _Deviations = _STILL
    rate_bias: _Deviations = _STILL
    bias_time: _Time = 100.0


class RadarSettings(SensorSettings, frozen=True, kw_only=True, tag="radar"):
    """A radar that looks along the mount's x.

    Attributes:
        range: farthest detection [m]. fov, vertical_fov: whole angles [rad].
        most: detections at a time, the strongest.
        range_noise: standard deviation [m]. rate_noise: [m/s]. azimuth_noise: of azimuth and elevation [rad].
        clutter: false detections at a time, on average.
        sensitivity: radar cross-section that is just detected at the full range [dBsm].
        fluctuation: whether echoes fade from reading to reading (Swerling's first case).
        cluster: echoes nearer to each other than this [m] are one detection; 0: each echo is one.
        cluster_rate: if their range rates differ by less than this [m/s].
    """

    KIND: ClassVar[SensorKind] = SensorKind.RADAR
    RATE_HZ: ClassVar[float] = 20.0
    range: _Distance = 150.0
    fov: _Turn = math.radians(60.0)
    vertical_fov: _Half = math.radians(10.0)
    most: _Count = 64
    range_noise: _Deviation = 0.15
    rate_noise: _Deviation = 0.1
    azimuth_noise: _Deviation = math.radians(0.3)
    clutter: Annotated[float, msgspec.Meta(ge=0.0, le=1000.0)] = 0.5
    sensitivity: Annotated[float, msgspec.Meta(ge=-60.0, le=60.0)] = 0.0
    fluctuation: bool = True
    cluster: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)] = 2.5
    cluster_rate: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)] = 2.0


class UltrasonicSettings(SensorSettings, frozen=True, kw_only=True, tag="ultrasonic"):
    """An ultrasonic sensor that looks along the mount's x.

    Attributes:
        least, range: nearest and farthest distance [m]. fov, vertical_fov: whole angles of its cone [rad].
        range_noise: standard deviation [m].
    """

    KIND: ClassVar[SensorKind] = SensorKind.ULTRASONIC
    RATE_HZ: ClassVar[float] = 20.0
    least: Annotated[float, msgspec.Meta(ge=0.0, le=100.0)] = 0.2
    range: _Distance = 5.0
    fov: _Half = math.radians(60.0)
    vertical_fov: _Half = math.radians(30.0)
    range_noise: _Deviation = 0.01


class TruthShape(IntEnum):
    """Volumes in which a ground truth sensor reports objects (Standard API, GTShapeType)."""

    CYLINDER = 1
    CONE = 2


class GroundTruthSettings(SensorSettings, frozen=True, kw_only=True, tag="ground_truth"):
    """Tells what is really there (Standard API, GroundTruthSensorSetting).

    Attributes:
        shape: of the volume.
        range_min, range_max: how near and far it reaches [m]; a cylinder starts at the mount.
        fov, vertical_fov: whole angles [rad]; a cylinder goes all round.
        filter: GTObstacleObjType of what is told; empty: all that have a body (1 to 4). Spawn points (5, 11), obstacles
            on the move (6), areas without reception (12) and map objects (13) are told where they are named.
        most: objects at a time, the nearest first; 0 for any number.
        drawn: whether the live page shows the volume.
        segments: corners of the circles that are drawn. resolution: of a cone, steps from near to far that are drawn.
    """

    KIND: ClassVar[SensorKind] = SensorKind.GROUND_TRUTH
    RATE_HZ: ClassVar[float] = 20.0
    shape: TruthShape = TruthShape.CYLINDER
    range_min: Annotated[float, msgspec.Meta(ge=0.0, le=1e5)] = 0.0
    range_max: _Distance = 100.0
    fov: _Turn = math.radians(90.0)
    vertical_fov: _UpToHalf = math.radians(60.0)
    filter: tuple[Annotated[int, msgspec.Meta(ge=0, le=14)], ...] = ()
    most: _Count = 0
    drawn: bool = False
    segments: Annotated[int, msgspec.Meta(ge=3, le=MAX_DRAWN_SEGMENTS)] = 32
    resolution: Annotated[int, msgspec.Meta(ge=1, le=MAX_DRAWN_SEGMENTS)] = 1


AnySettings = (
    CameraSettings
    | Lidar3dSettings
    | Lidar2dSettings
    | GpsSettings
    | ImuSettings
    | RadarSettings
    | UltrasonicSettings
    | GroundTruthSettings
)
"""The settings of any sensor. The union is what commands, recordings and snapshots are read with."""

SETTINGS: dict[SensorKind, type[AnySettings]] = {settings.KIND: settings for settings in get_args(AnySettings)}
"""The class of settings of each kind."""

_decoder = msgspec.json.Decoder(AnySettings)
_encoder = msgspec.json.Encoder()


def text_from_settings(settings: AnySettings) -> bytes:
    """Settings as the text that a Snapshot holds."""
    return _encoder.encode(settings)


@lru_cache(maxsize=512)
def settings_from_text(text: bytes) -> AnySettings:
    """The settings that a text holds.

    Raises:
        InputError: it holds none, or numbers out of bounds; the place is the key path.
    """
    try:
        settings: AnySettings = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError("sensor settings", "", str(error), "") from None
    return settings


def problem_of_settings(settings: AnySettings) -> str:
    """Why settings are out of bounds, or an empty string: constructors do not check, readers do."""
    try:
        read = _decoder.decode(text_from_settings(settings))
    except (msgspec.MsgspecError, ValueError) as error:
        return str(error)
    if read != settings:
        return "a number is not finite"  # JSON has none, and an open number would stand in its place
    if isinstance(settings, CameraSettings):
        if settings.near >= settings.far:
            return "near is not nearer than far"
        if settings.width * settings.height > MAX_PIXELS:
            return f"{settings.width} x {settings.height} pixels are more than {MAX_PIXELS:,}"
    if isinstance(settings, GroundTruthSettings) and settings.range_min >= settings.range_max:
        return "range_min is not below range_max"
    return ""
