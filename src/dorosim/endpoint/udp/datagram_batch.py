"""Datagrams that are taken from a socket together, where the system can do that."""

from __future__ import annotations

import errno
import os
import socket
import sys

import numpy as np

from dorosim.endpoint.udp.held import Peer
from dorosim.endpoint.udp.receive_kernel import (
    ADDRESS_BYTES,
    MESSAGE_NAME,
    MESSAGE_PART_COUNT,
    MESSAGE_PARTS,
    RECEIVE_DATAGRAMS,
    receive_datagrams,
)
from dorosim.endpoint.udp.system_call import system_functions
from dorosim.ground.column import FloatArray, IntArray
from dorosim.wire.run import RunReader

SHORT = 2048
"""Bytes up to which a datagram is short."""
CALLS_TO_LOOK = 1024
"""Calls after which it is looked again whether another process has compiled the kernel."""
_EMPTY = (errno.EAGAIN, errno.EWOULDBLOCK, errno.EINTR)


class DatagramBatch:
    """Takes datagrams of any size from sockets that do not block, several in one call.

    Args:
        room: how many at most.
        longest: bytes that a datagram may have.

    Attributes:
        room: as given.
        sizes: `(room,)` lengths of the datagrams taken last.
    """

    def __init__(self, room: int, longest: int) -> None:
        self.room = room
        # most are short: their bytes lie near each other, and those of a long one after the first are elsewhere
        self._buffer = np.zeros(room * SHORT, np.uint8)
        self._more = np.zeros((room, max(longest - SHORT, 0)), np.uint8)
        self._bytes = memoryview(self._buffer.data)
        self._starts: IntArray = np.arange(room, dtype=np.int64) * SHORT
        self._names = np.zeros((room, ADDRESS_BYTES), np.uint8)
        self._parts = np.zeros((room, 4), np.int64)
        self._parts[:, 0], self._parts[:, 1] = self._buffer.ctypes.data + self._starts, SHORT
        self._parts[:, 2] = self._more.ctypes.data + np.arange(room) * self._more.shape[1]
        self._parts[:, 3] = self._more.shape[1]
        self._messages = np.zeros((room, 8), np.int64)
        self._messages[:, MESSAGE_NAME] = self._names.ctypes.data + ADDRESS_BYTES * np.arange(room)
        self._messages[:, MESSAGE_PARTS] = self._parts.ctypes.data + 32 * np.arange(room)
        self._messages[:, MESSAGE_PART_COUNT] = 2
        self.sizes: IntArray = np.zeros(room, np.int64)
        self._peers: list[tuple[str, int]] | None = None
        self._is_ready, self._calls = False, 0
        self._functions = system_functions("recvmmsg") if sys.platform == "linux" else None

    def receive(self, sock: socket.socket, most: int) -> int:
        """Take what waits at a socket; how many there were, at most `most` and the room.

        Raises:
            OSError: the system has an error for it; nothing was taken.
        """
        most, functions = min(most, self.room), self._find_call()
        if functions is None:
            return self._receive_each(sock, most)
        self._peers = None
        done = receive_datagrams(sock.fileno(), self._messages, self.sizes, most, *functions)
        if done >= 0:
            return done
        if -done in _EMPTY:
            return 0
        raise OSError(-done, os.strerror(-done))

    def _receive_each(self, sock: socket.socket, most: int) -> int:
        """As `receive`, one by one."""
        self._peers = []
        for number in range(most):
            parts = self._bytes[SHORT * number : SHORT * (number + 1)], memoryview(self._more[number])
            try:
                size, _, _, peer = sock.recvmsg_into(parts)
            except BlockingIOError:
                return number
            except OSError:
                if number:
                    return number
                raise
            self.sizes[number] = size
            self._peers.append(peer)
        return most

    def _find_call(self) -> tuple[int, int] | None:
        """Addresses of the system's functions; None where it has none, or the kernel is not there.

        Nothing is compiled while a run goes on.
        """
        if not self._is_ready and self._functions is not None:
            self._calls += 1
            self._is_ready = self._calls % CALLS_TO_LOOK == 1 and RECEIVE_DATAGRAMS.is_there()
        return self._functions if self._is_ready else None

    def datagram(self, number: int) -> bytes:
        """One of those taken last."""
        start, size = SHORT * number, int(self.sizes[number])
        found = self._bytes[start : start + min(size, SHORT)].tobytes()
        return found if size <= SHORT else found + self._more[number, : size - SHORT].tobytes()

    def peer(self, number: int) -> Peer:
        """The sender of one, as the system gives it."""
        if self._peers is not None:
            return self._peers[number]
        return self._names[number, :8].tobytes()

    def is_of_one_peer(self, first: int, end: int) -> bool:
        """Whether all from one number to before another came from one sender."""
        if self._peers is not None:
            return len(set(self._peers[first:end])) == 1
        return bool((self._names[first:end, :8] == self._names[first, :8]).all())

    def read(self, reader: RunReader, first: int, end: int) -> FloatArray:
        """The numbers of the good datagrams of a reader's layout that those from `first` to before `end` begin with."""
        return reader.read(self._buffer, self._starts[first:end], self.sizes[first:end])


def get_ready() -> None:
    """Compile what batches need, unless it has been."""
    RECEIVE_DATAGRAMS.address()
