"""A program with ROS and without sockets: its hub is spoken to by itself."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from dorosim.app.serve.ros.service import RosService
from dorosim.app.setting.settings import GrpcSettings, RosSettings, Settings, UdpSettings
from tests.app.network import network_file
from tests.app.program import Program, until
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


class RosProgram(Program):
    """A program with ROS, and without gRPC.

    Attributes:
        hub: of its topics and services.
    """

    def __init__(self, folder, ros: RosSettings | None = None, speed: float = 4.0, **settings: Any) -> None:
        udp = UdpSettings(network=str(network_file(folder, free_port(), free_port())))
        ros = replace(ros or RosSettings(), server=f"127.0.0.1:{free_port()}")
        grpc = GrpcSettings(enabled=False)
        super().__init__(folder, Settings(udp=udp, grpc=grpc, ros=ros, epoch=1000.0, **settings), speed)
        self.service = self.add(RosService)
        self.start()
        until(lambda: self.service._hub is not None and self.service._hub._place is not None)
        self.hub = self.service._hub
        self.registry = self.hub.registry

    def do(self, commands) -> None:
        """Apply commands in the next tick; a first one may wait for kernels."""
        self.current.gateway.do(commands, KERNELS)

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
