"""Streams of services that grpc brings along, reflection and health, count among those of ours.

Each of them has a thread as long as it lasts, or memory: else as many as there are threads shut out every other call.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from threading import BoundedSemaphore
from typing import Any

import grpc


class StreamLimit(grpc.ServerInterceptor):  # type: ignore[misc]
    """Lets streams of some services begin as long as there is room.

    Args:
        room: is taken by each stream. services: by their full names.
        too_many: gives status and sentence of a stream for which there is none, by the name of its procedure.
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
        """What grpc calls for a path (`grpc.ServerInterceptor`)."""
        handler = continuation(details)
        service, _, name = details.method[1:].rpartition("/")
        if handler is None or not handler.response_streaming or service not in self._services:
            return handler
        told = f"gRPC {service.rpartition('.')[2]}/{name}"
        if handler.request_streaming:
            return handler._replace(stream_stream=self._bounded(handler.stream_stream, told))
        return handler._replace(unary_stream=self._bounded(handler.unary_stream, told))

    def _bounded(self, behaviour: Any, told: str) -> Any:
        if getattr(behaviour, "experimental_non_blocking", False):
            return self._bounded_callback(behaviour, told)

        def call(request: Any, context: Any) -> Iterator[Any]:
            self._enter(context, told)
            yield from behaviour(request, context)

        return call

    def _bounded_callback(self, behaviour: Any, told: str) -> Any:
        """Of a behaviour that answers by calling back, and has no thread meanwhile."""

        def call(request: Any, context: Any, answer: Callable[[Any], None]) -> None:
            self._enter(context, told)
            behaviour(request, context, answer)

        for name in ("experimental_non_blocking", "experimental_thread_pool"):
            setattr(call, name, getattr(behaviour, name, None))
        return call

    def _enter(self, context: Any, told: str) -> None:
        """Take room for a call until it is over; end it where there is none."""
        if not self._room.acquire(blocking=False):
            context.abort(*self._too_many(told))
        if not context.add_callback(self._room.release):  # it is over already
            self._room.release()
