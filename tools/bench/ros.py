"""How quickly messages of the native ROS 1 node come to rospy nodes, beside rospy's own.

A 1.2 MB cloud 10 times and a status 100 times a second, at the same time. Publishers and listeners are processes of
their own on this machine; both publishers take turns, so both see the same machine, and their listeners are the same
program. Latency is from the making of a message to the listener's callback, with all encoding and decoding.
"""

from __future__ import annotations

import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from tools.bench.figure import Figure
from tools.bench.peer import answer_of, expect, play_in_turns, started, started_module

ROUNDS, SECONDS = 4, 3.0
"""Rounds of both publishers in turns, and time of each [s]."""
PYTHON = "/usr/bin/python3"
PEER_TIMEOUT_S = 60.0
LATE_MS = 5.0
"""What a status may take under the load of clouds, p95 [ms]."""
CLOUD_TARGET, STATUS_TARGET = 1.2, 1.5
"""Of p50 latency to that between rospy nodes."""

LISTENER = """
import json, sys, time
import rospy, genpy.dynamic
definition, topic = sys.argv[1:]
kind, text = json.loads(definition)
message = genpy.dynamic.generate_dynamic(kind, text)[kind]
rospy.init_node("bench_listener", anonymous=True, disable_signals=True)
found = []
def heard(one):
    found.append(time.time() - one.header.stamp.secs - one.header.stamp.nsecs * 1e-9)
rospy.Subscriber(topic, message, heard, tcp_nodelay=True)
print("ready", flush=True)
sys.stdin.readline()
while not found:
    time.sleep(0.01)
print(json.dumps({topic: found}), flush=True)
"""
"""A rospy node that prints how long messages took, as soon as one has come: on a busy machine it may be under way."""

TALKER = """
import json, sys, threading, time
import rospy, genpy.dynamic
from std_msgs.msg import Header
definition, frame, size, period, status, cloud = json.loads(sys.argv[1]), *sys.argv[2:]
made = [genpy.dynamic.generate_dynamic(kind, text)[kind] for kind, text in definition]
rospy.init_node("bench_rospy", disable_signals=True)
topics = [rospy.Publisher(name, kind, queue_size=QUEUE, tcp_nodelay=True)
          for name, kind in zip((status, cloud), made)]
while not all(one.get_num_connections() for one in topics):
    time.sleep(0.01)
points = bytes(int(size))
def each(seconds, period, act):
    start, number = time.monotonic(), 0
    while number * period < seconds:
        time.sleep(max(0.0, start + number * period - time.monotonic()))
        act()
        number += 1
def header(frame):
    return Header(stamp=rospy.Time.from_sec(time.time()), frame_id=frame)
print("ready", flush=True)
for line in sys.stdin:
    def statuses():
        each(float(line), 0.01, lambda: topics[0].publish(made[0](header=header(frame))))
    thread = threading.Thread(target=statuses)
    thread.start()
    each(float(line), float(period),
         lambda: topics[1].publish(made[1](header=header("lidar"), width=int(size), data=points)))
    thread.join()
    time.sleep(float(period))
    print("done", flush=True)
"""
"""A rospy node that publishes the same as `tools.bench.ros_host`."""
QUEUE = 10
"""Of rospy's publishers."""


def figures() -> Iterator[Figure]:
    """Latency of the native node beside rospy's own."""
    reason = why_not()
    names = (
        "native ROS node, 1.2 MB cloud to rospy, p50 latency to rospy's own",
        "native ROS node, status to rospy, p50 latency to rospy's own",
        "native ROS node, status under lidar load, p95",
    )
    if reason is not None:
        for name in names:
            yield Figure(name, None, "x" if "p50" in name else "ms", detail=reason)
        return
    found = _measured()
    for name, part, target in zip(names, ("cloud", "status"), (CLOUD_TARGET, STATUS_TARGET), strict=False):
        mine, other = (np.percentile(found[f"/{who}_{part}"], 50) * 1e3 for who in ("native", "rospy"))
        detail = f"{mine:.2f} to {other:.2f} ms, {len(found[f'/native_{part}']):,} messages"
        yield Figure(name, float(mine / other), "x", target, at_most=True, detail=detail)
    mine, other = (np.percentile(found[f"/{who}_status"], 95) * 1e3 for who in ("native", "rospy"))
    yield Figure(names[2], float(mine), "ms", LATE_MS, at_most=True, detail=f"rospy's own {other:.2f} ms")


def why_not() -> str | None:
    """Why ROS 1 cannot be measured here, None if it can."""
    if not Path("/usr/bin/rosmaster").exists():
        return "ROS 1 is not installed here; 'make ros-peer' installs it from Debian"
    found = subprocess.run(
        [PYTHON, "-c", "import rospy, genpy.dynamic, sensor_msgs.msg"], capture_output=True, text=True, check=False
    )
    return None if found.returncode == 0 else f"rospy cannot be used here: {found.stderr.strip().splitlines()[-1]}"


def _measured() -> Mapping[str, list[float]]:
    """Latencies by topic [s]."""
    from tools.bench.ros_host import CLOUD, CLOUD_BYTES, CLOUD_PERIOD, REGISTRY, STATUS, status_frame

    described = {kind: (kind, REGISTRY.definition(kind)) for kind in (STATUS, CLOUD)}
    with ExitStack() as stack:
        bench = _Peers(stack)
        listeners = [  # one a topic: two in a process have different heaps, one of which is slower
            bench.rospy(LISTENER, json.dumps(described[kind]), f"/{who}_{part}")
            for kind, part in ((STATUS, "status"), (CLOUD, "cloud"))
            for who in ("native", "rospy")
        ]
        sizes = (status_frame(), str(CLOUD_BYTES), str(CLOUD_PERIOD))
        talker = TALKER.replace("QUEUE", str(QUEUE))
        rospy = bench.rospy(talker, json.dumps(list(described.values())), *sizes, "/rospy_status", "/rospy_cloud")
        native = started_module(stack, "tools.bench.ros_host", "node", bench.master, "/native_status", "/native_cloud")
        for one in (*listeners, rospy, native):
            expect(one, "ready")
        play_in_turns((native, rospy), ROUNDS, SECONDS)
        return {topic: times for one in listeners for topic, times in answer_of(one).items()}


class _Peers:
    """A master, and processes that know it; all end with the stack.

    Attributes:
        master: its URI.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        with socket.create_server(("127.0.0.1", 0)) as sock:
            port = sock.getsockname()[1]
        self.master = f"http://127.0.0.1:{port}"
        self._environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": folder,
            "ROS_LOG_DIR": folder,
            "ROS_MASTER_URI": self.master,
            "ROS_IP": "127.0.0.1",
        }
        started(stack, ["/usr/bin/rosmaster", "--core", "-p", str(port)], self._environment)
        end = time.monotonic() + PEER_TIMEOUT_S
        while time.monotonic() < end:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)

    def rospy(self, text: str, *arguments: str) -> subprocess.Popen[str]:
        """A rospy program."""
        return started(self._stack, [PYTHON, "-c", text, *arguments], self._environment)
