"""A client of the embedded server: its operations, and the messages and answers that are sent to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.endpoint.ros.rosbridge.client_handle import ClientHandle
from dorosim.endpoint.ros.rosbridge.field import id_in, name_in, text_in, type_in
from dorosim.endpoint.ros.rosbridge.outbox import Outbox
from dorosim.endpoint.ros.rosbridge.relay import RelayedPublication
from dorosim.endpoint.ros.rosbridge.router import RosbridgeRouter
from dorosim.endpoint.ros.rosbridge.subscription import Subscription, asked_in
from dorosim.wire.error import RosError
from dorosim.wire.ros.fragment import RosbridgeFragments
from dorosim.wire.ros.frame import decode, plain

LEVELS = {"none": 0, "error": 1, "warning": 2, "info": 3}
MAX_TOPICS = 1_000
"""Most topics that one client subscribes to."""


class Peer(ClientHandle):
    """A client and its operations; used on the server's thread.

    Args:
        router: of the server that it is connected to.
        address: of the client.
    """

    def __init__(self, router: RosbridgeRouter, address: str) -> None:
        outbox = Outbox(self._cannot_send, lambda problem: router.hub.report("ROS internal error", problem))
        super().__init__(address, outbox)
        self._size = 0
        self._router = router
        self._level = LEVELS["error"]
        self._fragments = RosbridgeFragments(router.longest)
        self._subscriptions: dict[str, Subscription] = {}
        self._operations: dict[str, Callable[[dict[str, Any]], None]] = {
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "publish": self._publish,
            "advertise": self._advertise,
            "unadvertise": self._unadvertise,
            "call_service": lambda operation: router.caller.call(self, operation),
            "service_response": lambda operation: router.caller.respond(self, operation),
            "advertise_service": self._advertise_service,
            "unadvertise_service": self._unadvertise_service,
            "fragment": self._fragment,
            "set_level": self._set_level,
            "status": self._status,
            "auth": self._auth,
        }

    def take(self, frame: str | bytes) -> None:
        """Do what a frame asks for. Never raises: a problem is answered and counted."""
        try:
            operation, encoding = decode(frame)
        except RosError as error:
            self.complain("malformed message", str(error), {})
            return
        self.bson = encoding == "bson"
        self._size = len(frame)
        self._do(operation)

    def leave(self) -> None:
        """End the subscriptions and offers of the client, which has gone."""
        self.gone = True
        for topic in list(self._subscriptions):
            self._forget(topic)
        self.outbox.clear()
        self._router.relay.leave(self)

    def complain(self, what: str, problem: str, operation: dict[str, Any]) -> None:
        """Report to the client, and to the user, an operation that is refused. Never raises.

        Args:
            what: name of the operation.
            problem: what is wrong.
            operation: the operation; its id is sent to the client.
        """
        self._router.hub.report("ROS refused", f"rosbridge client {self.address}: {what}: {problem}")
        self._send_status("error", f"{what}: {problem}", operation)

    def _send_status(self, level: str, text: str, operation: dict[str, Any]) -> None:
        if LEVELS[level] > self._level:
            return
        status = {"op": "status", "level": level, "msg": text.encode(errors="replace").decode(), **id_in(operation)}
        try:
            self.send(status)
        except RosError as error:
            self._router.hub.report("ROS not sent", f"rosbridge client {self.address}: status: {error}")

    def _cannot_send(self, problem: str) -> None:
        self._router.hub.report("ROS not sent", f"rosbridge client {self.address}: {problem}")
        self._send_status("error", f"publish: {problem}", {})

    def _do(self, operation: dict[str, Any]) -> None:
        name = operation["op"]
        act = self._operations.get(name)
        try:
            if act is None:
                raise RosError(f"an unknown operation; known are {', '.join(self._operations)}")  # noqa: TRY301
            act(operation)
        except RosError as error:
            self.complain(name[:40], str(error), operation)
        except Exception as error:  # a fault of ours; the others go on
            self._router.hub.report("ROS internal error", f"{name[:40]}: {type(error).__name__}: {error}")
            self._send_status("error", f"{name[:40]}: a fault of dorosim; please tell us", operation)

    def _subscribe(self, operation: dict[str, Any]) -> None:
        topic, kind, asked = name_in(operation, "topic"), type_in(operation), asked_in(operation)
        known = self._router.rosapi.topics.get(topic)
        if kind and known and kind != known:
            raise RosError(f"{topic} has the type {known}, not {kind}")
        if not kind and not known:
            raise RosError(f"{topic} is not there yet, so its type must be given")
        subscription = self._subscriptions.get(topic)
        new = subscription is None
        if subscription is None:
            if len(self._subscriptions) >= MAX_TOPICS:
                raise RosError(f"{MAX_TOPICS:,} topics are enough")
            subscription = Subscription(topic, lambda: self.bson)
        subscription.add(_key(operation), asked)
        if new:
            self._subscriptions[topic] = subscription
            self._router.listen(topic, self, subscription.queue)
        last = self._router.hub.last(topic)
        if last is not None:
            self.outbox.put(subscription.queue, last)

    def _unsubscribe(self, operation: dict[str, Any]) -> None:
        topic = name_in(operation, "topic")
        subscription = self._subscriptions.get(topic)
        if subscription is not None and subscription.remove(_key(operation) if "id" in operation else None):
            self._forget(topic)

    def _forget(self, topic: str) -> None:
        subscription = self._subscriptions.pop(topic)
        self.outbox.forget(subscription.queue)
        if subscription.queue.dropped:
            self._router.hub.counts["rosbridge dropped"] += subscription.queue.dropped
        self._router.listen_no_more(topic, self)

    def _advertise(self, operation: dict[str, Any]) -> None:
        topic, kind, hub = name_in(operation, "topic"), type_in(operation), self._router.hub
        if not kind:
            raise RosError('"type" is missing')
        if topic in hub.published:
            raise RosError(f"{topic} is published by the simulator")
        known = hub.subscribed.get(topic)
        if known is not None and known.type != kind:
            raise RosError(f"{topic} has the type {known.type}, not {kind}")
        self._router.relay.advertise(topic, kind, self)

    def _unadvertise(self, operation: dict[str, Any]) -> None:
        self._router.relay.unadvertise(name_in(operation, "topic"), self)

    def _publish(self, operation: dict[str, Any]) -> None:
        topic, router = name_in(operation, "topic"), self._router
        hub, tree = router.hub, operation.get("msg", {})
        if topic in hub.published:
            raise RosError(f"{topic} is published by the simulator")
        heard = hub.subscribed.get(topic)
        relayed = router.relay.topics.get(topic)
        kind = heard.type if heard is not None else None if relayed is None else relayed.type
        if kind is None:
            raise RosError(f"{topic} is not advertised, so its type is not known")
        if not hub.registry.has(kind):
            router.pass_on(topic, RelayedPublication(topic, plain(tree), self._size))
            return
        message = router.conversion.message(kind, tree)
        if heard is not None:
            hub.receive(topic, message, self.address)
        router.pass_on(topic, OutgoingMessage(topic, kind, message, hub.registry, hub.time, self._size))

    def _advertise_service(self, operation: dict[str, Any]) -> None:
        service, kind = name_in(operation, "service"), type_in(operation)
        if service in self._router.hub.provided or self._router.rosapi.type_of(service) is not None:
            raise RosError(f"{service} is provided by the simulator")
        self._router.relay.offer(service, kind, self)

    def _unadvertise_service(self, operation: dict[str, Any]) -> None:
        service = name_in(operation, "service")
        if not self._router.relay.withdraw(service, self):
            raise RosError(f"{service} is not a service of this client")

    def _fragment(self, operation: dict[str, Any]) -> None:
        whole = self._fragments.add(operation)
        if whole is not None:
            self._router.budget.charge(len(whole))
            self.take(whole)

    def _set_level(self, operation: dict[str, Any]) -> None:
        level = text_in(operation, "level")
        if level not in LEVELS:
            raise RosError(f"a level must be one of {', '.join(LEVELS)}")
        self._level = LEVELS[level]

    def _status(self, operation: dict[str, Any]) -> None:
        level, text = operation.get("level"), operation.get("msg")
        if level in ("error", "warning") and isinstance(text, str):
            self._router.hub.report("ROS client's problem", f"rosbridge client {self.address}: {text[:200]}")

    def _auth(self, operation: dict[str, Any]) -> None:
        self.send({"op": "status", "level": "info", "msg": "no authentication is needed", **id_in(operation)})


def _key(operation: dict[str, Any]) -> str:
    return str(operation.get("id", ""))[:200]
