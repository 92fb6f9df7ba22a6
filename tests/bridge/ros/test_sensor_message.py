"""Messages of sensors tell what their UDP packets tell."""

from __future__ import annotations

import math

import numpy as np
import pytest
import simplejpeg

from dorosim.bridge.ros.sensor_message import (
    camera_info,
    depth_picture,
    detections,
    fix,
    inertia,
    picture,
    radar_points,
    scan,
)
from dorosim.bridge.sensor.kind import packets_of
from dorosim.bridge.sensor.packet import Packer, SensorForm
from dorosim.ground.noise import Noise
from dorosim.sensor.camera.lens import Lens
from dorosim.sensor.camera.mounted import camera_setting
from dorosim.sensor.lidar.planar import PlanarLidar, PlanarSetting
from dorosim.sensor.reading import CameraReading, GpsReading, ImuReading, RadarReading
from dorosim.wire.device.camera import ImageAssembler, decode_image_chunk
from dorosim.wire.device.imu import ImuData
from dorosim.wire.device.lidar_2d import decode_lidar_2d
from dorosim.wire.device.nmea import Gga, decode_sentence
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.mount.setting import (
    CameraImage,
    CameraSettings,
    GpsSettings,
    ImuSettings,
    Lidar2dSettings,
    RadarSettings,
)
from tests.bridge.ros.sensor_stage import EPOCH, ORIGIN, mount_of, told_of
from tests.sensor.camera.shot import camera, shoot, view_of
from tests.sensor.lidar.place import POSITION, room, turned
from tests.sensor.scene.build import box, plane, pose

TIME = 1_230_000_000
WALL = 12.5
"""How far the wall is that pictures show."""


def stamp_of(message) -> int:
    return message.header.stamp.sec * 10**9 + message.header.stamp.nanosec


def survives(message, told) -> None:
    """A message goes through the bytes of ROS 1 without a loss."""
    registry, name = told.form.registry, message.__msgtype__.replace("/msg/", "/")
    data = bytes(registry.encode(message))
    assert bytes(registry.encode(registry.decode(name, data))) == data


def seen() -> CameraReading:
    picture = shoot(view_of(plane(), [box((0.5, 50.0, 50.0))], [pose(WALL + 0.5, 0, 0)]), lens=camera(64, 48))
    return CameraReading(sensor=1, time=TIME, image=picture.rgb, depth=picture.depth)


def test_a_compressed_image_is_the_picture_of_the_packets():
    reading, told = seen(), told_of(CameraSettings(width=64, height=48), frame="Camera-1")
    message = picture(reading, told)
    assembler = ImageAssembler()
    for packet in packets_of(Packer(DEFAULT_REVISION, EPOCH), reading):
        jpeg = assembler.add(decode_image_chunk(packet.data))
    assert message.data.tobytes() == jpeg
    assert simplejpeg.decode_jpeg(message.data.tobytes()).shape == (48, 64, 3)
    assert (message.format, message.header.frame_id, stamp_of(message)) == ("jpeg", "Camera-1", EPOCH + TIME)
    survives(message, told)


@pytest.mark.parametrize(
    ("bits", "encoding", "kind", "near", "nothing"),
    [(0, "32FC1", "<f4", WALL, np.inf), (16, "16UC1", "<u2", 1000 * WALL, 0), (8, "mono8", "u1", 255 * WALL / 50, 255)],
)
def test_a_depth_picture_tells_how_far_the_wall_is(bits, encoding, kind, near, nothing):
    settings = CameraSettings(width=64, height=48, image=CameraImage.DEPTH, near=0.001, far=50.0)
    told = told_of(settings, depth_bits=bits)
    reading = seen()
    reading.depth[0, 0] = 60.0
    message = depth_picture(reading, told)
    pixels = np.frombuffer(message.data, kind).reshape(message.height, message.width)
    assert (message.encoding, message.step, message.is_bigendian) == (encoding, 64 * np.dtype(kind).itemsize, 0)
    assert pixels[20, 32] == pytest.approx(near, abs=1.0 if bits else 1e-3)
    assert pixels[0, 0] == nothing
    survives(message, told)


@pytest.mark.parametrize("distorted", [False, True])
def test_camera_info_draws_points_where_the_camera_does(distorted):
    """By the formula of sensor_msgs/CameraInfo, in pixels that count from the middle of the first."""
    more = {"distortion": (-0.3, 0.1, -0.01), "tangential": (0.002, -0.001)} if distorted else {}
    settings = CameraSettings(width=800, height=600, fov=math.radians(70.0), **more)
    told = told_of(settings)
    message = camera_info(seen(), told)
    assert (message.width, message.height, message.distortion_model) == (800, 600, "plumb_bob")
    assert message.K[2] == pytest.approx(399.5)
    points = np.array([(0.3, -0.2, 2.0), (-1.0, 0.5, 3.0), (0.0, 0.0, 1.0)])
    x, y = points[:, 0] / points[:, 2], points[:, 1] / points[:, 2]
    k1, k2, p1, p2, k3 = message.D
    r = x**2 + y**2
    radial = 1 + k1 * r + k2 * r**2 + k3 * r**3
    flat = np.stack(
        (x * radial + 2 * p1 * x * y + p2 * (r + 2 * x**2), y * radial + p1 * (r + 2 * y**2) + 2 * p2 * x * y)
    )
    drawn = message.K.reshape(3, 3) @ np.vstack((flat, np.ones(3)))
    wanted = Lens.of(camera_setting(settings)).pixel_from_point(points) - 0.5
    assert np.abs(drawn[:2].T - wanted).max() < 1e-9
    assert (message.P.reshape(3, 4)[:, :3] == message.K.reshape(3, 3)).all()
    survives(message, told)


