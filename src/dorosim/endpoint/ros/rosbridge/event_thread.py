"""A thread with an event loop, to which other threads pass messages without waiting."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

from dorosim.endpoint.ros.outgoing_message import OutgoingMessage

_BACKLOG = 1_000
"""Most messages that wait for the thread; it takes all of them at once, so more means that it is stuck."""


class EventThread:
    """Runs a coroutine on a thread of its own.

    Args:
        name: of the thread.
        main: runs until `closing` is set.
        take: is called with each message on that thread.

    Attributes:
        closing: set to end it, on that thread.
    """

    def __init__(
        self, name: str, main: Callable[[], Coroutine[Any, Any, None]], take: Callable[[OutgoingMessage], None]
    ) -> None:
        self.closing = asyncio.Event()
        self._main, self._take = main, take
        self._waiting: deque[OutgoingMessage] = deque(maxlen=_BACKLOG)
        self._woken = self._ended = False
        self._events: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def put(self, outgoing: OutgoingMessage) -> None:
        """Hand over a message, from any thread."""
        self._waiting.append(outgoing)
        if not self._woken:
            self._woken = True
            self.soon(self._drain)

    def soon(self, act: Callable[[], object]) -> None:
        """Call a function on the thread, unless the thread has ended. From any thread."""
        if self._events is not None:
            try:
                self._events.call_soon_threadsafe(act)
            except RuntimeError:
                return  # it has ended

    def close(self) -> None:
        """End the thread, and wait for its end; also right after `start`."""
        self._ended = True
        self.soon(self.closing.set)
        if self._thread.ident is not None:
            self._thread.join()

    def _drain(self) -> None:
        self._woken = False
        while self._waiting:
            self._take(self._waiting.popleft())

    async def _run(self) -> None:
        self._events = asyncio.get_running_loop()
        self._drain()  # what came before
        if self._ended:
            self.closing.set()
        await self._main()
