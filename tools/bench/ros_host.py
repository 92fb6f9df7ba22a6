"""The process that the ROS figures measure: a run in real time, whose hub publishes a status in each tick, and clouds.

`python -m tools.bench.ros_host KIND WHERE TOPIC...` prints "ready" as soon as both topics have a subscriber. Then each
line with a number on its standard input is a time [s] for which it publishes; it prints "done" after it.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from dorosim.bridge.ros.topic import Published, RosForm, RosSituation
from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.ros.hub import Hub, HubPlace, Transport
from dorosim.endpoint.ros.node.node import RosNode
from dorosim.endpoint.ros.node.settings import NodeSettings
from dorosim.ground.noise import Noise
from dorosim.wire.ros.registry import registry_of
from dorosim.world.snapshot import Snapshot
from tools.bench.peer import say
from tools.bench.world import ready

STATUS_BYTES, CLOUD_BYTES = 183, 1_200_000
CLOUD_PERIOD = 0.1
"""Time from one cloud to the next [s]."""
STATUS, CLOUD = "morai_msgs/EgoVehicleStatus", "sensor_msgs/PointCloud2"
REGISTRY = registry_of("2024")


def status_frame() -> str:
    """A frame id with which a status has its size."""
    return "x" * (STATUS_BYTES - len(REGISTRY.encode(REGISTRY.make(STATUS))))


class Stage:
    """What is published, while it is asked for.

    Args:
        status, cloud: names of the topics.
    """

    def __init__(self, status: str, cloud: str) -> None:
        self.on = threading.Event()
        self._made = 0
        self._frame = status_frame()
        self._points = np.zeros(CLOUD_BYTES, np.uint8)
        self.rows = (
            Published("status", status, STATUS, self._due, rate_hz=0.0),
            Published("cloud", cloud, CLOUD, lambda _: None, rate_hz=1.0),
        )

    def _due(self, _: RosSituation) -> Any:
        return self.status() if self.on.is_set() else None

    def status(self) -> Any:
        """A status with the present wall time."""
        self._made += 1
        return REGISTRY.make(STATUS, header=_header(self._frame))

    def cloud(self) -> Any:
        """A cloud with the present wall time."""
        return REGISTRY.make(CLOUD, header=_header("lidar"), width=CLOUD_BYTES, data=self._points)

    def play(self, hub: Hub, seconds: float) -> None:
        """Publish for a time: clouds from this thread, as from a sensor's; statuses in the ticks of the loop.

        It is longer where the loop has not made a tick meanwhile, as on a machine that is busy.
        """
        topic, made = self.rows[1].topic, self._made
        self.on.set()
        start = time.monotonic()
        for number in range(round(seconds / CLOUD_PERIOD)):
            time.sleep(max(0.0, start + number * CLOUD_PERIOD - time.monotonic()))
            hub.publish(topic, self.cloud())
        while self._made == made:
            time.sleep(0.01)
        self.on.clear()
        time.sleep(CLOUD_PERIOD)


def _header(frame: str) -> Any:
    return REGISTRY.make("std_msgs/Header", stamp=REGISTRY.time(time.time_ns()), frame_id=frame)


def _tell(kind: str, text: str) -> None:
    sys.stderr.write(f"{kind}: {text}\n")


def open_hub(stage: Stage) -> Hub:
    """A hub that gets its snapshots from a loop in real time, on a thread that lasts as long as the process."""
    hub = Hub(REGISTRY, stage.rows, (), (), _tell)
    made = ready(1)
    gc.freeze()  # as a run does
    loop = Loop(made.scene, made.first, Noise(0), PacedClock(), observers=(hub,))
    form = RosForm(registry=REGISTRY)
    hub.serve(HubPlace(CommandGateway(loop), lambda _: RosSituation(_Moment(loop.now), form)))  # type: ignore[arg-type]
    threading.Thread(target=loop.run, daemon=True).start()
    return hub


@dataclass(frozen=True, slots=True)
class _Moment:
    """A situation of which only the snapshot is looked at."""

    now: Snapshot


def by_node(hub: Hub, master: str) -> RosNode:
    """A node of a master."""
    node = RosNode(hub, NodeSettings(master=master, node="/bench_native"))
    hub.join(node)
    return node


def by_rosbridge(hub: Hub, url: str) -> Transport:
    """The embedded rosbridge server, whose port is printed; with a URL, the client of another one."""
    if url:
        from dorosim.endpoint.ros.rosbridge.client import RosbridgeClient

        client = RosbridgeClient(hub, url, "json", lambda _: None)
        client.start()
        return client
    from dorosim.endpoint.ros.rosbridge.server import RosbridgeServer

    server = RosbridgeServer(hub, ("127.0.0.1", 0))
    server.start()
    say(str(server.port))
    return server


def main(kind: str, where: str, status: str, cloud: str) -> None:
    """Publish as the standard input asks for it, until it ends.

    Args:
        kind: "node" or "rosbridge".
        where: URI of a master, URL of a rosbridge server, "" for the embedded server.
        status: name of a topic.
        cloud: name of the other topic.
    """
    stage = Stage(status, cloud)
    hub = open_hub(stage)
    transport = (by_node if kind == "node" else by_rosbridge)(hub, where)
    while not (transport.wants(status) and transport.wants(cloud)):
        time.sleep(0.01)
    say("ready")
    for line in sys.stdin:
        stage.play(hub, float(line))
        say("done")
    transport.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
