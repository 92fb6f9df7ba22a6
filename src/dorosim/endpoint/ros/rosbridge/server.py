"""The embedded rosbridge server: programs reach the simulator by rosbridge v2 with no ROS installed.

It has a thread of its own, on which all clients are served; what a client sends too fast waits in its connection, and
what it does not read is dropped in its queues.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from dorosim.endpoint.ros.hub import Hub
from dorosim.endpoint.ros.outgoing_message import OutgoingMessage
from dorosim.endpoint.ros.receive_budget import MAX_FRAME
from dorosim.endpoint.ros.rosbridge.event_thread import EventThread
from dorosim.endpoint.ros.rosbridge.peer import Peer
from dorosim.endpoint.ros.rosbridge.router import RosbridgeRouter
from dorosim.endpoint.web_origin import WebOrigins

CLOSE_TIMEOUT_S = 1.0
"""Wall time that clients have to say goodbye [s]."""
PING_PERIOD_S = 20.0
"""Wall time after which a client that does not answer is gone [s]."""


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits of a server.

    Attributes:
        message: bytes of a message that is taken, and letters of fragments that wait. clients: at a time.
    """

    message: int = MAX_FRAME
    clients: int = 64


class RosbridgeServer:
    """A rosbridge server (`dorosim.endpoint.ros.hub.Transport`).

    Args:
        hub: topics and services that it serves.
        address: host and port; port 0 takes any that is free.
        limits: of clients.
        parameters: what the parameter server has at the start.
        origins: which web pages may connect; those of the address itself if it is not given.

    Raises:
        OSError: the address cannot be used.

    Attributes:
        hub, limits: as given. port: number.
        router: what its clients have in common.
    """

    def __init__(
        self,
        hub: Hub,
        address: tuple[str, int],
        limits: ServerLimits | None = None,
        parameters: Mapping[str, Any] = MappingProxyType({}),
        origins: WebOrigins | None = None,
    ) -> None:
        self.hub, self.limits = hub, limits or ServerLimits()
        self.router = RosbridgeRouter(hub, self.limits.message, parameters)
        self._origins = origins or WebOrigins("ros.origins", (), address[0])
        self._peers: set[Peer] = set()
        self._thread = EventThread(
            "dorosim-rosbridge", self._serve, lambda outgoing: self.router.pass_on(outgoing.topic, outgoing)
        )
        self._socket = socket.create_server(address, backlog=self.limits.clients)
        self.port: int = self._socket.getsockname()[1]

    def start(self) -> None:
        """Serve, and join the hub."""
        self.hub.join(self)
        self._thread.start()

    def wants(self, topic: str) -> bool:
        """Whether any client listens to a topic."""
        return topic in self.router.wanted

    def send(self, outgoing: OutgoingMessage) -> None:
        """Send a message to the clients that listen to its topic. From any thread, without waiting."""
        self._thread.put(outgoing)

    def change(self) -> None:
        """Do nothing when the topics of the hub have changed: clients get them when they ask."""

    def close(self) -> None:
        """Say goodbye to the clients."""
        self.hub.leave(self)
        self._thread.close()
        self._socket.close()

    async def _serve(self) -> None:
        quiet = logging.Logger("dorosim-rosbridge", logging.CRITICAL + 1)
        server = await serve(
            self._attend,
            sock=self._socket,
            process_request=self._admit,
            compression=None,
            max_size=self.limits.message,
            ping_interval=PING_PERIOD_S,
            ping_timeout=PING_PERIOD_S,
            close_timeout=CLOSE_TIMEOUT_S,
            logger=quiet,
        )
        await self._thread.closing.wait()
        await self.router.caller.close()
        server.close()
        goodbye = asyncio.create_task(server.wait_closed())
        await asyncio.wait({goodbye}, timeout=CLOSE_TIMEOUT_S)
        # the server would wait for a client that reads nothing or has not finished its request; it is cut off
        for connection in tuple(server.handlers):
            connection.transport.abort()
        await asyncio.wait({goodbye}, timeout=CLOSE_TIMEOUT_S)

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse a web page that may not connect, and a client beyond the limit."""
        refusal = self._origins.refusal(request.headers.get_all("Origin"), request.headers.get_all("Host"))
        if refusal is not None:
            self.hub.report("ROS refused", f"rosbridge: {refusal}")
            return connection.respond(HTTPStatus.FORBIDDEN, f"{refusal}\n")
        if len(self._peers) < self.limits.clients:
            return None
        self.hub.report("ROS refused", f"rosbridge has {self.limits.clients} clients already")
        text = f"{self.limits.clients} clients are enough\n"
        return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, text)

    async def _attend(self, connection: ServerConnection) -> None:
        """Serve a client until it goes."""
        host, port = connection.remote_address[:2]
        # asyncio does it only for sockets that say TCP: else status waits 40 ms for the acknowledgement of a cloud
        connection.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = Peer(self.router, f"{host}:{port}")
        self._peers.add(peer)
        self.hub.counts["rosbridge clients"] += 1
        writer = asyncio.create_task(peer.outbox.write(connection, f"rosbridge client {peer.address}"))
        try:
            async for frame in connection:
                await self.router.budget.turn(len(frame))
                peer.take(frame)
                if peer.outbox.overrun:
                    self.hub.report("ROS refused", f"rosbridge client {peer.address} reads no answers; it is cut off")
                    connection.transport.abort()
        except ConnectionClosed as error:
            self._explain(peer, error)
        finally:
            self._peers.discard(peer)
            writer.cancel()
            try:
                self.router.caller.leave(peer)
            finally:
                peer.leave()

    def _explain(self, peer: Peer, error: ConnectionClosed) -> None:
        """Report a client that was cut off because of what it sent."""
        if error.sent is not None and error.sent.code in (1002, 1007, 1009) and not error.rcvd_then_sent:
            why = error.sent.reason or "bytes that are no websocket message"
            cure = "; frame_mib of [ros] lets longer ones in" if error.sent.code == 1009 else ""
            self.hub.report("ROS refused", f"rosbridge client {peer.address} is cut off: {why}{cure}")
