"""Turns among the topics that a peer listens to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.endpoint.ros.rosbridge.outbox import HELD, LARGE, LENGTH, REPLIES, Outbox, RosbridgeFrame, TopicQueue
from dorosim.wire.error import RosError
from dorosim.wire.ros.registry import registry_of

LONG = bytes(LARGE + 1)


def _lane(topic: str, filling: bytes = b"") -> TopicQueue:
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
        return [(await asyncio.wait_for(outbox.next(), 2.0)).data[:2].decode() for _ in range(count)]

    return asyncio.run(take())


def test_small_messages_pass_large_ones_and_large_ones_get_on() -> None:
    outbox = _outbox()
    cloud, image, ego, tf = _lane("C", LONG), _lane("I", LONG), _lane("e"), _lane("t")
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
    short, default = _lane("a"), _lane("b")
    short.length = 2
    for number in range(LENGTH + 5):
        outbox.put(short, number % 10)
        outbox.put(default, number % 10)
    assert (len(short.posts), len(default.posts)) == (2, LENGTH)
    assert (short.dropped, default.dropped) == (LENGTH + 3, 5)
    assert list(default.posts)[-1] == (LENGTH + 4) % 10


def test_few_large_messages_wait_whatever_was_asked_for() -> None:
    outbox = _outbox()
    lane = _lane("C")
    lane.length, lane.size = 1_000, HELD // 3
    for number in range(10):
        outbox.put(lane, number)
    assert list(lane.posts) == [7, 8, 9]
    lane.size = HELD * 2
    outbox.put(lane, 10)
    assert list(lane.posts) == [10]


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
    outbox.put(_lane("e"), 0)
    outbox.reply((RosbridgeFrame(b"r1", True),))
    assert _sent(outbox, 2) == ["r1", "e0"]
    assert told == ["x: no"]
    assert faults == ["y: MemoryError: too much"]


def test_large_messages_are_bounded_before_the_first_one_is_sent() -> None:
    outbox, lane = _outbox(), _lane("C")
    cloud = _cloud(HELD // 4)
    for _ in range(20):
        outbox.put(lane, cloud)
    assert (len(lane.posts), lane.held, lane.dropped) == (4, HELD, 16)
    outbox.put(lane, _cloud(2 * HELD))
    assert len(lane.posts) == 1, "one always may wait"
    outbox.forget(lane)
    assert lane.held == 0


def test_a_large_message_has_the_turn_of_one_at_once() -> None:
    outbox = _outbox()
    cloud, image, ego = TopicQueue("C", _named("C")), TopicQueue("I", _named("I")), _lane("e")
    outbox.put(cloud, _cloud(LARGE + 1))
    outbox.put(image, _cloud(LARGE + 1))
    outbox.put(ego, 0)
    outbox.put(ego, 1)
    assert _sent(outbox, 4) == ["e0", "C.", "e1", "I."]


def test_answers_that_nobody_reads_are_bounded_in_bytes() -> None:
    outbox = _outbox()
    long = RosbridgeFrame(bytes(HELD // 4), False)
    outbox.reply((RosbridgeFrame(bytes(2 * HELD), False),))
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
    for _ in range(REPLIES + 2):
        outbox.reply((RosbridgeFrame(b"ab", True),))
    assert outbox.overrun
    assert _sent(outbox, REPLIES + 1) == ["ab"] * (REPLIES + 1)
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(outbox.next(), 0.05))
