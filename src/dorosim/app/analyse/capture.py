"""UDP payloads out of capture files (pcap and pcapng), by dpkt."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import dpkt

from dorosim.app.analyse.ip_fragment import IpFragments, fragment_of
from dorosim.ground.error import InputError

_LINKTYPE_RAW, _LINKTYPE_IPV4, _LINKTYPE_IPV6 = 101, 228, 229
"""In files, of packets without a link layer, as tunnels have them; dpkt knows the number of BSD systems alone."""
_LINKS: dict[int, Any] = {
    dpkt.pcap.DLT_EN10MB: dpkt.ethernet.Ethernet,
    dpkt.pcap.DLT_NULL: dpkt.loopback.Loopback,
    dpkt.pcap.DLT_LOOP: dpkt.loopback.Loopback,
    dpkt.pcap.DLT_RAW: dpkt.ip.IP,
    _LINKTYPE_RAW: dpkt.ip.IP,
    _LINKTYPE_IPV4: dpkt.ip.IP,
    _LINKTYPE_IPV6: dpkt.ip6.IP6,
    dpkt.pcap.DLT_LINUX_SLL: dpkt.sll.SLL,
    dpkt.pcap.DLT_LINUX_SLL2: dpkt.sll2.SLL2,
}
_UDP = 17
_UDP_HEADER = 8
_BROKEN = (dpkt.Error, ValueError, IndexError, struct.error)


class Capture:
    """A capture file.

    Args:
        path: of the file.

    Attributes:
        incomplete: datagrams of which the file lacks fragments; known when all has been read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.incomplete = 0

    def payloads(self) -> Iterator[tuple[str, bytes]]:
        """Where each UDP datagram went (`source -> destination` port), and its payload, in the order of the file.

        A datagram that was sent in IP fragments is yielded when its last missing fragment is read.

        Raises:
            InputError: the file is no capture, or of a link type that is not known; while iterating, it ends inside a
                frame.
        """
        try:
            file = self._path.open("rb")
        except OSError as error:
            raise InputError(str(self._path), "", error.strerror or "cannot be read", "check the path") from None
        with file:
            counted = _Counted(file, self._path.stat().st_size)
            reader, link = self._opened(counted)
            fragments = IpFragments()
            for number, frame in self._frames(reader, counted):
                udp, cut = _udp_in(link, frame, fragments)
                if udp is not None:
                    yield f"frame {number}, port {udp.sport} -> {udp.dport}{cut}", bytes(udp.data)
            self.incomplete = fragments.incomplete

    def _opened(self, file: _Counted) -> tuple[Any, Any]:
        """What reads the file, and the class of its frames."""
        try:
            reader = dpkt.pcap.UniversalReader(file)
        except _BROKEN:
            problem = "is not a pcap or pcapng file"
            raise InputError(str(self._path), "", problem, "save it with tcpdump or Wireshark") from None
        link = _LINKS.get(reader.datalink())
        if link is None:
            problem = f"link type {reader.datalink()} is not known"
            raise InputError(str(self._path), "", problem, "capture on an Ethernet or loopback interface")
        return reader, link

    def _frames(self, reader: Any, file: _Counted) -> Iterator[tuple[int, bytes]]:
        """The frames that are whole, with their numbers from 1 on. dpkt itself reports no frame that is cut off."""
        frames, number = iter(reader), 0
        while True:
            try:
                _, frame = next(frames)
            except StopIteration:
                if file.short:
                    raise self._cut_off(number) from None
                return
            except _BROKEN:
                raise self._cut_off(number) from None
            if file.short or file.ended:
                raise self._cut_off(number)
            number += 1
            yield number, frame

    def _cut_off(self, number: int) -> InputError:
        problem = f"the file is cut off or broken there; the {number:,} frames before it were read"
        return InputError(str(self._path), f"frame {number + 1}", problem, "save the capture again, or end it first")


class _Counted:
    """A file that notes where it ends too early.

    Attributes:
        short: whether there was less than was asked for, but something. ended: whether there was nothing the last time.
    """

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.short = self.ended = False
        self._file, self._size = file, size

    def read(self, count: int) -> bytes:
        """As of files; a file that claims a block of gigabytes gets none."""
        left = max(self._size - self._file.tell(), 0)
        wanted = count if count >= 0 else left
        data = self._file.read(min(wanted, left))
        self.short = self.short or 0 < len(data) < wanted
        self.ended = not data and wanted > 0
        return data

    def seek(self, place: int) -> int:
        """As of files."""
        self.short = self.ended = False
        return self._file.seek(place)


def _udp_in(link: Any, frame: bytes, fragments: IpFragments) -> tuple[Any, str]:
    """The UDP datagram that a frame holds or makes whole, or None; and what is missing at its end, "" for nothing."""
    try:
        layer = link(frame)
        while layer is not None and not isinstance(layer, dpkt.ip.IP | dpkt.ip6.IP6):
            layer = getattr(layer, "data", None)
            if isinstance(layer, bytes):
                return None, ""
        if layer is None:
            return None, ""
        part = fragment_of(layer)
        udp = layer.data if part is None else None
        if part is not None and part.key.protocol == _UDP:
            whole = fragments.add(part)
            udp = None if whole is None else dpkt.udp.UDP(whole)
    except _BROKEN:
        return None, ""
    if not isinstance(udp, dpkt.udp.UDP):
        return None, ""
    missing = udp.ulen - _UDP_HEADER - len(udp.data)
    return udp, f", cut off in the capture: {missing:,} bytes are missing" if missing > 0 else ""
