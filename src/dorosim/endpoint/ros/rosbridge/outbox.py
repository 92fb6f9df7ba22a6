"""Messages that wait to be sent to a peer: one queue for each topic, in turns, so that lidar never blocks status.

A round takes one message of each topic with small messages, then one of a single topic with large ones. So a small
message waits for at most one large one, and large ones are sent however many small ones come.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from websockets.asyncio.connection import Connection
from websockets.exceptions import ConnectionClosed

from dorosim.wire.error import RosError

DEFAULT_LENGTH = 100
"""Messages of a topic that wait where the peer asks for no queue length."""
MAX_HELD = 16 << 20
"""Bytes of a topic that may wait, whatever queue length was asked for; one message always may."""
LARGE_MESSAGE = 64 << 10
"""Bytes from which on a message is large."""
MAX_REPLIES = 1_000
"""Most answers that may wait, in `MAX_HELD` bytes; a peer that asks on without reading them is cut off."""


class RosbridgeFrame(NamedTuple):
    """Bytes of a websocket message, and whether they are text."""

    data: bytes
    text: bool


class TopicQueue:
    """Messages of a topic on their way to a peer.

    Args:
        topic: name.
        frames: makes the frames of a message.

    Attributes:
        length: messages that may wait, 0 for the default. throttle: least wall time between two [s].
        size: bytes of the last one that was sent. held: bytes of those that wait, by their `bulk`.
        dropped: messages that did not fit; those that a client's own throttle leaves out do not count.
    """

    def __init__(self, topic: str, frames: Callable[[Any], Iterable[RosbridgeFrame]]) -> None:
        self.topic, self.frames = topic, frames
        self.length, self.throttle = 0, 0.0
        self.size = self.held = self.dropped = 0
        self.sent = -1e9
        self.waiting: deque[Any] = deque()
        self._bulks: deque[int] = deque()

    @property
    def large(self) -> bool:
        """Whether its messages are large ones."""
        return self.size > LARGE_MESSAGE or bool(self._bulks and self._bulks[0] > LARGE_MESSAGE)

    def put(self, outgoing: Any, now: float) -> bool:
        """Queue a message, and drop the oldest where there are too many; returns whether it was queued.

        Without a queue length, a message that comes too soon is dropped; with one, it waits for its time.
        """
        if self.throttle and not self.length and now - self.sent < self.throttle:
            return False
        if self.throttle and not self.length:
            self.sent = now
        bulk = int(getattr(outgoing, "bulk", 0))
        self.waiting.append(outgoing)
        self._bulks.append(bulk)
        self.held += bulk
        most = max(1, min(self.length or DEFAULT_LENGTH, MAX_HELD // max(self.size, 1)))
        while len(self.waiting) > most or (self.held > MAX_HELD and len(self.waiting) > 1):
            self.take()
            self.dropped += not self.throttle
        return True

    def take(self) -> Any:
        """Remove and return the message that has waited longest."""
        self.held -= self._bulks.popleft()
        return self.waiting.popleft()

    def clear(self) -> None:
        """Drop what waits."""
        self.waiting.clear()
        self._bulks.clear()
        self.held = 0

    def due(self) -> float:
        """The time from which its first message may be sent, by the monotonic clock [s]."""
        return self.sent + self.throttle if self.throttle and self.length else 0.0


class Outbox:
    """All that waits for one peer; used on one thread.

    Args:
        report: is called with a text for each message that cannot be written.
        fault: is called with a text for each message at which dorosim has failed.
    """

    def __init__(self, report: Callable[[str], None], fault: Callable[[str], None]) -> None:
        self._report, self._fault = report, fault
        self._owed = 0
        self._replies: deque[RosbridgeFrame] = deque()
        self._waiting: dict[TopicQueue, None] = {}
        self._round: deque[TopicQueue] = deque()
        self._frames: deque[RosbridgeFrame] = deque()
        self._come = asyncio.Event()

    @property
    def overrun(self) -> bool:
        """Whether the peer asks without reading the answers."""
        return len(self._replies) > MAX_REPLIES or (self._owed > MAX_HELD and len(self._replies) > 1)

    def put(self, queue: TopicQueue, outgoing: Any) -> None:
        """Queue a message of a topic."""
        if queue.put(outgoing, time.monotonic()):
            self._waiting.setdefault(queue)
            self._come.set()

    def reply(self, frames: Iterable[RosbridgeFrame]) -> None:
        """Send frames before everything else; once a peer has overrun, none are held for it any longer."""
        for frame in frames:
            if not self.overrun:
                self._replies.append(frame)
                self._owed += len(frame.data)
        self._come.set()

    def forget(self, queue: TopicQueue) -> None:
        """Drop what waits of a topic."""
        self._waiting.pop(queue, None)
        queue.clear()

    def clear(self) -> None:
        """Drop everything."""
        self._replies.clear()
        self._owed = 0
        self._frames.clear()
        for queue in list(self._waiting):
            self.forget(queue)

    async def next(self) -> RosbridgeFrame:
        """The next frame to send; waits for one."""
        while True:
            self._come.clear()
            if self._frames:
                return self._frames.popleft()
            if self._replies:
                frame = self._replies.popleft()
                self._owed -= len(frame.data)
                return frame
            if self._take():
                continue
            await self._wait()

    async def write(self, connection: Connection, name: str) -> None:
        """Send frames until the connection ends; where dorosim fails, that is reported and the connection is cut off.

        Args:
            connection: to the peer.
            name: of the peer, for the report.
        """
        try:
            while True:
                frame = await self.next()
                await connection.send(frame.data, text=frame.text)
        except ConnectionClosed:
            return
        except Exception as error:  # a fault of ours; a peer that nothing is sent to is better gone
            self._fault(f"{name}: {type(error).__name__}: {error}")
            connection.transport.abort()

    def _take(self) -> bool:
        """Make the frames of the next message that may be sent; returns whether there is one."""
        now = time.monotonic()
        if not self._round:
            ready = [queue for queue in self._waiting if queue.waiting and queue.due() <= now]
            self._round.extend(queue for queue in ready if not queue.large)
            for queue in [queue for queue in ready if queue.large][:1]:
                self._round.append(queue)
                self._waiting.pop(queue)  # to the end: another large one has the next round
                self._waiting[queue] = None
        while self._round:
            queue = self._round.popleft()
            if queue.waiting:
                self._write(queue, now)
                return True
        return False

    def _write(self, queue: TopicQueue, now: float) -> None:
        made: list[RosbridgeFrame] = []
        try:
            made = list(queue.frames(queue.take()))
        except RosError as error:
            self._report(f"{queue.topic}: {error}")
        except Exception as error:  # a fault of ours; the other topics go on
            self._fault(f"{queue.topic}: {type(error).__name__}: {error}")
        if not queue.waiting:
            self._waiting.pop(queue, None)
        if made:
            queue.size = sum(len(one.data) for one in made)
            if queue.length:
                queue.sent = now
        self._frames.extend(made)

    async def _wait(self) -> None:
        """Wait until something is queued, or until a message is due."""
        due = min((queue.due() for queue in self._waiting if queue.waiting), default=None)
        if due is None:
            await self._come.wait()
            return
        try:
            await asyncio.wait_for(self._come.wait(), max(due - time.monotonic(), 0.001))
        except TimeoutError:
            return
