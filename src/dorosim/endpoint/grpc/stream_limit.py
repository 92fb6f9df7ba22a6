"""Streams of reflection and health, the services that grpc brings along, count toward the limit of dorosim's streams.

Each stream occupies a thread or memory as long as it lasts: without the limit, as many streams as there are threads
would block every other call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import BoundedSemaphore
from typing import Any

import grpc


class StreamLimit:
    """The server to services that grpc brings along: it has them begin streams only as long as there is room.

    It bounds their handlers where they are added. An interceptor would be asked about every call of every service.

    Args:
        server: of grpc, which serves them.
        room: is acquired by each stream.
        too_many: returns status and sentence for a stream without room, by the name of its procedure.
    """

    def __init__(
        self, server: Any, room: BoundedSemaphore, too_many: Callable[[str], tuple[grpc.StatusCode, str]]
    ) -> None:
        self._server, self._room, self._too_many = server, room, too_many

    def add_generic_rpc_handlers(self, handlers: Iterable[Any]) -> None:
        """Serve a service (`grpc.Server`)."""
        self._server.add_generic_rpc_handlers(tuple(_BoundedHandler(one, self.bounded) for one in handlers))

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Any]) -> None:
        """Leave out the second way to the same procedures, which generated code adds beside the first one."""

    def bounded(self, handler: Any, path: str) -> Any:
        """The handler of a path, bounded if it streams; None for none."""
        if handler is None or not handler.response_streaming:
            return handler
        service, _, name = path[1:].rpartition("/")
        procedure = f"gRPC {service.rpartition('.')[2]}/{name}"
        if handler.request_streaming:
            return handler._replace(stream_stream=self._bounded(handler.stream_stream, procedure))
        return handler._replace(unary_stream=self._bounded(handler.unary_stream, procedure))

    def _bounded(self, behaviour: Any, procedure: str) -> Any:
        if getattr(behaviour, "experimental_non_blocking", False):
            return self._bounded_callback(behaviour, procedure)

        def call(request: Any, context: Any) -> Iterator[Any]:
            self._enter(context, procedure)
            yield from behaviour(request, context)

        return call

    def _bounded_callback(self, behaviour: Any, procedure: str) -> Any:
        """Limits a behaviour that answers through a callback and occupies no thread meanwhile."""

        def call(request: Any, context: Any, answer: Callable[[Any], None]) -> None:
            self._enter(context, procedure)
            behaviour(request, context, answer)

        for name in ("experimental_non_blocking", "experimental_thread_pool"):
            setattr(call, name, getattr(behaviour, name, None))
        return call

    def _enter(self, context: Any, procedure: str) -> None:
        """Acquire room for a call until the call is over; abort the call where there is no room."""
        if not self._room.acquire(blocking=False):
            context.abort(*self._too_many(procedure))
        if not context.add_callback(self._room.release):  # it is over already
            self._room.release()


class _BoundedHandler(grpc.GenericRpcHandler):  # type: ignore[misc]
    """Finds what another one finds, bounded."""

    def __init__(self, handler: Any, bounded: Callable[[Any, str], Any]) -> None:
        self._handler, self._bounded = handler, bounded

    def service(self, details: Any) -> Any:
        """The handler that grpc calls for a path; None where another one serves it."""
        return self._bounded(self._handler.service(details), details.method)
