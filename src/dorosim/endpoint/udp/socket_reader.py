"""Sockets of other interfaces that the loop's thread reads while it waits for datagrams."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection
from typing import Any


class SocketReaders(dict[socket.socket, Callable[[], None]]):
    """Functions that read sockets, each when its socket has something. Safe to change from any thread.

    A wait for datagrams ends after one of them, so that what it asks for is done at once.
    """

    def read(self, ready: list[Any], asked: Collection[socket.socket]) -> bool:
        """Let those read that are ready, and take their sockets out of a list.

        Args:
            ready: sockets that have something.
            asked: which of them are of other interfaces. One may have been taken back since the wait began: it is
                only taken out of the list.

        Returns:
            Whether there are some.
        """
        found = [sock for sock in ready if sock in asked]
        for sock in found:
            ready.remove(sock)
            read = self.get(sock)
            if read is not None:
                read()
        return bool(found)
