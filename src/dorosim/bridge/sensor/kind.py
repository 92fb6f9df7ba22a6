"""What becomes of the readings of each kind of sensor: UDP packets, ROS topics, and what the live page shows.

A kind that is not sent by UDP or has no topic keeps the default of its descriptor, and sends nothing there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dorosim.bridge.ros import sensor_message as ros
from dorosim.bridge.sensor import drawing, packet
from dorosim.world.mount.setting import SensorKind

if TYPE_CHECKING:
    from dorosim.sensor.lidar.reading import LidarReading
    from dorosim.sensor.pose import Pose
    from dorosim.sensor.reading import Reading

COMPRESSED = "/compressed"
CAMERA_INFO, DEPTH = "camera_info", "depth"
IMU, IMU_LOWER = "imu", "imu_lower"
"""Keys of both topics of an IMU that has no name: the sensor page has `/Imu`, the product's own sensor sets `/imu`."""


@dataclass(frozen=True, slots=True)
class SensorTopic:
    """A ROS topic of a kind of sensor (facts/ros-grpc-mgeo.md, 1.3 "Sensor topics").

    Attributes:
        key: in the settings: `[ros.topic.KEY]`.
        topic: default name. type: of its messages.
        frame: what its frame id begins with, before the sensor's number.
        message: makes the message of a reading, of a spinning lidar of a whole turn; None for none.
        on: whether it is published unless settings say otherwise.
    """

    key: str
    topic: str
    type: str
    frame: str
    message: Callable[[Any, ros.PublishedSensor], Any]
    on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorOutput:
    """What becomes of the readings of a kind of sensor.

    Attributes:
        name: on the live page.
        packets: makes the UDP packets of a reading, in order.
        port: to which they go if no address is given; None where there are none. The ports are those of the product's
            sensor viewer, and of its 2D lidar example (facts/udp-wire.md, section 6).
        topics: of ROS; the first one is that which settings name.
        text: the values of a reading in a few words.
        shapes: what is drawn of a reading, by map_from_sensor.
    """

    name: str
    packets: Callable[[packet.Packer, Any], Iterable[packet.Packet]] = packet.no_packets
    port: int | None = None
    topics: tuple[SensorTopic, ...] = ()
    text: Callable[[Any], str] = drawing.no_text
    shapes: Callable[[Any, Pose], drawing.Shapes] = drawing.no_shapes


def _lidar_packets(packer: packet.Packer, reading: LidarReading) -> Iterable[packet.Packet]:
    """Data and position packets. A run without lidars does not load the tables of their makers."""
    from dorosim.bridge.sensor.lidar_packet import lidar_packets

    return lidar_packets(packer, reading)


OUTPUTS: dict[SensorKind, SensorOutput] = {
    SensorKind.CAMERA: SensorOutput(
        name="camera",
        packets=packet.camera_packets,
        port=1232,
        topics=(
            SensorTopic("camera", f"/image_jpeg{COMPRESSED}", "sensor_msgs/CompressedImage", "Camera", ros.picture),
            SensorTopic(DEPTH, "/image", "sensor_msgs/Image", "Camera", ros.depth_picture),
            SensorTopic(CAMERA_INFO, f"/{CAMERA_INFO}", "sensor_msgs/CameraInfo", "Camera", ros.camera_info),
        ),
        text=drawing.camera_text,
    ),
    SensorKind.LIDAR_3D: SensorOutput(
        name="lidar",
        packets=_lidar_packets,
        port=2368,
        topics=(SensorTopic("lidar_3d", "/lidar3D", "sensor_msgs/PointCloud2", "Lidar3D", ros.cloud),),
    ),
    SensorKind.LIDAR_2D: SensorOutput(
        name="2D lidar",
        packets=packet.lidar_2d_packets,
        port=1111,
        topics=(SensorTopic("lidar_2d", "/lidar2D", "sensor_msgs/LaserScan", "Lidar2D", ros.scan),),
    ),
    SensorKind.GPS: SensorOutput(
        name="GPS",
        packets=packet.gps_packets,
        port=1234,
        topics=(SensorTopic("gps", "/gps", "morai_msgs/GPSMessage", "GPS", ros.fix),),
        text=drawing.gps_text,
    ),
    SensorKind.IMU: SensorOutput(
        name="IMU",
        packets=packet.imu_packets,
        port=1236,
        topics=(
            SensorTopic(IMU, "/Imu", "sensor_msgs/Imu", "IMU", ros.inertia),
            SensorTopic(IMU_LOWER, "/imu", "sensor_msgs/Imu", "IMU", ros.inertia),
        ),
        text=drawing.imu_text,
    ),
    SensorKind.RADAR: SensorOutput(
        name="radar",
        topics=(
            SensorTopic("radar", "/radar", "morai_msgs/RadarDetections", "Radar", ros.detections),
            SensorTopic("radar_points", "/radar_pcd", "sensor_msgs/PointCloud", "Radar", ros.radar_points, on=False),
        ),
        text=lambda reading: f"{len(reading.distance)} detections",
        shapes=drawing.radar_shapes,
    ),
    SensorKind.ULTRASONIC: SensorOutput(
        name="ultrasonic", text=drawing.ultrasonic_text, shapes=drawing.ultrasonic_shapes
    ),
    SensorKind.GROUND_TRUTH: SensorOutput(
        name="ground truth", text=lambda reading: f"{len(reading.actor)} objects", shapes=drawing.truth_shapes
    ),
}


def packets_of(packer: packet.Packer, reading: Reading) -> Iterable[packet.Packet]:
    """The UDP packets of a reading, in order; none where UDP has no form for it."""
    return OUTPUTS[reading.KIND].packets(packer, reading)
