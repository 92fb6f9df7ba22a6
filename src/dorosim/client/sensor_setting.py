"""What sensors can be set to when they are mounted: types, defaults and bounds, all in SI units.

Each setting may be given to the method that mounts a sensor of its kind, such as `add_camera(width=1280)`. The same
settings in files and in the simulator: docs/reference/sensors.md.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, TypedDict

from dorosim.client.setting import Setting

Image = Literal["rgb", "depth", "semantic", "instance"]
Exposure = Literal["ambient", "auto", "manual"]
LidarModel = Literal["VLP-16", "HDL-32E", "HDL-64E"]
LidarReturns = Literal["strongest", "last", "dual"]
LidarIntensity = Literal["reflectivity", "semantic", "instance"]
TruthShape = Literal["cylinder", "cone"]
TruthKind = Literal["vehicle", "pedestrian", "ego", "obstacle"]
_Three = tuple[float, float, float]
_Deviation = Annotated[float, Setting(0.0, 0.0, 1e6)]
_Deviations = Annotated[_Three, Setting((0.0, 0.0, 0.0), 0.0, 1e6)]
_DEGREES = math.radians(1.0)


class CameraSettings(TypedDict, total=False):
    """Settings of a camera; its optical axis is the mount's x.

    Attributes:
        width, height: of its pictures [pixels].
        fov: horizontal field of view [rad]; counts where there is no focal length.
        focal_length: along x and y [pixels]. principal_point: [pixels] from the upper left corner; None: the middle.
        distortion: radial coefficients k1, k2, k3 (Brown's model). tangential: its coefficients p1, p2.
        image: what its pictures show.
        boxes: whether they come with the boxes of what is seen.
        quality: of JPEG, where pictures are sent as packets, too.
        near, far: range of depth pictures [m].
        exposure: correction of the automatic exposure [stops]. samples: rays per pixel, 1, or 4 for smooth edges.
        exposure_mode: by the light of the hour ("ambient"), metered with a lag ("auto"), or `exposure_time` and `gain`.
        exposure_time: by hand [s]. gain: by hand [dB]. max_exposure_time: else [s]. exposure_lag: of "auto" [s].
        noise: whether its pixels have noise (EMVA 1288), by `full_well` [electrons], `read_noise` [electrons],
            `dark_current` [electrons/s] and `bits`.
        own_vehicle: whether it sees the vehicle that carries it.
        readout_time: of a rolling shutter [s]; 0: all rows at once.
        blur_samples: parts of the exposure time that are averaged; 1: what moves is not blurred.
        lens_drops: whether rain leaves drops on its lens.
    """

    width: Annotated[int, Setting(640, 1, 8192)]
    height: Annotated[int, Setting(480, 1, 8192)]
    fov: Annotated[float, Setting(math.pi / 2, math.radians(0.1), math.radians(170.0))]
    focal_length: Annotated[tuple[float, float] | None, Setting(None, 1.0, 1e6)]
    principal_point: Annotated[tuple[float, float] | None, Setting(None, -1e5, 1e5)]
    distortion: Annotated[_Three, Setting((0.0, 0.0, 0.0), -1e3, 1e3)]
    tangential: Annotated[tuple[float, float], Setting((0.0, 0.0), -1e3, 1e3)]
    image: Annotated[Image, Setting("rgb")]
    boxes: Annotated[bool, Setting(default=False)]
    quality: Annotated[int, Setting(90, 1, 100)]
    near: Annotated[float, Setting(0.01, 1e-3, 1e4)]
    far: Annotated[float, Setting(100.0, 0.0, 1e5, above=True)]
    exposure: Annotated[float, Setting(0.0, -20.0, 20.0)]
    samples: Annotated[Literal[1, 4], Setting(1)]
    exposure_mode: Annotated[Exposure, Setting("ambient")]
    exposure_time: Annotated[float, Setting(1e-4, 1e-6, 1.0)]
    gain: Annotated[float, Setting(0.0, 0.0, 72.0)]
    max_exposure_time: Annotated[float, Setting(1.0 / 60.0, 1e-5, 1.0)]
    exposure_lag: Annotated[float, Setting(0.25, 0.0, 60.0)]
    noise: Annotated[bool, Setting(default=False)]
    full_well: Annotated[float, Setting(10_000.0, 100.0, 1e6)]
    read_noise: Annotated[float, Setting(3.0, 0.0, 1e3)]
    dark_current: Annotated[float, Setting(10.0, 0.0, 1e5)]
    bits: Annotated[Literal[8, 10, 12, 14, 16], Setting(12)]
    own_vehicle: Annotated[bool, Setting(default=False)]
    readout_time: Annotated[float, Setting(0.0, 0.0, 0.1)]
    blur_samples: Annotated[int, Setting(1, 1, 32)]
    lens_drops: Annotated[bool, Setting(default=False)]


class LidarSettings(TypedDict, total=False):
    """Settings of a spinning lidar. Its rate is that of its turns.

    Attributes:
        model: which. returns: which of each shot. intensity: what the intensity of a point says.
        range: farthest return [m]; None: that of the model. range_noise: standard deviation [m]; None: likewise.
        drop_out: whether weak returns get lost. ideal: without noise and drop-out.
        focus: how packets put points behind the lens, for readers by the manual.
        own_vehicle: whether it sees the vehicle that carries it.
        position_rate: position packets a second, beside those of data.
    """

    model: Annotated[LidarModel, Setting("VLP-16")]
    returns: Annotated[LidarReturns, Setting("strongest")]
    intensity: Annotated[LidarIntensity, Setting("reflectivity")]
    range: Annotated[float | None, Setting(None, 2.0, 1e5)]
    range_noise: Annotated[float | None, Setting(None, 0.0, 10.0)]
    drop_out: Annotated[bool, Setting(default=True)]
    focus: Annotated[bool, Setting(default=False)]
    ideal: Annotated[bool, Setting(default=False)]
    own_vehicle: Annotated[bool, Setting(default=False)]
    position_rate: Annotated[float, Setting(0.0, 0.0, 1000.0)]


class PlanarLidarSettings(TypedDict, total=False):
    """Settings of a lidar of 360 rays in the mount's xy plane.

    Attributes:
        range: farthest return [m], which it reports for none. range_noise: standard deviation [m].
        intensity: what the intensity of a ray says.
    """

    range: Annotated[float, Setting(10.0, 2.0, 1e5)]
    range_noise: Annotated[float, Setting(0.01, 0.0, 10.0)]
    intensity: Annotated[LidarIntensity, Setting("reflectivity")]


class GpsSettings(TypedDict, total=False):
    """Settings of a receiver of satellite navigation; its antenna is at the mount.

    Attributes:
        white: standard deviation of each fix, along the map's axes [m]. velocity_white: of the velocity [m/s].
        drift: standard deviation of a slow error along the map's axes [m]. drift_time: its correlation time [s].
    """

    white: _Deviations
    velocity_white: _Deviations
    drift: _Deviations
    drift_time: Annotated[float, Setting(300.0, 0.0, 1e6, above=True)]


class ImuSettings(TypedDict, total=False):
    """Settings of an inertial measurement unit. Its axes are the mount's.

    Attributes:
        acceleration_white: density of white noise [m/s²/sqrt(Hz)]. rate_white: [rad/s/sqrt(Hz)].
        acceleration_walk: density of the random walk of the bias [m/s³/sqrt(Hz)]. rate_walk: [rad/s²/sqrt(Hz)].
        acceleration_bias, rate_bias: standard deviation of a bias that comes and goes [m/s²], [rad/s].
        bias_time: its correlation time [s].
    """

    acceleration_white: _Deviations
    rate_white: _Deviations
    acceleration_walk: _Deviations
    rate_walk: _Deviations
    acceleration_bias: _Deviations
    rate_bias: _Deviations
    bias_time: Annotated[float, Setting(100.0, 0.0, 1e6, above=True)]


class RadarSettings(TypedDict, total=False):
    """Settings of a radar that looks along the mount's x.

    Attributes:
        range: farthest detection [m]. fov, vertical_fov: whole angles [rad]. most: detections at a time.
        range_noise: standard deviation [m]. rate_noise: [m/s]. azimuth_noise: of azimuth and elevation [rad].
        clutter: false detections at a time, on average.
        sensitivity: radar cross-section that is just detected at the full range [dBsm].
        fluctuation: whether echoes fade from reading to reading.
        cluster: echoes nearer to each other than this [m] are one; 0: each is one. cluster_rate: likewise [m/s].
    """

    range: Annotated[float, Setting(150.0, 0.0, 1e5, above=True)]
    fov: Annotated[float, Setting(60.0 * _DEGREES, 0.0, math.tau, above=True)]
    vertical_fov: Annotated[float, Setting(10.0 * _DEGREES, 0.0, math.pi, above=True)]
    most: Annotated[int, Setting(64, 0, 100_000)]
    range_noise: Annotated[float, Setting(0.15, 0.0, 1e6)]
    rate_noise: Annotated[float, Setting(0.1, 0.0, 1e6)]
    azimuth_noise: Annotated[float, Setting(0.3 * _DEGREES, 0.0, 1e6)]
    clutter: Annotated[float, Setting(0.5, 0.0, 1000.0)]
    sensitivity: Annotated[float, Setting(0.0, -60.0, 60.0)]
    fluctuation: Annotated[bool, Setting(default=True)]
    cluster: Annotated[float, Setting(2.5, 0.0, 100.0)]
    cluster_rate: Annotated[float, Setting(2.0, 0.0, 100.0)]


class UltrasonicSettings(TypedDict, total=False):
    """Settings of an ultrasonic sensor that looks along the mount's x.

    Attributes:
        least, range: nearest and farthest distance [m]. fov, vertical_fov: whole angles of its cone [rad].
        range_noise: standard deviation [m].
    """

    least: Annotated[float, Setting(0.2, 0.0, 100.0)]
    range: Annotated[float, Setting(5.0, 0.0, 1e5, above=True)]
    fov: Annotated[float, Setting(60.0 * _DEGREES, 0.0, math.pi, above=True)]
    vertical_fov: Annotated[float, Setting(30.0 * _DEGREES, 0.0, math.pi, above=True)]
    range_noise: Annotated[float, Setting(0.01, 0.0, 1e6)]


class GroundTruthSettings(TypedDict, total=False):
    """Settings of a sensor that reports what is really there.

    Attributes:
        shape: of the volume. range_min, range_max: how near and far it reaches [m].
        fov, vertical_fov: whole angles [rad]; a cylinder goes all round.
        filter: what is reported; empty: all. most: objects at a time, the nearest first; 0 for any number.
    """

    shape: Annotated[TruthShape, Setting("cylinder")]
    range_min: Annotated[float, Setting(0.0, 0.0, 1e5)]
    range_max: Annotated[float, Setting(100.0, 0.0, 1e5, above=True)]
    fov: Annotated[float, Setting(90.0 * _DEGREES, 0.0, math.tau, above=True)]
    vertical_fov: Annotated[float, Setting(60.0 * _DEGREES, 0.0, math.pi, above=True)]
    filter: Annotated[tuple[TruthKind, ...], Setting(())]
    most: Annotated[int, Setting(0, 0, 100_000)]
