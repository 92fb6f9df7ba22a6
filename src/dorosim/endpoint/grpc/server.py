"""The gRPC server: both public APIs, dorosim's own, reflection and health on one port.

A call is decoded, checked (NaN, unknown codes, endless lists), translated by the bridge, and answered after the tick
that applied its commands. Whatever a client sends, it gets an answer or a status with a sentence, and the run goes on.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.message import DecodeError
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from dorosim.bridge.first_start import COMPILING, needs_kernels
from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.catalogue import procedures
from dorosim.bridge.reply import DeferredReply
from dorosim.endpoint.grpc.bulk import BULK_STREAMS
from dorosim.endpoint.grpc.call import CallError, Code, GrpcPlace, Stream, StreamCall, status_of
from dorosim.endpoint.grpc.reading_stream import READING_STREAMS
from dorosim.endpoint.grpc.reflection import REFLECTIONS, add_reflection
from dorosim.endpoint.grpc.stream_limit import StreamLimit
from dorosim.ground.error import InputError
from dorosim.wire.grpc.check import MAX_LIST_LENGTH, flaw_of
from dorosim.wire.grpc.descriptor import DROP_KEY, DROP_YES, RUN_KEY, SEED_KEY, Method, method_of, methods, pool
from dorosim.wire.value_text import Exchange, Plain

if TYPE_CHECKING:
    from google.protobuf.message import Message

CLOSING_TIMEOUT_S = 0.5
"""Wall time that calls have to end when the server closes [s]."""
MAX_KEPT_REQUEST = 1 << 20
"""Most bytes of a request that is kept as the last one; larger ones would fill the memory."""
READERS = 2
"""Threads that answer quick queries. The many threads that wait for ticks would compete with them for the interpreter's
lock: with 32 calls in flight, two threads answer half as many queries again, and no query waits behind commands that
wait."""
_LONG = frozenset({"GetMGeo", "GetSensorData", "GetGroundTruthData", "GetReading"})
"""Queries that take long: a map is packed, a sensor's picture is awaited."""
_OTHERS = (*REFLECTIONS, health.SERVICE_NAME)
"""Services that the libraries implement."""
FIRST_START_TIMEOUT_S = 180.0
"""Most wall time that a command waits while kernels are compiled at the first start [s]."""
MIN_ANSWER_TIME_S = 0.3
"""Wall time before a client's deadline at which a command that still waits for kernels is answered UNAVAILABLE [s]."""
MIN_ANSWER_SHARE = 0.2
"""The same as a share of the time to the deadline: while two processors compile, an answer takes longer."""
_STEP = "/morai_sim_api.simulation.Simulation/Tick"
"""Procedure by which clients step the run; the run waits for all of them."""
_NOTHING = nullcontext()


@dataclass(frozen=True, slots=True, kw_only=True)
class GrpcLimits:
    """Limits of the server.

    Attributes:
        workers: most calls that are worked on at a time. streams: most streaming calls at a time.
        message: longest message [bytes]. entries: most entries of a list. timeout: time for an answer [s].
    """

    workers: int = 32
    streams: int = 16
    message: int = 32 << 20
    entries: int = MAX_LIST_LENGTH
    timeout: float = 10.0


@dataclass(frozen=True, slots=True)
class Tls:
    """A certificate and its key, as PEM."""

    certificate: bytes
    key: bytes


