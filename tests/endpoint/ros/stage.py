"""A run with a hub of ROS, and a rosbridge server of it on a free port."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dorosim.bridge.actor import names_of
from dorosim.bridge.host import Host
from dorosim.bridge.ros.catalogue import PUBLISHED, SUBSCRIBED
from dorosim.bridge.ros.topic import Provided, Published, RosForm, RosSituation, Subscribed
from dorosim.bridge.situation import GrpcForm, SceneIndex, Situation
from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.epoch import Stamps
from dorosim.endpoint.loop.gate import Gate
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.ros.hub import Hub, HubPlace
from dorosim.endpoint.ros.rosbridge.server import RosbridgeServer, ServerLimits
from dorosim.endpoint.web_origin import WebOrigins
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import registry_of
from tests.bridge.grpc.stage import Around
from tests.system.rig import rig

EPOCH = 1_000_000_000_000_000_000
"""Wall time of simulated time 0 [ns since 1970]."""


def _published(key: str, topic: str, kind: str, *, latched: bool = False) -> Published:
    return Published(key, topic, kind, lambda _: None, latched=latched)


EXTRA = (
    _published("cloud", "/cloud", "sensor_msgs/PointCloud2"),
    _published("scan", "/scan", "sensor_msgs/LaserScan"),
    _published("small", "/small", "std_msgs/Int32"),
    _published("note", "/note", "std_msgs/String", latched=True),
)


class Stage:
    """A hub on a run, and what was told of.

    Attributes:
        loop: of the run. hub: on it. told: problems, by kind and text. heard: messages on /heard.
        held: calls of /event with gear 8 that have begun. release: a permit for the end of each.
    """

    def __init__(self, loop: Loop, situate: Callable[[str], RosSituation]) -> None:
        self.loop = loop
        self.told: list[tuple[str, str]] = []
        self.heard: list[Any] = []
        self.held: list[Any] = []
        self.release = threading.Semaphore(0)
        heard = Subscribed("heard", "/heard", "std_msgs/String", self._hear)
        self.hub = Hub(
            registry_of("2024"),
            (*PUBLISHED, *EXTRA),
            (*SUBSCRIBED, heard),
            (Provided("event", "/event", "morai_msgs/MoraiEventCmdSrv", self._event),),
            lambda kind, text: self.told.append((kind, text)),
        )
        self.hub.serve(HubPlace(CommandGateway(loop), situate, stamped=Stamps(EPOCH)))

    def _hear(self, message: Any, _: RosSituation) -> tuple[()]:
        self.heard.append(message.data)
        return ()

    def _event(self, request: Any, to: RosSituation) -> Any:
        """Answers with the gear that it is asked for; refuses gear 9, and waits for `release` with gear 8."""
        registry, asked = to.form.registry, request.request
        if asked.gear == 9:
            raise InputError("EventCmd", "gear", "there is no gear 9")
        if asked.gear == 8:
            self.held.append(asked)
            self.release.acquire(timeout=60.0)
        info = registry.make("morai_msgs/EventInfo", gear=asked.gear, ctrl_mode=3)
        return registry.make("morai_msgs/MoraiEventCmdSrvResponse", response=info)

    def publish(self, topic: str, **fields: Any) -> None:
        """Publish a message as a topic of the simulator."""
        kind = self.hub.published[topic].type
        self.hub.publish(topic, self.hub.registry.make(kind, **fields))


@contextmanager
def staged(folder: Any, speed: float = 1.0) -> Iterator[Stage]:
    """A run of the town with a hub."""
    made = rig(folder)
    ready, around = made.built, Around()
    index, host = SceneIndex(ready.scene), Host(around, around, around, around, around, around.bags)
    observers: list[Any] = []
    loop = Loop(
        ready.scene,
        ready.first,
        made.loop.noise,
        PacedClock(speed),
        gate=Gate(step_timeout=0.5),
        observers=(lambda now, commands: [one(now, commands) for one in observers],),
    )
    form = RosForm(registry=registry_of("2024"), epoch=EPOCH)

    def situate(client: str) -> RosSituation:
        now = loop.now
        return RosSituation(Situation(now, ready.scene, index, names_of(now), host, client, GrpcForm()), form)

    stage = Stage(loop, situate)
    observers.append(stage.hub)
    thread = threading.Thread(target=loop.run)
    thread.start()
    try:
        yield stage
    finally:
        loop.stop()
        thread.join(60.0)
        loop.end()


@contextmanager
def bridged(
    stage: Stage, limits: ServerLimits | None = None, origins: WebOrigins | None = None
) -> Iterator[RosbridgeServer]:
    """A server of a stage's hub."""
    server = RosbridgeServer(stage.hub, ("127.0.0.1", 0), limits, {"/use_sim_time": False}, origins)
    server.start()
    try:
        yield server
    finally:
        server.close()
