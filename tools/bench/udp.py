"""How many datagrams the endpoint takes beside a loop that only receives, and whether it loses any."""

from __future__ import annotations

import gc
import os
import socket
import struct
import sys
import time
from collections.abc import Iterator

from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.udp import datagram_batch
from dorosim.endpoint.udp.network import UdpNetwork
from dorosim.endpoint.udp.socket import Address, open_listener, receive_buffer
from dorosim.ground.noise import Noise
from dorosim.wire.run import get_ready
from dorosim.wire.udp.code import CtrlMode, Gear, LongCmdType
from dorosim.wire.udp.control import EgoCtrlCmd
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.inbox import Inbox
from tools.bench.figure import Figure
from tools.bench.peer import free_port, sender
from tools.bench.world import ready, udp_endpoint

PACED = 150_000
AT_ONCE, ROUNDS, LEAST = 240, 400, 200
"""Datagrams that wait at a socket in a round, fewer than a buffer holds that the system does not enlarge; rounds; and
how many must have come by then for one to count: under load the system delivers some of them later."""
RATE = 50_000
HOST = "127.0.0.1"


def figures() -> Iterator[Figure]:
    """Work for a datagram beside a bare loop, and losses with the loop in real time."""
    yield _throughput()
    yield _losses(RATE, f"UDP datagrams lost at {RATE:,}/s in real time", "")
    count, seconds = _bare(0)
    rate = round(count / seconds) // 2
    detail = f"{rate:,}/s, of {2 * rate:,}/s that a bare loop takes; at the half it loses {PACED - _bare(rate)[0]}; "
    yield _losses(rate, "UDP datagrams lost at half of the bare rate in real time", detail)


def _datagram(accel: float = 0.1) -> bytes:
    message = EgoCtrlCmd(
        ctrl_mode=CtrlMode.AUTO,
        gear=Gear.D,
        cmd_type=LongCmdType.THROTTLE,
        velocity=0.0,
        acceleration=0.0,
        accel=accel,
        brake=0.0,
        steer=0.1,
    )
    return codec_of(EgoCtrlCmd, DEFAULT_REVISION).encode(message)


def _throughput() -> Figure:
    """Datagrams received, sorted by message, decoded, checked, made commands and queued, on one thread.

    In turns with a loop that receives, at the same socket.
    """
    made = ready()
    journal, inbox, port = Journal(silent), Inbox(), free_port()
    get_ready()
    datagram_batch.get_ready()
    endpoint = udp_endpoint(made, UdpNetwork((Address(HOST, port),), ()), journal, at_once=sys.maxsize)
    sock, put, buffer = endpoint.sockets[Address(HOST, port)], inbox.slot("udp"), bytearray(65536)
    datagrams = [_datagram(number / AT_ONCE) for number in range(AT_ONCE)]

    def bare() -> int:
        count = 0
        try:
            while True:
                sock.recv_into(buffer)
                count += 1
        except BlockingIOError:
            return count

    def ours() -> int:
        endpoint.wait(0.0, put, made.first)
        return sum(len(batch.commands) for batch in inbox.take())

    least = {bare: float("inf"), ours: float("inf")}
    gc.freeze()  # as a run does
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect((HOST, port))
        for _ in range(ROUNDS):
            for work in least:
                for data in datagrams:
                    client.send(data)
                started = time.thread_time()
                count = work()
                if count >= LEAST:
                    least[work] = min(least[work], (time.thread_time() - started) / count)
    gc.unfreeze()
    endpoint.close()
    ratio = least[bare] / least[ours]
    detail = f"{least[ours] * 1e6:.2f} us each ({1e-3 / least[ours]:,.0f} k/s), bare {least[bare] * 1e6:.2f} us"
    return Figure("UDP received, decoded and queued, to a bare recv_into loop", ratio, "x", 0.6, detail=detail)


def _losses(rate: int, name: str, more: str) -> Figure:
    port = free_port()
    made = ready()
    journal = Journal(silent)
    endpoint = udp_endpoint(made, UdpNetwork((Address(HOST, port),)), journal)
    with open_listener(Address(HOST, 0)) as probe:
        granted = receive_buffer(probe)
    loop = Loop(made.scene, made.first, Noise(0), PacedClock(), endpoint, (), journal)
    flood = sender(port, rate, PACED, _datagram())
    loop.run(round(1e9 * (PACED / rate + 2.0)))
    output, _ = flood.communicate()
    read, newer = journal.counts["received EgoCtrlCmd"], journal.counts["superseded EgoCtrlCmd"]
    received, drops = read + newer, endpoint.drops
    endpoint.close()
    detail = (
        f"{more}{PACED:,} sent in {float(output):.2f} s, {read:,} read, {newer:,} superseded, {drops} dropped by the "
        f"kernel, receive buffer {granted >> 10} KiB, {os.cpu_count()} cores"
    )
    return Figure(name, PACED - received, "", 0, at_most=True, detail=detail)


def _bare(rate: int) -> tuple[int, float]:
    """Datagrams that a loop takes which only receives, and in which time [s]; rate 0: all that can be sent."""
    buffer, count = bytearray(65536), 0
    with open_listener(Address(HOST, 0)) as sock:
        sock.setblocking(True)
        flood = sender(sock.getsockname()[1], rate, PACED, _datagram())
        sock.recv_into(buffer)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 500_000))
        started = last = time.perf_counter()
        try:
            while True:
                sock.recv_into(buffer)
                count, last = count + 1, time.perf_counter()
        except BlockingIOError:
            flood.communicate()
    return count + 1, last - started
