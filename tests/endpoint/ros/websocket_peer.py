"""A client that knows websockets, JSON and CBOR, and nothing of dorosim."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cbor2
from websockets.sync.client import ClientConnection, connect

from dorosim.endpoint.ros.rosbridge.server import RosbridgeServer


class Client:
    """A client that knows websockets and JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def send(self, op: str, **fields: Any) -> None:
        self.connection.send(json.dumps({"op": op, **fields}))

    def next(self, timeout: float = 60.0) -> dict[str, Any]:
        """The next operation, as JSON or CBOR."""
        frame = self.connection.recv(timeout)
        return json.loads(frame) if isinstance(frame, str) else cbor2.loads(frame)

    def silent(self, seconds: float = 0.2) -> bool:
        try:
            self.connection.recv(seconds)
        except TimeoutError:
            return True
        return False

    def call(self, service: str, **fields: Any) -> dict[str, Any]:
        self.send("call_service", service=service, id="c", **fields)
        answer = self.next()
        assert (answer["op"], answer["service"], answer["id"]) == ("service_response", service, "c")
        return answer

    def settle(self) -> None:
        """Wait until all that was sent has been done."""
        assert self.call("/rosapi/get_time")["result"]


@contextmanager
def client_of(server: RosbridgeServer, max_queue: int = 16) -> Iterator[Client]:
    """A client of a server. Messages beyond so many that it has not taken wait in the server."""
    address = f"ws://127.0.0.1:{server.port}"
    with connect(address, compression=None, max_size=None, max_queue=max_queue) as connection:
        yield Client(connection)
