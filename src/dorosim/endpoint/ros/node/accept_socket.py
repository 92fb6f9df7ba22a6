"""A listening socket of a node: takes connections as they come, and pauses where the system has no room for more."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from dorosim.endpoint.ros.node.reactor import READ, Reactor

ACCEPT_PAUSE_S = 0.5
"""Pause after a connection that could not be taken [s]."""


class AcceptSocket:
    """Listens, on the thread of a reactor.

    Args:
        address: host and port to listen at; 0 for any port.
        reactor: waits for connections.
        take: is called with each connection, and the address it comes from.
        refused: is called with the reason when a connection cannot be taken.

    Raises:
        OSError: the address cannot be used.

    Attributes:
        port: at which it listens.
    """

    def __init__(
        self,
        address: tuple[str, int],
        reactor: Reactor,
        take: Callable[[socket.socket, Any], None],
        refused: Callable[[str], None],
    ) -> None:
        self._reactor, self._take, self._refused = reactor, take, refused
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self._listener = socket.create_server(address, family=family, backlog=128)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]
        reactor.call(lambda: reactor.watch(self._listener, READ, self._accept))

    def close(self) -> None:
        """Take no more connections. On the thread of the reactor."""
        self._reactor.watch(self._listener, 0, self._accept)
        self._listener.close()

    def _accept(self, _: int) -> None:
        try:
            sock, address = self._listener.accept()
        except BlockingIOError:  # it has gone already
            return
        except OSError as error:  # the system has no room for one more: the listener stays ready, and is left alone
            self._refused(f"no connection can be taken: {error.strerror}")
            self._reactor.watch(self._listener, 0, self._accept)
            self._reactor.after(ACCEPT_PAUSE_S, self._accept_again)
            return
        self._take(sock, address)

    def _accept_again(self) -> None:
        if self._listener.fileno() >= 0:
            self._reactor.watch(self._listener, READ, self._accept)
