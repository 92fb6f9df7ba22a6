"""Whether any of some sockets has something, asked at each tick of a run that waits for nothing."""

from __future__ import annotations

import select
import socket
from collections.abc import Collection


class QuietPoll:
    """Keeps the list of sockets from one question to the next, which a `select` is given anew each time."""

    def __init__(self) -> None:
        self._sockets: Collection[socket.socket] = ()
        self._count = -1
        # what the system lacks is not used
        self._poll = select.poll() if hasattr(select, "poll") else None

    def is_quiet(self, sockets: Collection[socket.socket], waker: socket.socket) -> bool:
        """Whether none of them has anything; False also where that is not known.

        Args:
            sockets: the same object while they are the same, or longer.
            waker: one more, always the same.
        """
        if self._poll is None:
            return False
        if sockets is not self._sockets or len(sockets) != self._count:
            self._poll = select.poll()
            try:
                for sock in (*sockets, waker):
                    self._poll.register(sock, select.POLLIN)
            except ValueError:  # one has been closed just now
                self._count = -1
                return False
            self._sockets, self._count = sockets, len(sockets)
        return not self._poll.poll(0)
