"""What all clients of the embedded server share: which client listens to which topic and answers which service."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dorosim.endpoint.ros.hub import Hub
from dorosim.endpoint.ros.rosbridge.caller import Caller
from dorosim.endpoint.ros.rosbridge.client_handle import ClientHandle
from dorosim.endpoint.ros.rosbridge.outbox import TopicQueue
from dorosim.endpoint.ros.rosbridge.receive_budget import ReceiveBudget
from dorosim.endpoint.ros.rosbridge.relay import Relay
from dorosim.endpoint.ros.rosbridge.rosapi import Rosapi
from dorosim.wire.ros.message_conversion import conversion_of


class RosbridgeRouter:
    """Joins clients to the hub and to each other; used on the server's thread, but for `wanted`.

    Args:
        hub: topics and services of the simulator.
        longest: bytes of a message that is taken, and letters of fragments that wait.
        parameters: what the parameter server has at the start.

    Attributes:
        hub, longest: as given. conversion: of the hub's types.
        wanted: names of topics that any client listens to.
        relay, rosapi, caller, budget: see their classes.
    """

    def __init__(self, hub: Hub, longest: int, parameters: Mapping[str, Any]) -> None:
        self.hub, self.longest = hub, longest
        self.conversion = conversion_of(hub.registry)
        self.wanted: frozenset[str] = frozenset()
        self._listeners: dict[str, dict[ClientHandle, TopicQueue]] = {}
        self.relay = Relay()
        self.rosapi = Rosapi(hub, self.relay, lambda: self._listeners, dict(parameters))
        self.caller = Caller(hub, self.conversion, self.relay, self.rosapi)
        self.budget = ReceiveBudget()

    def listen(self, topic: str, client: ClientHandle, queue: TopicQueue) -> None:
        """Note that a client listens to a topic."""
        self._listeners.setdefault(topic, {})[client] = queue
        self.wanted = frozenset(self._listeners)

    def listen_no_more(self, topic: str, client: ClientHandle) -> None:
        """Note that a client no longer listens to a topic."""
        listeners = self._listeners.get(topic, {})
        listeners.pop(client, None)
        if not listeners:
            self._listeners.pop(topic, None)
        self.wanted = frozenset(self._listeners)

    def pass_on(self, topic: str, outgoing: Any) -> None:
        """Put a message into the outboxes of all clients that listen to its topic."""
        for client, queue in self._listeners.get(topic, {}).items():
            client.outbox.put(queue, outgoing)
