"""The native ROS 1 node beside real ROS 1: rospy, roscpp (rosbag), and the tools that people look with."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.endpoint.ros.node_rig import REGISTRY, Rig, rig
from tests.ros.real_ros import RealRos


@pytest.fixture(scope="module")
def run(ros: RealRos) -> Iterator[Rig]:
    """A node of the test's own topics: /Ego_topic, /lidar3D, /map_name (latched), /ctrl_cmd, a service."""
    with rig(ros.master) as made:
        ros.until(lambda: made.said)
        yield made


class Beat:
    """Publishes an ego status 50 times a second, and a small cloud 10 times."""

    def __init__(self, run: Rig) -> None:
        self._run, self._over, self.count = run, threading.Event(), 0
        self._thread = threading.Thread(target=self._go)

    def __enter__(self) -> Beat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _go(self) -> None:
        start = time.monotonic()
        while not self._over.wait(max(0.0, start + self.count * 0.02 - time.monotonic())):
            self._run.hub.publish("/Ego_topic", ego(self.count))
            if self.count % 5 == 0:
                self._run.hub.publish("/lidar3D", cloud(self.count))
            self.count += 1


def ego(number: int):
    header = REGISTRY.make("std_msgs/Header", stamp=REGISTRY.time(time.time_ns()), frame_id="map")
    place = REGISTRY.make("geometry_msgs/Vector3", x=1.5, y=-2.25, z=0.5)
    return REGISTRY.make("morai_msgs/EgoVehicleStatus", header=header, unique_id=number, heading=90.0, position=place)


def cloud(number: int):
    fields = [
        REGISTRY.make("sensor_msgs/PointField", name=name, offset=4 * n, datatype=7, count=1)
        for n, name in enumerate("xyz")
    ]
    points = np.arange(3000, dtype=np.float32).reshape(-1, 3) + number
    return REGISTRY.make(
        "sensor_msgs/PointCloud2",
        height=1,
        width=1000,
        fields=fields,
        point_step=12,
        row_step=12_000,
        data=points.view(np.uint8).reshape(-1),
        is_dense=True,
    )


def test_tools_see_the_node(ros, run):
    listed = ros.tool("rostopic", "list", "-v")
    assert " * /Ego_topic [morai_msgs/EgoVehicleStatus] 1 publisher" in listed
    assert " * /ctrl_cmd [morai_msgs/CtrlCmd] 1 subscriber" in listed
    info = ros.tool("rostopic", "info", "/Ego_topic")
    assert f"* /dorosim ({run.node.api})" in info
    info = ros.tool("rosnode", "info", "/dorosim")
    assert "* /Ego_topic [morai_msgs/EgoVehicleStatus]" in info
    assert "* /ctrl_cmd" in info
    assert "* /Service_MoraiEventCmd" in info
    assert "Pid: " in info
    assert "ping average" in ros.tool("rosnode", "ping", "-c", "2", "/dorosim")
    assert "/dorosim" in ros.tool("rosnode", "list")


def test_rostopic_echoes_and_counts(ros, run):
    with Beat(run):
        told = ros.tool("rostopic", "echo", "-n", "1", "/Ego_topic")
        assert re.search(r"position: \n  x: 1.5\n  y: -2.25\n  z: 0.5", told)
        assert "heading: 90.0" in told
        assert 'frame_id: "map"' in told
        hz = ros.tool("timeout", "-s", "INT", "4", "rostopic", "hz", "-w", "50", "/Ego_topic", status=None)
    rates = [float(one) for one in re.findall(r"average rate: ([\d.]+)", hz)]
    assert rates, hz
    assert any(rate == pytest.approx(50.0, abs=3.0) for rate in rates), "on a busy machine not in every second"


HZ = """
rospy.init_node("hz", anonymous=True)
times = []
rospy.Subscriber(ARGUMENTS[0], rospy.AnyMsg, lambda _: times.append(time.monotonic()))
while len(times) < int(ARGUMENTS[1]):
    time.sleep(0.01)
say({"rate": (len(times) - 1) / (times[-1] - times[0])})
hear()
"""

