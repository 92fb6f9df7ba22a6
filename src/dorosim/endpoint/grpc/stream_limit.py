"""Streams of reflection and health, the services that grpc brings along, count toward the limit of dorosim's streams.

Each stream occupies a thread or memory as long as it lasts: without the limit, as many streams as there are threads
would block every other call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from threading import BoundedSemaphore
from typing import Any

import grpc


class StreamLimit(grpc.ServerInterceptor):  # type: ignore[misc]
    """Begins streams of some services only as long as there is room.

    Args:
        room: is acquired by each stream. services: their full names.
        too_many: returns status and sentence for a stream without room, by the name of its procedure.
    """

    def __init__(
        self,
        room: BoundedSemaphore,
        services: Collection[str],
        too_many: Callable[[str], tuple[grpc.StatusCode, str]],
    ) -> None:
        self._room, self._too_many = room, too_many
        self._services = frozenset(services)

    def intercept_service(self, continuation: Callable[[Any], Any], details: Any) -> Any:
        """The handler that grpc calls for a path (`grpc.ServerInterceptor`)."""
        handler = continuation(details)
        service, _, name = details.method[1:].rpartition("/")
        if handler is None or not handler.response_streaming or service not in self._services:
            return handler
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
