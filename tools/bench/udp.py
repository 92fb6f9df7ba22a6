"""How many datagrams the endpoint takes, and whether it loses any."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.udp.network import UdpNetwork
from dorosim.endpoint.udp.socket import Address, open_listener, receive_buffer
from dorosim.ground.noise import Noise
from dorosim.wire.udp.code import CtrlMode, Gear, LongCmdType
from dorosim.wire.udp.control import EgoCtrlCmd
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.inbox import Inbox
from tools.bench.figure import Figure
from tools.bench.peer import free_port, sender
from tools.bench.world import ready, udp_endpoint

FAST, PACED = 400_000, 150_000
RATE = 50_000


def figures() -> Iterator[Figure]:
    """Throughput on one core, and losses at 50,000 datagrams a second with the loop running."""
    yield _throughput()
    yield _losses()


def _datagram() -> bytes:
    message = EgoCtrlCmd(
        ctrl_mode=CtrlMode.AUTO,
        gear=Gear.D,
        cmd_type=LongCmdType.THROTTLE,
        velocity=0.0,
        acceleration=0.0,
        accel=0.1,
        brake=0.0,
        steer=0.1,
    )
    return codec_of(EgoCtrlCmd, DEFAULT_REVISION).encode(message)


def _throughput() -> Figure:
    """Datagrams received, sorted by message, decoded, checked, made commands and queued, by a thread on one core."""
    port = free_port()
    made = ready()
    journal = Journal(silent)
    endpoint = udp_endpoint(made, UdpNetwork((Address("127.0.0.1", port),), ()), journal, at_once=sys.maxsize)
    inbox = Inbox()
    flood = sender(port, 0.0, FAST, _datagram())
    while not journal.counts:
        endpoint.wait(0.01, inbox.put, made.first)
    started, busy = time.perf_counter(), time.thread_time()
    first = journal.counts["received EgoCtrlCmd"]
    while flood.poll() is None:
        endpoint.wait(0.01, inbox.put, made.first)
        inbox.take()
    seconds, work = time.perf_counter() - started, time.thread_time() - busy
    count = journal.counts["received EgoCtrlCmd"] - first
    drops = endpoint.drops
    endpoint.close()
    detail = (
        f"{count:,} in {seconds:.2f} s, {work / count * 1e6:.1f} us each, {drops:,} dropped by the kernel in the flood"
    )
    return Figure("UDP received, decoded and queued on one core", count / work / 1000, "k/s", 100.0, detail=detail)


def _losses() -> Figure:
    port = free_port()
    made = ready()
    journal = Journal(silent)
    endpoint = udp_endpoint(made, UdpNetwork((Address("127.0.0.1", port),)), journal)
    with open_listener(Address("127.0.0.1", 0)) as probe:
        granted = receive_buffer(probe)
    loop = Loop(made.scene, made.first, Noise(0), PacedClock(), endpoint, (), journal)
    flood = sender(port, RATE, PACED, _datagram())
    loop.run(round(1e9 * (PACED / RATE + 1.0)))
    output, _ = flood.communicate()
    read, newer = journal.counts["received EgoCtrlCmd"], journal.counts["superseded EgoCtrlCmd"]
    received, drops = read + newer, endpoint.drops
    endpoint.close()
    detail = (
        f"{PACED:,} sent in {float(output):.2f} s, {read:,} read, {newer:,} superseded, {drops} dropped by the kernel, "
        f"receive buffer {granted >> 10} KiB, {os.cpu_count()} cores"
    )
    return Figure("UDP datagrams lost at 50,000/s in real time", PACED - received, "", 0, at_most=True, detail=detail)
