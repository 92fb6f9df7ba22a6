"""Topics that sensors of each kind have (facts/ros-grpc-mgeo.md, 1.3 "Sensor topics").

Which there are depends on the sensors: see `dorosim.bridge.ros.sensor`. This module loads nothing of them.
"""

from __future__ import annotations

from dorosim.bridge.ros.topic import Published, nothing_to_tell

COMPRESSED = "/compressed"
CAMERA_INFO = "camera_info"
IMU, IMU_LOWER = "imu", "imu_lower"
"""Keys of both topics of an IMU that has no name: the sensor page has `/Imu`, the product's own sensor sets `/imu`."""


def _row(key: str, topic: str, kind: str, frame: str = "", *, on: bool = True, latched: bool = False) -> Published:
    return Published(key, topic, kind, nothing_to_tell, frame=frame, latched=latched, on=on, pushed=True)


SENSORS: tuple[Published, ...] = (
    _row("camera", f"/image_jpeg{COMPRESSED}", "sensor_msgs/CompressedImage", "Camera"),
    _row("depth", "/image", "sensor_msgs/Image", "Camera"),
    _row("camera_info", f"/{CAMERA_INFO}", "sensor_msgs/CameraInfo", "Camera"),
    _row("lidar_3d", "/lidar3D", "sensor_msgs/PointCloud2", "Lidar3D"),
    _row("lidar_2d", "/lidar2D", "sensor_msgs/LaserScan", "Lidar2D"),
    _row("gps", "/gps", "morai_msgs/GPSMessage", "GPS"),
    _row(IMU, "/Imu", "sensor_msgs/Imu", "IMU"),
    _row(IMU_LOWER, "/imu", "sensor_msgs/Imu", "IMU"),
    _row("radar", "/radar", "morai_msgs/RadarDetections", "Radar"),
    _row("radar_points", "/radar_pcd", "sensor_msgs/PointCloud", "Radar", on=False),
    _row("tf_static", "/tf_static", "tf2_msgs/TFMessage", latched=True),
)
"""Topics of a sensor of each kind; `frame` is what its frame id begins with, before its number."""