class GrpcServer:
    """A server on a port.

    Args:
        address: "127.0.0.1:7789"; port 0 for any that is free.
        report: is called with the kind and text of each problem, from any thread.
        limits: of calls and messages.
        tls: certificate and key, None for a server without TLS.
        streams: streaming procedures by path, beside those of dorosim's own services.
        run_id: of the program, which each answer has in its trailing metadata as `RUN_KEY`; "" for none.

    Raises:
        InputError: the address cannot be used.

    Attributes:
        port: of the address. counts: calls by method, and refusals by code.
        last_values: the last exchange of each method, by the kind under which its calls are counted.
        closing: whether the server is closing.
    """

    def __init__(
        self,
        address: str,
        report: Callable[[str, str], None],
        limits: GrpcLimits | None = None,
        tls: Tls | None = None,
        streams: dict[str, Stream] | None = None,
        run_id: str = "",
    ) -> None:
        self._trailer = ((RUN_KEY, run_id),) if run_id else ()
        self.limits = limits or GrpcLimits()
        self.counts: Counter[str] = Counter()
        self.last_values: dict[str, Exchange] = {}
        self.closing = False
        self._place: GrpcPlace | None = None
        self._report = report
        self._streams: dict[str, Stream] = {**BULK_STREAMS, **READING_STREAMS, **(streams or {})}
        self._streaming = threading.BoundedSemaphore(self.limits.streams)
        self._procedures = procedures()
        options = (
            ("grpc.max_receive_message_length", self.limits.message),
            ("grpc.max_send_message_length", self.limits.message),
            ("grpc.so_reuseport", 0),
        )
        threads = ThreadPoolExecutor(self.limits.workers + self.limits.streams, "dorosim-grpc")
        self._readers = ThreadPoolExecutor(READERS, "dorosim-grpc-read")
        self._server = grpc.server(threads, options=options)
        self._server.add_generic_rpc_handlers((_Handler(self),))
        names = dict.fromkeys(method.service for method in methods())
        bounded = StreamLimit(self._server, self._streaming, self._too_many)
        add_reflection(bounded, (*names, health.SERVICE_NAME), pool())
        healthy = health.HealthServicer()
        for name in names:
            healthy.set(name, health_pb2.HealthCheckResponse.SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(healthy, bounded)
        self.port = self._bound(address, tls)

    def serve(self, place: GrpcPlace | None) -> None:
        """Serve a run from now on; None between two runs, when calls get UNAVAILABLE and the advice to ask again."""
        self._place = place

    def start(self) -> None:
        """Begin to listen."""
        self._server.start()

    def close(self) -> None:
        """End all calls."""
        self.closing = True
        self._server.stop(CLOSING_TIMEOUT_S).wait(4 * CLOSING_TIMEOUT_S)
        self._readers.shutdown(wait=False)

    @property
    def place(self) -> GrpcPlace:
        """The run that is served.

        Raises:
            CallError: there is no run just now.
        """
        if self._place is None:
            raise CallError(Code.UNAVAILABLE, "no run is there just now; ask again")
        return self._place

    def report_unknown(self, path: str) -> None:
        """Log that a client called a procedure that is not served; grpc answers UNIMPLEMENTED by itself."""
        self.counts["gRPC unknown procedure"] += 1
        self._report("gRPC unknown procedure", f"{path[:200]}: served are the documented API and the Standard API")

    def handler(self, method: Method) -> Any:
        """The handler that grpc calls for a procedure; None for a stream that this version does not have."""
        # requests come as bytes: grpc calls bytes that are no message a failure of the server
        encode = method.response.SerializeToString
        stream = self._streams.get(method.path)
        if stream is not None:
            both = self._streaming_call(method, stream)
            if method.client_streaming:
                return grpc.stream_stream_rpc_method_handler(both, None, encode)
            return grpc.unary_stream_rpc_method_handler(
                lambda data, context: both(iter((data,)), context), None, encode
            )
        if method.client_streaming or method.server_streaming:
            return None
        call = self._unary_call(method, self._procedures.get(method.path))
        if is_quick(method):
            call.experimental_thread_pool = self._readers  # type: ignore[attr-defined]  # grpc looks for this name
        return grpc.unary_unary_rpc_method_handler(call, None, encode)

    def _unary_call(self, method: Method, procedure: Procedure | None) -> Callable[[Any, Any], Any]:
        name, quick, steps = name_of(method), is_quick(method), method.path == _STEP

        def call(data: bytes, context: Any) -> Any:
            self.counts[name] += 1
            context.set_trailing_metadata(self._trailer)
            kept: Message | Plain | None = None
            try:
                with self._leaving(context) if steps else _NOTHING:
                    request = self._read(method, data)
                    kept = kept_request(request, data)
                    answer = self._answer(procedure, request, context, quick)
            except Exception as error:
                return context.abort(*self._failed(name, error, kept))
            self.last_values[name] = Exchange(kept, answer)
            return answer

        return call

    @contextmanager
    def _leaving(self, context: Any) -> Iterator[None]:
        """Let the run wait no longer for a client that disconnects during its call of `_STEP`."""
        client, waits = context.peer(), [True]

        def gone() -> None:
            place = self._place
            if waits and place is not None:
                place.situate(client).host.pace.leave(client)

        context.add_callback(gone)
        try:
            yield
        finally:
            waits.clear()

    def _answer(self, procedure: Procedure | None, request: Message, context: Any, quick: bool) -> Any:
        if procedure is None:
            raise CallError(Code.UNIMPLEMENTED, "is not in this version")
        place = self.place
        at = place.situate(context.peer())
        sent = {} if quick else dict(context.invocation_metadata())  # no metadata change what a query reads
        if DROP_KEY in sent or SEED_KEY in sent:
            at = replace(at, drop=sent.get(DROP_KEY) == DROP_YES, seed=sent.get(SEED_KEY))
        found = procedure(request, at)
        if not isinstance(found, DeferredReply):
            return found
        left = context.time_remaining()
        timeout = (
            FIRST_START_TIMEOUT_S
            if left is None
            else min(FIRST_START_TIMEOUT_S, left - max(MIN_ANSWER_TIME_S, MIN_ANSWER_SHARE * left))
        )
        if needs_kernels(found.commands) and not place.ready(timeout):
            raise CallError(Code.UNAVAILABLE, COMPILING)
        done = place.gateway.do(found.commands, self.limits.timeout)
        return found.reply(done.now, done.outcomes)

    def _streaming_call(self, method: Method, stream: Stream) -> Callable[[Any, Any], Iterator[Any]]:
        name = name_of(method)

        def call(requests: Iterator[bytes], context: Any) -> Iterator[Any]:
            self.counts[name] += 1
            context.set_trailing_metadata(self._trailer)
            last: Message | Plain | None = None

            def read() -> Iterator[Message]:
                nonlocal last
                for data in requests:
                    request = self._read(method, data)
                    last = kept_request(request, data)
                    self.last_values[name] = Exchange(last)
                    yield request

            if not self._streaming.acquire(blocking=False):
                context.abort(*self._too_many(name))
            try:
                for answer in stream(read(), StreamCall(self, context, context.peer())):
                    self.last_values[name] = Exchange(last, answer)
                    yield answer
            except Exception as error:
                if context.is_active():  # else the client has gone
                    context.abort(*self._failed(name, error, last))
            finally:
                self._streaming.release()

        return call

    def _too_many(self, name: str) -> tuple[grpc.StatusCode, str]:
        """Status and sentence of one stream too many."""
        most = f"{self.limits.streams} streams are open; close one, or allow more in the settings"
        return self._failed(name, CallError(Code.RESOURCE_EXHAUSTED, most))

    def _read(self, method: Method, data: bytes) -> Message:
        """The request that bytes encode, checked.

        Raises:
            CallError: the bytes are no such message, or a value in it is not valid.
        """
        try:
            request = method.request.FromString(data)
        except DecodeError:
            kind = method.request.DESCRIPTOR.full_name
            raise CallError(Code.INVALID_ARGUMENT, f"{len(data)} bytes that are not a valid {kind}") from None
        flaw = flaw_of(request, self.limits.entries) if data else ""  # of no bytes, no field is set
        if flaw:
            raise CallError(Code.INVALID_ARGUMENT, flaw)
        return request

    def _failed(
        self, name: str, error: Exception, request: Message | Plain | None = None
    ) -> tuple[grpc.StatusCode, str]:
        """Status and sentence of a call that failed; the failure is counted and reported."""
        code, reason = status_of(error)
        self.last_values[name] = Exchange(request, Plain(f"{code.name}: {reason}"))
        kind = f"gRPC {code.name.lower().replace('_', ' ')}"
        self.counts[kind] += 1
        self._report(kind, f"{name}: {reason}")
        return code, reason

    def _bound(self, address: str, tls: Tls | None) -> int:
        try:
            if tls is None:
                port = self._server.add_insecure_port(address)
            else:
                credentials = grpc.ssl_server_credentials([(tls.key, tls.certificate)])
                port = self._server.add_secure_port(address, credentials)
        except (RuntimeError, ValueError) as error:
            raise InputError("gRPC", address, f"cannot be used: {error}", "give another [grpc] address") from None
        if port == 0:
            raise InputError("gRPC", address, "is in use, or is not an address of this machine", "give another one")
        return int(port)


class _Handler(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Finds the procedure of a path, whatever package the client compiled (design/seams.md)."""

    def __init__(self, server: GrpcServer) -> None:
        self._server = server
        self._made: dict[str, Any] = {}

    def service(self, details: Any) -> Any:
        """The handler that grpc calls for a path; None where another handler or none serves it."""
        path = details.method
        known = self._made.get(path)
        if known is not None:
            return known
        if path.rpartition("/")[0][1:] in _OTHERS:
            return None
        method = method_of(path)
        if method is None:
            self._server.report_unknown(path)
            return None
        if method.path not in self._made:
            self._made[method.path] = self._server.handler(method)
        return self._made[method.path]


def is_quick(method: Method) -> bool:
    """Whether a procedure only reads the newest snapshot, so that it never waits."""
    return method.name.startswith("Get") and method.name not in _LONG


def name_of(method: Method) -> str:
    """The name of a procedure in messages to users and in counters."""
    return f"gRPC {method.service.rpartition('.')[2]}/{method.name}"


def kept_request(request: Message, data: bytes) -> Message | Plain:
    """What is kept of a request: the message, or a text with its size if it is larger than `MAX_KEPT_REQUEST`."""
    return request if len(data) <= MAX_KEPT_REQUEST else Plain(f"{len(data):,} bytes, which are not kept")
