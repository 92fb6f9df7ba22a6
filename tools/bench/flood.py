"""A run under a flood of one message: 50,000 datagrams a second beside everything else that it does.

The simulator, the sender of the flood and this program, which measures, are processes of their own, so this needs two
free processors.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

from dorosim.endpoint.udp.network import DEFAULT_LISTEN_PORTS
from dorosim.wire.codec import record_size
from dorosim.wire.udp.control import NpcGhostCmd
from dorosim.wire.udp.datagram import DatagramReader
from dorosim.wire.udp.revision import DEFAULT_REVISION
from tools.bench.figure import Figure
from tools.bench.peer import free_port, sender
from tools.bench.process import simulator

RATE, SECONDS = 50_000, 4.0
"""Datagrams a second, and for how long [s]."""
STATUS_HZ = 50.0
PACE, GAP_MS = 0.95, 50.0
"""Targets: of real time, and between two statuses [ms]."""


def figures() -> Iterator[Figure]:
    """For each message, how near to real time the run comes and how long no status comes."""
    bare = _bare_rate()
    ports = {port: free_port() for port in DEFAULT_LISTEN_PORTS}
    worst, longest, details = 1.0, 0.0, []
    with simulator(ports) as (receiver, _):
        for _ in range(100):
            receiver.recv(65536)
        for name, datagram in samples().items():
            rate, pace, gap = _flooded(receiver, ports[9093], datagram)
            details.append(f"{name} {rate / 1000:.0f} k/s {pace:.2f} x {gap * 1e3:.0f} ms")
            worst, longest = min(worst, pace), max(longest, gap)
    detail = f"{'; '.join(details)}; a bare receiver takes {bare / 1000:.0f} k/s"
    yield Figure("least pace under 50,000/s of any one message, to real time", worst, "x", PACE, detail=detail)
    yield Figure("longest time without a status under it", longest * 1e3, "ms", GAP_MS, at_most=True, detail=detail)


def samples() -> dict[str, bytes]:
    """A datagram of each message to the simulator, by its name: with zeros, but with ids of what it places."""
    found = {}
    for codec in DatagramReader(DEFAULT_REVISION, "simulator").codecs:
        data = bytearray(codec.head + bytes(codec.payload_size) + codec.tail)
        if codec.message is NpcGhostCmd:
            field = next(field for field in codec.fields if field.name == "vehicles")
            start, step = codec.offsets["vehicles"], record_size(field)
            for slot in range(field.count):
                data[start + slot * step] = slot + 1
        found[codec.message.__name__] = bytes(data)
    return found


def _flooded(receiver: socket.socket, port: int, datagram: bytes) -> tuple[float, float, float]:
    """How many were sent a second, the pace of the run to real time, and the longest time between two statuses [s]."""
    sent = round(RATE * SECONDS)
    flood = sender(port, RATE, sent, datagram)
    begin = last = time.monotonic()
    count, longest = 0, 0.0
    while flood.poll() is None:
        receiver.recv(65536)
        now = time.monotonic()
        count, longest, last = count + 1, max(longest, now - last), now
    output, _ = flood.communicate()
    return sent / float(output), count / STATUS_HZ / (last - begin), longest


def _bare_rate() -> float:
    """Datagrams a second of processor time that a loop takes which does nothing but receive."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(1.0)
        flood = sender(sock.getsockname()[1], 2 * RATE, 2 * RATE, bytes(55))
        buffer, count = bytearray(65536), 0
        sock.recv_into(buffer)
        sock.setblocking(False)
        busy = 0.0
        while flood.poll() is None:
            started = time.thread_time()
            try:
                for _ in range(500):
                    sock.recv_into(buffer)
                    count += 1
            except BlockingIOError:
                pass
            busy += time.thread_time() - started
    return count / max(busy, 1e-9)