LISTENER = """
from morai_msgs.msg import EgoVehicleStatus
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String
rospy.init_node("listener")
rospy.Subscriber("/Ego_topic", EgoVehicleStatus, lambda m: say({"id": m.unique_id, "x": m.position.x,
    "frame": m.header.frame_id, "sent": m.header.stamp.to_sec(), "heard": time.time()}), queue_size=1)
rospy.Subscriber("/lidar3D", PointCloud2, lambda m: say({"bytes": len(m.data), "sum": sum(m.data),
    "last": m.fields[-1].name}), tcp_nodelay=True)
say("ready")
rospy.Subscriber("/map_name", String, lambda m: say({"map": m.data}))  # latched, so it comes at once
hear()
"""


def test_rospy_listens(ros, run):
    run.hub.publish("/map_name", REGISTRY.make("std_msgs/String", data="town"))
    with ros.script(LISTENER) as peer:
        assert peer.hear() == "ready"
        assert peer.hear() == {"map": "town"}
        ros.until(lambda: run.node.wants("/Ego_topic") and run.node.wants("/lidar3D"))
        run.hub.publish("/Ego_topic", ego(7))
        found = peer.hear()
        assert (found["id"], found["x"], found["frame"]) == (7, 1.5, "map")
        big = REGISTRY.make("sensor_msgs/PointCloud2", data=np.full(1_200_000, 7, np.uint8), fields=cloud(0).fields)
        run.hub.publish("/lidar3D", big)
        assert peer.hear() == {"bytes": 1_200_000, "sum": 8_400_000, "last": "z"}
    ros.until(lambda: not run.node.wants("/Ego_topic"))


DRIVER = """
from morai_msgs.msg import CtrlCmd
from morai_msgs.srv import MoraiEventCmdSrv, MoraiEventCmdSrvRequest
rospy.init_node("driver")
commands = rospy.Publisher("/ctrl_cmd", CtrlCmd, queue_size=1)
while commands.get_num_connections() < 1:
    time.sleep(0.01)
commands.publish(CtrlCmd(longlCmdType=2, accel=0.5, steering=-0.25, velocity=30.0))
for persistent in (False, True):
    event = rospy.ServiceProxy("/Service_MoraiEventCmd", MoraiEventCmdSrv, persistent=persistent)
    event.wait_for_service(10)
    for gear in (3, 4):
        request = MoraiEventCmdSrvRequest()
        request.request.option, request.request.gear, request.request.lamps.emergencySignal = 2, gear, 1
        answer = event(request).response
        say([answer.option, answer.gear, answer.lamps.emergencySignal])
    request.request.gear = 99
    try:
        event(request)
    except rospy.ServiceException as error:
        say(str(error))
hear()
"""


def test_rospy_publishes_and_calls(ros, run):
    run.heard.clear()
    with ros.script(DRIVER) as peer:
        for _ in range(2):
            assert peer.hear() == [2, 3, 1]
            assert peer.hear() == [2, 4, 1]
            assert "99 is no gear" in peer.hear()
        ros.until(lambda: run.heard)
    topic, message = run.heard[0]
    found = (message.longlCmdType, message.accel, message.steering, message.velocity)
    assert (topic, found) == ("/ctrl_cmd", (2, 0.5, -0.25, 30.0))


def test_services_by_tools(ros, run):
    assert "/Service_MoraiEventCmd" in ros.tool("rosservice", "list")
    info = ros.tool("rosservice", "info", "/Service_MoraiEventCmd")
    assert "Node: /dorosim" in info
    assert "Type: morai_msgs/MoraiEventCmdSrv" in info
    told = ros.tool("rosservice", "call", "/Service_MoraiEventCmd", "{request: {option: 2, gear: 3}}")
    assert re.search(r"response:\s+option: 2\s+ctrl_mode: 0\s+gear: 3", told)
    refused = ros.tool("rosservice", "call", "/Service_MoraiEventCmd", "{request: {gear: 99}}", status=2)
    assert "99 is no gear" in refused


WRONG = """
from std_msgs.msg import Bool, String
rospy.init_node("wrong")
rospy.Subscriber("/Ego_topic", String, lambda m: say("heard"))
publisher = rospy.Publisher("/text", Bool, queue_size=1)
say("there")
hear()
"""


