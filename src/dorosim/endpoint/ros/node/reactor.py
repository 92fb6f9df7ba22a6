"""A thread that waits for many sockets at a time, and makes the calls that other threads ask for."""

from __future__ import annotations

import heapq
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Reactor:
    """Sockets and calls on a thread of their own.

    Args:
        name: of the thread.
        trouble: is called with what a handler raises; the thread goes on.
    """

    def __init__(self, name: str, trouble: Callable[[Exception], None]) -> None:
        self._trouble = trouble
        self._selector = selectors.DefaultSelector()
        self._calls: deque[Callable[[], None]] = deque()
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._waking, self._woken = socket.socketpair()
        for sock in (self._waking, self._woken):
            sock.setblocking(False)
        self._selector.register(self._woken, READ, self._drain)
        self._over = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def call(self, act: Callable[[], None]) -> None:
        """Call a function on the thread, soon. From any thread."""
        self._calls.append(act)
        try:
            self._waking.send(b"\0")
        except OSError:  # full: it wakes anyhow; or closed: nothing is done any more
            return

    def after(self, seconds: float, act: Callable[[], None]) -> None:
        """Call a function on the thread after a time. On the thread only."""
        self._count += 1
        heapq.heappush(self._later, (time.monotonic() + seconds, self._count, act))

    def watch(self, sock: socket.socket, events: int, ready: Callable[[int], None]) -> None:
        """Call `ready` with the events for which a socket is ready; events 0: no longer. On the thread only."""
        known = sock.fileno() in self._selector.get_map()
        if not events:
            if known:
                self._selector.unregister(sock)
        elif known:
            self._selector.modify(sock, events, ready)
        else:
            self._selector.register(sock, events, ready)

    def close(self) -> None:
        """End the thread; the sockets that were watched stay open, and their owners close them."""
        self.call(self._end)
        self._thread.join()
        for sock in (self._waking, self._woken):
            sock.close()
        self._selector.close()

    def _end(self) -> None:
        self._over = True

    def _run(self) -> None:
        while not self._over:
            for key, events in self._selector.select(self._timeout()):
                self._try(key.data, events)
            while self._calls:
                self._try(self._calls.popleft())
            if self._later:
                self._do_later()

    def _timeout(self) -> float | None:
        """How long there is nothing to do but sockets [s], None for ever."""
        if self._calls:
            return 0.0
        return max(0.0, self._later[0][0] - time.monotonic()) if self._later else None

    def _do_later(self) -> None:
        now = time.monotonic()
        while self._later and self._later[0][0] <= now:
            self._try(heapq.heappop(self._later)[2])

    def _try(self, act: Callable[..., None], *arguments: int) -> None:
        try:
            act(*arguments)
        except Exception as error:  # a fault of ours; other peers go on
            self._trouble(error)

    def _drain(self, _: int) -> None:
        try:
            while self._woken.recv(4096):
                pass
        except OSError:
            return
