"""Turns among the topics that a peer listens to."""

from __future__ import annotations

import asyncio
from typing import Any

from dorosim.endpoint.ros.rosbridge.outbox import HELD, LARGE, LENGTH, Frame, Lane, Outbox
from dorosim.wire.ros.error import RosError

LONG = bytes(LARGE + 1)


def _lane(topic: str, filling: bytes = b"") -> Lane:
    return Lane(topic, lambda post: (Frame(f"{topic}{post}".encode() + filling, False),))


def _sent(outbox: Outbox, count: int) -> list[str]:
    async def take() -> list[str]:
        return [(await asyncio.wait_for(outbox.next(), 2.0)).data[:2].decode() for _ in range(count)]

    return asyncio.run(take())


def test_small_messages_pass_large_ones_and_large_ones_get_on() -> None:
    outbox = Outbox(lambda _: None)
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
    outbox = Outbox(lambda _: None)
    short, default = _lane("a"), _lane("b")
    short.length = 2
    for number in range(LENGTH + 5):
        outbox.put(short, number % 10)
        outbox.put(default, number % 10)
    assert (len(short.posts), len(default.posts)) == (2, LENGTH)
    assert (short.dropped, default.dropped) == (LENGTH + 3, 5)
    assert list(default.posts)[-1] == (LENGTH + 4) % 10


def test_few_large_messages_wait_whatever_was_asked_for() -> None:
    outbox = Outbox(lambda _: None)
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
    outbox = Outbox(told.append)

    def refuse(_: Any) -> Any:
        raise RosError("no")

    outbox.put(Lane("x", refuse), 0)
    outbox.put(_lane("e"), 0)
    outbox.reply((Frame(b"r1", True),))
    assert _sent(outbox, 2) == ["r1", "e0"]
    assert told == ["x: no"]
