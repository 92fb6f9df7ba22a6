"""Connections to nodes that publish what the simulator listens to; each has a thread, and tries again if it ends."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Collection
from typing import Any

from dorosim.bridge.ros.topic import Subscribed
from dorosim.endpoint.ros.hub import Hub
from dorosim.endpoint.ros.node.remote import Remote, RemoteError
from dorosim.endpoint.ros.node.settings import NodeSettings
from dorosim.endpoint.ros.node.stream import GoneError, read_frame, read_header, shut
from dorosim.endpoint.ros.node.subscriber_connection import Traffic
from dorosim.endpoint.ros.receive_budget import NODE_BUDGET, ReceiveBudget
from dorosim.ground.error import DorosimError
from dorosim.wire.error import RosError
from dorosim.wire.ros.tcpros import encode_header, generation_cure, misfit

MAX_PUBLISHERS = 32
"""Most publishers of a topic that the simulator listens to."""
MAX_THREADS = 128
"""Connections at a time, with those that end, up to twice `PUBLISHER_TIMEOUT_S` later; more wait for room."""
PUBLISHER_TIMEOUT_S = 3.0
"""Time for a connection and its header [s]."""
MIN_RECONNECT_PAUSE_S, MAX_RECONNECT_PAUSE_S = 0.1, 5.0
"""Time before another try [s]; it doubles with each."""


class PublisherConnection:
    """A connection to a publisher of a topic that the simulator listens to; its thread begins with `start`.

    Args:
        hub: takes the messages. subscribed: the topic. settings: of the user. uri: of the other node.
        budget: how much all connections may take. ended: is called once when its thread ends.

    Attributes:
        topic: its name. uri: as given. connected: whether messages can come. traffic: what came.
    """

    def __init__(
        self,
        hub: Hub,
        subscribed: Subscribed,
        settings: NodeSettings,
        uri: str,
        budget: ReceiveBudget,
        ended: Callable[[PublisherConnection], None],
    ) -> None:
        self.topic, self.uri = subscribed.topic, uri
        self.connected = False
        self.traffic = Traffic()
        self._hub, self._type, self._settings = hub, subscribed.type, settings
        self._budget, self._ended = budget, ended
        self._over = threading.Event()
        self._sock: socket.socket | None = None
        self._last_problem = ""
        self._thread = threading.Thread(target=self._run, name="dorosim-ros-link", daemon=True)

    def start(self) -> None:
        """Start the thread, which connects and listens until `close`.

        Raises:
            RuntimeError: the system has no room for one more thread.
        """
        self._thread.start()

    def close(self) -> None:
        """End the connection, without waiting for its thread, which may be busy for a moment."""
        self._over.set()
        sock = self._sock
        if sock is not None:
            shut(sock)

    def _run(self) -> None:
        try:
            self._keep_listening()
        finally:
            self._ended(self)

    def _keep_listening(self) -> None:
        wait = MIN_RECONNECT_PAUSE_S
        while not self._over.is_set():
            before = self.traffic.messages
            try:
                self._listen()
            except (DorosimError, OSError, ValueError) as error:
                self._report(error)
            except Exception as error:  # a fault of ours; the run goes on
                self._hub.report("ROS internal error", f"{self.topic}: {type(error).__name__}: {error}")
            finally:
                self.connected, self._sock = False, None
            if self.traffic.messages > before:
                wait, self._last_problem = MIN_RECONNECT_PAUSE_S, ""
            if self._over.wait(wait):
                return
            wait = min(wait * 2, MAX_RECONNECT_PAUSE_S)

    def _listen(self) -> None:
        """Take messages until the connection ends.

        Raises:
            RosError: the bytes that come are no message, or the type is another.
            GoneError, RemoteError, OSError: the publisher is not there.
        """
        with socket.create_connection(self._address(), PUBLISHER_TIMEOUT_S) as sock:
            self._sock = sock
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            self._introduce(sock)
            self.connected, self._last_problem = True, ""
            sock.settimeout(None)
            while not self._over.is_set():
                self._budget.wait(self._over)
                data = read_frame(sock, self._settings.max_message)
                self._budget.charge(len(data))
                self.traffic.messages += 1
                self.traffic.bytes += len(data)
                try:
                    message = self._hub.registry.decode(self._type, data)
                except RosError as error:  # its length was right: the next one may be better
                    self._hub.report("ROS message refused", f"{self.topic} from {self.uri}: {error}")
                    continue
                if not self._over.is_set():
                    self._hub.receive(self.topic, message, self.uri)

    def _address(self) -> tuple[str, int]:
        """The host and port at which the publisher sends the messages."""
        remote = Remote(self.uri, PUBLISHER_TIMEOUT_S)
        try:
            found: Any = remote.call("requestTopic", self._settings.node, self.topic, [["TCPROS"]])
        finally:
            remote.close()
        match found:
            case ["TCPROS", str(host), int(port), *_] if 0 < port < 65536:
                return host, port
        raise RemoteError(f"{self.uri} offers no TCPROS for {self.topic}", reached=True)

    def _introduce(self, sock: socket.socket) -> None:
        """Exchange headers."""
        registry = self._hub.registry
        md5 = registry.md5(self._type)
        sock.sendall(
            encode_header(
                {
                    "callerid": self._settings.node,
                    "topic": self.topic,
                    "type": self._type,
                    "md5sum": md5,
                    "message_definition": registry.definition(self._type),
                    "tcp_nodelay": "1",
                }
            )
        )
        answer = read_header(sock)
        if "error" in answer:
            cure = generation_cure(self._type) if "md5sum" in answer["error"] else ""
            raise RosError(f"the publisher refuses: {answer['error'][:300]}{cure}")
        problem = misfit({"callerid": "", **answer}, self._type, md5)
        if problem is not None:
            raise RosError(problem)

    def _report(self, error: Exception) -> None:
        """Report a problem, once as long as it is the same. That a publisher closes its connection is no problem."""
        if self._over.is_set() or isinstance(error, GoneError):
            return
        text = str(error) or type(error).__name__
        if text != self._last_problem:
            self._last_problem = text
            kind = "ROS message refused" if isinstance(error, RosError) else "ROS publisher not reached"
            self._hub.report(kind, f"{self.topic} from {self.uri}: {text}")


class PublisherConnections:
    """The publishers of all topics that the simulator listens to, as the master reports them.

    Args:
        hub: takes the messages. settings: of the user.
    """

    def __init__(self, hub: Hub, settings: NodeSettings) -> None:
        self._hub, self._settings = hub, settings
        self._budget = ReceiveBudget(*NODE_BUDGET)
        self._lock = threading.Lock()
        self._connections: dict[tuple[str, str], PublisherConnection] = {}
        self._waiting: dict[tuple[str, str], Subscribed] = {}
        self._threads: set[PublisherConnection] = set()
        self._over = False

    @property
    def all(self) -> Collection[PublisherConnection]:
        """Every connection."""
        with self._lock:
            return tuple(self._connections.values())

    def update(self, topic: str, uris: Collection[str], *, keep: bool = False) -> None:
        """Connect to the publishers that a topic has now, and close the connections to others.

        Args:
            topic: name.
            uris: of their nodes.
            keep: whether publishers that are connected stay even if they are not in `uris`, since a master that was
                restarted does not know them.
        """
        subscribed = self._hub.subscribed.get(topic)
        heard = [one.uri for one in self.all if keep and one.topic == topic and one.connected]
        wanted = list(dict.fromkeys((*uris, *heard))) if subscribed is not None else []
        if len(wanted) > MAX_PUBLISHERS:
            self._hub.report("ROS publisher refused", f"{topic} has {len(wanted)} publishers")
            wanted = wanted[:MAX_PUBLISHERS]
        with self._lock:
            if self._over:
                return
            for key in [one for one in self._connections if one[0] == topic and one[1] not in wanted]:
                self._connections.pop(key).close()
            for key in [one for one in self._waiting if one[0] == topic]:
                del self._waiting[key]
            if subscribed is not None:
                self._waiting |= {(topic, uri): subscribed for uri in wanted if (topic, uri) not in self._connections}
            self._begin()
            waiting = sum(one[0] == topic for one in self._waiting)
        if waiting:
            self._hub.report("ROS publisher waits", f"{waiting} of {topic}; at most {MAX_THREADS} are tried at a time")

    def close(self) -> None:
        """End all."""
        with self._lock:
            self._over = True
            self._waiting.clear()
            connections, self._connections = self._connections, {}
        for connection in connections.values():
            connection.close()

    def _begin(self) -> None:
        """Listen to publishers that wait, as far as there is room. With the lock."""
        while self._waiting and len(self._threads) < MAX_THREADS:
            key = next(iter(self._waiting))
            subscribed = self._waiting.pop(key)
            connection = PublisherConnection(self._hub, subscribed, self._settings, key[1], self._budget, self._ended)
            try:
                connection.start()
            except RuntimeError:  # the system has no room: retried when another one ends, or at the next update
                self._waiting[key] = subscribed
                return
            self._connections[key] = connection
            self._threads.add(connection)

    def _ended(self, connection: PublisherConnection) -> None:
        """Note that a connection has ended, and begin one that waits. On the thread of the ended one."""
        with self._lock:
            self._threads.discard(connection)
            self._begin()
