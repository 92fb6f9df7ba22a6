"""Datagrams of a flood, which wait unread until the tick; of those about one thing, the newest replaces the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from dorosim.endpoint.journal import Journal
from dorosim.endpoint.udp.socket import Address
from dorosim.wire.codec import Codec

_MAX_HELD = 4096
"""Datagrams that wait; the oldest one gives way to another."""
MAX_OLDER = 64
"""Datagrams about one thing that are kept besides the newest, which may be refused."""

Peer = tuple[str, int] | bytes
"""The sender of a datagram, as the interface that took it gives it."""
Place = tuple[Address, int]
"""Address that a datagram came to, and the number of the ego vehicle that messages mean there."""


class Datagram(NamedTuple):
    """One that waits: where it came to, by which codec it is read, and its bytes."""

    to: Place
    codec: Codec
    data: bytes


class HeldDatagrams:
    """Datagrams that wait, in the order of their arrival.

    A datagram replaces an older one of the same sender about the same thing, and goes to the end of the queue. So a
    sender that floods with nonsense does not keep the commands of other senders from being read. The older ones are
    read where the newest is refused.

    Args:
        target: returns what a datagram is about; None where each counts.
        journal: where they are counted.
    """

    def __init__(self, target: Callable[[Codec, bytes], bytes | None], journal: Journal) -> None:
        self._target, self._journal = target, journal
        self._waiting: dict[object, list[Datagram]] = {}
        self._before = 0
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
        row = self._waiting.pop(key, [])
        if row:
            self._leave_out("superseded", name)
            if len(row) > MAX_OLDER or self._before >= _MAX_HELD:
                del row[0]
            else:
                self._before += 1
        row.append(Datagram(to, codec, data))
        self._waiting[key] = row
        if len(self._waiting) > _MAX_HELD:
            oldest = self._pop()
            self._leave_out("discarded", oldest[-1].codec.message.__name__)

    def put_run(self, to: Place, codec: Codec, data_of: Callable[[int], bytes], count: int, peer: Peer) -> None:
        """Let datagrams wait that come from one sender and are about one thing: as `put` of each, in order.

        Args:
            to: as of `put`.
            codec: likewise.
            data_of: gives the bytes of each by its number; of many those are asked for that are kept, and the first.
            count: how many there are.
            peer: as of `put`.
        """
        about = self._target(codec, data_of(0))
        row = self._waiting.pop((codec, about, peer, to), [])
        kept = min(len(row) + count, MAX_OLDER + 1)
        before = self._before + kept - max(len(row), 1)
        if about is None or before > _MAX_HELD or len(self._waiting) >= _MAX_HELD:
            if row:
                self._waiting[codec, about, peer, to] = row
            for number in range(count):
                self.put(to, codec, data_of(number), peer)
            return
        left_out = count if row else count - 1
        self._journal.counts[f"superseded {codec.message.__name__}"] += left_out
        self._left_out += left_out
        self._before = before
        row += [Datagram(to, codec, data_of(number)) for number in range(max(count - kept, 0), count)]
        self._waiting[codec, about, peer, to] = row[-kept:]

    def take(self) -> Iterator[Datagram] | None:
        """The datagrams about the thing that has waited longest, the newest first; None if none wait.

        The first one replaces the others. A caller that takes the next one from the iterator thereby says that the one
        before was refused.
        """
        return self._newest_first(self._pop()) if self._waiting else None

    def _pop(self) -> list[Datagram]:
        row = self._waiting.pop(next(iter(self._waiting)))
        self._before -= len(row) - 1
        return row

    def _newest_first(self, row: list[Datagram]) -> Iterator[Datagram]:
        yield row.pop()
        for one in reversed(row):
            self._journal.counts[f"superseded {one.codec.message.__name__}"] -= 1
            self._left_out -= 1
            yield one

    def forget(self) -> int:
        """Drop all that wait; returns how many of those that came since the last call were not read."""
        count = len(self._waiting) + self._left_out
        self._waiting.clear()
        self._left_out = self._before = 0
        return count

    def _leave_out(self, why: str, name: str) -> None:
        """Count a datagram that came and is not read."""
        self._journal.counts[f"{why} {name}"] += 1
        self._left_out += 1
