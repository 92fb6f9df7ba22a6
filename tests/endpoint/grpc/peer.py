"""A run with a gRPC server on a free port, and a client of it that knows nothing of dorosim's classes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
from google.protobuf.json_format import ParseDict

from dorosim.bridge.actor import names_of
from dorosim.bridge.host import Host
from dorosim.bridge.situation import GrpcForm, SceneIndex, Situation
from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.grpc.call import GrpcPlace, Stream
from dorosim.endpoint.grpc.server import GrpcLimits, GrpcServer
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.gate import Gate
from dorosim.endpoint.loop.loop import Loop
from tests.bridge.grpc.stage import Around, method_named
from tests.system.rig import rig


class Peer:
    """A client.

    Attributes:
        loop: of the run. thread: of the loop. server: that it talks to. around: the program around the world.
        told: problems that it told of.
    """

    def __init__(
        self, loop: Loop, thread: threading.Thread, server: GrpcServer, around: Around, told: list[tuple[str, str]]
    ) -> None:
        self.loop, self.thread, self.server, self.around, self.told = loop, thread, server, around, told
        self.channel = grpc.insecure_channel(f"127.0.0.1:{server.port}")

    def ask(self, name: str, /, package: str | None = None, timeout: float = 60.0, **fields: Any) -> Any:
        """Call a procedure.

        Args:
            name: of the documented API, or "Service/Name" of the Standard API.
            package: package and service that the client compiled; None for the project's own.
            timeout: [s].
            fields: of the request, as JSON has them.
        """
        method = method_named(name)
        path = method.path if package is None else f"/{package}/{method.name}"
        call = self.channel.unary_unary(path, method.request.SerializeToString, method.response.FromString)
        return call(ParseDict(fields, method.request()), timeout=timeout)


@contextmanager
def served(
    folder, streams: dict[str, Stream] | None = None, limits: GrpcLimits | None = None, speed: float = 1.0
) -> Iterator[Peer]:
    """A run of the town that is served."""
    made, around, told = rig(folder), Around(), []
    ready = made.built
    loop = Loop(ready.scene, ready.first, made.loop.noise, PacedClock(speed), gate=Gate(step_timeout=0.5))
    server = GrpcServer("127.0.0.1:0", lambda kind, text: told.append((kind, text)), limits, None, streams)
    index, host = SceneIndex(ready.scene), Host(around, around, around, around, around, around.bags)

    def situate(client: str) -> Situation:
        now = loop.now
        return Situation(now, ready.scene, index, names_of(now), host, client, GrpcForm())

    server.serve(GrpcPlace(CommandGateway(loop), situate))
    server.start()
    thread = threading.Thread(target=loop.run)
    thread.start()
    peer = Peer(loop, thread, server, around, told)
    try:
        yield peer
    finally:
        peer.channel.close()
        server.close()
        loop.stop()
        thread.join(60.0)
        loop.end()
