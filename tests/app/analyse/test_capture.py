"""Capture files: datagrams in IP fragments, and files that are cut off."""

from __future__ import annotations

import itertools
from pathlib import Path

import dpkt
import pytest

from dorosim.app.analyse.capture import Capture
from dorosim.app.analyse.ip_fragment import MAX_IP_PAYLOAD, MAX_OPEN_DATAGRAMS, Fragment, FragmentKey, IpFragments
from dorosim.ground.error import InputError

HOME = b"\x7f\0\0\1"
LONG = bytes(number % 251 for number in range(4_321))


def datagram(payload: bytes, port: int = 7505) -> bytes:
    udp = dpkt.udp.UDP(sport=7605, dport=port, data=payload)
    udp.ulen = len(udp)
    return bytes(udp)


def packet(data: bytes, identification: int = 7, offset: int = 0, *, more: bool = False) -> bytes:
    """A part of a datagram as an Ethernet frame, filled up to the 60 bytes that a frame has at least."""
    ip = dpkt.ip.IP(src=HOME, dst=HOME, p=17, id=identification, data=data)
    ip.mf, ip.offset = int(more), offset // 8
    ip.len = len(ip)
    return bytes(dpkt.ethernet.Ethernet(data=ip)).ljust(60, b"\0")


def fragments(payload: bytes, identification: int = 7, size: int = 1_480) -> list[bytes]:
    whole = datagram(payload)
    places = range(0, len(whole), size)
    return [packet(whole[at : at + size], identification, at, more=at + size < len(whole)) for at in places]


def packet_6(data: bytes, offset: int, *, more: bool) -> bytes:
    header = bytes((17, 0)) + (offset | more).to_bytes(2, "big") + (9).to_bytes(4, "big")
    home = bytes(15) + b"\1"
    ip = dpkt.ip6.IP6(
        bytes((0x60, 0, 0, 0)) + (8 + len(data)).to_bytes(2, "big") + bytes((44, 64)) + home * 2 + header + data
    )
    return bytes(dpkt.ethernet.Ethernet(type=dpkt.ethernet.ETH_TYPE_IP6, data=ip))


def capture(path: Path, frames: list[bytes], writer=dpkt.pcap.Writer) -> Capture:
    with path.open("wb") as file:
        made = writer(file)
        for frame in frames:
            made.writepkt(frame, ts=1.0)
    return Capture(path)


@pytest.mark.parametrize("link", [101, 228, 229])
def test_packets_of_a_tunnel_have_no_link_layer(tmp_path, link):
    """LINKTYPE_RAW, LINKTYPE_IPV4 and LINKTYPE_IPV6 of the list of tcpdump.org."""
    frame = packet_6(datagram(b"hello"), 0, more=False) if link == 229 else packet(datagram(b"hello"))
    path = tmp_path / "tunnel.pcap"
    with path.open("wb") as file:
        dpkt.pcap.Writer(file, linktype=link).writepkt(frame[14:], ts=1.0)
    assert [payload for _, payload in Capture(path).payloads()] == [b"hello"]


@pytest.mark.parametrize("writer", [dpkt.pcap.Writer, dpkt.pcapng.Writer])
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_datagram_in_fragments_is_put_together_in_whatever_order_they_come(tmp_path, order, writer):
    """As of ObjectInfo, which is longer than an Ethernet frame."""
    parts = fragments(LONG)
    assert len(parts) == 3
    frames = [packet(datagram(b"before")), *(parts[place] for place in order), packet(datagram(b"after"))]
    made = capture(tmp_path / "a.pcap", frames, writer)
    told = list(made.payloads())
    assert [payload for _, payload in told] == [b"before", LONG, b"after"]
    assert told[1][0] == "frame 4, port 7605 -> 7505"
    assert made.incomplete == 0


def test_fragments_of_several_datagrams_do_not_mix_and_twins_count_once(tmp_path):
    one, other = fragments(LONG, 1), fragments(LONG[::-1], 2)
    mixed = [frame for pair in zip(one, other, strict=True) for frame in pair]
    made = capture(tmp_path / "a.pcap", [mixed[0], *mixed, *mixed[4:]])
    assert [payload for _, payload in made.payloads()] == [LONG, LONG[::-1]]
    assert made.incomplete == 2, "whose twins came again after the whole"


def test_a_datagram_whose_fragment_is_missing_is_counted(tmp_path):
    made = capture(tmp_path / "a.pcap", [*fragments(LONG, 1)[:2], *fragments(LONG, 2)[1:], *fragments(b"short", 3)])
    assert [payload for _, payload in made.payloads()] == [b"short"]
    assert made.incomplete == 2


def test_fragments_of_ipv6_are_put_together(tmp_path):
    whole = datagram(LONG)
    made = capture(
        tmp_path / "a.pcap", [packet_6(whole[2400:], 2400, more=False), packet_6(whole[:2400], 0, more=True)]
    )
    assert [payload for _, payload in made.payloads()] == [LONG]


def test_fragments_that_never_become_whole_do_not_pile_up():
    held = IpFragments()
    for number in range(3 * MAX_OPEN_DATAGRAMS):
        assert held.add(Fragment(FragmentKey(HOME, HOME, 17, number), 0, True, b"x" * 8)) is None
    assert len(held._open) == MAX_OPEN_DATAGRAMS
    assert held.incomplete == 3 * MAX_OPEN_DATAGRAMS
    assert held.add(Fragment(FragmentKey(HOME, HOME, 17, 1), MAX_IP_PAYLOAD, False, b"x")) is None


@pytest.mark.parametrize("writer", [dpkt.pcap.Writer, dpkt.pcapng.Writer])
def test_a_file_that_is_cut_off_gives_what_is_whole_and_then_a_sentence(tmp_path, writer):
    path = tmp_path / "a.pcap"
    capture(path, [packet(datagram(b"one")), packet(datagram(b"two"))], writer)
    content = path.read_bytes()
    start = content.rindex(packet(datagram(b"two")))
    whole = set()
    for size in range(content.index(packet(datagram(b"one"))), len(content)):
        path.write_bytes(content[:size])
        told, problem = [], ""
        try:
            for _, payload in Capture(path).payloads():
                told.append(payload)
        except InputError as error:
            problem = str(error)
        if problem:
            assert f"frame {len(told) + 1}: the file is cut off or broken there" in problem
            assert "\n" not in problem
        else:
            whole.add(size)
        assert told == [b"one", b"two"][: len(told)]
        assert len(told) < 2 or size >= start + 60
    assert len(whole) <= 1, "only where the first frame ends, which nobody can tell"


def test_a_frame_of_which_only_the_beginning_was_captured_says_so(tmp_path):
    """tcpdump -s 60."""
    made = capture(tmp_path / "a.pcap", [packet(datagram(LONG[:1_000]))[:60]])
    ((label, payload),) = made.payloads()
    assert label == "frame 1, port 7605 -> 7505, cut off in the capture: 982 bytes are missing"
    assert payload == LONG[:18]


def test_a_file_that_claims_gigabytes_is_read_as_what_it_is(tmp_path):
    path = tmp_path / "a.pcap"
    capture(path, [])
    path.write_bytes(path.read_bytes() + bytes(8) + b"\xff\xff\xff\x7f" * 2 + b"few")
    with pytest.raises(InputError, match="cut off or broken"):
        list(Capture(path).payloads())
