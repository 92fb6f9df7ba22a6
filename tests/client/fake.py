"""A server that knows nothing but the .proto files: it notes what it is asked, and gives canned answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import numpy as np
from google.protobuf.json_format import MessageToDict, ParseDict

from dorosim.wire.grpc.descriptor import Method, method_of


class FakeServer(grpc.GenericRpcHandler):
    """Answers every procedure.

    Attributes:
        asked: "Service/Name" and the fields of each request, in order.
        answers: fields of the answer, by "Service/Name".
        failures: statuses and sentences that calls end with before they succeed, by "Service/Name".
        frames: of the stream of states. delay: before each answer [s].
    """

    def __init__(self, port: int = 0) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.answers: dict[str, Any] = {}
        self.failures: dict[str, list[tuple[grpc.StatusCode, str]]] = {}
        self.frames: list[Any] = []
        self.delay = 0.0
        self._server = grpc.server(ThreadPoolExecutor(4), options=(("grpc.so_reuseport", 0),))
        self._server.add_generic_rpc_handlers((self,))
        self.port = self._server.add_insecure_port(f"127.0.0.1:{port}")
        self._server.start()

    @property
    def address(self) -> str:
        """Of the server."""
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        """End it at once."""
        self._server.stop(0).wait()

    def last(self, name: str) -> dict[str, Any]:
        """The fields of the last request to a procedure."""
        return next(fields for one, fields in reversed(self.asked) if one == name)

    def service(self, details: Any) -> Any:
        """The handler of a path."""
        method = method_of(details.method)
        if method is None:
            return None
        decode, encode = method.request.FromString, method.response.SerializeToString
        if method.server_streaming:
            return grpc.unary_stream_rpc_method_handler(lambda *a: self._stream(method, *a), decode, encode)
        return grpc.unary_unary_rpc_method_handler(lambda *a: self._answer(method, *a), decode, encode)

    def _note(self, method: Method, request: Any, context: Any) -> str:
        name = f"{method.service.rpartition('.')[2]}/{method.name}"
        fields = MessageToDict(request, preserving_proto_field_name=True)
        self.asked.append((name, fields))
        if self.failures.get(name):
            context.abort(*self.failures[name].pop(0))
        return name

    def _answer(self, method: Method, request: Any, context: Any) -> Any:
        name = self._note(method, request, context)
        time.sleep(self.delay)
        answer = self.answers.get(name)
        if answer is None:
            answer = {"status": "STATUS_CODE_SUCCESS"} if method.response.DESCRIPTOR.name == "Result" else {}
        return answer if not isinstance(answer, dict) else ParseDict(answer, method.response())

    def _stream(self, method: Method, request: Any, context: Any) -> Iterator[Any]:
        self._note(method, request, context)
        yield from self.frames


@contextmanager
def fake_server() -> Iterator[FakeServer]:
    """A server while the block lasts."""
    server = FakeServer()
    try:
        yield server
    finally:
        server.close()


def frame(tick: int = 5, **columns: Any) -> Any:
    """A StatesFrame: numbers as arrays, texts as pairs of indexes and words."""
    made = method_of("/dorosim.Bulk/GetStates").response(tick=tick, time_ns=tick * 10_000_000)
    for name, given in columns.items():
        values, texts = given if isinstance(given, tuple) else (given, ())
        array = np.asarray(values, "<f8" if not texts and name != "id" else "<i4")
        made.rows = len(array)
        width = array.shape[1] if array.ndim == 2 else 1
        kind = 1 if array.dtype == np.float64 else 4
        made.columns.add(name=name, type=kind, width=width, values=array.tobytes(), dictionary=texts, unit="")
    return made


def everybody() -> Any:
    """A frame with an ego and a cone."""
    three = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    return frame(
        id=[1, 7],
        kind=([0, 4], ("ego", "npc", "ghost", "pedestrian", "obstacle")),
        model=([1, 0], ("cone", "2016_Hyundai_Ioniq")),
        **dict.fromkeys(("position", "rotation", "velocity", "acceleration", "size"), three),
        yaw_rate=[0.1, 0.0],
        steer=[0.2, np.nan],
        accelerator=[0.3, np.nan],
        brake=[0.0, np.nan],
        gear=([4, -1], ("M", "P", "R", "N", "D", "L")),
        name=([0, -1], ("Ego",)),
    )


class Later:
    """Does something after a time, on another thread."""

    def __init__(self, seconds: float, work: Any) -> None:
        self.result: Any = None
        self._thread = threading.Timer(seconds, self._do, (work,))
        self._thread.start()

    def _do(self, work: Any) -> None:
        self.result = work()

    def join(self) -> Any:
        """What came of it."""
        self._thread.join()
        return self.result
