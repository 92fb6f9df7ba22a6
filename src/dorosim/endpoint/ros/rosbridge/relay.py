"""Topics and services that clients of the server offer to each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dorosim.endpoint.ros.rosbridge.client_handle import ClientHandle
from dorosim.wire.ros.error import RosError
from dorosim.wire.ros.frame import encode, png_frame

MAX_RELAYED = 1_000
"""Topics and services of clients, each."""


class Passed:
    """A message of a type that dorosim does not know, passed on as it came (compare `ros.outgoing_message`).

    Args:
        topic: name. tree: of the message, as JSON can have it. bulk: bytes that it came in.

    Attributes:
        bulk: the same.
    """

    def __init__(self, topic: str, tree: Any, bulk: int) -> None:
        self.bulk = bulk
        self._operation = {"op": "publish", "topic": topic, "msg": tree}

    @cached_property
    def json(self) -> bytes:
        """The publish operation as JSON."""
        return encode(self._operation, "json")

    @cached_property
    def png(self) -> bytes:
        """The same in a picture."""
        return png_frame(self.json)

    @cached_property
    def cbor(self) -> bytes:
        """The publish operation as CBOR."""
        return encode(self._operation, "cbor")

    @cached_property
    def bson(self) -> bytes:
        """The publish operation as BSON."""
        return encode(self._operation, "bson")

    @property
    def cbor_raw(self) -> bytes:
        """There is none.

        Raises:
            RosError: always: without its type the message has no bytes of ROS 1.
        """
        raise RosError("cbor-raw needs a type that dorosim knows")


@dataclass(slots=True)
class RelayedMessage:
    """A topic that clients publish to each other.

    Attributes:
        type: of its messages. advertisers: the clients that publish.
    """

    type: str
    advertisers: set[ClientHandle] = field(default_factory=set)


@dataclass(slots=True)
class RelayedTopic:
    """A service of a client.

    Attributes:
        type: of the service. peer: the client that answers.
    """

    type: str
    peer: ClientHandle


@dataclass(slots=True)
class Relay:
    """Topics and services that the clients offer to each other; used on the server's thread.

    Attributes:
        topics, services: by name.
    """

    topics: dict[str, RelayedMessage] = field(default_factory=dict)
    services: dict[str, RelayedTopic] = field(default_factory=dict)

    def advertise(self, topic: str, kind: str, peer: ClientHandle) -> None:
        """Note that a client publishes a topic.

        Raises:
            RosError: the type differs from that of other advertisers, or there are too many topics.
        """
        relayed = self.topics.get(topic)
        if relayed is None:
            if len(self.topics) >= MAX_RELAYED:
                raise RosError(f"there are {MAX_RELAYED:,} topics of clients already")
            relayed = self.topics[topic] = RelayedMessage(kind)
        elif relayed.type != kind:
            raise RosError(f"{topic} has the type {relayed.type}, not {kind}")
        relayed.advertisers.add(peer)

    def unadvertise(self, topic: str, peer: ClientHandle) -> None:
        """Note that a client no longer publishes a topic."""
        relayed = self.topics.get(topic)
        if relayed is not None:
            relayed.advertisers.discard(peer)
            if not relayed.advertisers:
                del self.topics[topic]

    def offer(self, service: str, kind: str, peer: ClientHandle) -> None:
        """Note that a client answers a service; the last client to offer it answers, as with a ROS master.

        Raises:
            RosError: there are too many services.
        """
        if len(self.services) >= MAX_RELAYED and service not in self.services:
            raise RosError(f"there are {MAX_RELAYED:,} services of clients already")
        self.services[service] = RelayedTopic(kind, peer)

    def withdraw(self, service: str, peer: ClientHandle) -> bool:
        """Note that a client no longer answers a service; returns whether it did."""
        offer = self.services.get(service)
        if offer is None or offer.peer is not peer:
            return False
        del self.services[service]
        return True

    def leave(self, peer: ClientHandle) -> None:
        """Remove the topics and services of a client that has gone."""
        for topic in [name for name, relayed in self.topics.items() if peer in relayed.advertisers]:
            self.unadvertise(topic, peer)
        for service in [name for name, offer in self.services.items() if offer.peer is peer]:
            del self.services[service]
