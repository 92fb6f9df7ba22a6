"""The hub by itself: what one topic, message or transport cannot do holds no other, and no run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from dorosim.bridge.answer import Notice
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.ros.topic import Provided, Published, Subscribed
from dorosim.endpoint.ros.hub import Hub, HubPlace, ServiceError
from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.wire.error import RosError
from dorosim.wire.ros.registry import registry_of
from dorosim.world.actor.command import PauseRun, RemoveActor
from dorosim.world.fault.command import SetControlFault
from dorosim.world.snapshot import EGO

REGISTRY = registry_of("2024")


@dataclass(frozen=True)
class At:
    now: Any = None


@dataclass(frozen=True)
class Around:
    at: At = At()


class Wire:
    """A transport that takes everything, and may fail at a topic."""

    def __init__(self, failing: str = "", error: Exception | None = None) -> None:
        self.got: list[tuple[str, str]] = []
        self.failing, self.error = failing, error

    def wants(self, _: str) -> bool:
        return True

    def send(self, post: OutgoingMessage) -> None:
        if post.topic == self.failing and self.error is not None:
            raise self.error
        self.got.append((post.topic, post.message.data))

    def change(self) -> None:
        """Topics do not matter."""

    def close(self) -> None:
        """There is nothing to close."""


class Stand:
    """A hub with three topics of words, of which /broken cannot be made, and one that is heard: one command a letter.

    Attributes:
        hub: it. told: problems. put: commands that came to the gateway.
    """

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []
        self.put: list[Any] = []
        published = [
            Published(topic, topic, "std_msgs/String", make)
            for topic, make in (("/first", self._word), ("/broken", self._nothing), ("/last", self._word))
        ]
        heard = Subscribed("h", "/heard", "std_msgs/String", lambda message, _: message.data)
        self.hub = Hub(REGISTRY, published, [heard], [], lambda *told: self.told.append(told[:2]))
        gateway: Any = SimpleNamespace(now=SimpleNamespace(time=0), put=self.put.extend)
        situate: Any = lambda _: Around()  # noqa: E731
        self.hub.serve(HubPlace(gateway, situate))

    def tick(self, number: int) -> None:
        now: Any = SimpleNamespace(tick=number, time=number * 10_000_000)
        self.hub(now, ())

    def hear(self, letters: str) -> None:
        self.hub.receive("/heard", REGISTRY.make("std_msgs/String", data=letters), "/test")

    def _word(self, _: Any) -> Any:
        return REGISTRY.make("std_msgs/String", data="word")

    def _nothing(self, _: Any) -> Any:
        raise ZeroDivisionError("no length")


def test_a_topic_that_cannot_be_made_is_told_and_the_others_come():
    stand, wire = Stand(), Wire()
    stand.hub.join(wire)
    stand.tick(100)
    stand.tick(200)
    assert wire.got == [("/first", "word"), ("/last", "word")] * 2
    assert stand.told == [("ROS internal error", "/broken: ZeroDivisionError: no length")] * 2


def test_a_transport_that_cannot_send_is_told_and_the_others_get_the_message():
    stand, wire = Stand(), Wire()
    stand.hub.join(Wire("/first", RosError("3e9 is no int32")))
    stand.hub.join(Wire("/first", KeyError("gone")))
    stand.hub.join(wire)
    stand.hub.publish("/first", REGISTRY.make("std_msgs/String", data="a"))
    assert wire.got == [("/first", "a")]
    assert stand.told == [
        ("ROS message not sent", "/first: 3e9 is no int32"),
        ("ROS internal error", "/first: KeyError: 'gone'"),
    ]


def test_the_last_message_is_kept_until_its_topic_goes():
    stand = Stand()
    for word in ("a", "b"):
        stand.hub.publish("/first", REGISTRY.make("std_msgs/String", data=word))
    stand.hear("c")
    assert {kind: message.data for kind, message in stand.hub.last_values.items()} == {
        "/first sent": "b",
        "/heard received": "c",
    }
    stand.hub.announce((), ["/first"])
    assert set(stand.hub.last_values) == {"/heard received"}


def test_at_the_first_start_messages_that_need_kernels_are_left_out_and_others_are_done():
    stand = Stand()
    fault = SetControlFault(EGO, location=3, fault_class=2, fault_subclass=201)
    answers = {"f": [fault], "p": [PauseRun(True), Notice("event", "paused")], "n": [RemoveActor(7), Notice("no", "")]}
    meaning = lambda message, _: answers[message.data]  # noqa: E731
    stand.hub.subscribed["/heard"] = replace(stand.hub.subscribed["/heard"], meaning=meaning)
    stand.hub.serve(replace(stand.hub.place, ready=lambda _: False))
    for letter in "fpn":
        stand.hear(letter)
    assert stand.put == [fault, PauseRun(True)]
    assert [kind for kind, *_ in stand.told] == ["ROS event", "ROS first start"]
    stand.hub.serve(replace(stand.hub.place, ready=lambda _: True))
    stand.hear("n")
    assert stand.put[-1] == RemoveActor(7)


def test_at_the_first_start_a_service_that_pauses_answers():
    done = SimpleNamespace(now="then", outcomes=())
    asked: list[Any] = []
    gateway: Any = SimpleNamespace(now=None, do=lambda commands, _: asked.append(commands) or done)
    provided = [
        Provided(name, f"/{name}", "-", lambda _, __, one=one: DeferredReply((one,), lambda now, _: now))
        for name, one in (("pause", PauseRun(True)), ("remove", RemoveActor(7)))
    ]
    hub = Hub(REGISTRY, [], [], provided, lambda *_: None)
    hub.serve(HubPlace(gateway, lambda _: Around(), ready=lambda _: False))
    assert hub.call("/pause", None, "/test") == "then"
    with pytest.raises(ServiceError, match="first start"):
        hub.call("/remove", None, "/test")
    assert asked == [(PauseRun(True),)]


def test_more_commands_than_a_tick_can_do_are_refused_by_the_message_until_the_next_tick():
    stand = Stand()
    stand.hear("a" * 4_999)
    stand.hear("bc")
    stand.hear("d")
    stand.hear("e")
    assert stand.put == ["a"] * 4_999 + ["d"], "all that a message asks for, or nothing"
    assert [kind for kind, _ in stand.told] == ["ROS too many"] * 2
    assert "/heard: more than 5,000 commands" in stand.told[0][1]
    stand.tick(1)
    stand.hear("f" * 5_000)
    stand.hear("")
    assert len(stand.put) == 10_000
    stand.hear("g" * 5_001)
    assert len(stand.told) == 3
    stand.hub.serve(stand.hub.place)
    stand.hear("h")
    assert stand.put[-1] == "h"


def test_fields_that_are_clamped_are_told_of_one_by_one_and_seldom():
    """Of a message that comes all the time; the journal tells of each once a minute."""
    stand, seldom = Stand(), []
    meaning = lambda *_: [PauseRun(True), Notice("clamped", "", ("CtrlCmd: accel", "CtrlCmd: brake"))]  # noqa: E731
    stand.hub.subscribed["/heard"] = replace(stand.hub.subscribed["/heard"], meaning=meaning)
    stand.hub.tell_seldom = lambda *told: seldom.append(told)
    stand.hear("b")
    assert seldom == [("ROS clamped", ("CtrlCmd: accel", "CtrlCmd: brake"), "/heard")]
    assert stand.told == []
    assert stand.hub.counts["ROS clamped"] == 1
    assert len(stand.put) == 1
