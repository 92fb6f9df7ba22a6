"""A stream of readings: a thread takes them as they come, so that a program that is slow gets the newest.

The blocking client waits for the thread, the asyncio client is woken by it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import grpc

from dorosim.client.attempt import Attempts
from dorosim.client.error import ClientError, NoAnswerError
from dorosim.client.reading import SensorReading
from dorosim.client.reading_form import reading_from_message
from dorosim.client.shared_memory import SharedSlots, arrays_in_message
from dorosim.wire.grpc.descriptor import message_class

SAME_RUN_NS = 1_000_000_000
"""A message that is older by more is of a run that began anew [ns]."""


@dataclass(frozen=True, slots=True)
class TickReadings:
    """What the sensors of a feed have read in a tick.

    Attributes:
        time_ns: simulated time [ns]. readings: of the sensors that have read.
    """

    time_ns: int
    readings: tuple[SensorReading, ...]


class Feed:
    """Readings of some sensors.

    Args:
        begin: begins the stream.
        attempts: how often, after the connection broke.
        every: whether every tick is wanted; else the newest reading.
        wake: is called, on the feed's thread, when there is something to take.

    Attributes:
        by_memory: readings that came by shared memory. by_message: the others.
    """

    def __init__(
        self, begin: Callable[[], Any], attempts: Attempts, *, every: bool, wake: Callable[[], None] = lambda: None
    ) -> None:
        self.by_memory = self.by_message = 0
        self._begin, self._attempts, self._every, self._wake = begin, attempts, every, wake
        self._changed = threading.Condition()
        self._waiting: deque[Any] = deque(maxlen=None if every else 1)
        self._slots: dict[int, SharedSlots] = {}
        self._error: ClientError | None = None
        self._begun = self._closed = False
        self._stream: Any = None
        self._announced_ns = -SAME_RUN_NS
        self._thread = threading.Thread(target=self._run, name="dorosim-feed", daemon=True)
        self._thread.start()

    @property
    def begun(self) -> bool:
        """Whether the simulator listens: what its sensors read from now on is not missed.

        Raises:
            ClientError: it does not, and why.
        """
        if not self._begun and self._error is not None:
            raise self._error
        return self._begun

    @property
    def closed(self) -> bool:
        """Whether the feed is closed: there is nothing more to take."""
        return self._closed

    def wait_begun(self, timeout: float) -> None:
        """Wait until the simulator listens.

        Raises:
            ClientError: it does not within a time [s].
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._begun or self._error or self._closed, timeout):
                raise NoAnswerError(f"the stream of readings has not begun in {timeout:g} s")
        _ = self.begun

    def poll(self) -> TickReadings | None:
        """What is there, None for nothing.

        Raises:
            ClientError: the stream has ended, and why.
        """
        while True:
            with self._changed:
                if not self._waiting:
                    if self._error is not None and not self._closed:
                        raise self._error
                    return None
                message = self._waiting.popleft()
            found = self._decoded(message)
            if found is not None:
                return found

    def take(self, timeout: float | None = None) -> TickReadings | None:
        """Wait for the next tick, or the newest reading; None if the feed is closed, or nothing comes in time [s].

        Raises:
            ClientError: the stream has ended, and why.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            found = self.poll()
            if found is not None or self._closed:
                return found
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0.0:
                return None
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._error or self._closed, left)

    def close(self) -> None:
        """End the stream, and let go of its memory. Safe from any thread."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            stream = self._stream
            self._changed.notify_all()
        self._drop_memory()
        if stream is not None:
            stream.cancel()
        self._wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(5.0)

    def _decoded(self, message: Any) -> TickReadings | None:
        """Readings with arrays of their own; None where one was overwritten before it was copied."""
        found = []
        for one in message.readings:
            arrays = arrays_in_message(one.arrays)
            if one.number:
                slots = self._slots.get(one.sensor)
                shared = None if slots is None else slots.copied(one.number, one.arrays)
                if shared is None:
                    if self._every:
                        raise ClientError("a reading was overwritten before it was copied", "please tell us")
                    return None
                arrays |= shared
                self.by_memory += 1
            else:
                self.by_message += 1
            found.append(reading_from_message(one, arrays))
        return TickReadings(message.time_ns, tuple(found))

    def _run(self) -> None:
        try:
            while not self._closed:
                time.sleep(self._one_stream())
        except ClientError as error:
            self._error = error
        except Exception as error:  # a fault of ours is told where the readings are taken
            self._error = ClientError(
                f"the stream of readings ended: {type(error).__name__}: {error}", "please tell us"
            )
        with self._changed:
            self._changed.notify_all()
        self._wake()

    def _one_stream(self) -> float:
        """Take what comes until the stream ends; returns how long to wait before the next [s].

        Raises:
            ClientError: it is not to be begun again.
        """
        try:
            stream = self._begin()
        except ValueError as error:
            raise ClientError(f"the call cannot be made: {error}", "the client is closed; connect again") from None
        with self._changed:
            self._stream = stream
            if self._closed:
                stream.cancel()
        try:
            for message in stream:
                self._attempts.begin()
                self._put(message)
            return 0.0 if self._closed else self._attempts.after_the_end()
        except grpc.RpcError as error:
            return 0.0 if self._closed else self._attempts.after(error)
        finally:
            self._drop_memory()
            with suppress(Exception):
                stream.cancel()

    def _drop_memory(self) -> None:
        """Let go of the memory of a stream that is over; the thread that waits at its pipe ends."""
        for sensor in tuple(self._slots):
            slots = self._slots.pop(sensor, None)
            if slots is not None:
                slots.wake()

    def _put(self, message: Any) -> None:
        if message.HasField("memory"):
            self._accept(message.memory)
            return
        with self._changed:
            if 0 <= self._announced_ns - message.time_ns < SAME_RUN_NS:
                return  # it was overtaken by one that came by memory
            if message.readings or (self._every and self._begun):
                self._waiting.append(message)
            self._begun = True
            self._changed.notify_all()
        self._wake()

    def _accept(self, offer: Any) -> None:
        """Open memory that was offered, and wait at its pipe, on another thread."""
        try:
            slots = SharedSlots(offer)
        except OSError:  # another machine, container or user: readings come in the messages
            return
        self._slots[offer.sensor] = slots
        if slots.pipe >= 0:
            threading.Thread(target=self._hear, args=(slots,), name="dorosim-pipe", daemon=True).start()

    def _hear(self, slots: SharedSlots) -> None:
        """Take what comes by memory alone, until the feed or its stream ends."""
        kind = message_class("dorosim.TickReadings")
        while True:
            number = slots.wait()
            if self._closed or slots not in self._slots.values():
                slots.close()
                return
            data = slots.message(number) if number else None
            if data is None:
                continue
            message: Any = kind()
            reading = message.readings.add()
            reading.ParseFromString(data)
            message.time_ns = reading.time_ns
            with self._changed:
                self._announced_ns = message.time_ns
                self._waiting.append(message)
                self._changed.notify_all()
            self._wake()


def feed_request(sensors: Sequence[str], *, every: bool) -> dict[str, Any]:
    """The fields of a ReadingsRequest."""
    return {"sensors": [int(one) for one in sensors], "every": every, "shared_memory": True}
