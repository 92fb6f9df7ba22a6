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

from dorosim.wire.error import RosError

LENGTH = 100
"""Messages of a topic that wait where the peer asks for no queue length."""
HELD = 16 << 20
"""Bytes of a topic that may wait, whatever queue length was asked for; one message always may."""
LARGE = 64 << 10
"""Bytes from which on a message is large."""
REPLIES = 1_000
"""Most answers that may wait, in `HELD` bytes; a peer that asks on without reading them is cut off."""


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
        self.posts: deque[Any] = deque()
        self._bulks: deque[int] = deque()

    @property
    def large(self) -> bool:
        """Whether its messages are large ones."""
        return self.size > LARGE or bool(self._bulks and self._bulks[0] > LARGE)

    def put(self, post: Any, now: float) -> bool:
        """Queue a message, and drop the oldest where there are too many; returns whether it was queued.

        Without a queue length, a message that comes too soon is dropped; with one, it waits for its time.
        """
        if self.throttle and not self.length and now - self.sent < self.throttle:
            return False
        if self.throttle and not self.length:
            self.sent = now
        bulk = int(getattr(post, "bulk", 0))
        self.posts.append(post)
        self._bulks.append(bulk)
        self.held += bulk
        most = max(1, min(self.length or LENGTH, HELD // max(self.size, 1)))
        while len(self.posts) > most or (self.held > HELD and len(self.posts) > 1):
            self.take()
            self.dropped += not self.throttle
        return True

    def take(self) -> Any:
        """Remove and return the message that has waited longest."""
        self.held -= self._bulks.popleft()
        return self.posts.popleft()

    def clear(self) -> None:
        """Drop what waits."""
        self.posts.clear()
        self._bulks.clear()
        self.held = 0

    def due(self) -> float:
        """The time from which its first message may be sent, by the monotonic clock [s]."""
        return self.sent + self.throttle if self.throttle and self.length else 0.0


class Outbox:
    """All that waits for one peer; used on one thread.

    Args:
        tell: is called with a text for each message that cannot be written.
        fault: is called with a text for each message at which dorosim has failed.
    """

    def __init__(self, tell: Callable[[str], None], fault: Callable[[str], None]) -> None:
        self._tell, self._fault = tell, fault
        self._owed = 0
        self._replies: deque[RosbridgeFrame] = deque()
        self._waiting: dict[TopicQueue, None] = {}
        self._round: deque[TopicQueue] = deque()
        self._frames: deque[RosbridgeFrame] = deque()
        self._come = asyncio.Event()

    @property
    def overrun(self) -> bool:
        """Whether the peer asks without reading the answers."""
        return len(self._replies) > REPLIES or (self._owed > HELD and len(self._replies) > 1)

    def put(self, lane: TopicQueue, post: Any) -> None:
        """Queue a message of a topic."""
        if lane.put(post, time.monotonic()):
            self._waiting.setdefault(lane)
            self._come.set()

    def reply(self, frames: Iterable[RosbridgeFrame]) -> None:
        """Send frames before everything else; once a peer has overrun, none are held for it any longer."""
        for frame in frames:
            if not self.overrun:
                self._replies.append(frame)
                self._owed += len(frame.data)
        self._come.set()

    def forget(self, lane: TopicQueue) -> None:
        """Drop what waits of a topic."""
        self._waiting.pop(lane, None)
        lane.clear()

    def clear(self) -> None:
        """Drop everything."""
        self._replies.clear()
        self._owed = 0
        self._frames.clear()
        for lane in list(self._waiting):
            self.forget(lane)

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

    def _take(self) -> bool:
        """Make the frames of the next message that may be sent; returns whether there is one."""
        now = time.monotonic()
        if not self._round:
            ready = [lane for lane in self._waiting if lane.posts and lane.due() <= now]
            self._round.extend(lane for lane in ready if not lane.large)
            for lane in [lane for lane in ready if lane.large][:1]:
                self._round.append(lane)
                self._waiting.pop(lane)  # to the end: another large one has the next round
                self._waiting[lane] = None
        while self._round:
            lane = self._round.popleft()
            if lane.posts:
                self._write(lane, now)
                return True
        return False

    def _write(self, lane: TopicQueue, now: float) -> None:
        made: list[RosbridgeFrame] = []
        try:
            made = list(lane.frames(lane.take()))
        except RosError as error:
            self._tell(f"{lane.topic}: {error}")
        except Exception as error:  # a fault of ours; the other topics go on
            self._fault(f"{lane.topic}: {type(error).__name__}: {error}")
        if not lane.posts:
            self._waiting.pop(lane, None)
        if made:
            lane.size = sum(len(one.data) for one in made)
            if lane.length:
                lane.sent = now
        self._frames.extend(made)

    async def _wait(self) -> None:
        """Wait until something is queued, or until a message is due."""
        due = min((lane.due() for lane in self._waiting if lane.posts), default=None)
        if due is None:
            await self._come.wait()
            return
        try:
            await asyncio.wait_for(self._come.wait(), max(due - time.monotonic(), 0.001))
        except TimeoutError:
            return
