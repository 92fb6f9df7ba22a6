"""Sensors of a program's runs as ROS topics, from the settings to who listens."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from dorosim.app.serve.ros.service import RosService
from dorosim.app.serve.ros.topics import ros_offer, sensor_rows
from dorosim.app.serve.sensor.store import plan_sensors, save_sensor_set
from dorosim.app.setting.settings import RosSettings, RosTopicSettings, SensorRow, Settings, UdpSettings
from dorosim.app.store.map import TOWN, read_map_files
from dorosim.bridge.host import StartOrder
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.command import Source
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.app.network import network_file
from tests.app.program import Program, until
from tests.endpoint.ros.ear import Ear
from tests.port import free_port
from tests.shared import shared
from tests.world.world import CAR, street

BRIDGE = "ws://10.0.0.7:9090"
FILE = {
    "GPSList": [
        {
            "m_SensorUniqueID": 3,
            "gc": {"commType": 3, "sensorPeriod": 0.05, "rosConfig": {"Topic": "/front/gps", "frameID": "GPS-3"}},
        }
    ],
    "IMUList": [
        {"m_SensorUniqueID": 4, "ic": {"commType": 1, "sensorPeriod": 0.02, "rosConfig": {"Topic": "/dafault_topic"}}},
        {"m_SensorUniqueID": 5, "ic": {"commType": 3, "rosConfig": {"Topic": "/imu", "RosMessageOnOff": False}}},
    ],
}
WORLD = first_snapshot(street(), [(CAR, (50.0, 0.0, 0.0), 0.0)])


class HeardProgram(Program):
    """A program with ROS and nobody but a listener of the test's."""

    def __init__(self, folder: Path, ros: RosSettings, *rows: SensorRow, network: str | None = None) -> None:
        (folder / "set.json").write_text(json.dumps(FILE))
        settings = Settings(
            sensors=str(folder / "set.json"),
            sensor=rows,
            udp=UdpSettings(network=network or str(network_file(folder, free_port(), free_port()))),
            ros=msgspec.structs.replace(ros, server="127.0.0.1:0"),
        )
        super().__init__(folder, settings)
        self.ear, self.service = Ear(), self.add(RosService)
        self.start()
        until(lambda: self.service._hub is not None and self.service._hub._place is not None)
        self.hub = self.service._hub
        self.hub.join(self.ear)

    def sensor_topics(self) -> set[str]:
        return {name for name, row in self.hub.published.items() if row.pushed}


@pytest.fixture
def program(tmp_path):
    made: list[HeardProgram] = []

    def make(*args, **more) -> HeardProgram:
        made.append(HeardProgram(tmp_path, *args, **more))
        return made[0]

    yield make
    for one in made:
        one.close()


def test_sensors_of_a_file_and_of_rows_have_the_topics_that_are_named(program):
    rows = SensorRow(kind="gps", topic="/rear/gps", frame="antenna"), SensorRow(kind="gps")
    running = program(RosSettings(topic={"imu": RosTopicSettings(name="/imu/data")}), *rows)
    wanted = {"/front/gps", "/rear/gps", "/gps", "/imu/data", "/tf_static"}
    until(lambda: running.sensor_topics() == wanted)
    until(lambda: {post.topic for post in running.ear.posts} >= wanted - {"/tf_static"})
    message = running.ear.of("/rear/gps")[0]
    assert message.header.frame_id == "antenna"
    assert running.ear.of("/front/gps")[0].header.frame_id == "GPS-3"
    assert running.ear.of("/imu/data")[0].header.frame_id == "IMU-4"
    origin = running.service_host.switch.current.loop.scene.map_origin
    assert (message.eastOffset, message.northOffset) == origin[:2]
    frames = running.hub.last("/tf_static").message
    assert {one.child_frame_id for one in frames.transforms} == {"GPS-3", "IMU-4", "antenna", "GPS-7"}


@pytest.mark.parametrize(
    ("key", "change", "place"),
    [
        ("imu", RosTopicSettings(rate_hz=10.0), "ros.topic.imu.rate_hz"),
        ("gps", RosTopicSettings(name="no name"), "ros.topic.gps.name"),
        ("tf_static", RosTopicSettings(frame="x"), "ros.topic.tf_static.frame"),
        ("lidar", RosTopicSettings(on=False), "ros.topic.lidar"),
    ],
)
def test_what_cannot_be_said_of_sensors_is_an_error_with_its_key(key, change, place):
    settings = Settings(ros=RosSettings(topic={key: change}))
    with pytest.raises(InputError) as error:
        _ = ros_offer(settings), sensor_rows(settings)
    assert error.value.place == place


