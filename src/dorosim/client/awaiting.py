"""The asyncio client: operations with the same names and arguments as those of `Client`, to be awaited."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from os import PathLike
from typing import Any, Self

import grpc
import grpc.aio

from dorosim.client.attempt import Attempts
from dorosim.client.connection import GrpcConnection
from dorosim.client.error import ClientError
from dorosim.client.frame import Frame, FrameGatherer
from dorosim.client.operation import Awaiting, Call, call
from dorosim.client.sensor import FIRST_READING_S, AsyncSensor
from dorosim.client.states import States
from dorosim.client.waker import Waker


class AsyncClient(GrpcConnection, Awaiting):
    """A connection to a simulator, for asyncio. To be used on one event loop.

        async with AsyncClient() as client:
            car = await client.spawn_vehicle((10.0, 5.0), ego=True)
            async for states in client.states(50.0):
                ...

    Args, errors and reconnection: as of `Client`.
    """

    _api = grpc.aio
    _closed = False

    async def connect(self, timeout: float | None = None) -> Self:
        """Wait until the simulator answers, as `Client.connect`."""
        asked = call("Simulator/CheckLatency")
        await self._ask(asked, self._attempts(asked, timeout))
        return self

    async def close(self) -> None:
        """End the connection, and all loops over sensors."""
        self._closed = True
        self._close_feeds()
        if self._feed_channel is not None:
            self._feed_channel.close()
        await self._channel.close()

    async def __aenter__(self) -> Self:
        """The client, connected.

        Raises:
            NoServerError: no simulator answers.
        """
        try:
            return await self.connect()
        except BaseException:
            await self.close()
            raise

    async def _take(self, step: Call) -> Any:
        return await self._ask(step, self._attempts(step))

    async def states(
        self, rate_hz: float = 0.0, *, columns: Iterable[str] = (), kinds: Iterable[str] = ()
    ) -> AsyncIterator[States]:
        """The states of all actors, again and again, as `Client.states`."""
        asked = call("Bulk/StreamStates", columns=columns, kinds=kinds, rate_hz=rate_hz)
        stub, attempts = self._stub(asked.method), self._attempts(asked)
        while True:
            self._check_open()
            frames = stub(asked.request)
            try:
                async for frame in frames:
                    attempts.begin()
                    yield States(frame)
                pause = attempts.after_the_end()
            except grpc.aio.AioRpcError as error:
                pause = attempts.after(error)
            finally:
                frames.cancel()
            await asyncio.sleep(pause)

    async def frames(self, *sensors: AsyncSensor[Any]) -> AsyncIterator[Frame]:
        """Ticks until all of some sensors have read in the same tick, as `Client.frames`."""
        gatherer, waker = FrameGatherer(sensors), Waker()
        patience = self.timeout + FIRST_READING_S
        feed = self.feed(gatherer.ids, every=True, wake=waker.wake)
        try:
            await waker.begun(feed, patience)
            while True:
                gatherer.begin_tick()
                moment = await self.tick()
                while not gatherer.has_reached(moment):
                    gatherer.add(await waker.take(feed, patience), patience)
                frame = gatherer.frame(moment)
                if frame is not None:
                    yield frame
        finally:
            feed.close()

    @asynccontextmanager
    async def synchronous(self, period: float = 0.02) -> AsyncIterator[Self]:
        """Synchronous mode until the end of the block, as `Client.synchronous`."""
        await self.set_synchronous(True, period=period)
        try:
            yield self
        finally:
            await self.set_synchronous(False)

    @asynccontextmanager
    async def recording(self, name: str = "") -> AsyncIterator[Self]:
        """Record the run under a name until the end of the block."""
        await self.start_recording(name)
        try:
            yield self
        finally:
            await self.stop_recording()

    async def _ask(self, asked: Call, attempts: Attempts) -> Any:
        stub = self._stub(asked.method)
        while True:
            self._check_open()
            try:
                return await stub(asked.request, timeout=attempts.left, metadata=asked.metadata)
            except grpc.aio.AioRpcError as error:
                await asyncio.sleep(attempts.after(error))

    def _check_open(self) -> None:
        if self._closed:
            raise ClientError("the client is closed", "connect again")


async def connect_async(
    address: str | None = None,
    *,
    run: str | PathLike[str] | None = None,
    key: str = "",
    timeout: float = 10.0,
    certificate: bytes | None = None,
) -> AsyncClient:
    """An asyncio client of a simulator that answers, as `connect`."""
    return await AsyncClient(address, run=run, key=key, timeout=timeout, certificate=certificate).__aenter__()
