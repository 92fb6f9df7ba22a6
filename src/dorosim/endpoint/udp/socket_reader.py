"""Sockets of other interfaces that the loop's thread reads while it waits for datagrams."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Collection, Sequence
from typing import Any

Read = Callable[[], None]


class SocketReaders:
    """Functions that read sockets, each when its socket has something. Safe to change from any thread.

    A wait for datagrams ends after one of them, so that what it asks for is done at once.

    Attributes:
        changes: is another number after the sockets have changed.
    """

    def __init__(self) -> None:
        self._readers: dict[socket.socket, Read] = {}
        self._changed = True
        self.changes = 0
        self._others: Collection[socket.socket] = ()
        self._count = 0
        # what the system lacks is not used
        self._poll = select.poll() if hasattr(select, "poll") else None
        self._of: dict[int, socket.socket] = {}

    def __len__(self) -> int:
        """How many there are."""
        return len(self._readers)

    def __contains__(self, sock: socket.socket) -> bool:
        """Whether a socket is read."""
        return sock in self._readers

    def put(self, sock: socket.socket, read: Read) -> None:
        """Read a socket by a function from now on."""
        self._readers[sock] = read
        self._changed = True
        self.changes += 1

    def drop(self, sock: socket.socket) -> None:
        """Read a socket no longer, if it was."""
        self._readers.pop(sock, None)
        self._changed = True
        self.changes += 1

    @property
    def sockets(self) -> tuple[socket.socket, ...]:
        """Those that are read."""
        return tuple(self._readers)

    def wait(self, seconds: float, listening: Collection[socket.socket], waker: socket.socket) -> Sequence[Read]:
        """Wait until a socket has something.

        It keeps the list of sockets from one call to the next, and so takes less than a `select`; its time is in
        milliseconds, which is too coarse where a tick is due.

        Args:
            seconds: how long at most.
            listening: sockets for datagrams; the same object while they are the same, or longer.
            waker: by which other threads end the wait.

        Returns:
            What reads those that have something, if all of them are of these; none: look at all of them.
        """
        if self._poll is None:
            return ()
        if self._changed or listening is not self._others or len(listening) != self._count:
            try:
                self._follow(listening, waker)
            except ValueError:  # one has been closed just now
                self._changed = True
                return ()
        ready = self._poll.poll(seconds * 1e3)
        found = []
        for number, _ in ready:
            sock = self._of.get(number)
            read = None if sock is None else self._readers.get(sock)  # it may have been taken back meanwhile
            if read is None:
                return ()
            found.append(read)
        return found

    def _follow(self, listening: Collection[socket.socket], waker: socket.socket) -> None:
        """Make the list of sockets anew."""
        self._changed = False  # first, so that a change by another thread meanwhile is seen in the next wait
        self._others, self._count = listening, len(listening)
        poll, self._of = select.poll(), {}
        for sock in self.sockets:
            poll.register(sock, select.POLLIN)
            self._of[sock.fileno()] = sock
        for sock in (*listening, waker):
            poll.register(sock, select.POLLIN)
        self._poll = poll

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
            read = self._readers.get(sock)
            if read is not None:
                read()
        return bool(found)
