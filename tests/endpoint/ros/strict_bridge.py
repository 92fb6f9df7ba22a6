"""A rosbridge server that knows the operations of the v2 protocol and refuses every field that it does not know.

It has its own parser of message definitions, and takes of dorosim only their texts, as a user's workspace has them.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import bson
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

from dorosim.wire.ros.registry import registry_of

FIELDS = {
    "advertise": {"op": str, "id": str, "topic": str, "type": str, "latch": bool, "queue_size": int},
    "unadvertise": {"op": str, "id": str, "topic": str},
    "publish": {"op": str, "id": str, "topic": str, "msg": dict},
    "subscribe": {"op": str, "id": str, "topic": str, "type": str, "queue_length": int, "throttle_rate": int},
    "advertise_service": {"op": str, "service": str, "type": str},
    "unadvertise_service": {"op": str, "service": str},
    "service_response": {"op": str, "id": str, "service": str, "values": object, "result": bool},
}
NEEDED = {"publish": {"topic", "msg"}, "advertise": {"topic", "type"}, "service_response": {"service", "result"}}
_INTS = {f"{sign}int{bits}": bits for sign in ("", "u") for bits in (8, 16, 32, 64)} | {"byte": 8, "char": 8}


class StrictBridge:
    """The server.

    Attributes:
        port: of it. seen: operations in order. problems: what it refused. bson: whether it speaks BSON only.
    """

    def __init__(self, *, bson_only: bool = False, port: int = 0, generation: str = "2024") -> None:
        self.bson = bson_only
        self.seen: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self.types: dict[str, str] = {}
        self._registry = registry_of(generation)
        self._connection: ServerConnection | None = None
        self._attending = threading.Event()
        self._left = threading.Event()
        self._server: Server = serve(self._attend, "127.0.0.1", port, compression=None, max_size=None)
        self.port: int = self._server.socket.getsockname()[1]
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        """Go, with all connections; what a client sent before it left is in `seen` then.

        The library answers a client's farewell as soon as it arrives, though frames before it are still waiting.
        """
        self._server.shutdown()
        self._thread.join()
        if self._connection is not None:
            with suppress(OSError):
                self._connection.socket.shutdown(2)
            assert self._left.wait(60.0), "frames of the last client are still waiting"

    def send(self, **operation: Any) -> None:
        """Send an operation to the client."""
        assert self._attending.wait(60.0), "nobody has connected"
        assert self._connection is not None
        self._connection.send(bson.encode(operation) if self.bson else json.dumps(operation))

    def of(self, op: str, **fields: Any) -> list[dict[str, Any]]:
        """Operations that came, by their fields."""
        return [one for one in list(self.seen) if one["op"] == op and fields.items() <= one.items()]

    def _attend(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._left.clear()
        self._attending.set()  # a client may know of the connection before it is attended to
        try:
            with suppress(ConnectionClosed):
                for frame in connection:
                    self._try(frame)
        finally:
            self._left.set()

    def _try(self, frame: str | bytes) -> None:
        try:
            self._take(frame)
        except Exception as error:
            self.problems.append(f"{type(error).__name__}: {error}: {str(frame)[:200]}")

    def _take(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes) != self.bson:
            raise ValueError("a frame of the wrong kind")
        operation = bson.decode(frame) if isinstance(frame, bytes) else json.loads(frame)
        known = FIELDS[operation["op"]]
        for field, value in operation.items():
            if field not in known or not isinstance(value, known[field]):
                raise ValueError(f"field {field}")
        missing = NEEDED.get(operation["op"], set()) - operation.keys()
        if missing:
            raise ValueError(f"missing {missing}")
        if operation["op"] == "advertise":
            self.types[operation["topic"]] = operation["type"]
        if operation["op"] == "publish":
            self._check(self.types[operation["topic"]], operation["msg"], operation["topic"])
        if operation["op"] == "advertise_service":
            self.types[operation["service"]] = operation["type"]
        if operation["op"] == "service_response" and operation["result"]:
            self._check(f"{self.types[operation['service']]}Response", operation["values"], operation["service"])
        self.seen.append(operation)

    def _check(self, kind: str, tree: Any, path: str) -> None:
        """Every field is one of the type's, and of its kind."""
        fields = {}
        for line in self._registry.text(kind).splitlines():
            words = line.partition("#")[0].split()
            if len(words) >= 2 and "=" not in line.partition("#")[0]:
                fields[words[1]] = words[0]
        for field, value in tree.items():
            if field not in fields:
                raise ValueError(f"NonexistentFieldException: {path}.{field}")
            self._check_value(fields[field], value, f"{path}.{field}", kind.partition("/")[0])

    def _check_value(self, kind: str, value: Any, path: str, package: str) -> None:
        base, array, length = kind.partition("[")
        if array and base in ("uint8", "char"):
            data = value if self.bson else base64.b64decode(value, validate=True)
            assert isinstance(data, bytes), path
        elif array:
            assert isinstance(value, list), path
            assert length == "]" or len(value) == int(length[:-1]), path
            for one in value:
                self._check_value(base, one, path, package)
        elif base in ("time", "duration"):
            assert set(value) == {"secs", "nsecs"}, path
        elif base == "string":
            assert isinstance(value, str), path
        elif base == "bool":
            assert isinstance(value, bool), path
        elif base in _INTS:
            assert isinstance(value, int), path
            assert not isinstance(value, bool), path
        elif base in ("float32", "float64"):
            assert isinstance(value, float | int), f"{path}: {value}"
        elif base == "Header":
            self._check("std_msgs/Header", value, path)
        else:
            self._check(base if "/" in base else f"{package}/{base}", value, path)


@contextmanager
def strict_bridge(*, bson_only: bool = False, port: int = 0) -> Iterator[StrictBridge]:
    """A server until the end of the block."""
    made = StrictBridge(bson_only=bson_only, port=port)
    try:
        yield made
    finally:
        made.close()
