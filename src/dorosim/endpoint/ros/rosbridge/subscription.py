"""What a peer asked for when it subscribed to a topic, once or several times."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from dorosim.endpoint.ros.rosbridge.field import number_in, text_in
from dorosim.endpoint.ros.rosbridge.outbox import RosbridgeFrame, TopicQueue
from dorosim.wire.ros.error import RosError
from dorosim.wire.ros.fragment import fragment_frames

COMPRESSIONS = ("none", "png", "cbor", "cbor-raw")
"""In order: of several, the last one counts, as with the standard server."""
MAX_THROTTLE_MS, MAX_QUEUE, MIN_FRAGMENT = 3_600_000, 1_000_000, 100
MAX_SUBSCRIPTIONS = 100
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Asked:
    """One subscription.

    Attributes:
        throttle: least time between messages [s]. queue: messages that may wait, 0 for the default.
        fragment: letters of a fragment, 0 for none. compression: one of `COMPRESSIONS`.
    """

    throttle: float
    queue: int
    fragment: int
    compression: str


def asked_in(operation: dict[str, Any]) -> Asked:
    """What a subscribe operation asks for.

    Raises:
        RosError: something of it cannot be had.
    """
    compression = text_in(operation, "compression", default="none") or "none"
    if compression not in COMPRESSIONS:
        raise RosError(f"compression is one of {', '.join(COMPRESSIONS)}")
    fragment = number_in(operation, "fragment_size", 1 << 40)
    if 0 < fragment < MIN_FRAGMENT:
        raise RosError(f"a fragment has at least {MIN_FRAGMENT} letters")
    throttle = number_in(operation, "throttle_rate", MAX_THROTTLE_MS)
    return Asked(throttle / 1000, number_in(operation, "queue_length", MAX_QUEUE), fragment, compression)


@dataclass(slots=True)
class Subscription:
    """A peer's subscriptions to a topic, which share a lane.

    Attributes:
        bson: returns whether the peer speaks BSON. queue: the messages that wait for the peer.
    """

    topic: str
    bson: Callable[[], bool]
    queue: TopicQueue = field(init=False)
    _asked: dict[str, Asked] = field(default_factory=dict)
    _fragment: int = 0
    _compression: str = "none"

    def __post_init__(self) -> None:
        self.queue = TopicQueue(self.topic, self._frames)

    def add(self, key: str, asked: Asked) -> None:
        """Subscribe; again with the same key changes what was asked for.

        Raises:
            RosError: it has subscribed too often.
        """
        if len(self._asked) >= MAX_SUBSCRIPTIONS and key not in self._asked:
            raise RosError(f"{MAX_SUBSCRIPTIONS} subscriptions to {self.topic} are enough")
        self._asked[key] = asked
        self._merge()

    def remove(self, key: str | None) -> bool:
        """Remove the subscription with a key, or all; returns whether none is left."""
        if key is None:
            self._asked.clear()
        else:
            self._asked.pop(key, None)
        if self._asked:
            self._merge()
        return not self._asked

    def _merge(self) -> None:
        """The least of all that was asked for, as with the standard server."""
        all_asked = self._asked.values()
        self.queue.throttle = min(one.throttle for one in all_asked)
        self.queue.length = min(one.queue for one in all_asked)
        self._fragment = min((one.fragment for one in all_asked if one.fragment), default=0)
        self._compression = max((one.compression for one in all_asked), key=COMPRESSIONS.index)

    def _frames(self, outgoing: Any) -> Iterable[RosbridgeFrame]:
        """The frames of a message for this peer."""
        if self._compression == "cbor":
            return (RosbridgeFrame(outgoing.cbor, False),)
        if self._compression == "cbor-raw":
            return (RosbridgeFrame(outgoing.cbor_raw, False),)
        if self.bson() and self._compression == "none":
            return (RosbridgeFrame(outgoing.bson, False),)
        text = outgoing.json if self._compression == "none" else outgoing.png
        if self._fragment and len(text) > self._fragment:
            number = f"{self.topic}:{next(_NUMBERS)}"
            return (RosbridgeFrame(one, True) for one in fragment_frames(text, self._fragment, number))
        return (RosbridgeFrame(text, True),)
