"""The processes that the gRPC figures measure: a run of dorosim that is served, one played back, and a bare echo.

`python -m tools.bench.grpc_host WHAT` prints the port and serves until its standard input ends.
"""

from __future__ import annotations

import dataclasses
import gc
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc

from dorosim.bridge.actor import names_of
from dorosim.bridge.host import Host
from dorosim.bridge.situation import GrpcForm, SceneIndex, Situation
from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.grpc.call import GrpcPlace, ListenedStation
from dorosim.endpoint.grpc.connect import STREAMS
from dorosim.endpoint.grpc.server import GrpcLimits, GrpcServer
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.loop.tick_notifier import TickNotifier
from dorosim.ground.error import DorosimError
from dorosim.ground.noise import Noise
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from tools.bench.peer import say
from tools.bench.world import ready

VEHICLES = 1000
"""Of the playback."""
FRAME = 20_000_000
"""Simulated time between two pictures of the playback [ns]: the period of Connect."""


class EchoHandler(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Answers with the bytes that it was taught: the floor of what a gRPC server of this kind costs."""

    def __init__(self) -> None:
        self._answers: dict[bytes, bytes] = {}

    def service(self, details: Any) -> Any:
        """The handler that stores an answer, or the one that sends it."""
        if details.method == "/echo/teach":
            return grpc.unary_unary_rpc_method_handler(self._teach)
        path = details.method.encode()
        return grpc.unary_unary_rpc_method_handler(lambda _, __: self._answers[path])

    def _teach(self, request: bytes, _: Any) -> bytes:
        path, _, answer = request.partition(b"\n")
        self._answers[path] = answer
        return b""


class Playback:
    """A loop that gives another snapshot at each access: the same one, with a later tick and time."""

    def __init__(self, scene: Scene, first: Snapshot) -> None:
        self.scene, self.notifier = scene, TickNotifier()
        self._last = first

    @property
    def now(self) -> Snapshot:
        """The next snapshot."""
        last = self._last
        self._last = dataclasses.replace(last, tick=last.tick + 1, time=last.time + FRAME)
        return self._last


class _NoHost:
    """The program around the world, for procedures that hardly ask it anything: time passes by the clock."""

    synchronous, frame, epoch = False, FRAME, 0

    def __getattr__(self, name: str) -> Any:
        """Nothing else is there."""
        raise DorosimError(f"{name} is not there in a figure")


def main(what: str) -> None:
    """Serve "run", "playback" or "echo"."""
    if what == "echo":
        limits = GrpcLimits()
        threads = ThreadPoolExecutor(limits.workers + limits.streams)
        server = grpc.server(threads, options=(("grpc.so_reuseport", 0),))
        server.add_generic_rpc_handlers((EchoHandler(),))
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
    else:
        made = ready(VEHICLES if what == "playback" else 1)
        gc.freeze()  # as a run does
        if what == "playback":
            port = serve_loop(Playback(made.scene, made.first), made.scene)
        else:
            loop = Loop(made.scene, made.first, Noise(0), PacedClock())
            port = serve_loop(loop, made.scene)
            threading.Thread(target=loop.run, daemon=True).start()
    say(str(port))
    sys.stdin.read()


def serve_loop(loop: Any, scene: Scene, station: ListenedStation | None = None) -> int:
    """Serve a loop on a free port; returns the port."""
    server = GrpcServer("127.0.0.1:0", lambda *_: None, streams=STREAMS)
    index, host_parts = SceneIndex(scene), _NoHost()
    host = Host(host_parts, host_parts, host_parts, host_parts, host_parts, host_parts)

    def situate(client: str) -> Situation:
        now = loop.now
        return Situation(now, scene, index, names_of(now), host, client, GrpcForm())

    server.serve(GrpcPlace(CommandGateway(loop), situate, station=station))
    server.start()
    return server.port


if __name__ == "__main__":
    main(sys.argv[1])
