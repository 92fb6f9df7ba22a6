"""Sends packets when they are due, on a thread of its own: a lidar's 754 a second do not come in bursts."""

from __future__ import annotations

import heapq
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from dorosim.bridge.sensor.packet import Buffer

TOGETHER = 500_000
"""Packets that are due within this time [ns] are sent together."""
KEPT = 16
"""Packets of a kind that are kept when they are sent: a picture has several, and boxes behind them."""


class PacketSending(NamedTuple):
    """A packet that waits.

    Attributes:
        due: moment of the monotonic clock [ns]. number: order of those that are due together.
        send: sends it.
    """

    due: int
    number: int
    send: Callable[[], None]


class PacketSender:
    """A thread that sends.

    Args:
        report: is called with a text for each packet that could not be sent.

    Attributes:
        sent: packets by kind. bytes: of all of them.
    """

    def __init__(self, report: Callable[[str], None]) -> None:
        self.sent: Counter[str] = Counter()
        self.bytes = 0
        self._last: dict[str, tuple[Buffer, ...]] = {}
        self._report = report
        self._waiting: list[PacketSending] = []
        self._number = 0
        self._closing = False
        self._hurried: threading.Event | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def send_at(self, due: int, kind: str, data: Buffer, sock: socket.socket, to: tuple[str, int]) -> None:
        """Send a packet at a moment of the monotonic clock [ns]."""
        self.call_at(due, partial(self.send, kind, data, sock, to))

    def call_at(self, due: int, send: Callable[[], None]) -> None:
        """Call a function at a moment of the monotonic clock [ns]; it must not take long, nor raise."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="dorosim-packets", daemon=True)
                self._thread.start()
            earliest = not self._waiting or due < self._waiting[0].due
            heapq.heappush(self._waiting, PacketSending(due, self._number, send))
            self._number += 1
            if earliest:
                self._changed.notify()

    def send(self, kind: str, data: Buffer, sock: socket.socket, to: tuple[str, int]) -> None:
        """Send a packet at once, on the caller's thread."""
        try:
            sock.sendto(data, to)
        except OSError as error:
            self._report(f"{kind} to {to[0]}:{to[1]}: {error}")
            return
        self.sent[kind] += 1
        self.bytes += len(data)
        self._last[kind] = (*self._last.get(kind, ())[1 - KEPT :], data)

    def last_of(self, kind: str) -> tuple[Buffer, ...]:
        """The last packets that were sent of a kind, the newest last. Safe from any thread."""
        return self._last.get(kind, ())

    def hurry(self, timeout: float) -> None:
        """Send all that waits now, whenever it is due; returns when it is sent, or the timeout [s] is over."""
        with self._changed:
            if self._thread is None:
                return
            self._hurried = done = threading.Event()
            self._changed.notify()
        done.wait(timeout)

    def close(self) -> None:
        """Send what waits, and end the thread."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(2.0)

    def _run(self) -> None:
        while True:
            with self._changed:
                due = self._take()
                if due is None:
                    return
            for one in due:
                one.send()

    def _take(self) -> list[PacketSending] | None:
        """Wait for packets that are due; None when all is sent and the sender closes."""
        while True:
            now = time.monotonic_ns()
            at_once = self._closing or self._hurried is not None
            if self._waiting and (at_once or self._waiting[0].due <= now + TOGETHER // 10):
                found = []
                while self._waiting and (at_once or self._waiting[0].due <= now + TOGETHER):
                    found.append(heapq.heappop(self._waiting))
                return found
            if self._hurried is not None:
                self._hurried.set()
                self._hurried = None
            if self._closing:
                return None
            left = (self._waiting[0].due - now) * 1e-9 if self._waiting else None
            self._changed.wait(left)
