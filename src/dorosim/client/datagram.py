"""UDP sockets of a client: what comes to a port, decoded, newest last."""

from __future__ import annotations

import asyncio
import errno
import select
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from dorosim.client.error import ClientError, NoAnswerError
from dorosim.wire.error import WireError

M = TypeVar("M")
MAX_DATAGRAM_SIZE = 65536
RECEIVE_BUFFER_SIZE = 4 << 20
"""Receive buffer that is asked for [bytes]; the system may grant less."""


class DatagramInbox(Generic[M]):
    """A port that is listened to.

    Args:
        host: address of this machine.
        port: 0 for any that is free.
        what: is expected there, for messages.
        decode: makes a message of a datagram; may raise WireError.

    Raises:
        ClientError: the port cannot be had.

    Attributes:
        port: that is listened to. broken: datagrams that were no such message.
    """

    def __init__(self, host: str, port: int, what: str, decode: Callable[[bytes], M]) -> None:
        self.broken = 0
        self._what, self._decode = what, decode
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_SIZE)
        self._socket.setblocking(False)
        try:
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise _port_error(host, port, error) from None
        self.port: int = self._socket.getsockname()[1]

    def fileno(self) -> int:
        """Of the socket, for select."""
        return self._socket.fileno()

    def close(self) -> None:
        """Listen no longer."""
        self._socket.close()

    def drain(self) -> Iterator[M]:
        """All messages that are there, in the order in which they came."""
        while True:
            try:
                data = self._socket.recv(MAX_DATAGRAM_SIZE)
            except BlockingIOError:
                return
            except OSError as error:
                raise ClientError(f"port {self.port} cannot be read: {error.strerror}", "is it closed?") from None
            try:
                yield self._decode(data)
            except WireError:
                self.broken += 1

    def newest(self, last: M | None) -> M | None:
        """The newest message of those that came since the last time, else the last one."""
        for message in self.drain():
            last = message
        return last

    def silence(self, timeout: float) -> NoAnswerError:
        """The error that says that nothing came in a time [s]."""
        broken = f"; {self.broken} datagrams there were something else" if self.broken else ""
        return NoAnswerError(
            f"no {self._what} came to port {self.port} in {timeout:g} s{broken}",
            "is the simulator running, and does it send there? See [udp] in its settings",
        )


def readable(inboxes: Sequence[DatagramInbox[Any]], timeout: float) -> bool:
    """Wait until something has come to one of some ports; whether it has.

    Args:
        inboxes: the ports.
        timeout: wall time [s].
    """
    return bool(select.select(inboxes, [], [], max(timeout, 0.0))[0])


async def readable_async(inboxes: Sequence[DatagramInbox[Any]], timeout: float) -> bool:
    """The same, for asyncio."""
    loop = asyncio.get_running_loop()
    come = asyncio.Event()
    for inbox in inboxes:
        loop.add_reader(inbox.fileno(), come.set)
    try:
        await asyncio.wait_for(come.wait(), max(timeout, 0.0))
    except TimeoutError:
        return False
    finally:
        for inbox in inboxes:
            loop.remove_reader(inbox.fileno())
    return True


def _port_error(host: str, port: int, error: OSError) -> ClientError:
    if error.errno == errno.EADDRINUSE:
        return ClientError(f"{host}:{port} is in use", "another program listens there; end it, or take another port")
    if error.errno == errno.EACCES:
        cure = "ports below 1024 need privilege: let dorosim send to another one, and name it here"
        return ClientError(f"{host}:{port} may not be listened to", cure)
    return ClientError(f"{host}:{port} cannot be listened to: {error.strerror}", "give an address of this machine")
