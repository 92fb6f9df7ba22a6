"""The services of rosapi, which list topics, services and types for clients.

Sources: facts/ros-peers.md; ROS package documentation of rosapi (names and fields of its services).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dorosim.wire.error import RosError
from dorosim.wire.ros.typedef import typedefs

if TYPE_CHECKING:
    from dorosim.endpoint.ros.hub import Hub
    from dorosim.endpoint.ros.rosbridge.relay import Relay

Answer = dict[str, Any]
PREFIX = "/rosapi/"
NODE, BRIDGE, API = "/dorosim", "/rosbridge_websocket", "/rosapi"
"""Names of nodes: the simulator, all clients together as with the standard server, and rosapi itself."""
MAX_PARAMETERS, MAX_PARAMETER_LENGTH = 1_000, 100_000


class Rosapi:
    """Answers for the hub and the clients of a server; used on the server's thread.

    Args:
        hub: topics and services of the simulator.
        relay: topics and services of clients.
        subscribed: names of topics that clients listen to.
        parameters: what the parameter server has at the start, by name.
    """

    def __init__(
        self, hub: Hub, relay: Relay, subscribed: Callable[[], Iterable[str]], parameters: dict[str, Any]
    ) -> None:
        self._hub, self._relay, self._subscribed = hub, relay, subscribed
        self._parameters = dict(parameters)
        table: dict[str, Callable[[Any], Answer]] = {
            "topics": self._topics,
            "topics_for_type": lambda asked: {"topics": _of_type(self.topics, asked.type)},
            "topics_and_raw_types": self._topics_and_raw_types,
            "topic_type": lambda asked: {"type": self.topics.get(asked.topic, "")},
            "services": lambda _: {"services": sorted(self.services)},
            "services_for_type": lambda asked: {"services": _of_type(self.services, asked.type)},
            "service_type": lambda asked: {"type": self.services.get(asked.service, "")},
            "service_providers": self._service_providers,
            "service_node": lambda asked: {"node": self._node_of(asked.service)},
            "service_host": lambda asked: {"host": "localhost" if self._node_of(asked.service) else ""},
            "publishers": lambda asked: {"publishers": self._nodes_with(1, asked.topic)},
            "subscribers": lambda asked: {"subscribers": self._nodes_with(0, asked.topic)},
            "nodes": lambda _: {"nodes": list(self._nodes())},
            "node_details": self._node_details,
            "action_servers": lambda _: {"action_servers": []},
            "message_details": lambda asked: self._details(asked.type),
            "service_request_details": lambda asked: self._part_details(asked.type, "Request"),
            "service_response_details": lambda asked: self._part_details(asked.type, "Response"),
            "get_time": self._time,
            "set_param": self._set_parameter,
            "get_param": self._parameter,
            "has_param": lambda asked: {"exists": asked.name in self._parameters},
            "delete_param": self._delete_parameter,
            "search_param": self._search_parameter,
            "get_param_names": lambda _: {"names": sorted(self._parameters)},
        }
        self._table = {f"{PREFIX}{name}": (_type_of(name), act) for name, act in table.items()}

    @property
    def topics(self) -> dict[str, str]:
        """Types of all topics, by name."""
        mine = {name: one.type for name, one in self._hub.published.items()}
        mine |= {name: one.type for name, one in self._hub.subscribed.items()}
        relayed = {name: relayed.type for name, relayed in self._relay.topics.items()}
        return {**relayed, "/rosout": "rosgraph_msgs/Log", **mine}

    @property
    def services(self) -> dict[str, str]:
        """Types of all services, by name."""
        mine = {name: one.type for name, one in self._hub.provided.items()}
        offered = {name: offer.type for name, offer in self._relay.services.items()}
        return {**offered, **{name: kind for name, (kind, _) in self._table.items()}, **mine}

    def type_of(self, service: str) -> str | None:
        """The type of a service of rosapi, None for another service."""
        found = self._table.get(service)
        return None if found is None else found[0]

    def answer(self, service: str, request: Any) -> Answer:
        """The answer of a service of rosapi to a request message.

        Raises:
            RosError: there is no such type, or no such node.
        """
        return self._table[service][1](request)

    def _topics(self, _: Any) -> Answer:
        found = sorted(self.topics.items())
        return {"topics": [name for name, _ in found], "types": [kind for _, kind in found]}

    def _topics_and_raw_types(self, asked: Any) -> Answer:
        answer = self._topics(asked)
        return {**answer, "typedefs_full_text": [self._full_text(kind) for kind in answer["types"]]}

    def _full_text(self, kind: str) -> str:
        try:
            return self._hub.registry.definition(kind)
        except RosError:
            return ""

    def _service_providers(self, asked: Any) -> Answer:
        """The nodes that provide services of a type; `service` is the type's name, or that of a service."""
        found = {self._node_of(name) for name, kind in self.services.items() if asked.service in (name, kind)}
        return {"providers": sorted(found)}

    def _node_of(self, service: str) -> str:
        return next((node for node, (_, _, services) in self._nodes().items() if service in services), "")

    def _nodes(self) -> dict[str, tuple[list[str], list[str], list[str]]]:
        """Topics that a node listens to, topics that it publishes, its services."""
        relayed, offered = sorted(self._relay.topics), sorted(self._relay.services)
        return {
            NODE: (sorted(self._hub.subscribed), sorted({*self._hub.published, "/rosout"}), sorted(self._hub.provided)),
            BRIDGE: (sorted(self._subscribed()), relayed, offered),
            API: ([], [], sorted(self._table)),
        }

    def _nodes_with(self, part: int, topic: str) -> list[str]:
        return [node for node, parts in self._nodes().items() if topic in parts[part]]

    def _node_details(self, asked: Any) -> Answer:
        found = self._nodes().get(asked.node)
        if found is None:
            raise RosError(f"there is no node {asked.node}")
        return dict(zip(("subscribing", "publishing", "services"), found, strict=True))

    def _details(self, kind: str) -> Answer:
        return {"typedefs": typedefs(self._hub.registry, kind)}

    def _part_details(self, kind: str, part: str) -> Answer:
        if kind not in self._hub.registry.services:
            raise RosError(f"there is no service type {kind}")
        return self._details(f"{kind}{part}")

    def _time(self, _: Any) -> Answer:
        seconds, rest = divmod(self._hub.time, 1_000_000_000)
        return {"time": {"secs": seconds, "nsecs": rest}}

    def _set_parameter(self, asked: Any) -> Answer:
        if asked.name not in self._parameters and len(self._parameters) >= MAX_PARAMETERS:
            raise RosError(f"there are {MAX_PARAMETERS:,} parameters already")
        if len(asked.value) + len(asked.name) > MAX_PARAMETER_LENGTH:
            raise RosError(f"a parameter has at most {MAX_PARAMETER_LENGTH:,} letters")
        self._parameters[asked.name] = _from_json(asked.value)
        return {}

    def _parameter(self, asked: Any) -> Answer:
        """A parameter as JSON text; the default as it was given, null where there is none."""
        if asked.name in self._parameters:
            return {"value": json.dumps(self._parameters[asked.name])}
        return {"value": json.dumps(_from_json(asked.default)) if asked.default else "null"}

    def _delete_parameter(self, asked: Any) -> Answer:
        self._parameters.pop(asked.name, None)
        return {}

    def _search_parameter(self, asked: Any) -> Answer:
        name = f"/{asked.name.lstrip('/')}"
        return {"global_name": name if name in self._parameters else ""}


def _of_type(kinds: dict[str, str], kind: str) -> list[str]:
    return sorted(name for name, one in kinds.items() if one == kind)


def _type_of(name: str) -> str:
    """The type of a service of rosapi."""
    words = "get_action_servers" if name == "action_servers" else name
    return f"rosapi/{''.join(word.capitalize() for word in words.split('_'))}"


def _from_json(text: str) -> Any:
    """The value that a client wrote as JSON text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise RosError("the value of a parameter is JSON text") from None
