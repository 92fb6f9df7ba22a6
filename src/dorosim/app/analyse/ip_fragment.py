"""Puts the fragments of IP datagrams together (RFC 791, section 3.2, and RFC 8200, section 4.5)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import dpkt

MAX_OPEN_DATAGRAMS = 1_000
"""Datagrams that wait for fragments; beyond that the oldest one is given up."""
MAX_IP_PAYLOAD = 65_535
"""Bytes of an IP datagram's payload."""


class FragmentKey(NamedTuple):
    """To which datagram a fragment belongs."""

    source: bytes
    destination: bytes
    protocol: int
    identification: int


class Fragment(NamedTuple):
    """A part of a datagram: where it begins in the payload [bytes], and whether more come behind it."""

    key: FragmentKey
    offset: int
    more: bool
    data: bytes


@dataclass(slots=True)
class _Open:
    """A datagram of which fragments are missing: those that are there, by where they begin; its length if known."""

    parts: dict[int, bytes] = field(default_factory=dict)
    length: int | None = None


class IpFragments:
    """Datagrams that come in fragments, in any order; a fragment that comes twice counts once.

    Attributes:
        given_up: datagrams of which fragments have not come, besides those that still wait.
    """

    def __init__(self) -> None:
        self.given_up = 0
        self._open: dict[FragmentKey, _Open] = {}

    @property
    def incomplete(self) -> int:
        """Datagrams that are not whole."""
        return self.given_up + len(self._open)

    def add(self, fragment: Fragment) -> bytes | None:
        """Take a fragment; the payload of its datagram once that is whole."""
        end = fragment.offset + len(fragment.data)
        if end > MAX_IP_PAYLOAD:
            return None
        one = self._open.pop(fragment.key, None) or _Open()
        if not fragment.more:
            one.length = end
        if len(fragment.data) >= len(one.parts.get(fragment.offset, b"")):
            one.parts[fragment.offset] = fragment.data
        whole = _joined(one)
        if whole is None:
            self._open[fragment.key] = one  # behind all others: the one that waits longest is given up first
            if len(self._open) > MAX_OPEN_DATAGRAMS:
                del self._open[next(iter(self._open))]
                self.given_up += 1
        return whole


def _joined(one: _Open) -> bytes | None:
    """The payload if nothing of it is missing. Where fragments overlap, the one that begins later counts."""
    if one.length is None:
        return None
    whole, reached = bytearray(one.length), 0
    for offset in sorted(one.parts):
        if offset > reached:
            return None
        data = one.parts[offset][: one.length - offset]
        whole[offset : offset + len(data)] = data
        reached = max(reached, offset + len(data))
    return bytes(whole) if reached >= one.length else None


def fragment_of(ip: Any) -> Fragment | None:
    """The fragment in an IP packet of dpkt, None where it holds a whole datagram."""
    if isinstance(ip, dpkt.ip.IP):
        more, offset = bool(ip.mf), ip.offset * 8
        if not more and not offset:
            return None
        return Fragment(FragmentKey(ip.src, ip.dst, ip.p, ip.id), offset, more, bytes(ip.data))
    header = ip.extension_hdrs.get(dpkt.ip.IP_PROTO_FRAGMENT)
    if header is None:
        return None
    more, offset = bool(header.m_flag), header.frag_off * 8
    if not more and not offset:
        return None
    return Fragment(FragmentKey(ip.src, ip.dst, header.nxt, header.id), offset, more, bytes(ip.data))
