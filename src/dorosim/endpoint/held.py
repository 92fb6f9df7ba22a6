"""Datagrams of a flood, which wait unread until the tick: of those about one thing only the newest."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dorosim.endpoint.journal import Journal
from dorosim.endpoint.udp_socket import Address
from dorosim.wire.codec import Codec

MOST_HELD = 4096
"""Datagrams that wait; the oldest one gives way to another."""

Peer = tuple[str, int]
Place = tuple[Address, int]
"""Address that a datagram came to, and the number of the ego vehicle that messages mean there."""


class Datagram(NamedTuple):
    """One that waits: where it came to, by which codec it is read, and its bytes."""

    to: Place
    codec: Codec
    data: bytes


class HeldDatagrams:
    """Datagrams that wait, in the order of their arrival.

    One takes the place of another of the same sender about the same thing, at the end of the row. So a sender who
    floods with nonsense keeps nobody else's command from being heard.

    Args:
        target: what a datagram is about; None where each counts.
        journal: where they are counted.
    """

    def __init__(self, target: Callable[[Codec, bytes], bytes | None], journal: Journal) -> None:
        self._target, self._journal = target, journal
        self._waiting: dict[object, Datagram] = {}
        self._number = 0
        self._left_out = 0

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def put(self, to: Place, codec: Codec, data: bytes, peer: Peer) -> None:
        """Let a datagram wait, in place of one that it replaces."""
        about = self._target(codec, data)
        key: object = (codec, about, peer, to)
        if about is None:
            self._number += 1
            key = self._number
        name = codec.message.__name__
        before = self._waiting.pop(key, None)
        self._waiting[key] = Datagram(to, codec, data)
        if before is not None:
            self._leave_out("superseded", name)
        elif len(self._waiting) > MOST_HELD:
            oldest = next(iter(self._waiting))
            self._leave_out("discarded", self._waiting.pop(oldest).codec.message.__name__)

    def take(self) -> Datagram | None:
        """The one that has waited longest; None if there is none."""
        if not self._waiting:
            return None
        return self._waiting.pop(next(iter(self._waiting)))

    def forget(self) -> int:
        """Let none wait any more; how many of all that came were not read, since the last call."""
        count = len(self._waiting) + self._left_out
        self._waiting.clear()
        self._left_out = 0
        return count

    def _leave_out(self, why: str, name: str) -> None:
        """Count one that came and is not read."""
        self._journal.counts[f"{why} {name}"] += 1
        self._left_out += 1
