"""Lets coroutines wait for what another thread has."""

from __future__ import annotations

import asyncio

from dorosim.client.error import NoAnswerError
from dorosim.client.feed import Feed, TickReadings


class Waker:
    """Lets a coroutine wait for a feed, whose thread wakes it. To be made on the event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()

    def wake(self) -> None:
        """Let the coroutine look again. Safe from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._rung.set)

    async def take(self, feed: Feed, timeout: float | None = None) -> TickReadings | None:
        """As `Feed.take`.

        Raises:
            ClientError: the stream has ended, and why.
        """
        while True:
            self._rung.clear()
            found = feed.poll()
            if found is not None or feed.closed:
                return found
            await self._ring(timeout)
            if timeout is not None and not self._rung.is_set():
                return None

    async def begun(self, feed: Feed, timeout: float) -> None:
        """As `Feed.wait_begun`.

        Raises:
            ClientError: the stream does not begin.
        """
        while not feed.begun:
            self._rung.clear()
            if not feed.begun:
                await self._ring(timeout)
            if not self._rung.is_set():
                raise NoAnswerError(f"the stream of readings has not begun in {timeout:g} s")

    async def _ring(self, timeout: float | None) -> None:
        try:
            await asyncio.wait_for(self._rung.wait(), timeout)
        except TimeoutError:
            return
