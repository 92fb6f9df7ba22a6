"""What sensors read, as ROS messages (documents/sensor-protocols-en.txt; facts/ros-grpc-mgeo.md, 1.3 "Sensor topics").

All values are in the sensor's own axes: x forward, y left, z up; pictures have the axes of REP-103 for cameras: x
right, y down, z forward. Stamps are the time of the moment that a reading shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from dorosim.world.mount.setting import CameraSettings, ImuSettings, Lidar2dSettings
from dorosim.world.mount.state import Mount

if TYPE_CHECKING:
    from dorosim.bridge.ros.topic import RosForm
    from dorosim.sensor.lidar.planar import PlanarReading
    from dorosim.sensor.lidar.reading import LidarReading
    from dorosim.sensor.reading import CameraReading, GpsReading, ImuReading, RadarReading, Reading

Bytes = NDArray[np.uint8]
CloudStamp = Literal["last", "first"]
HAS_FIX, NO_FIX = 1, 0
"""`status` of a GPSMessage: `gpsStatus` of a sound receiver in saved sensor sets is 1."""
_FLOAT32, _UINT16 = 7, 4
"""Of sensor_msgs/PointField."""
CLOUD_FIELDS = (
    ("x", 0, _FLOAT32),
    ("y", 4, _FLOAT32),
    ("z", 8, _FLOAT32),
    ("intensity", 12, _FLOAT32),
    ("ring", 16, _UINT16),
    ("time", 18, _FLOAT32),
)
"""Name, offset and type of the fields of a point (velodyne_pointcloud, `pointcloudXYZIRT.cc`)."""
PIXEL_CENTRE = 0.5
"""Where the centre of the first pixel is here; ROS and OpenCV count from it."""


@dataclass(frozen=True, slots=True)
class PublishedSensor:
    """A sensor whose readings are published.

    Attributes:
        form: choices of the user. mount: the sensor as it is mounted now. frame: frame id of its messages.
        origin: east and north of the map's origin in its projection [m].
        jpeg: returns a picture as JPEG, which is made once for all messages that send it.
        depth_bits: of depth pictures: 8, 16, else 32 (`depthbit` of sensor set files).
        cloud_stamp: whether the stamp of a cloud is that of its last packet or of its first.
    """

    form: RosForm
    mount: Mount
    frame: str
    origin: tuple[float, float]
    jpeg: Callable[[CameraReading], bytes]
    depth_bits: int = 0
    cloud_stamp: CloudStamp = "last"

    def message(self, kind: str, time: int, /, **fields: Any) -> Any:
        """A message of a type of the registry with a header of a moment of simulated time [ns]."""
        registry = self.form.registry
        header = registry.make("std_msgs/Header", stamp=registry.time(self.form.epoch + time), frame_id=self.frame)
        return registry.make(kind, header=header, **fields)


def picture(reading: CameraReading, sensor: PublishedSensor) -> Any:
    """sensor_msgs/CompressedImage: the JPEG that UDP packets have, too."""
    data = np.frombuffer(sensor.jpeg(reading), np.uint8)
    return sensor.message("sensor_msgs/CompressedImage", reading.time, format="jpeg", data=data)


def depth_picture(reading: CameraReading, sensor: PublishedSensor) -> Any:
    """sensor_msgs/Image of the depth along the optical axis, by REP-118; None of a camera that sees no depth.

    32FC1 in metres, inf beyond the farthest; 16UC1 in millimetres, 0 for nothing; mono8 evenly from 0 at the nearest to
    255 at the farthest and beyond.
    """
    if reading.depth is None:
        return None
    settings = sensor.mount.settings
    assert isinstance(settings, CameraSettings)
    depth = np.where(reading.depth <= settings.far, reading.depth, np.float32(np.inf))
    pixels: NDArray[Any]
    if sensor.depth_bits == 16:
        millimetres = np.rint(1000.0 * depth)
        encoding, pixels = "16UC1", np.where(millimetres <= 65_535.0, millimetres, 0.0).astype("<u2")
    elif sensor.depth_bits == 8:
        share = (np.minimum(depth, settings.far) - settings.near) / (settings.far - settings.near)
        encoding, pixels = "mono8", np.rint(255.0 * np.clip(share, 0.0, 1.0)).astype(np.uint8)
    else:
        encoding, pixels = "32FC1", depth.astype("<f4")
    height, width = pixels.shape
    return sensor.message(
        "sensor_msgs/Image",
        reading.time,
        height=height,
        width=width,
        encoding=encoding,
        step=width * pixels.itemsize,
        data=_bytes(pixels),
    )


def camera_info(reading: CameraReading, sensor: PublishedSensor) -> Any:
    """sensor_msgs/CameraInfo beside a picture; pixel (0, 0) is the middle of the first one, as OpenCV counts."""
    from dorosim.sensor.camera.mounted import camera_setting

    settings = sensor.mount.settings
    assert isinstance(settings, CameraSettings)
    fx, fy, cx, cy = camera_setting(settings).intrinsics
    cx, cy = cx - PIXEL_CENTRE, cy - PIXEL_CENTRE
    k1, k2, k3 = settings.distortion
    return sensor.message(
        "sensor_msgs/CameraInfo",
        reading.time,
        height=settings.height,
        width=settings.width,
        distortion_model="plumb_bob",
        D=np.array((k1, k2, *settings.tangential, k3)),
        K=np.array((fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0)),
        R=np.eye(3).ravel(),
        P=np.array((fx, 0.0, cx, 0.0, 0.0, fy, cy, 0.0, 0.0, 0.0, 1.0, 0.0)),
    )


def scan(reading: PlanarReading, sensor: PublishedSensor) -> Any:
    """sensor_msgs/LaserScan of 360 rays, the first of them forward, then to the left; inf where nothing comes back."""
    from dorosim.sensor.lidar.planar import MAX_LIDAR_2D_RANGE, MIN_LIDAR_2D_RANGE, RAYS

    settings = sensor.mount.settings
    assert isinstance(settings, Lidar2dSettings)
    farthest = min(settings.range, MAX_LIDAR_2D_RANGE)
    back = reading.distance_mm < round(1000.0 * farthest)
    step = math.tau / RAYS
    return sensor.message(
        "sensor_msgs/LaserScan",
        reading.time,
        angle_min=0.0,
        angle_max=math.tau - step,
        angle_increment=step,
        scan_time=sensor.mount.period * 1e-9,
        range_min=MIN_LIDAR_2D_RANGE,
        range_max=farthest,
        ranges=np.where(back, 1e-3 * reading.distance_mm, np.inf).astype(np.float32),
        intensities=reading.intensity.astype(np.float32),
    )


def cloud(turn: LidarReading, sensor: PublishedSensor) -> Any:
    """sensor_msgs/PointCloud2 of a turn, as the public Velodyne driver lays it out.

    Times of points are relative to the stamp. That is the time of the last packet's first firing, as the driver has it,
    or of the first one's (its `timestamp_first_packet`).
    """
    from dorosim.bridge.ros.cloud import cloud_of

    stamp = int(turn.start[0 if sensor.cloud_stamp == "first" else -1])
    points = cloud_of(turn, stamp)
    step = points.dtype.itemsize
    return sensor.message(
        "sensor_msgs/PointCloud2",
        stamp,
        height=1,
        width=len(points),
        fields=[
            sensor.form.registry.make("sensor_msgs/PointField", name=name, offset=offset, datatype=kind, count=1)
            for name, offset, kind in CLOUD_FIELDS
        ],
        point_step=step,
        row_step=step * len(points),
        data=_bytes(points),
        is_dense=True,
    )


def fix(reading: GpsReading, sensor: PublishedSensor) -> Any:
    """morai_msgs/GPSMessage: degrees, and the origin of the map; without reception all but that is 0."""
    east, north = sensor.origin
    return sensor.message(
        "morai_msgs/GPSMessage",
        reading.time,
        latitude=math.degrees(reading.latitude),
        longitude=math.degrees(reading.longitude),
        altitude=reading.altitude,
        eastOffset=east,
        northOffset=north,
        status=NO_FIX if reading.denied else HAS_FIX,
    )


def inertia(reading: ImuReading, sensor: PublishedSensor) -> Any:
    """sensor_msgs/Imu: orientation in the map (ENU), rates, and specific force (+9.81 upwards at rest).

    Variances are those of white noise and of the bias that comes and goes; the orientation has no error, which zeros
    say, as they do of rates and forces without noise.
    """
    settings = sensor.mount.settings
    assert isinstance(settings, ImuSettings)
    make = sensor.form.registry.make
    w, x, y, z = reading.orientation
    force, rate = _covariances(settings, sensor.mount.period)
    return sensor.message(
        "sensor_msgs/Imu",
        reading.time,
        orientation=make("geometry_msgs/Quaternion", x=x, y=y, z=z, w=w),
        orientation_covariance=np.zeros(9),
        angular_velocity=_vector(make, "geometry_msgs/Vector3", reading.angular_velocity),
        angular_velocity_covariance=rate,
        linear_acceleration=_vector(make, "geometry_msgs/Vector3", reading.acceleration),
        linear_acceleration_covariance=force,
    )


def detections(reading: RadarReading, sensor: PublishedSensor) -> Any:
    """morai_msgs/RadarDetections: azimuth in degrees, left positive; the amplitude is the cross-section [dBsm]."""
    make = sensor.form.registry.make
    rows = zip(
        reading.point.tolist(),
        np.degrees(reading.azimuth).tolist(),
        reading.range_rate.tolist(),
        reading.cross_section.tolist(),
        strict=True,
    )
    found = [
        make(
            "morai_msgs/RadarDetection",
            detection_id=number & 0xFFFF,
            position=_vector(make, "geometry_msgs/Point", point),
            azimuth=azimuth,
            rangerate=rate,
            amplitude=section,
        )
        for number, (point, azimuth, rate, section) in enumerate(rows)
    ]
    return sensor.message("morai_msgs/RadarDetections", reading.time, detections=found)


def radar_points(reading: RadarReading, sensor: PublishedSensor) -> Any:
    """sensor_msgs/PointCloud of detections, for RViz, with their range rates [m/s] and cross-sections [dBsm]."""
    make = sensor.form.registry.make
    channels = (("rangerate", reading.range_rate), ("rcs", reading.cross_section))
    return sensor.message(
        "sensor_msgs/PointCloud",
        reading.time,
        points=[_vector(make, "geometry_msgs/Point32", point) for point in reading.point.tolist()],
        channels=[
            make("sensor_msgs/ChannelFloat32", name=name, values=values.astype(np.float32)) for name, values in channels
        ],
    )


def due_of(key: str, reading: Reading) -> int | None:
    """Returns when a real sensor would send a reading [ns]: a turn of a lidar with its last packet; None: at once."""
    return int(getattr(reading, "due")[-1]) if key == "lidar_3d" else None  # noqa: B009 -- lidars load late


@lru_cache(maxsize=64)
def _covariances(settings: ImuSettings, period: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Row-major covariances of accelerations and of rates, read-only."""
    from dorosim.sensor.imu import white_deviation

    white = white_deviation(settings, period)
    slow = np.array((*settings.acceleration_bias, *settings.rate_bias))
    variance = white**2 + slow**2
    force, rate = np.diag(variance[:3]).ravel(), np.diag(variance[3:]).ravel()
    force.flags.writeable = rate.flags.writeable = False
    return force, rate


def _vector(make: Callable[..., Any], kind: str, xyz: Any) -> Any:
    x, y, z = (float(value) for value in xyz)
    return make(kind, x=x, y=y, z=z)


def _bytes(values: NDArray[Any]) -> Bytes:
    return np.ascontiguousarray(values).reshape(-1).view(np.uint8)
