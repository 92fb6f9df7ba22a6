"""The simulator as a node of ROS 1: a transport of the hub, at full rate and with no ROS on this side."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import threading
import xmlrpc.client
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dorosim.endpoint.ros.hub import Hub
from dorosim.endpoint.ros.node.publisher_connection import PublisherConnections
from dorosim.endpoint.ros.node.reactor import Reactor
from dorosim.endpoint.ros.node.registrar import Registrar
from dorosim.endpoint.ros.node.server import TcprosServer
from dorosim.endpoint.ros.node.service import ServiceServer
from dorosim.endpoint.ros.node.settings import NodeSettings
from dorosim.endpoint.ros.node.slave import ERROR, FAILURE, SUCCESS, SlaveServer
from dorosim.endpoint.ros.node.subscriber_connection import SubscriberConnection, packed
from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.endpoint.web_origin import WebOrigins
from dorosim.wire.error import RosError
from dorosim.wire.ros.tcpros import encode_header, misfit

MAX_SUBSCRIBERS = 512
"""Most connections to subscribers at a time."""


class RosNode:
    """A node (`dorosim.endpoint.ros.hub.Transport`).

    Args:
        hub: has topics and services. settings: choices of the user.
        say: is called with a text when the node is registered, and when the master asks it to shut down.

    Raises:
        OSError: there is no free port at this host.
        ValueError: the master's URI is no URI.
        InputError: a listed origin is no origin.

    Attributes:
        api: URI of the XML-RPC server. port: of TCPROS.
    """

    def __init__(self, hub: Hub, settings: NodeSettings, say: Callable[[str], None] = lambda _: None) -> None:
        self._hub, self._settings, self._say = hub, settings, say
        self._lock = threading.Lock()
        self._subscribers: dict[str, tuple[SubscriberConnection, ...]] = {}
        self._closed = False
        self._reactor = Reactor("dorosim-ros-node", self._trouble)
        host = _bindable(settings.host)
        refused = partial(hub.report, "ROS connection refused")
        self._server = TcprosServer((host, 0), self._reactor, self.receive, refused)
        origins = WebOrigins("ros.origins", settings.origins, settings.host)
        no_call = partial(hub.report, "ROS call refused")
        self._slave = SlaveServer((host, 0), self._reactor, self._methods(), no_call, origins)
        name = f"[{settings.host}]" if ":" in settings.host else settings.host
        self.port = self._server.port
        self.api = f"http://{name}:{self._slave.port}/"
        self._services = ServiceServer(hub, settings)
        self._publishers = PublisherConnections(hub, settings)
        services = f"rosrpc://{name}:{self.port}"
        self._registrar = Registrar(hub, self._publishers, settings, (self.api, services), say)

    def wants(self, topic: str) -> bool:
        """Whether any subscriber listens to a topic."""
        return topic in self._subscribers

    def send(self, outgoing: OutgoingMessage) -> None:
        """Give a message to all subscribers; none of them is waited for.

        Raises:
            RosError: the message cannot be written.
        """
        connections = self._subscribers.get(outgoing.topic, ())
        if connections:
            parts = packed(self._hub.registry.encode_parts(outgoing.message))
            for connection in connections:
                connection.put(parts)

    def change(self) -> None:
        """Update the registrations, since the topics of the hub have changed, and end connections of removed topics."""
        self._registrar.change()
        gone = [topic for topic in self._subscribers if topic not in self._hub.published]
        if gone:
            self._reactor.call(lambda: self._hang_up(gone))

    def close(self) -> None:
        """Unregister at the master, close all connections, and end the threads."""
        if self._closed:
            return
        self._closed = True
        self._registrar.close()
        self._publishers.close()
        self._reactor.call(self._slave.close)
        self._reactor.call(self._server.close)
        self._reactor.call(lambda: self._hang_up(list(self._subscribers)))
        self._reactor.close()
        self._services.close()

    def receive(self, sock: socket.socket, header: Mapping[str, str]) -> None:
        """Take over a connection whose header was read.

        Raises:
            RosError: it is refused.
        """
        if "service" in header:
            self._services.receive(sock, header)
        elif "topic" in header:
            self._subscribe(sock, header)
        else:
            raise RosError("its connection header names neither a topic nor a service")

    def _subscribe(self, sock: socket.socket, header: Mapping[str, str]) -> None:
        topic = header["topic"]
        published = self._hub.published.get(topic)
        if published is None:
            raise RosError(f"topic {topic[:80]} is not published here")
        registry = self._hub.registry
        md5 = registry.md5(published.type)
        problem = misfit(header, published.type, md5)
        if problem is not None:
            raise RosError(f"{topic} to {header.get('callerid', 'an unnamed node')[:80]}: {problem}")
        if sum(len(some) for some in self._subscribers.values()) >= MAX_SUBSCRIBERS:
            raise RosError(f"{MAX_SUBSCRIBERS} connections to subscribers are open already")
        answer = {
            "callerid": self._settings.node,
            "latching": "1" if published.latched else "0",
            "md5sum": md5,
            "message_definition": registry.definition(published.type),
            "topic": topic,
            "type": published.type,
        }
        connection = SubscriberConnection(sock, topic, header["callerid"], self._reactor, self._lost, self._gone)
        with self._lock:
            self._subscribers = {**self._subscribers, topic: (*self._subscribers.get(topic, ()), connection)}
        connection.open(encode_header(answer))
        last = self._hub.last(topic)
        if last is not None:
            try:
                connection.put(packed(self._hub.registry.encode_parts(last.message)))
            except RosError as error:  # the connection is an outlet's already, and the next message may be better
                self._hub.report("ROS message not sent", f"{topic}: {error}")

    def _lost(self, connection: SubscriberConnection) -> None:
        self._hub.report(
            "ROS subscriber too slow", f"{connection.topic} to {connection.peer}: an older message is left out"
        )

    def _gone(self, connection: SubscriberConnection) -> None:
        with self._lock:
            left = tuple(one for one in self._subscribers.get(connection.topic, ()) if one is not connection)
            others = {topic: some for topic, some in self._subscribers.items() if topic != connection.topic}
            self._subscribers = {**others, connection.topic: left} if left else others

    def _hang_up(self, topics: list[str]) -> None:
        for topic in topics:
            for connection in self._subscribers.get(topic, ()):
                connection.close()

    def _trouble(self, error: Exception) -> None:
        self._hub.report("ROS internal error", f"{type(error).__name__}: {error}")

    # what the master and other nodes ask: each answers [status, reason, value]

    def _methods(self) -> Mapping[str, Callable[..., list[Any]]]:
        return {
            "requestTopic": self._request_topic,
            "publisherUpdate": self._publisher_update,
            "paramUpdate": lambda caller, key, value: [SUCCESS, "", 0],  # noqa: ARG005 - no parameter is used
            "getBusInfo": self._bus_info,
            "getBusStats": self._bus_stats,
            "getPid": lambda caller: [SUCCESS, "", os.getpid()],  # noqa: ARG005
            "getMasterUri": lambda caller: [SUCCESS, "", self._settings.master],  # noqa: ARG005
            "getPublications": lambda caller: [SUCCESS, "", _types(self._hub.published)],  # noqa: ARG005
            "getSubscriptions": lambda caller: [SUCCESS, "", _types(self._hub.subscribed)],  # noqa: ARG005
            "shutdown": self._shutdown,
        }

    def _request_topic(self, _: str, topic: str, protocols: list[list[Any]]) -> list[Any]:
        if topic not in self._hub.published:
            return [FAILURE, f"{topic} is not published here", 0]
        if not isinstance(protocols, list) or not any(
            isinstance(one, list) and one and one[0] == "TCPROS" for one in protocols
        ):
            return [FAILURE, "only TCPROS is spoken here", 0]
        return [SUCCESS, "ready", ["TCPROS", self._settings.host, self.port]]

    def _publisher_update(self, _: str, topic: str, uris: list[str]) -> list[Any]:
        if not isinstance(uris, list) or not all(isinstance(uri, str) for uri in uris):
            return [ERROR, "publishers are a list of URIs", 0]
        if topic not in self._hub.subscribed:
            return [FAILURE, f"{topic} is not subscribed to here", 0]
        self._publishers.update(topic, uris)
        return [SUCCESS, "", 0]

    def _bus_info(self, _: str) -> list[Any]:
        rows: list[list[Any]] = []
        for topic, connections in self._subscribers.items():
            rows += [[len(rows) + n, one.peer, "o", "TCPROS", topic, True] for n, one in enumerate(connections)]
        rows += [
            [len(rows) + n, one.uri, "i", "TCPROS", one.topic, one.connected]
            for n, one in enumerate(self._publishers.all)
        ]
        return [SUCCESS, "", rows]

    def _bus_stats(self, _: str) -> list[Any]:
        published: list[Any] = []
        for topic, connections in self._subscribers.items():
            rows = [
                [n, _int(one.traffic.bytes), _int(one.traffic.messages - one.traffic.lost), True]
                for n, one in enumerate(connections)
            ]
            published.append([topic, _int(sum(row[1] for row in rows)), rows])
        subscribed: dict[str, list[Any]] = {}
        for n, connection in enumerate(self._publishers.all):
            row = [n, _int(connection.traffic.bytes), _int(connection.traffic.messages), -1, connection.connected]
            subscribed.setdefault(connection.topic, []).append(row)
        calls = self._services.traffic
        return [
            SUCCESS,
            "",
            [published, [list(one) for one in subscribed.items()], [_int(calls.messages), 0, _int(calls.bytes)]],
        ]

    def _shutdown(self, caller: str, reason: str = "") -> list[Any]:
        self._say(f"ROS node {self._settings.node} leaves: {caller} asks it to ({reason or 'no reason given'})")
        self._registrar.leave()
        self._publishers.close()
        self._reactor.call(lambda: self._hang_up(list(self._subscribers)))
        return [SUCCESS, "", 0]


def _types(topics: Mapping[str, Any]) -> list[list[str]]:
    return [[name, one.type] for name, one in topics.items()]


def _int(number: int) -> int:
    """A count, limited to the largest number that XML-RPC can send."""
    return min(number, int(xmlrpc.client.MAXINT))


def _bindable(host: str) -> str:
    """The address to listen at so that others reach this machine as `host`: the same, if it is one of ours.

    Raises:
        OSError: there is no such host.
    """
    address = str(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as tried:
        try:
            tried.bind((address, 0))
        except OSError as error:
            if error.errno != errno.EADDRNOTAVAIL or ipaddress.ip_address(address).is_loopback:
                raise
            # others know this machine by another address
            return "::" if ":" in address else "0.0.0.0"
    return address
