"""A UDP endpoint that is served, and its peer."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from dorosim.bridge.udp.publish import Publisher
from dorosim.bridge.udp.receive import Receiver
from dorosim.endpoint.journal import Journal
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.network import Publication, UdpNetwork
from dorosim.endpoint.udp.socket import Address
from dorosim.ground.noise import Noise
from dorosim.wire.udp.revision import DEFAULT_REVISION
from tests.system.rig import EPOCH, Rig

HOST = "127.0.0.1"


class Served:
    """A loop with a UDP endpoint, and a client's socket."""

    def __init__(self, town: Rig, network: UdpNetwork) -> None:
        self.lines: list[str] = []
        self.journal = Journal(self.lines.append)
        scene = town.built.scene
        publisher = Publisher(scene, DEFAULT_REVISION, EPOCH)
        self.endpoint = UdpEndpoint(network, Receiver(DEFAULT_REVISION, scene), publisher, self.journal)
        clock = PacedClock()
        self.loop = Loop(scene, town.built.first, Noise(0), clock, self.endpoint, (), self.journal)
        self.client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def send(self, data: bytes, port: int) -> None:
        self.client.sendto(data, (HOST, port))

    def run(self, seconds: float = 0.05) -> None:
        self.loop.run(round(seconds * 1e9))

    @property
    def counted(self) -> int:
        kinds = ("received ", "superseded ", "bad ")
        return sum(count for kind, count in self.journal.counts.items() if kind.startswith(kinds))


@contextmanager
def served(town: Rig, *ports: int, publications: tuple[Publication, ...] = ()) -> Iterator[Served]:
    run = Served(town, UdpNetwork(tuple(Address(HOST, port) for port in ports), publications))
    try:
        yield run
    finally:
        run.endpoint.close()
        run.client.close()
