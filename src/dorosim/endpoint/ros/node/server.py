"""The TCPROS port of a node: a peer that connects sends a header that names the topic or service that it wants."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from dorosim.endpoint.ros.node.accept_socket import AcceptSocket
from dorosim.endpoint.ros.node.reactor import READ, Reactor
from dorosim.wire.error import RosError
from dorosim.wire.ros.tcpros import LENGTH, MAX_CONNECTION_HEADER, decode_header, encode_header

HEADER_TIMEOUT_S = 5.0
"""Time for a connection header [s]."""
MAX_PENDING = 64
"""Most connections at a time whose header has not come. One more ends the oldest of them."""


class TcprosServer:
    """Takes connections, and reads their headers.

    Args:
        address: host and port to listen at; 0 for any port.
        reactor: waits for the sockets. receive: takes over a connection after its header, or raises RosError.
        refused: is called with the reason when a connection is refused.

    Raises:
        OSError: the address cannot be used.

    Attributes:
        port: at which it listens.
    """

    def __init__(
        self,
        address: tuple[str, int],
        reactor: Reactor,
        receive: Callable[[socket.socket, Mapping[str, str]], None],
        refused: Callable[[str], None],
    ) -> None:
        self._reactor, self._receive, self._refused = reactor, receive, refused
        self._pending: dict[_PendingConnection, None] = {}  # in the order in which they came
        self._listener = AcceptSocket(address, reactor, self._take, refused)
        self.port = self._listener.port

    def close(self) -> None:
        """Take no more connections. On the thread of the reactor."""
        self._listener.close()
        for pending in tuple(self._pending):
            pending.end()

    def _take(self, sock: socket.socket, _: Any) -> None:
        if len(self._pending) >= MAX_PENDING:
            next(iter(self._pending)).end()
            self._refused(f"{MAX_PENDING} others have not said yet what they want; the oldest of them is ended")
        pending = _PendingConnection(sock, self._reactor, self._header_read, self._forget)
        self._pending[pending] = None
        self._reactor.after(HEADER_TIMEOUT_S, partial(self._expire, pending))

    def _forget(self, pending: _PendingConnection) -> None:
        self._pending.pop(pending, None)

    def _header_read(self, pending: _PendingConnection, header: bytes | None, problem: str) -> None:
        """Pass on a connection whose header has come, or refuse it if what came is none."""
        try:
            if header is not None:
                self._receive(pending.sock, decode_header(header))
                return
        except RosError as error:
            problem = str(error)
        self._refused(problem)
        refuse(pending.sock, problem)

    def _expire(self, pending: _PendingConnection) -> None:
        if pending in self._pending:
            pending.end()
            self._refused(f"no connection header in {HEADER_TIMEOUT_S:g} s")


class _PendingConnection:
    """A connection until its header has come."""

    def __init__(
        self,
        sock: socket.socket,
        reactor: Reactor,
        header_read: Callable[[_PendingConnection, bytes | None, str], None],
        forget: Callable[[_PendingConnection], None],
    ) -> None:
        self.sock, self._reactor, self._header_read, self._forget = sock, reactor, header_read, forget
        self._bytes = bytearray()
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        reactor.watch(sock, READ, self._read)

    def end(self) -> None:
        """Close the connection."""
        self._let_go()
        self.sock.close()

    def _let_go(self) -> None:
        self._reactor.watch(self.sock, 0, self._read)
        self._forget(self)

    def _read(self, _: int) -> None:
        missing = self._missing()
        try:
            more = self.sock.recv(missing)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        if not more:  # tools that look whether a node is there connect and say nothing
            self.end()
            return
        self._bytes += more
        missing = self._missing()
        if missing < 0:
            self._let_go()
            self._header_read(self, None, "what came is not a valid connection header of TCPROS")
        elif not missing:
            self._let_go()
            self._header_read(self, bytes(self._bytes[LENGTH.size :]), "")

    def _missing(self) -> int:
        """Bytes up to the end of the length or of the header; less than 0: it is too long to be one."""
        if len(self._bytes) < LENGTH.size:
            return LENGTH.size - len(self._bytes)
        (length,) = LENGTH.unpack_from(self._bytes)
        return -1 if length > MAX_CONNECTION_HEADER else LENGTH.size + length - len(self._bytes)


def refuse(sock: socket.socket, reason: str) -> None:
    """Refuse a connection: a header with the reason, as far as the peer takes it now."""
    try:
        sock.send(encode_header({"error": reason}))
    except OSError:
        pass
    finally:
        sock.close()
