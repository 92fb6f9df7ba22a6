"""A pair of sockets by which other threads end the wait of a `select`."""

from __future__ import annotations

import socket
from contextlib import suppress


class WakeSocket:
    """A pair of sockets.

    Attributes:
        receiver: becomes readable when another thread calls `wake`.
    """

    def __init__(self) -> None:
        self.receiver, self._sender = socket.socketpair()
        self.receiver.setblocking(False)
        self._sender.setblocking(False)

    def wake(self) -> None:
        """End the wait. Safe from any thread."""
        with suppress(OSError):  # full: it is readable already; closed: no thread waits
            self._sender.send(b"!")

    def clear(self) -> None:
        """Take note of all calls of `wake`: it is readable at the next one."""
        with suppress(OSError):
            while self.receiver.recv(4096):
                pass

    def close(self) -> None:
        """Close both ends."""
        self.receiver.close()
        self._sender.close()