def test_the_next_run_goes_on_with_its_sensors(tmp_path, program):
    elsewhere = tmp_path / "data" / "Map" / "elsewhere"
    elsewhere.mkdir(parents=True)
    for name, content in read_map_files(TOWN).files.items():
        (elsewhere / name).write_bytes(content)
    running = program(RosSettings())
    until(lambda: len(running.ear.of("/Imu")) > 3)
    first = running.service_host.switch.current
    running.service_host.runs.start(StartOrder(map_name="elsewhere"))
    until(lambda: running.service_host.switch.current is not first)
    running.ear.posts.clear()
    until(lambda: len(running.ear.of("/Imu")) > 3)
    stamps = [one.header.stamp.sec * 10**9 + one.header.stamp.nanosec for one in running.ear.of("/Imu")[-3:]]
    assert {b - a for a, b in pairwise(stamps)} == {20_000_000}, "told once"


def test_a_sensor_set_that_a_client_loads_names_topics(tmp_path, program):
    running = program(RosSettings())
    until(lambda: "/front/gps" in running.sensor_topics())
    other = {"m_SensorUniqueID": 8, "gc": {"commType": 3, "rosConfig": {"Topic": "/other"}}}
    (tmp_path / "data" / "Sensor").mkdir()
    (tmp_path / "data" / "Sensor" / "other.json").write_text(json.dumps({"GPSList": [other]}))
    loop = running.service_host.switch.current.loop
    commands, _ = running.service_host.files.sensor_set("other", loop.now)
    for command in commands:
        loop.put(Source.PEER, command)
    until(lambda: running.sensor_topics() == {"/other", "/tf_static"})


def test_sensors_have_no_topics_if_the_settings_say_so(program):
    running = program(RosSettings(sensors=False))
    until(lambda: running.service_host.switch.current.loop.now.time > 500_000_000)
    assert running.sensor_topics() == set()
    assert not [line for line in running.told if "ROS" in line]


def test_a_network_file_names_a_bridge_and_nobody_is_connected_to(tmp_path, program):
    config = {"commType": 3, "pubFrequency": 20.0, "rosConfig": {"RosBridgeServerUrl": BRIDGE, "Topic": "/x"}}
    entries = [{"PUBSUB_TYPE": 770, "config": config}, {"PUBSUB_TYPE": 9999, "config": config}]
    path = tmp_path / "net.json"
    path.write_text(json.dumps({"egoNetworkData": [{"UNIQUEID": 0, "listEgoNetworkInfo": entries}]}))
    running = program(RosSettings(), network=str(path))
    assert BRIDGE in running.service.notices[0]
    assert "PUBSUB_TYPE 9999" in running.service.notices[1]
    assert "/x" in running.hub.published


def test_names_of_rows_are_saved_with_the_sensors_and_lines_of_the_file_stay(tmp_path):
    rows = (SensorRow(kind="lidar_3d", topic="/top", frame="roof"), SensorRow(kind="camera", topic="/left/image"))
    plan = plan_sensors(Settings(sensor=rows), tmp_path, WORLD)
    now = step(street(), WORLD, plan.commands, Noise(0))
    save_sensor_set(str(tmp_path / "saved.json"), plan, now)
    again = plan_sensors(Settings(sensors=str(tmp_path / "saved.json")), tmp_path, WORLD)
    assert {number: (link.topic, link.frame, link.on) for number, link in again.links.items()} == {
        1: ("/top", "roof", True),
        2: ("/left/image", "", True),
    }
    assert again.addresses == {}, "packets go to the usual ports"


def test_the_sample_is_saved_byte_by_byte_with_its_topics(tmp_path):
    path = shared("samples/sensor_set.json")
    plan = plan_sensors(Settings(sensors=str(path)), tmp_path, WORLD)
    save_sensor_set(str(tmp_path / "saved.json"), plan, step(street(), WORLD, plan.commands, Noise(0)))
    assert (tmp_path / "saved.json").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("topic", ["a b", "/", "7up", "/x//y", "/ä"])
def test_a_row_with_a_name_that_is_none_is_refused(tmp_path, topic):
    with pytest.raises(InputError, match="is not a valid name of a topic") as error:
        plan_sensors(Settings(sensor=(SensorRow(kind="gps", topic=topic),)), tmp_path, WORLD)
    assert error.value.place == "sensor[0].topic"
