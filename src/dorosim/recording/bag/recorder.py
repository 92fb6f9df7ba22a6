"""Records topics into a bag while a run goes on: a listener of the hub of ROS with a thread of its own."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Protocol

from dorosim.ground.error import reason_of
from dorosim.recording.bag.writer import open_bag

_FLUSH_PERIOD = 0.5
"""Longest wall time until a recorded message is in the file [s]: with the time that a message waits for the thread,
less than the second that may be lost."""
FLUSH_SPAN = 500_000_000
"""Recorded time after which messages are in the file, in a run that is faster than the clock [ns]."""
MAX_WAITING_MESSAGES = 20_000
"""Most messages that wait for the disk."""
_MAX_WAITING_BYTES = 256 << 20
"""Most bytes of sensor data in the messages that wait for the disk."""


class Post(Protocol):
    """A message on its way (`dorosim.endpoint.ros.outgoing_message.OutgoingMessage`)."""

    @property
    def topic(self) -> str:
        """Name."""

    @property
    def type(self) -> str:
        """Of the message."""

    @property
    def message(self) -> Any:
        """As the registry made it."""

    @property
    def ros1(self) -> bytes | memoryview:
        """As bags have it."""


class Types(Protocol):
    """Message types (`dorosim.wire.ros.registry.Registry`)."""

    def md5(self, name: str) -> str:
        """Of a type."""

    def definition(self, name: str) -> str:
        """Of a type and of all that it holds."""


@dataclass(frozen=True, slots=True)
class _Type:
    type: str
    md5: str
    definition: str
    latched: bool


class BagRecorder:
    """A bag that is recorded.

    Args:
        path: the file; it is replaced.
        topics: names or patterns such as "/lidar*"; none: all.
        types: of the messages.
        now: time of messages that bear none [ns since 1970].
        tell: is called with the kind and text of each problem, from any thread.
        latched: whether a topic is latched.
        patient: whether the publishing thread waits for the disk while `MAX_WAITING_MESSAGES` messages wait, so that
            none is dropped because of their number.

    Raises:
        InputError: the file cannot be written.

    Attributes:
        counts: messages by topic, and those that were dropped since the disk is too slow, as "dropped".
        problem: why the recording ended early, "" for nothing.
    """

    def __init__(
        self,
        path: Path,
        topics: Collection[str],
        types: Types,
        now: Callable[[], int],
        tell: Callable[[str, str], None] = lambda _, __: None,
        *,
        latched: Callable[[str], bool] = lambda _: False,
        patient: bool = False,
    ) -> None:
        self.path = path
        self.counts: Counter[str] = Counter()
        self.problem = ""
        self._topics = tuple(topics)
        self._types = types
        self._now = now
        self._tell = tell
        self._patient = patient
        self._latched = latched
        self._wanted: dict[str, bool] = {}
        self._described: dict[str, _Type] = {}
        self._writer = open_bag(path)
        self._waiting: deque[tuple[Post, int, int]] = deque()
        self._bytes = 0
        self._last = 0
        self._changed = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._write, name="dorosim-bag")
        self._thread.start()

    def wants(self, topic: str) -> bool:
        """Whether a topic is recorded."""
        found = self._wanted.get(topic)
        if found is None:
            found = not self._topics or any(fnmatchcase(topic, one) for one in self._topics)
            self._wanted[topic] = found
        return found and not self.problem

    def send(self, post: Post) -> None:
        """Record a message; if the disk is too slow, it is dropped and counted. After the end it does nothing."""
        stamp = stamp_of(post.message) or self._now() or self._last
        size = _size(post.message)
        with self._changed:
            self._last = stamp
            if self._patient:
                self._changed.wait_for(lambda: len(self._waiting) < MAX_WAITING_MESSAGES or self._ended)
            if self._ended:
                return
            if len(self._waiting) >= MAX_WAITING_MESSAGES or self._bytes + size > _MAX_WAITING_BYTES:
                dropped = self.counts["dropped"] = self.counts["dropped"] + 1
            else:
                dropped = 0
                self._bytes += size
                self._waiting.append((post, stamp, size))
                self._changed.notify()
        if dropped == 1:
            self._tell("bag", f"{self.path}: the disk is too slow; messages are left out of the bag")

    def change(self) -> None:
        """Do nothing when topics come and go: each topic is checked when its first message comes."""

    def close(self) -> None:
        """Write what waits, and close the bag."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join()

    @property
    def _ended(self) -> bool:
        return self._closing or bool(self.problem)

    def _write(self) -> None:
        try:
            try:
                self._write_all()
            finally:
                self._writer.close()
        except Exception as error:  # any error: else publishers would fill a queue that is not read, or wait for ever
            known = reason_of(error) if isinstance(error, (OSError, ValueError)) else str(error)
            with self._changed:
                self.problem = known or type(error).__name__
                self._waiting.clear()
                self._changed.notify_all()
            self._tell("bag", f"{self.path}: recording ended: {self.problem}")

    def _write_all(self) -> None:
        flushed, begin = time.monotonic(), 0
        dirty = False
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing, _FLUSH_PERIOD / 2)
                batch, self._waiting = self._waiting, deque()
                self._bytes = 0
                self._changed.notify_all()
                closing = self._closing
            for post, stamp, _ in batch:
                self._add(post, stamp)
                # let another thread, such as the loop's, have the interpreter between two messages
                time.sleep(0.0)
                begin = begin or stamp
                if abs(stamp - begin) >= FLUSH_SPAN:
                    self._writer.flush()
                    begin = stamp
            dirty = dirty or bool(batch)
            moment = time.monotonic()
            if dirty and moment - flushed >= _FLUSH_PERIOD - _FLUSH_PERIOD / 4:
                self._writer.flush()
                flushed, dirty = moment, False
            if closing and not batch:
                return

    def _add(self, post: Post, stamp: int) -> None:
        try:
            described = self._described.get(post.topic)
            if described is None:
                md5, definition = self._types.md5(post.type), self._types.definition(post.type)
                described = _Type(post.type, md5, definition, self._latched(post.topic))
                self._described[post.topic] = described
            data = post.ros1
        except Exception as error:  # of one message; the others are recorded
            self.counts["not written"] += 1
            if self.counts["not written"] == 1:
                self._tell("bag", f"{post.topic}: {error}")
            return
        self._writer.add(post.topic, described, stamp, data)
        self.counts[post.topic] += 1


def stamp_of(message: Any) -> int:
    """The time that a message bears [ns since 1970], 0 for none."""
    header = getattr(message, "header", None)
    if header is None:
        transforms = getattr(message, "transforms", None)
        if transforms:
            header = transforms[0].header
    stamp = getattr(message, "clock", None) if header is None else header.stamp
    return 0 if stamp is None else int(stamp.sec) * 1_000_000_000 + int(stamp.nanosec)


def _size(message: Any) -> int:
    """About how many bytes of a message are data of a sensor; others count as 200."""
    data = getattr(message, "data", None)
    return 200 if data is None else max(int(getattr(data, "nbytes", 0)) or 200, 200)
