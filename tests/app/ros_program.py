"""A program with ROS and without sockets: its hub is spoken to by itself."""

from __future__ import annotations

import threading
import time
from typing import Any

from msgspec.structs import replace
from rich.console import Console

from dorosim.app.hosting import Hosting
from dorosim.app.ros_service import RosService
from dorosim.app.session import Surroundings, open_session
from dorosim.app.settings import GrpcSettings, RosSettings, Settings, UdpSettings
from dorosim.endpoint.clock import PacedClock
from dorosim.endpoint.journal import Journal
from tests.app.test_cli import network_file
from tests.port import free_port

KERNELS = 120.0
"""Wall time in which those that a test is the first to need are compiled [s]."""


class Listener:
    """Somebody who listens to topics, and keeps what comes."""

    def __init__(self, *topics: str) -> None:
        self.topics, self.posts = topics, []

    def wants(self, topic: str) -> bool:
        return topic in self.topics

    def send(self, post) -> None:
        self.posts.append(post)

    def change(self) -> None: ...

    def close(self) -> None: ...


class Program:
    """A run of the town whose main thread is one of the test's.

    Attributes:
        hub: of its topics and services. told: lines of its journal. data: its data folder.
    """

    def __init__(self, folder, ros: RosSettings | None = None, speed: float = 4.0, **settings: Any) -> None:
        self.data, self.told = folder / "data", []
        for name in ("Map", "Scenario", "Recording", "SensorData"):
            (self.data / name).mkdir(parents=True, exist_ok=True)
        udp = UdpSettings(network=str(network_file(folder, free_port(), free_port())))
        ros = replace(ros or RosSettings(), server=f"127.0.0.1:{free_port()}")
        chosen = Settings(udp=udp, grpc=GrpcSettings(enabled=False), ros=ros, epoch=1000.0, **settings)
        around = Surroundings(given=(), data=self.data, journal=Journal(self.told.append), clock=PacedClock(speed))
        self.hosting = Hosting(chosen, around)
        self.service = RosService(chosen, around, self.hosting)
        self.hosting.services.append(self.service)
        session = open_session(chosen, around)
        self.thread = threading.Thread(target=self._play, args=(session, session.equip(Console(quiet=True))))
        self.thread.start()
        self.until(lambda: self.service._hub is not None)
        self.hub = self.service._hub
        self.registry = self.hub.registry

    def _play(self, *run) -> None:
        waiting = run
        while waiting is not None:
            waiting[0].play(waiting[1], None, self.hosting)
            waiting = self.hosting.switch.take_next()

    @property
    def current(self):
        return self.hosting.switch.current

    @property
    def now(self):
        return self.current.loop.now

    def do(self, commands) -> None:
        """Apply commands in the next tick; a first one may wait for kernels."""
        self.current.desk.do(commands, KERNELS)

    def until(self, come, seconds: float = 30.0) -> None:
        """Wait until something has come."""
        deadline = time.monotonic() + seconds
        while not come():
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def call(self, service: str, client: str = "test", **fields: Any) -> Any:
        """What a service answers: the message inside of its response."""
        kind = self.hub.provided[service].type
        inner = dict(self.registry.fields(f"{kind}Request"))["request"][1].replace("/msg/", "/")
        request = self.registry.make(f"{kind}Request", request=self.registry.make(inner, **fields))
        # through bytes, as transports do
        request = self.registry.decode(f"{kind}Request", bytes(self.registry.encode(request)))
        answer = self.hub.call(service, request, client, KERNELS)
        assert self.registry.encode(answer) is not None
        return answer.response

    def status(self, topic: str) -> Any:
        """What a topic says now."""
        return self.hub.published[topic].make(self.hub.place.situate(""))

    def close(self) -> None:
        self.hosting.switch.stop()
        self.thread.join(20.0)
        self.hosting.close()