def test_a_laser_scan_tells_what_the_packet_tells():
    scene, view = room()
    assert scene
    setting = PlanarSetting(farthest=33.0, noise=0.0)
    reading = PlanarLidar(1, setting, Noise(1)).read(view, POSITION, turned(0.0), TIME)
    told = told_of(Lidar2dSettings(range=33.0), frame="Lidar2D-1")
    message = scan(reading, told)
    (packet,) = packets_of(Packer(DEFAULT_REVISION, EPOCH), reading)
    sent = decode_lidar_2d(bytes(packet.data))
    back = sent.distance_mm < 33_000
    assert 100 < back.sum() < 360
    assert message.ranges[back] == pytest.approx(1e-3 * sent.distance_mm[back], abs=1e-5)
    assert np.isinf(message.ranges[~back]).all()
    assert (message.intensities == sent.intensity).all()
    angle = message.angle_min + message.angle_increment * np.arange(360)
    assert angle[-1] == pytest.approx(message.angle_max)
    assert message.ranges[90] == pytest.approx(30.0 - POSITION[1], abs=2e-3), "the wall on the left"
    assert (message.range_max, message.scan_time) == (33.0, 0.1)
    survives(message, told)


@pytest.mark.parametrize("denied", [False, True])
def test_a_gps_message_tells_what_the_sentences_tell(denied):
    place = (
        {} if denied else {"latitude": math.radians(37.2393), "longitude": math.radians(126.7731), "altitude": 31.25}
    )
    reading = GpsReading(sensor=3, time=TIME, denied=denied, **place)
    told = told_of(GpsSettings(), frame="GPS-3")
    message = fix(reading, told)
    packets = packets_of(Packer(DEFAULT_REVISION, EPOCH, SensorForm(nmea="standard")), reading)
    told_by_udp = [decode_sentence(bytes(packet.data)) for packet in packets]
    gga = next(one for one in told_by_udp if isinstance(one, Gga))
    assert message.status == (gga.quality > 0)
    assert (message.eastOffset, message.northOffset) == ORIGIN
    if not denied:
        assert message.latitude == pytest.approx(gga.latitude, abs=1e-5)
        assert message.longitude == pytest.approx(gga.longitude, abs=1e-5)
        assert message.altitude == pytest.approx(gga.altitude, abs=0.1)
    assert stamp_of(message) == EPOCH + TIME
    survives(message, told)


def test_an_imu_message_tells_what_the_packet_tells():
    reading = ImuReading(
        sensor=4,
        time=TIME,
        orientation=(0.5, -0.1, 0.2, math.sqrt(0.7)),
        angular_velocity=np.array((0.1, -0.2, 0.3)),
        acceleration=np.array((1.0, 2.0, 9.0)),
    )
    settings = ImuSettings(acceleration_white=(0.01, 0.02, 0.03), rate_white=(0.001,) * 3, rate_bias=(0.0, 0.0, 0.2))
    told = told_of(settings, mount=mount_of(settings, period=10_000_000), frame="IMU-4")
    message = inertia(reading, told)
    (packet,) = packets_of(Packer(DEFAULT_REVISION, EPOCH), reading)
    sent = codec_of(ImuData, DEFAULT_REVISION, 115).decode(bytes(packet.data))
    turn = message.orientation
    assert (turn.w, turn.x, turn.y, turn.z) == tuple(sent.orientation)
    rate, force = message.angular_velocity, message.linear_acceleration
    assert (rate.x, rate.y, rate.z) == tuple(sent.angular_velocity)
    assert (force.x, force.y, force.z) == tuple(sent.linear_acceleration)
    assert stamp_of(message) == EPOCH + TIME
    assert np.diag(message.linear_acceleration_covariance.reshape(3, 3)) == pytest.approx((0.01, 0.04, 0.09))
    assert message.angular_velocity_covariance == pytest.approx(np.diag((1e-4, 1e-4, 1e-4 + 0.04)).ravel())
    survives(message, told)


def test_radar_messages_tell_detections_to_the_left_in_positive_degrees():
    reading = RadarReading(
        sensor=6,
        time=TIME,
        point=np.array([(30.0, 10.0, 1.0), (50.0, -5.0, 0.0)]),
        distance=np.array((31.6, 50.2)),
        azimuth=np.arctan2((10.0, -5.0), (30.0, 50.0)),
        elevation=np.zeros(2),
        range_rate=np.array((-3.0, 4.0)),
        cross_section=np.array((12.0, -3.0)),
        amplitude=np.array((20.0, 15.0)),
        actor=np.array((5, 0)),
    )
    told = told_of(RadarSettings(), frame="Radar-6")
    message = detections(reading, told)
    first, second = message.detections
    assert (first.position.x, first.position.y, first.position.z) == (30.0, 10.0, 1.0)
    assert first.azimuth == pytest.approx(18.4349, abs=1e-3)
    assert (first.rangerate, second.rangerate, first.amplitude) == (-3.0, 4.0, 12.0)
    assert [one.detection_id for one in message.detections] == [0, 1]
    survives(message, told)
    points = radar_points(reading, told)
    assert [(one.x, one.y, one.z) for one in points.points] == [(30.0, 10.0, 1.0), (50.0, -5.0, 0.0)]
    assert {one.name: one.values.tolist() for one in points.channels} == {"rangerate": [-3.0, 4.0], "rcs": [12.0, -3.0]}
    survives(points, told)
