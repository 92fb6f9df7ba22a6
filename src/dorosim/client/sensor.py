"""Sensors that a program has mounted or found: they are read, streamed, listened to and taken off."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

from dorosim.client.feed import Feed
from dorosim.client.operation import Steps, call, do, waiting
from dorosim.client.quantity import identity
from dorosim.client.reading import CameraPicture, PointCloud, SensorReading
from dorosim.client.reading_form import reading_from_message
from dorosim.client.shared_memory import arrays_in_message
from dorosim.client.waker import Waker

R = TypeVar("R", bound=SensorReading)
T = TypeVar("T")
FIRST_READING_S = 60.0
"""Wall time beside a client's timeout that a reading may take: the first of a run builds what the sensors see [s]."""


class FeedSource(Protocol):
    """What sensors need of a client beside its operations."""

    def feed(self, sensors: Sequence[str], *, every: bool = False, wake: Callable[[], None] = ...) -> Feed:
        """A stream of readings."""


class BlockingSource(FeedSource, Protocol):
    """What sensors need of a blocking client."""

    def run(self, steps: Generator[Any, Any, T]) -> T:
        """Do an operation."""


class AwaitingSource(FeedSource, Protocol):
    """What sensors need of an asyncio client."""

    async def run(self, steps: Generator[Any, Any, T]) -> T:
        """Do an operation."""


class MountedHandle(Generic[R]):
    """What sensors of both clients have.

    Attributes:
        id: its number, by which other operations know it. kind: such as "camera".
    """

    def __init__(self, id: str, kind: str) -> None:  # noqa: A002 - the user's word
        self.id, self.kind = id, kind

    def __repr__(self) -> str:
        """Kind and number."""
        return f"<{type(self).__name__}: {self.kind} {self.id}>"

    def _read(self) -> Steps[R]:
        message = yield waiting(call("Sensing/GetReading", sensor=int(self.id)), FIRST_READING_S)
        return cast("R", reading_from_message(message, arrays_in_message(message.arrays)))

    def _remove(self) -> Steps[None]:
        info = {"vehicle_info": identity(""), "sensor_id": {"value": self.id}}
        yield from do("Sensor/RemoveSensor", **info)


class Sensor(MountedHandle[R]):
    """A sensor on a vehicle. A loop over it has its readings as they come, until it is left.

        for reading in sensor:
            ...

    A program that is too slow gets fewer readings, never older ones; `Client.frames` has all of them, in lockstep. The
    loop waits while the simulator is paused, and goes on after the connection broke.
    """

    def __init__(self, client: BlockingSource, id: str, kind: str) -> None:  # noqa: A002
        super().__init__(id, kind)
        self._client = client
        self._feeds: list[Feed] = []

    def read(self) -> R:
        """What the sensor reads at the last tick, made for this call. Works in pauses and in lockstep, too.

        Raises:
            RefusedError: the sensor is gone, or sees nothing.
        """
        return self._client.run(self._read())

    def __iter__(self) -> Iterator[R]:
        """Readings as they come.

        Raises:
            ClientError: the sensor is gone, or the simulator no longer answers.
        """
        feed = self._client.feed((self.id,))
        self._feeds.append(feed)
        try:
            while (found := feed.take()) is not None:
                yield cast("R", found.readings[0])
        finally:
            feed.close()
            self._feeds.remove(feed)

    def listen(self, function: Callable[[R], object]) -> None:
        """Call a function with each reading, on a thread of its own, until `stop` or the end of the client.

        A function that raises ends the listening; what it raised is printed, as of any thread.
        """

        def work() -> None:
            for reading in self:
                function(reading)

        threading.Thread(target=work, name=f"dorosim-{self.kind}-{self.id}", daemon=True).start()

    def stop(self) -> None:
        """Call no function any more, and end all loops over the sensor."""
        for feed in tuple(self._feeds):
            feed.close()

    def remove(self) -> None:
        """Take the sensor off its vehicle.

        Raises:
            RefusedError: it is gone already.
        """
        self.stop()
        self._client.run(self._remove())


class AsyncSensor(MountedHandle[R]):
    """A sensor of an asyncio client, as `Sensor`.

    async for reading in sensor:
        ...
    """

    def __init__(self, client: AwaitingSource, id: str, kind: str) -> None:  # noqa: A002
        super().__init__(id, kind)
        self._client = client
        self._feeds: list[Feed] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def read(self) -> R:
        """What the sensor reads at the last tick, as `Sensor.read`."""
        return await self._client.run(self._read())

    async def __aiter__(self) -> AsyncIterator[R]:
        """Readings as they come, as of `Sensor`."""
        waker = Waker()
        feed = self._client.feed((self.id,), wake=waker.wake)
        self._feeds.append(feed)
        try:
            while (found := await waker.take(feed)) is not None:
                yield cast("R", found.readings[0])
        finally:
            feed.close()
            self._feeds.remove(feed)

    def listen(self, function: Callable[[R], object] | Callable[[R], Awaitable[object]]) -> asyncio.Task[None]:
        """Call a function, or await a coroutine function, with each reading until `stop`; the task that does it."""

        async def work() -> None:
            async for reading in self:
                result = function(reading)
                if inspect.isawaitable(result):
                    await result

        task = asyncio.get_running_loop().create_task(work())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def stop(self) -> None:
        """Call no function any more, and end all loops over the sensor."""
        for feed in tuple(self._feeds):
            feed.close()

    async def remove(self) -> None:
        """Take the sensor off its vehicle, as `Sensor.remove`."""
        self.stop()
        await self._client.run(self._remove())


class Camera(Sensor[CameraPicture]):
    """A camera, as `Sensor`."""

    def picture(self) -> CameraPicture:
        """What the camera sees at the last tick, as `read`."""
        return self.read()


class AsyncCamera(AsyncSensor[CameraPicture]):
    """A camera of an asyncio client, as `AsyncSensor`."""

    async def picture(self) -> CameraPicture:
        """What the camera sees at the last tick, as `read`."""
        return await self.read()


class Lidar(Sensor[PointCloud]):
    """A spinning lidar, as `Sensor`; a reading of a loop over it is a turn."""

    def cloud(self) -> PointCloud:
        """A whole turn as of the last tick, as `read`."""
        return self.read()


class AsyncLidar(AsyncSensor[PointCloud]):
    """A spinning lidar of an asyncio client, as `Lidar`."""

    async def cloud(self) -> PointCloud:
        """A whole turn as of the last tick, as `read`."""
        return await self.read()
