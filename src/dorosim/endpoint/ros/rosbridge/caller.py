"""Calls of services: of the simulator, of rosapi, and of clients to each other."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

from dorosim.endpoint.ros.hub import Hub, ServiceError
from dorosim.endpoint.ros.rosbridge.client_handle import ClientHandle
from dorosim.endpoint.ros.rosbridge.field import id_in, name_in, text_in
from dorosim.endpoint.ros.rosbridge.relay import Relay, RelayedTopic
from dorosim.endpoint.ros.rosbridge.rosapi import Rosapi
from dorosim.wire.error import RosError
from dorosim.wire.ros.frame import plain
from dorosim.wire.ros.message_conversion import MessageConversion

MAX_CALLS = 64
"""Most calls that one client may wait for."""
_CALL_THREADS = 64
"""Calls of the simulator at a time; some wait for ticks. Far more than the share of one client."""
CLIENT_ANSWER_TIMEOUT_S = 60.0
"""Wall time that a client has to answer a call of another one [s]."""


@dataclass(slots=True)
class _Waiting:
    """A call that another client has to answer."""

    by: ClientHandle
    offer: RelayedTopic
    operation: dict[str, Any]
    timer: asyncio.TimerHandle


class Caller:
    """Calls of all clients; used on the server's thread.

    Args:
        hub: services of the simulator. conversion: of its types.
        relay: services of clients. rosapi: answers for all of them.
    """

    def __init__(self, hub: Hub, conversion: MessageConversion, relay: Relay, rosapi: Rosapi) -> None:
        self._hub, self._conversion, self._relay, self._rosapi = hub, conversion, relay, rosapi
        self._pool = ThreadPoolExecutor(_CALL_THREADS, "dorosim-rosbridge-call")
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, _Waiting] = {}
        self._numbers = count(1)

    def call(self, peer: ClientHandle, operation: dict[str, Any]) -> None:
        """Do a client's call of a service; the client gets an answer, now or later.

        Raises:
            RosError: the operation is no valid call, or too many calls of the client are under way.
        """
        service = name_in(operation, "service")
        _compression(operation)  # what is wrong with it is found before anything waits for an answer
        if peer.calls >= MAX_CALLS:
            raise RosError(f"{MAX_CALLS} calls are under way")
        try:
            self._call(peer, service, operation)
        except RosError as error:
            self._hub.report("ROS refused", f"rosbridge client {peer.address}: {service}: {error}")
            self._answer(peer, operation, str(error), done=False)

    def respond(self, peer: ClientHandle, operation: dict[str, Any]) -> None:
        """Pass on the answer of a client to the call of another client.

        Raises:
            RosError: no call waits for this answer, or the answer does not fit the service's type.
        """
        waiting = self._waiting.get(str(operation.get("id")))
        if waiting is None or waiting.offer.peer is not peer:
            raise RosError("no call waits for this answer")
        values, done = operation.get("values", {}), operation.get("result") is not False
        problem = ""
        if done:
            try:
                values = self._checked(f"{waiting.offer.type}Response", values)
            except RosError as error:
                problem, done, values = str(error), False, str(error)
        self._settle(str(operation.get("id")), plain(values), done=done)
        if problem:
            raise RosError(problem)

    def leave(self, peer: ClientHandle) -> None:
        """End the calls of a client that has gone, and let those fail that it should answer."""
        for number in [number for number, one in self._waiting.items() if peer in (one.by, one.offer.peer)]:
            self._settle(number, "the client that provides this service has gone", done=False)

    async def close(self) -> None:
        """Cancel all calls."""
        for waiting in self._waiting.values():
            waiting.timer.cancel()
        self._waiting.clear()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _call(self, peer: ClientHandle, service: str, operation: dict[str, Any]) -> None:
        kind = self._rosapi.type_of(service)
        if kind is not None:
            request = self._conversion.message(f"{kind}Request", self._arguments(operation, f"{kind}Request"))
            self._answer(peer, operation, self._rosapi.answer(service, request), done=True)
            return
        provided = self._hub.provided.get(service)
        if provided is not None:
            request_type = self._hub.registry.services[provided.type].request
            request = self._conversion.message(request_type, self._arguments(operation, request_type))
            peer.calls += 1
            task = asyncio.create_task(self._ask_hub(peer, service, request, operation))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        offer = self._relay.services.get(service)
        if offer is None:
            raise RosError(f"there is no service {service}")
        self._ask_peer(peer, service, offer, operation)

    def _arguments(self, operation: dict[str, Any], request: str) -> Any:
        """The tree of a request; rosbridge takes a list of its fields' values, too."""
        given = operation.get("args", {})
        if given is None:
            return {}
        if not isinstance(given, list):
            return given
        fields = [field for field, _ in self._hub.registry.fields(request)]
        if len(given) > len(fields):
            raise RosError(f"{len(given)} arguments in place of {len(fields)}")
        return dict(zip(fields, given, strict=False))

    async def _ask_hub(self, peer: ClientHandle, service: str, request: Any, operation: dict[str, Any]) -> None:
        """The simulator's services may wait, as synchronous mode does, so they have threads of their own."""
        hub, conversion = self._hub, self._conversion
        ask = partial(hub.call, service, request, peer.address)
        try:
            async with peer.share:
                if peer.gone:
                    return
                reply = await asyncio.get_running_loop().run_in_executor(self._pool, ask)
            form = conversion.json if _compression(operation) in ("none", "png") and not peer.bson else conversion.cbor
            self._answer(peer, operation, form(reply) if not peer.bson else conversion.bson(reply), done=True)
        except (RosError, ServiceError) as error:
            self._answer(peer, operation, str(error), done=False)
        finally:
            peer.calls -= 1

    def _ask_peer(self, peer: ClientHandle, service: str, offer: RelayedTopic, operation: dict[str, Any]) -> None:
        request = f"{offer.type}Request"
        args = operation.get("args", {})
        if self._hub.registry.has(request):
            args = self._checked(request, self._arguments(operation, request))
        number = f"service_request:{service}:{next(self._numbers)}"
        timer = asyncio.get_running_loop().call_later(
            CLIENT_ANSWER_TIMEOUT_S,
            lambda: self._settle(number, f"no answer in {CLIENT_ANSWER_TIMEOUT_S:g} s", done=False),
        )
        offer.peer.send({"op": "call_service", "id": number, "service": service, "args": plain(args)})
        self._waiting[number] = _Waiting(peer, offer, operation, timer)
        peer.calls += 1

    def _checked(self, kind: str, tree: Any) -> Any:
        """A request or response with its missing fields, if its type is known; else as it came."""
        if not self._hub.registry.has(kind):
            return tree
        return _whole(self._conversion.json(self._conversion.message(kind, tree)))

    def _answer(self, peer: ClientHandle, operation: dict[str, Any], values: Any, *, done: bool) -> None:
        """Answer a call. Never raises: an answer that cannot be written is reported, and the call fails."""
        about = {"op": "service_response", "service": operation["service"], **id_in(operation)}
        compression = _compression(operation)
        try:
            peer.send({**about, "values": values, "result": done}, compression)
        except RosError as error:
            self._hub.report("ROS not sent", f"rosbridge client {peer.address}: {about['service']}: {error}")
            with suppress(RosError):
                peer.send({**about, "values": "the answer cannot be written", "result": False}, compression)

    def _settle(self, number: str, values: Any, *, done: bool) -> None:
        waiting = self._waiting.pop(number, None)
        if waiting is not None:
            waiting.timer.cancel()
            waiting.by.calls -= 1
            self._answer(waiting.by, waiting.operation, values, done=done)


def _whole(tree: Any) -> Any:
    """A tree without parts that are JSON already."""
    import msgspec

    return msgspec.json.decode(msgspec.json.encode(tree))


def _compression(operation: dict[str, Any]) -> str:
    return text_in(operation, "compression", default="none")
