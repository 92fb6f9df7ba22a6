"""A subscriber of a topic that the simulator publishes: its connection, and the messages that wait for it."""

from __future__ import annotations

import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dorosim.endpoint.ros.node.reactor import READ, WRITE, Reactor
from dorosim.wire.ros.tcpros import LENGTH

MAX_MESSAGES, _MAX_WAITING_BYTES = 50, 8 << 20
"""Most messages, and their bytes, that wait for a subscriber; older ones are dropped, the newest is always kept."""
MAX_SENT_AT_ONCE = 1 << 15
"""Most bytes of a message that the publishing thread sends at once if no other waits; longer ones the reactor sends."""


@dataclass(slots=True)
class Traffic:
    """What was sent over a connection.

    Attributes:
        messages: how many. bytes: with their lengths. lost: those of these that the peer was too slow for.
    """

    messages: int = 0
    bytes: int = 0
    lost: int = 0


Part = bytes | memoryview


def packed(parts: Sequence[Part]) -> tuple[Part, ...]:
    """A message as it goes over a connection: its length, and its parts; those of a small one in one piece."""
    size = sum(len(part) for part in parts)
    if size <= MAX_SENT_AT_ONCE:
        return (b"".join((LENGTH.pack(size), *parts)),)
    return (LENGTH.pack(size), *parts)


class _PartialMessage:
    """The parts of a message that have not been sent, and whether these are all of it."""

    __slots__ = ("parts", "size", "whole")

    def __init__(self, parts: tuple[Part, ...], *, whole: bool = True) -> None:
        self.parts, self.whole = parts, whole
        self.size = sum(len(part) for part in parts)

    def cut(self, sent: int) -> bool:
        """Remove the bytes that were sent; returns whether all were."""
        self.size -= sent
        if not self.size:
            return True
        self.whole = self.whole and not sent
        first = 0
        while sent >= len(self.parts[first]):
            sent -= len(self.parts[first])
            first += 1
        self.parts = (memoryview(self.parts[first])[sent:], *self.parts[first + 1 :])
        return False


class SubscriberConnection:
    """A connection to a subscriber. Messages are given from any thread, and never wait for the peer.

    Args:
        sock: connected, and past both headers; not blocking.
        topic: name. peer: the other node.
        reactor: sends what cannot be sent at once.
        lost: is called where a message was left out. gone: is called once where the connection ended.
    """

    def __init__(
        self,
        sock: socket.socket,
        topic: str,
        peer: str,
        reactor: Reactor,
        lost: Callable[[SubscriberConnection], None],
        gone: Callable[[SubscriberConnection], None],
    ) -> None:
        self.topic, self.peer = topic, peer
        self.traffic = Traffic()
        self._sock, self._reactor, self._lost, self._gone = sock, reactor, lost, gone
        self._lock = threading.Lock()
        self._waiting: deque[_PartialMessage] = deque()
        self._size = 0
        self._sending = True  # until `open` has sent what waits
        self._over = False

    def open(self, first: bytes = b"") -> None:
        """Begin to send, with bytes that come before every message. On the thread of the reactor."""
        if first:
            self._waiting.appendleft(_PartialMessage((first,), whole=False))
            self._size += len(first)
        self._reactor.watch(self._sock, READ, self._ready)
        self._send()

    def put(self, parts: tuple[Part, ...]) -> None:
        """Send a message, as `packed` gives it, or let it wait; older ones make room. From any thread, and at once."""
        message = _PartialMessage(parts)
        with self._lock:
            if self._over:
                return
            self.traffic.messages += 1
            if self._sending or self._waiting or len(parts) > 1:
                lost = self._queue(message)
                wake = not self._sending
                self._sending = True
            else:
                lost, wake = 0, not self._sent(message)
                if wake:
                    self._waiting.append(message)
                    self._size += message.size
                    self._sending = True
        if wake:
            self._reactor.call(self._send)
        for _ in range(lost):
            self._lost(self)

    def close(self) -> None:
        """End the connection. On the thread of the reactor."""
        with self._lock:
            if self._over:
                return
            self._over = True
            self._waiting.clear()
        self._reactor.watch(self._sock, 0, self._ready)
        self._sock.close()
        self._gone(self)

    def _queue(self, message: _PartialMessage) -> int:
        """Queue a message; returns how many were dropped for it. A message that is partly sent is not dropped."""
        lost = 0
        while self._waiting and (len(self._waiting) >= MAX_MESSAGES or self._size + message.size > _MAX_WAITING_BYTES):
            at = 0 if self._waiting[0].whole else 1
            if at == len(self._waiting):
                break
            self._size -= self._waiting[at].size
            del self._waiting[at]
            lost += 1
        self._waiting.append(message)
        self._size += message.size
        self.traffic.lost += lost
        return lost

    def _sent(self, message: _PartialMessage) -> bool:
        """Try to send a message; returns whether all of it was sent."""
        try:
            sent = self._sock.send(message.parts[0])
        except BlockingIOError:
            return False
        except OSError:  # the reactor finds out, and closes
            return False
        self.traffic.bytes += sent
        return message.cut(sent)

    def _send(self) -> None:
        """Send what waits, as long as the peer takes it. On the thread of the reactor, which alone takes it out."""
        while True:
            with self._lock:
                if self._over:
                    return
                if not self._waiting:
                    self._sending = False
                    break
                message = self._waiting.popleft()
                self._size -= message.size
            try:
                sent = self._sock.sendmsg(message.parts)
            except BlockingIOError:
                sent = 0
            except OSError:
                self.close()
                return
            self.traffic.bytes += sent
            if sent and message.cut(sent):
                continue
            with self._lock:
                self._waiting.appendleft(message)
                self._size += message.size
            self._reactor.watch(self._sock, READ | WRITE, self._ready)
            return
        self._reactor.watch(self._sock, READ, self._ready)

    def _ready(self, events: int) -> None:
        if events & READ and not self._listen():
            self.close()
        elif events & WRITE:
            self._send()

    def _listen(self) -> bool:
        """Whether the peer is still there. A subscriber sends nothing after its header; if it does, that is ignored."""
        try:
            return bool(self._sock.recv(4096))
        except BlockingIOError:
            return True
        except OSError:
            return False
