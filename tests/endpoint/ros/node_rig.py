"""A node with a hub of its own rows, and a small master, both in the process of the test; no ROS is needed."""

from __future__ import annotations

import socket
import socketserver
import struct
import threading
import time
import xmlrpc.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from xmlrpc.server import SimpleXMLRPCRequestHandler, SimpleXMLRPCServer

import numpy as np
import pytest

from dorosim.bridge.ros.topic import Provided, Published, Subscribed
from dorosim.endpoint.ros.hub import Hub, HubPlace
from dorosim.endpoint.ros.node.node import RosNode
from dorosim.endpoint.ros.node.settings import NodeSettings
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import registry_of

REGISTRY = registry_of("2024")
PATIENCE = 60.0


def text(word: str) -> Any:
    return REGISTRY.make("std_msgs/String", data=word)


def cloud(size: int) -> Any:
    """A message of so many bytes."""
    return REGISTRY.make("sensor_msgs/PointCloud2", data=np.zeros(size, np.uint8))


class SmallMaster:
    """Answers as the Master API says (ROS wiki, "Master API"), and remembers what it was told."""

    def __init__(self, port: int = 0) -> None:
        class Server(socketserver.ThreadingMixIn, SimpleXMLRPCServer):
            daemon_threads, allow_reuse_address = True, True

        class Handler(SimpleXMLRPCRequestHandler):
            """It closes after each answer, so that nothing of a master that was stopped goes on."""

            protocol_version = "HTTP/1.0"

        self.told: list[tuple[str, ...]] = []
        self.nodes: dict[str, str] = {}
        self.publishers: dict[str, list[str]] = {}
        self.parameters: dict[str, Any] = {}
        self._server = Server(("127.0.0.1", port), Handler, logRequests=False, allow_none=True)
        self._server.register_instance(SimpleNamespace(_dispatch=self._do))
        self.port = self._server.server_address[1]
        self.uri = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def names(self, method: str) -> set[str]:
        return {call[2] for call in self.told if call[0] == method}

    def _do(self, method: str, arguments: tuple[Any, ...]) -> list[Any]:
        caller, *rest = arguments
        if method == "lookupNode":
            return [1, "", self.nodes[rest[0]]] if rest[0] in self.nodes else [-1, "unknown node", ""]
        self.told.append((method, *arguments))
        if method.startswith("register"):
            self.nodes[caller] = rest[-1]
        match method:
            case "registerSubscriber":
                return [1, "", self.publishers.get(rest[0], [])]
            case "getParam":
                return [1, "", self.parameters[rest[0]]] if rest[0] in self.parameters else [-1, "not set", 0]
            case "setParam":
                self.parameters[rest[0]] = rest[1]
            case "deleteParam":
                del self.parameters[rest[0]]
        return [1, "", 1]


class Rig:
    """A node and who listens to its hub.

    Attributes:
        hub, node: both. told: problems, kind and text. heard: messages that came, topic and message. said: lines.
        release: ends calls of the service with gear 98.
    """

    def __init__(self, master: str, **form: Any) -> None:
        self.told: list[tuple[str, str]] = []
        self.heard: list[tuple[str, Any]] = []
        self.said: list[str] = []
        self.release = threading.Event()
        published = [
            Published(key, topic, kind, lambda _: None, latched=key == "map")
            for key, topic, kind in (
                ("ego", "/Ego_topic", "morai_msgs/EgoVehicleStatus"),
                ("cloud", "/lidar3D", "sensor_msgs/PointCloud2"),
                ("map", "/map_name", "std_msgs/String"),
                ("clock", "/clock", "rosgraph_msgs/Clock"),
            )
        ]
        subscribed = [
            Subscribed(topic, topic, kind, self._hear(topic))
            for topic, kind in (("/ctrl_cmd", "morai_msgs/CtrlCmd"), ("/text", "std_msgs/String"))
        ]
        service = form["node"] + "_event" if "node" in form else "/Service_MoraiEventCmd"  # one node alone has a name
        provided = [Provided("e", service, "morai_msgs/MoraiEventCmdSrv", self._event)]
        self.hub = Hub(REGISTRY, published, subscribed, provided, self._tell)
        place: Any = HubPlace(SimpleNamespace(now=SimpleNamespace(time=0), put=_nothing), lambda client: client)
        self.hub.serve(place)
        self.node = RosNode(self.hub, NodeSettings(master=master, **form), self.said.append)
        self.hub.join(self.node)

    def close(self) -> None:
        self.hub.leave(self.node)
        self.node.close()

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.told]

    def slave(self, method: str, *arguments: Any) -> Any:
        with xmlrpc.client.ServerProxy(self.node.api) as proxy:
            return getattr(proxy, method)("/test", *arguments)

    def subscribe(self, topic: str, **fields: str) -> tuple[socket.socket, dict[str, str]]:
        """A connection that is past both headers, and the header of the answer."""
        kind = self.hub.published[topic].type if topic in self.hub.published else "std_msgs/String"
        header = {"callerid": "/test", "topic": topic, "type": kind, "md5sum": REGISTRY.md5(kind), **fields}
        sock = self.connect()
        sock.sendall(header_bytes(header))
        return sock, read_header(sock)

    def connect(self) -> socket.socket:
        sock = socket.create_connection(("127.0.0.1", self.node.port), PATIENCE)
        sock.settimeout(PATIENCE)
        return sock

    def _hear(self, topic: str) -> Callable[[Any, Any], Any]:
        def meaning(message: Any, _: Any) -> tuple[()]:
            self.heard.append((topic, message))
            return ()

        return meaning

    def _event(self, request: Any, _: Any) -> Any:
        """Answers with what was asked; a gear of 99 is refused, 98 waits until `release` is set."""
        if request.request.gear == 99:
            raise InputError("EventInfo", "gear", "99 is no gear", "give 1 to 5")
        if request.request.gear == 98:
            self.release.wait(2 * PATIENCE)
        return REGISTRY.make("morai_msgs/MoraiEventCmdSrvResponse", response=request.request)

    def _tell(self, kind: str, text: str) -> None:
        self.told.append((kind, text))


def _nothing(*_: Any) -> None:
    """No run takes commands here."""


@contextmanager
def rig(master: str, **form: Any) -> Iterator[Rig]:
    made = Rig(master, **form)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def master() -> Iterator[SmallMaster]:
    made = SmallMaster()
    yield made
    made.close()


@pytest.fixture
def run(master: SmallMaster) -> Iterator[Rig]:
    with rig(master.uri, max_message=100_000) as made:
        until(lambda: made.said)
        yield made


def header_bytes(fields: dict[str, str]) -> bytes:
    """As the ROS wiki has it; not by the encoder under test."""
    parts = b"".join(struct.pack("<I", len(f"{k}={v}".encode())) + f"{k}={v}".encode() for k, v in fields.items())
    return struct.pack("<I", len(parts)) + parts


def read_header(sock: socket.socket) -> dict[str, str]:
    data, at, fields = frame(sock), 0, {}
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        name, _, value = data[at + 4 : at + 4 + length].decode().partition("=")
        fields[name] = value
        at += 4 + length
    return fields


def frame(sock: socket.socket) -> bytes:
    """A length and what comes after it."""
    (length,) = struct.unpack("<I", exactly(sock, 4))
    return exactly(sock, length)


def exactly(sock: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = sock.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def until(holds: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Look often enough; a machine that stands still for a while does not use up the patience."""
    for _ in range(round(patience / 0.005)):
        found = holds()
        if found:
            return found
        time.sleep(0.005)
    raise AssertionError(f"not in {patience} s")
