"""Sensors of a run as ROS topics: who is told, of what, when, and under which names."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from dorosim.bridge.ros.sensor import SENSORS
from dorosim.bridge.ros.topic import RosForm
from dorosim.bridge.sensor.packet import Packer
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.ros.hub import Hub
from dorosim.endpoint.ros.sensor import RosSensorForm, SensorTap
from dorosim.endpoint.sensor.station import SensorStation
from dorosim.ground.noise import Noise
from dorosim.scenario.sensor_set.read import SensorLink
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from dorosim.wire.ros.registry import registry_of
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.mount.command import AddSensor, MoveSensor, RemoveAllSensors, RemoveSensor, SetSensor
from dorosim.world.mount.setting import (
    CameraImage,
    CameraSettings,
    GpsSettings,
    ImuSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    RadarSettings,
)
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.endpoint.ros.ear import Ear
from tests.sensor.scene.build import NO_LIGHTS, box
from tests.world.world import CAR, street

SCENE = street(10.0)
EPOCH = 1_700_000_000 * 10**9
MIDDLE, HALF = np.array((50.0, 3.0, 10.0)), np.array((35.0, 25.0, 10.0))
"""Of the room that the vehicle stands in."""
VEHICLE = (50.0, 0.0, 0.0)
HEADING = 0.4


class Run:
    """A run with a hub beside it."""

    def __init__(self, ear: Ear, pace: float | None = None, links=None, on=()) -> None:
        self.lines: list[str] = []
        self.told: list[str] = []
        self.journal = Journal(self.lines.append)
        stage = lambda: SensorScene.from_scene(SCENE, StaticWorld(box(HALF, MIDDLE.tolist()), NO_LIGHTS))  # noqa: E731
        packer = Packer(DEFAULT_REVISION, EPOCH)
        self.station = SensorStation(
            Rig(SCENE, Noise(1), stage), packer, dict.fromkeys(range(1, 20)), self.journal, PacedClock(pace)
        )
        registry = registry_of("2024")
        self.hub = Hub(registry, (), (), (), lambda kind, text: self.told.append(f"{kind}: {text}"))
        self.hub.join(ear)
        rows = {row.key: row for row in SENSORS}
        for key in on:
            rows[key] = type(rows[key])(
                **{name: getattr(rows[key], name) for name in rows[key].__slots__} | {"on": True}
            )
        self.tap = SensorTap(self.hub, rows)
        self.form = RosSensorForm(
            form=RosForm(registry=registry, epoch=EPOCH), origin=(1.0, 2.0), links=lambda: links or {}
        )
        self.tap.begin(self.form)
        self.station.listen(self.tap)
        self.now = first_snapshot(SCENE, [(CAR, VEHICLE, HEADING)])
        self.station(self.now, ())

    def turn(self, *commands, ticks: int = 1) -> None:
        for _ in range(ticks):
            self.now = step(SCENE, self.now, commands, Noise(1))
            assert not self.now.refusals
            self.station(self.now, commands)
            self.tap.keep(self.now)
            commands = ()


ALL = (
    AddSensor(EGO, settings=CameraSettings(width=64, height=48), sensor=1, period=50_000_000, position=(1.5, 0.0, 1.5)),
    AddSensor(EGO, settings=Lidar3dSettings(ideal=True), sensor=2, period=10**8, position=(1.0, 0.2, 4.0)),
    AddSensor(EGO, settings=GpsSettings(), sensor=3, period=50_000_000),
    AddSensor(EGO, settings=ImuSettings(), sensor=4, period=20_000_000),
    AddSensor(EGO, settings=Lidar2dSettings(range=60.0), sensor=5, period=10**8, position=(0.0, 0.0, 4.0)),
    AddSensor(EGO, settings=RadarSettings(), sensor=6, period=10**8, position=(3.0, 0.0, 0.5)),
    AddSensor(EGO, settings=CameraSettings(width=64, height=48, image=CameraImage.DEPTH), sensor=7, period=10**8),
)
USUAL = {
    "/image_jpeg/compressed": ("sensor_msgs/CompressedImage", "Camera-1"),
    "/camera_info": ("sensor_msgs/CameraInfo", "Camera-1"),
    "/lidar3D": ("sensor_msgs/PointCloud2", "Lidar3D-2"),
    "/gps": ("morai_msgs/GPSMessage", "GPS-3"),
    "/Imu": ("sensor_msgs/Imu", "IMU-4"),
    "/imu": ("sensor_msgs/Imu", "IMU-4"),
    "/lidar2D": ("sensor_msgs/LaserScan", "Lidar2D-5"),
    "/radar": ("morai_msgs/RadarDetections", "Radar-6"),
    "/image": ("sensor_msgs/Image", "Camera-7"),
    "/camera_info_7": ("sensor_msgs/CameraInfo", "Camera-7"),
}


def test_every_sensor_has_the_topic_of_its_kind_and_tells_what_it_reads():
    ear = Ear()
    run = Run(ear)
    run.turn(*ALL, ticks=21)
    run.station.close()
    assert {name: (row.type, row.frame) for name, row in run.hub.published.items() if name != "/tf_static"} == USUAL
    assert {post.topic for post in ear.posts} == {*USUAL, "/tf_static"}
    assert [len(ear.of(name)) for name in ("/Imu", "/gps", "/image_jpeg/compressed", "/lidar3D")] == [10, 4, 4, 2]
    assert [bytes(post.ros1) for post in ear.posts if post.topic == "/imu"] == [
        bytes(post.ros1) for post in ear.posts if post.topic == "/Imu"
    ]
    for post in ear.posts:
        if post.topic != "/tf_static":
            assert (post.type, post.message.header.frame_id) == USUAL[post.topic]
        assert run.hub.registry.decode(post.type, bytes(post.ros1)).__msgtype__ == post.message.__msgtype__
    stamps = [one.header.stamp.nanosec for one in ear.of("/Imu")]
    assert stamps == [20_000_000 * (k + 1) for k in range(10)]
    assert not run.told
    assert not run.journal.counts


def test_nothing_is_made_that_nobody_listens_to(monkeypatch):
    made: list[str] = []
    import dorosim.endpoint.ros.sensor as tap

    monkeypatch.setattr(tap, "MESSAGES", {key: lambda *_, key=key: made.append(key) for key in tap.MESSAGES})
    monkeypatch.setattr(tap.CloudTurns, "take", lambda *_: made.append("turn") or [])
    ear = Ear({"/gps"})
    run = Run(ear)
    run.turn(*ALL, ticks=20)
    run.station.close()
    assert set(made) == {"gps"}


def test_a_listener_who_comes_late_gets_whole_turns():
    ear = Ear(set())
    run = Run(ear)
    run.turn(ALL[1], ticks=15)
    ear.topics.add("/lidar3D")
    run.turn(ticks=20)
    run.station.close()
    first, *more = ear.of("/lidar3D")
    assert not more
    assert first.width > 28_000
    late = np.frombuffer(first.data, np.dtype([("rest", "V18"), ("time", "<f4")]))["time"]
    assert late.max() - late.min() > 0.098


def test_topics_come_and_go_with_sensors_and_names_stay_unique():
    ear = Ear(set())
    run = Run(ear, links={8: SensorLink(topic="front/gps", frame="/antenna"), 9: SensorLink(topic="/gps")})
    gps = [AddSensor(EGO, settings=GpsSettings(), sensor=number) for number in (3, 5, 8, 9)]
    run.turn(gps[0], gps[1])
    assert set(run.hub.published) == {"/gps", "/gps_5", "/tf_static"}
    run.turn(RemoveSensor(3))
    assert set(run.hub.published) == {"/gps_5", "/tf_static"}, "who stays keeps its name"
    run.turn(gps[2], gps[3])
    assert set(run.hub.published) == {"/gps_5", "/front/gps", "/gps", "/tf_static"}
    assert run.hub.published["/front/gps"].frame == "antenna"
    before = ear.changes
    run.turn(ticks=5)
    run.turn(SetSensor(9, captured=False))
    assert ear.changes == before
    run.turn(RemoveAllSensors(0))
    assert not run.hub.published
    assert run.hub.last("/tf_static") is None
    assert ear.changes == before + 1
    run.station.close()


def test_wishes_that_cannot_be_granted_are_told_of():
    links = {3: SensorLink(topic="no name!"), 4: SensorLink(topic="/gps"), 5: SensorLink(on=False)}
    run = Run(Ear(set()), links=links)
    run.turn(
        *(
            AddSensor(EGO, settings=kind(), sensor=n)
            for n, kind in ((3, GpsSettings), (4, ImuSettings), (5, RadarSettings))
        )
    )
    run.station.close()
    assert {name: row.type for name, row in run.hub.published.items()} == {
        "/gps": "sensor_msgs/Imu",
        "/gps_3": "morai_msgs/GPSMessage",
        "/tf_static": "tf2_msgs/TFMessage",
    }
    assert len(run.told) == 1
    assert "'no name!' is not a valid name of a topic" in run.told[0]


def test_cameras_have_camera_info_beside_their_pictures_and_radar_points_are_there_if_asked():
    links = {1: SensorLink(topic="/left/image_raw"), 7: SensorLink(topic="/depth/image/compressed")}
    run = Run(Ear(set()), links=links, on=("radar_points",))
    run.turn(ALL[0], ALL[5], ALL[6])
    run.station.close()
    assert {name: row.key for name, row in run.hub.published.items()} == {
        "/left/image_raw/compressed": "camera",
        "/left/camera_info": "camera_info",
        "/depth/image": "depth",
        "/depth/camera_info": "camera_info",
        "/radar": "radar",
        "/radar_pcd": "radar_points",
        "/tf_static": "tf_static",
    }


@pytest.mark.parametrize(
    ("links", "topics"),
    [
        ({}, {"/Imu", "/imu", "/Imu_8", "/imu_8"}),
        ({4: SensorLink(topic="/imu")}, {"/imu", "/Imu", "/imu_8"}),
        ({4: SensorLink(topic="imu/data"), 8: SensorLink(topic="/Imu")}, {"/imu/data", "/Imu"}),
        ({4: SensorLink(on=False), 8: SensorLink(topic="/dorosim/imu")}, {"/dorosim/imu"}),
    ],
)
def test_an_imu_that_nobody_has_named_has_the_name_of_the_page_and_that_of_sensor_sets(links, topics):
    run = Run(Ear(set()), links=links)
    run.turn(AddSensor(EGO, settings=ImuSettings(), sensor=4), AddSensor(EGO, settings=ImuSettings(), sensor=8))
    run.station.close()
    assert set(run.hub.published) - {"/tf_static"} == topics
    assert not run.told


def test_the_next_run_keeps_topics_until_it_is_known_which_sensors_it_has():
    run = Run(Ear(set()))
    run.turn(*ALL[:3])
    run.station.close()
    before = dict(run.hub.published)
    run.tap.begin(run.form)
    assert run.hub.published == before
    now = first_snapshot(SCENE, [(CAR, VEHICLE, 0.0)])
    run.tap.keep(step(SCENE, now, ALL[2:3], Noise(1)))
    assert set(run.hub.published) == {"/gps", "/tf_static"}


def test_with_the_clock_messages_have_the_order_and_content_that_they_have_as_fast_as_possible():
    def bytes_of(pace):
        ear = Ear()
        run = Run(ear, pace)
        begin = time.monotonic()
        run.station.prepare(run.now, SCENE, ALL)
        commands = ALL
        for tick in range(42):
            run.turn(*commands)
            commands = ()
            if pace:
                time.sleep(max(begin + (tick + 1) * 0.01 / pace - time.monotonic(), 0.0))
        run.station.close()
        assert not run.told
        return [(post.topic, bytes(post.ros1)) for post in ear.posts if post.topic != "/tf_static"]

    fast, slow = bytes_of(None), bytes_of(0.7)
    assert len(fast) > 60
    assert [topic for topic, _ in fast] == [topic for topic, _ in slow]
    assert fast == slow


def test_a_cloud_leaves_when_its_last_packet_does():
    ear = Ear({"/lidar3D"})
    times: list[float] = []
    ear.send = lambda _: times.append(time.monotonic())
    run = Run(ear, 0.5)
    run.station.prepare(run.now, SCENE, ALL[1:2])
    run.turn(ALL[1])
    begin = time.monotonic()
    for tick in range(32):
        run.turn()
        time.sleep(max(begin + (tick + 1) * 0.02 - time.monotonic(), 0.0))
    run.station.close()
    assert len(times) == 3
    early = [begin + 0.2 * number - at for number, at in enumerate(times, 1)]
    assert max(early) < 0.05, "a turn takes 0.2 s at half the pace, and may come late on a busy machine"


def matrix(transform) -> np.ndarray:
    """(4, 4) of a geometry_msgs/Transform, as tf2 makes it of the quaternion."""
    q, t = transform.rotation, transform.translation
    x, y, z, w = q.x, q.y, q.z, q.w
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), t.x],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), t.y],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), t.z],
            [0, 0, 0, 1],
        ]
    )


def off_wall(points: np.ndarray, frame: str, run: Run, frames) -> np.ndarray:
    """How far points of a frame are from the room's walls, by /tf_static and the vehicle's place [m]."""
    (found,) = [one for one in frames.transforms if one.child_frame_id == frame]
    assert found.header.frame_id == "base_link"
    c, s = math.cos(HEADING), math.sin(HEADING)
    body = np.array([(c, -s, 0.0, VEHICLE[0]), (s, c, 0.0, VEHICLE[1]), (0.0, 0.0, 1.0, VEHICLE[2]), (0, 0, 0, 1)])
    vehicle = run.now.vehicle
    body[:3, 3] = float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.z[0])
    place = (body @ matrix(found.transform) @ np.column_stack((points, np.ones(len(points)))).T).T[:, :3]
    return np.abs(HALF - np.abs(place - MIDDLE)).min(axis=1)


def test_walls_are_where_they_are_by_the_frames_of_tf_static():
    ear = Ear()
    run = Run(ear)
    tilt = (0.02, -0.03, 0.5)
    depth = CameraSettings(width=64, height=48, image=CameraImage.DEPTH)
    run.turn(
        AddSensor(
            EGO, settings=Lidar3dSettings(ideal=True), sensor=2, position=(1.0, 0.2, 4.0), rotation=tilt, period=10**8
        ),
        AddSensor(EGO, settings=depth, sensor=7, position=(1.5, 0.3, 6.0), rotation=tilt, period=10**8),
        ticks=11,
    )
    run.station.close()
    (frames,) = ear.of("/tf_static")
    message = ear.of("/lidar3D")[0]
    points = np.frombuffer(message.data, np.dtype([("p", "<f4", 3), ("rest", "V10")]))["p"]
    assert len(points) > 28_000
    assert off_wall(points, "Lidar3D-2", run, frames).max() < 0.02

    image, info = ear.of("/image")[0], ear.of("/camera_info")[0]
    far = np.frombuffer(image.data, "<f4").reshape(48, 64)
    column, row = np.meshgrid(np.arange(64), np.arange(48))
    rays = np.linalg.inv(info.K.reshape(3, 3)) @ np.stack((column.ravel(), row.ravel(), np.ones(far.size)))
    points = (rays * far.ravel()).T
    assert np.isfinite(points).all()
    assert off_wall(points, "Camera-7", run, frames).max() < 0.02


def test_frames_follow_sensors_that_are_moved():
    ear = Ear({"/tf_static"})
    run = Run(ear)
    run.turn(ALL[2], ticks=3)
    run.turn(MoveSensor(3, position=(0.5, 0.0, 1.6)))
    run.station.close()
    first, second = ear.of("/tf_static")
    assert (first.transforms[0].transform.translation.z, second.transforms[0].transform.translation.z) == (0.0, 1.6)
    assert run.hub.last("/tf_static").message is second
