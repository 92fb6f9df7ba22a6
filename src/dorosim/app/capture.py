"""UDP payloads out of capture files (pcap and pcapng), by dpkt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dpkt

from dorosim.ground.error import InputError

_LINKS: dict[int, Any] = {
    dpkt.pcap.DLT_EN10MB: dpkt.ethernet.Ethernet,
    dpkt.pcap.DLT_NULL: dpkt.loopback.Loopback,
    dpkt.pcap.DLT_LOOP: dpkt.loopback.Loopback,
    dpkt.pcap.DLT_RAW: dpkt.ip.IP,
    dpkt.pcap.DLT_LINUX_SLL: dpkt.sll.SLL,
    dpkt.pcap.DLT_LINUX_SLL2: dpkt.sll2.SLL2,
}


def udp_payloads(path: Path) -> Iterator[tuple[str, bytes]]:
    """Where each UDP datagram of a capture went (`source -> destination` port), and its payload.

    Raises:
        InputError: the file is no capture, or of a link type that is not known.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(str(path), "", error.strerror or "cannot be read", "check the path") from None
    with file:
        try:
            reader = dpkt.pcap.UniversalReader(file)
        except (ValueError, dpkt.Error):
            raise InputError(str(path), "", "is no pcap or pcapng file", "save it with tcpdump or Wireshark") from None
        link = _LINKS.get(reader.datalink())
        if link is None:
            problem = f"link type {reader.datalink()} is not known"
            raise InputError(str(path), "", problem, "capture on an Ethernet or loopback interface")
        for number, (_, frame) in enumerate(reader, start=1):
            udp = _udp_in(link, frame)
            if udp is not None:
                yield f"frame {number}, port {udp.sport} -> {udp.dport}", bytes(udp.data)


def _udp_in(link: Any, frame: bytes) -> Any:
    """The UDP datagram in a frame, or None."""
    try:
        layer = link(frame)
    except (dpkt.Error, ValueError, IndexError):
        return None
    while layer is not None and not isinstance(layer, dpkt.udp.UDP):
        layer = getattr(layer, "data", None)
        if isinstance(layer, bytes):
            return None
    return layer
