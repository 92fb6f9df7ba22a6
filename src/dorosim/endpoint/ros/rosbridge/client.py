"""The rosbridge client: connects out to the user's rosbridge_websocket, as the product does.

Sources: facts/ros-grpc-mgeo.md, 1.1; facts/ros-peers.md; rosbridge v2.0 protocol specification, 3.3 and 3.4.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from dorosim.bridge.ros.topic import Published
from dorosim.endpoint.ros.hub import Hub, ServiceError
from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.endpoint.ros.receive_budget import MAX_FRAME, ROSBRIDGE_BUDGET, ReceiveBudget
from dorosim.endpoint.ros.rosbridge.event_thread import EventThread
from dorosim.endpoint.ros.rosbridge.field import id_in, name_in
from dorosim.endpoint.ros.rosbridge.outbox import Outbox, RosbridgeFrame, TopicQueue
from dorosim.wire.error import RosError
from dorosim.wire.ros.fragment import RosbridgeFragments
from dorosim.wire.ros.frame import Encoding, decode, encode
from dorosim.wire.ros.message_conversion import conversion_of

MIN_CONNECT_PAUSE_S, MAX_CONNECT_PAUSE_S = 0.25, 5.0
"""Wall time between two attempts to connect: doubled each time [s]."""
CONNECT_TIMEOUT_S = 10.0
"""Wall time that an attempt may take [s]."""
QUEUE_LENGTH = 10
"""Messages of a topic that wait for a slow server."""
MAX_ACTIVE_CALLS, _CALL_THREADS = 8, 16
"""Calls of one service that are under way, more of them wait; and of all. Waiting for ticks holds up no others."""


class RosbridgeClient:
    """A client of a rosbridge server (`dorosim.endpoint.ros.hub.Transport`).

    Args:
        hub: topics and services that it offers there.
        url: of the server, as "ws://127.0.0.1:9090".
        encoding: "json", or "bson" for a server in `bson_only_mode`.
        say: is called with a text when the client has connected.
        message: bytes of a message that is taken.

    Attributes:
        connected: whether it is connected to the server.
    """

    def __init__(
        self, hub: Hub, url: str, encoding: Encoding, say: Callable[[str], None], message: int = MAX_FRAME
    ) -> None:
        self.connected = False
        self._hub, self._url, self._encoding, self._say, self._message = hub, url, encoding, say, message
        self._conversion = conversion_of(hub.registry)
        self._queues: dict[str, TopicQueue] = {}
        self._outbox = Outbox(
            lambda problem: hub.report("ROS not sent", problem),
            lambda problem: hub.report("ROS internal error", problem),
        )
        self._advertised: dict[str, Published] = {}
        self._fragments = RosbridgeFragments(message)
        self._budget = ReceiveBudget(*ROSBRIDGE_BUDGET)
        self._tasks: set[asyncio.Task[None]] = set()
        self._shares: dict[str, asyncio.Semaphore] = {}
        self._pool = ThreadPoolExecutor(_CALL_THREADS, "dorosim-rosbridge-call")
        self._thread = EventThread("dorosim-rosbridge", self._stay_connected, self._put)

    def start(self) -> None:
        """Connect, and join the hub."""
        self._hub.join(self)
        self._thread.start()

    def wants(self, topic: str) -> bool:
        """Whether a topic is advertised at the server; rosbridge does not report whether it has subscribers."""
        return self.connected and topic in self._advertised

    def send(self, outgoing: OutgoingMessage) -> None:
        """Publish a message. From any thread, without waiting."""
        self._thread.put(outgoing)

    def change(self) -> None:
        """Advertise the topics of the hub, which have changed."""
        self._thread.soon(self._advertise)

    def close(self) -> None:
        """Unadvertise topics and services, and disconnect."""
        self._hub.leave(self)
        self._thread.close()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _stay_connected(self) -> None:
        """Connect, serve, and connect again."""
        closing = asyncio.create_task(self._thread.closing.wait())
        pause, reported = MIN_CONNECT_PAUSE_S, False
        while not closing.done():
            begin = time.monotonic()
            attempt = asyncio.create_task(self._attempt())
            await asyncio.wait((attempt, closing), return_when=asyncio.FIRST_COMPLETED)
            if closing.done():
                attempt.cancel()
                await asyncio.gather(attempt, return_exceptions=True)
                return
            served, problem = attempt.result()
            if served:
                pause, reported = MIN_CONNECT_PAUSE_S, False
            if not reported:
                self._hub.report("ROS bridge", f"{self._url}: {problem}; it is tried again until it answers")
                reported = True
            left = pause - (time.monotonic() - begin if not served else 0.0)
            await asyncio.wait((closing,), timeout=max(left, 0.05))
            pause = min(2 * pause, MAX_CONNECT_PAUSE_S)

    async def _attempt(self) -> tuple[bool, str]:
        """Serve a connection until it ends; returns whether there was one, and why it ended."""
        quiet = logging.Logger("dorosim-rosbridge", logging.CRITICAL + 1)
        try:
            connecting = connect(
                self._url,
                compression=None,
                max_size=self._message,
                open_timeout=CONNECT_TIMEOUT_S,
                close_timeout=1.0,
                proxy=None,
                logger=quiet,
            )
            async with connecting as connection:
                await self._serve(connection)
        except TimeoutError:
            return False, "no answer"
        except (OSError, InvalidHandshake, InvalidURI) as error:
            return False, str(getattr(error, "strerror", None) or error) or type(error).__name__
        return True, "the connection has ended"

    async def _serve(self, connection: ClientConnection) -> None:
        self._say(f"ROS: connected to {self._url}")
        self._hub.counts["rosbridge connected"] += 1
        self._outbox.clear()
        self._queues.clear()
        self._advertised = {}
        self._introduce()
        self.connected = True
        writer = asyncio.create_task(self._outbox.write(connection, self._url))
        try:
            async for frame in connection:
                await self._budget.turn(len(frame))
                self._take(frame)
        except ConnectionClosed:
            return
        finally:
            self.connected = False
            writer.cancel()
            for task in self._tasks:
                task.cancel()
            if self._thread.closing.is_set():
                await self._goodbye(connection)

    async def _goodbye(self, connection: ClientConnection) -> None:
        """Unadvertise topics and services, so that no program waits for them."""
        ended = [{"op": "unadvertise_service", "service": service} for service in self._hub.provided]
        ended += [{"op": "unadvertise", "topic": topic} for topic in self._advertised]
        try:
            for operation in ended:
                frame = self._frame(operation)
                await asyncio.wait_for(connection.send(frame.data, text=frame.text), 0.5)
        except (ConnectionClosed, TimeoutError):
            return

    def _introduce(self) -> None:
        """Advertise all topics and services to the server, and subscribe to topics."""
        self._advertise()
        for topic, subscribed in self._hub.subscribed.items():
            self._say_operation(op="subscribe", id=f"subscribe:{topic}", topic=topic, type=subscribed.type)
        for service, provided in self._hub.provided.items():
            self._say_operation(op="advertise_service", service=service, type=provided.type)

    def _advertise(self) -> None:
        """Advertise topics that have come, and unadvertise those that have gone."""
        now = dict(self._hub.published)
        for topic in [topic for topic, one in self._advertised.items() if now.get(topic) is not one]:
            self._say_operation(op="unadvertise", id=f"advertise:{topic}", topic=topic)
            self._outbox.forget(self._queues.pop(topic))
            del self._advertised[topic]
        for topic, published in now.items():
            if topic not in self._advertised:
                self._say_operation(
                    op="advertise",
                    id=f"advertise:{topic}",
                    topic=topic,
                    type=published.type,
                    latch=published.latched,
                    queue_size=QUEUE_LENGTH,
                )
                queue = self._queues[topic] = TopicQueue(topic, self._frames)
                queue.length = QUEUE_LENGTH
                last = self._hub.last(topic)
                if last is not None:
                    self._outbox.put(queue, last)
        self._advertised = now

    def _say_operation(self, **operation: Any) -> None:
        self._outbox.reply((self._frame(operation),))

    def _frame(self, operation: dict[str, Any]) -> RosbridgeFrame:
        return RosbridgeFrame(encode(operation, self._encoding), self._encoding == "json")

    def _frames(self, outgoing: Any) -> tuple[RosbridgeFrame, ...]:
        if self._encoding == "bson":
            return (RosbridgeFrame(outgoing.bson, False),)
        return (RosbridgeFrame(outgoing.json_nan, True),)

    def _put(self, outgoing: OutgoingMessage) -> None:
        queue = self._queues.get(outgoing.topic)
        if self.connected and queue is not None:
            self._outbox.put(queue, outgoing)

    def _take(self, frame: str | bytes) -> None:
        """Do what the server asks for. Never raises."""
        try:
            operation, _ = decode(frame)
            self._do(operation)
        except RosError as error:
            self._hub.report("ROS refused", f"{self._url}: {error}")
        except Exception as error:  # a fault of ours; the connection goes on
            self._hub.report("ROS internal error", f"{type(error).__name__}: {error}")

    def _do(self, operation: dict[str, Any]) -> None:
        name = operation["op"]
        if name == "publish":
            topic = name_in(operation, "topic")
            subscribed = self._hub.subscribed.get(topic)
            if subscribed is None:
                raise RosError(f"{topic} was not subscribed to")
            message = self._conversion.message(subscribed.type, operation.get("msg", {}))
            self._hub.receive(topic, message, self._url)
        elif name == "call_service":
            task = asyncio.create_task(self._answer(name_in(operation, "service"), operation))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif name == "fragment":
            whole = self._fragments.add(operation)
            if whole is not None:
                self._budget.charge(len(whole))
                self._take(whole)
        elif name == "status":
            if operation.get("level") in ("error", "warning"):
                self._hub.report("ROS bridge says", str(operation.get("msg"))[:300])
        else:
            raise RosError(f"an operation that was not expected: {name[:40]}")

    async def _answer(self, service: str, operation: dict[str, Any]) -> None:
        """Answer a call of a service; it may wait, so on a thread of its own."""
        values: Any
        try:
            provided = self._hub.provided.get(service)
            if provided is None:
                raise RosError(f"there is no service {service}")  # noqa: TRY301
            request_type = self._hub.registry.services[provided.type].request
            request = self._conversion.message(request_type, operation.get("args") or {})
            ask = partial(self._hub.call, service, request, self._url)
            async with self._shares.setdefault(service, asyncio.Semaphore(MAX_ACTIVE_CALLS)):
                reply = await asyncio.get_running_loop().run_in_executor(self._pool, ask)
            values = self._conversion.bson(reply) if self._encoding == "bson" else self._conversion.json(reply)
            done = True
        except (ServiceError, RosError) as error:
            if isinstance(error, RosError):  # the hub has reported the others
                self._hub.report("ROS refused", f"{service}: {error}")
            values, done = str(error), False
        about = id_in(operation)
        self._say_operation(op="service_response", service=service, values=values, result=done, **about)