def test_other_types_of_the_same_name_are_refused(ros, run):
    run.told.clear()
    with ros.script(WRONG) as peer:
        peer.hear()
        ros.until(lambda: {"ROS connection refused", "ROS message refused"} <= set(run.kinds()))
    told = " ".join(text for _, text in run.told)
    assert "morai_msgs/EgoVehicleStatus (a54480c8f4c41293a77cf7a0eb3925c9)" in told
    assert "/text" in told


def test_rosbag_records_checks_and_plays(ros, run, tmp_path: Path):
    """rosbag's recorder and player are roscpp's; by default a player has another node beside it."""
    bag = tmp_path / "run.bag"
    record = ("rosbag", "record", "-O", str(bag), "/Ego_topic", "/lidar3D", "/map_name")
    with Beat(run) as beat, ros.background(*record):
        ros.until(lambda: run.node.wants("/Ego_topic") and run.node.wants("/lidar3D"))
        first = beat.count
        ros.until(lambda: beat.count >= first + 75)
        sent = beat.count - first
    ros.until(bag.exists)  # the tool ends before its recorder, which names the file at last
    info = ros.tool("rosbag", "info", str(bag))
    assert "morai_msgs/EgoVehicleStatus [a54480c8f4c41293a77cf7a0eb3925c9]" in info
    found = re.search(r"/Ego_topic\s+(\d+) msgs", info)
    assert found is not None, info
    assert int(found[1]) >= sent - 2
    assert re.search(r"/lidar3D\s+\d+ msgs", info)
    checked = ros.tool("rosbag", "check", str(bag))  # it compares comments in definitions as well, which ours lack
    assert "does not need any migrations" in checked or "All rules defined" in checked
    with ros.script(PLAYED) as peer:
        assert peer.hear() == "ready"
        run.heard.clear()
        ros.tool("rosbag", "play", "-q", "--delay=6", "-r", "4", str(bag), "/Ego_topic:=/played")
        assert peer.hear()["ids"] >= sent - 2


PLAYED = """
from morai_msgs.msg import EgoVehicleStatus
rospy.init_node("played")
ids, last = [], [0.0]
def hear_one(message):
    ids.append(message.unique_id)
    last[0] = time.monotonic()
rospy.Subscriber("/played", EgoVehicleStatus, hear_one)
say("ready")
while not ids or time.monotonic() - last[0] < 4.0:
    time.sleep(0.01)
say({"ids": len(ids), "whole": ids == list(range(ids[0], ids[0] + len(ids)))})
hear()
"""


def test_a_master_restarts(ros, run):
    """Whoever was connected stays so; the new master is told of everything, and its nodes find the simulator."""
    with ros.script(LISTENER) as before:
        before.hear()
        ros.until(lambda: run.node.wants("/Ego_topic"))
        said = len(run.said)
        ros.stop_master()
        ros.until(lambda: "ROS master not reached" in run.kinds())
        run.hub.publish("/Ego_topic", ego(1))
        ros.until(lambda: before.hear().get("id") == 1)
        ros.start_master()
        ros.until(lambda: len(run.said) > said)
        with ros.script(HZ, "/Ego_topic", "5") as after, Beat(run):
            assert after.hear()["rate"] > 0.0
    assert "/Ego_topic" in ros.tool("rostopic", "list")


def test_the_end_leaves_nothing_at_the_master(ros):
    with rig(ros.master, node="/second", sim_time=True) as second:
        ros.until(lambda: second.said)
        assert "/second" in ros.tool("rosnode", "list")
        assert ros.tool("rosparam", "get", "/use_sim_time").strip() == "true"
    assert "/second" not in ros.tool("rosnode", "list")
    assert "second" not in ros.tool("rosservice", "list")
    assert "is not set" in ros.tool("rosparam", "get", "/use_sim_time", status=None)


def test_rosnode_kill_is_heard(ros):
    with rig(ros.master, node="/victim") as victim:
        ros.until(lambda: victim.said)
        ros.tool("rosnode", "kill", "/victim")
        ros.until(lambda: len(victim.said) == 2)
        ros.until(lambda: "/victim" not in ros.tool("rosnode", "list"))
