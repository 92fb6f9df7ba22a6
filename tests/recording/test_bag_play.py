"""The real rosbag plays our bags to real ROS nodes."""

from __future__ import annotations

import os
import shutil
import subprocess
import time

import pytest

from dorosim.wire.ros.registry import registry_of
from tests.port import free_port
from tests.recording.bag_maker import drive_messages, write_bag

PATH = "/usr/bin:/bin"
TOOLS = [shutil.which(name, path=PATH) for name in ("roscore", "rosbag", "rosnode")]
LISTENER = """
import sys, time, rospy
counts = {}
def take(topic):
    def one(message):
        counts.setdefault(topic, []).append((message._connection_header["md5sum"], message._buff))
    return one
rospy.init_node("listener")
for topic in ("/Ego_topic", "/Object_topic"):
    rospy.Subscriber(topic, rospy.AnyMsg, take(topic), queue_size=1000)
print("ready", flush=True)
sys.stdin.readline()
end = time.monotonic() + 60.0
while (len(counts) < 2 or min(map(len, list(counts.values()))) < 51) and time.monotonic() < end:
    time.sleep(0.02)
for topic, found in sorted(counts.items()):
    print(topic, len(found), found[0][0], found[-1][1].hex(), flush=True)
"""


@pytest.mark.skipif(None in TOOLS, reason="the tools of ROS 1 are not installed (python3-rosbag, python3-roslaunch)")
def test_the_real_rosbag_plays_a_bag_to_a_node(tmp_path):
    registry = registry_of("2024")
    messages = list(drive_messages(registry, 1.0))
    bag = write_bag(tmp_path / "drive.bag", messages)
    port = free_port()
    env = {
        "PATH": PATH,
        "HOME": str(tmp_path),
        "ROS_MASTER_URI": f"http://127.0.0.1:{port}",
        "ROS_IP": "127.0.0.1",
        "ROS_LOG_DIR": str(tmp_path / "log"),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    core = subprocess.Popen(["roscore", "-p", str(port)], env=env, **quiet)
    listener = None
    try:
        deadline = time.monotonic() + 120.0
        while subprocess.run(["rosnode", "list"], env=env, check=False, **quiet).returncode:
            assert time.monotonic() < deadline
        listener = subprocess.Popen(
            ["/usr/bin/python3", "-c", LISTENER], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert listener.stdout.readline() == "ready\n"
        play = ["rosbag", "play", "--quiet", "--wait-for-subscribers", str(bag)]
        subprocess.run(play, env=env, check=True, timeout=120, stdin=subprocess.DEVNULL, **quiet)
        told, _ = listener.communicate("\n", timeout=120)
    finally:
        for program in (listener, core):
            if program is not None and program.poll() is None:
                program.terminate()
                program.wait(60)
    lines = [line.split() for line in told.splitlines()]
    last = {topic: bytes(registry.encode(message)).hex() for topic, message, _ in messages}
    assert [line[0] for line in lines] == ["/Ego_topic", "/Object_topic"]
    for topic, count, md5, content in lines:
        kind = "EgoVehicleStatus" if topic == "/Ego_topic" else "ObjectStatusList"
        assert int(count) == 51
        assert md5 == registry.md5(f"morai_msgs/{kind}")
        assert content == last[topic]
