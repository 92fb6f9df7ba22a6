"""Turns among the topics that a peer listens to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.endpoint.ros.rosbridge.outbox import (
    DEFAULT_LENGTH,
    LARGE_MESSAGE,
    MAX_HELD,
    MAX_REPLIES,
    Outbox,
    RosbridgeFrame,
    TopicQueue,
)
from dorosim.wire.error import RosError
from dorosim.wire.ros.registry import registry_of

LONG = bytes(LARGE_MESSAGE + 1)


def _queue(topic: str, filling: bytes = b"") -> TopicQueue:
    return TopicQueue(topic, lambda post: (RosbridgeFrame(f"{topic}{post}".encode() + filling, False),))


def _named(topic: str) -> Callable[[Any], tuple[RosbridgeFrame]]:
    return lambda _: (RosbridgeFrame(f"{topic}.".encode(), False),)


def _outbox() -> Outbox:
    return Outbox(lambda _: None, lambda _: None)


def _cloud(size: int) -> OutgoingMessage:
    registry = registry_of("2024")
    message = registry.make("sensor_msgs/PointCloud2", data=np.zeros(size, np.uint8))
    return OutgoingMessage("C", "sensor_msgs/PointCloud2", message, registry)


def _sent(outbox: Outbox, count: int) -> list[str]:
    async def take() -> list[str]:
        return [(await asyncio.wait_for(outbox.next(), 60.0)).data[:2].decode() for _ in range(count)]

    return asyncio.run(take())


def test_small_messages_pass_large_ones_and_large_ones_get_on() -> None:
    outbox = _outbox()
    cloud, image, ego, tf = _queue("C", LONG), _queue("I", LONG), _queue("e"), _queue("t")
    outbox.put(cloud, 0)
    outbox.put(image, 0)
    assert _sent(outbox, 2) == ["C0", "I0"]  # by now their sizes are known
    for number in range(1, 4):
        outbox.put(cloud, number)
        outbox.put(image, number)
    for number in range(4):
        outbox.put(ego, number)
        outbox.put(tf, number)
    found = _sent(outbox, 14)
    assert found == ["e0", "t0", "C1", "e1", "t1", "I1", "e2", "t2", "C2", "e3", "t3", "I2", "C3", "I3"]


def test_the_oldest_go_where_too_many_wait() -> None:
    outbox = _outbox()
    short, default = _queue("a"), _queue("b")
    short.length = 2
    for number in range(DEFAULT_LENGTH + 5):
        outbox.put(short, number % 10)
        outbox.put(default, number % 10)
    assert (len(short.waiting), len(default.waiting)) == (2, DEFAULT_LENGTH)
    assert (short.dropped, default.dropped) == (DEFAULT_LENGTH + 3, 5)
    assert list(default.waiting)[-1] == (DEFAULT_LENGTH + 4) % 10


def test_few_large_messages_wait_whatever_was_asked_for() -> None:
    outbox = _outbox()
    queue = _queue("C")
    queue.length, queue.size = 1_000, MAX_HELD // 3
    for number in range(10):
        outbox.put(queue, number)
    assert list(queue.waiting) == [7, 8, 9]
    queue.size = MAX_HELD * 2
    outbox.put(queue, 10)
    assert list(queue.waiting) == [10]


def test_replies_come_first_and_a_message_that_cannot_be_written_is_told() -> None:
    told: list[str] = []
    faults: list[str] = []
    outbox = Outbox(told.append, faults.append)

    def refuse(_: Any) -> Any:
        raise RosError("no")

    def fail(_: Any) -> Any:
        raise MemoryError("too much")

    outbox.put(TopicQueue("x", refuse), 0)
    outbox.put(TopicQueue("y", fail), 0)
    outbox.put(_queue("e"), 0)
    outbox.reply((RosbridgeFrame(b"r1", True),))
    assert _sent(outbox, 2) == ["r1", "e0"]
    assert told == ["x: no"]
    assert faults == ["y: MemoryError: too much"]


def test_large_messages_are_bounded_before_the_first_one_is_sent() -> None:
    outbox, queue = _outbox(), _queue("C")
    cloud = _cloud(MAX_HELD // 4)
    for _ in range(20):
        outbox.put(queue, cloud)
    assert (len(queue.waiting), queue.held, queue.dropped) == (4, MAX_HELD, 16)
    outbox.put(queue, _cloud(2 * MAX_HELD))
    assert len(queue.waiting) == 1, "one always may wait"
    outbox.forget(queue)
    assert queue.held == 0


def test_a_large_message_has_the_turn_of_one_at_once() -> None:
    outbox = _outbox()
    cloud, image, ego = TopicQueue("C", _named("C")), TopicQueue("I", _named("I")), _queue("e")
    outbox.put(cloud, _cloud(LARGE_MESSAGE + 1))
    outbox.put(image, _cloud(LARGE_MESSAGE + 1))
    outbox.put(ego, 0)
    outbox.put(ego, 1)
    assert _sent(outbox, 4) == ["e0", "C.", "e1", "I."]


def test_answers_that_nobody_reads_are_bounded_in_bytes() -> None:
    outbox = _outbox()
    long = RosbridgeFrame(bytes(MAX_HELD // 4), False)
    outbox.reply((RosbridgeFrame(bytes(2 * MAX_HELD), False),))
    assert not outbox.overrun, "a single one may be long"
    outbox.clear()
    for _ in range(4):
        outbox.reply((long,))
    assert not outbox.overrun
    for _ in range(100):
        outbox.reply((long,))
    assert outbox.overrun
    assert _sent(outbox, 5) == ["\0\0"] * 5
    assert not outbox.overrun
    for _ in range(MAX_REPLIES + 2):
        outbox.reply((RosbridgeFrame(b"ab", True),))
    assert outbox.overrun
    assert _sent(outbox, MAX_REPLIES + 1) == ["ab"] * (MAX_REPLIES + 1)
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(outbox.next(), 0.05))
