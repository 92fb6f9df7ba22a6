"""What a tick of the loop costs that sends all status messages, beside its step and the sending alone."""

from __future__ import annotations

import gc
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from dorosim.bridge.udp import status_batch
from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.udp.network import LOOPBACK, UdpNetwork, default_publications
from dorosim.endpoint.udp.send_kernel import SEND_DATAGRAMS
from dorosim.endpoint.udp.socket import Address
from dorosim.endpoint.udp.status_call_kernel import SEND_STATUSES
from dorosim.ground.noise import Noise
from dorosim.world.command import Source
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.step import step
from tools.bench.figure import Figure
from tools.bench.peer import free_port
from tools.bench.world import DRIVE, ready, udp_endpoint

TICKS, ROUNDS = 40, 400
"""Ticks of each in a round, few enough for the buffers of the receivers, and rounds, of which the least counts."""


def figures() -> Iterator[Figure]:
    """The whole tick, to `step` and a bare `sendto` of the same bytes."""
    with ExitStack() as stack:
        sinks = [stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in default_publications()]
        yield _whole_tick(sinks)


def _whole_tick(sinks: list[socket.socket]) -> Figure:
    """A round of each in turns: both see the same machine."""
    publications = []
    for sink, one in zip(sinks, default_publications(), strict=True):
        sink.bind((LOOPBACK, 0))
        sink.setblocking(False)
        source, goal = Address(LOOPBACK, free_port()), Address(LOOPBACK, sink.getsockname()[1])
        publications.append(replace(one, source=source, destination=goal, rate_hz=100.0))
    made, noise = ready(), Noise(0)
    get_ready()
    status_batch.get_ready()
    SEND_DATAGRAMS.address()
    SEND_STATUSES.address()
    endpoint = udp_endpoint(made, UdpNetwork((Address(LOOPBACK, 0),), tuple(publications)), Journal(silent))
    loop = Loop(made.scene, made.first, noise, PacedClock(None), endpoint, (), Journal(silent))
    loop.put(Source.PEER, DRIVE)
    loop.run(2_000_000_000)
    now = loop.now
    sends: list[tuple[socket.socket, bytes, tuple[str, int]]] = [
        (endpoint.sockets[one.source], endpoint.last_sent[one.message], (LOOPBACK, one.destination.port))
        for one in publications
    ]
    gc.freeze()  # as a run does
    ours = floor = steps = float("inf")
    for _ in range(ROUNDS):
        _empty(sinks)
        started = time.thread_time()
        loop.run(TICKS * made.scene.tick)
        ours = min(ours, time.thread_time() - started)
        _empty(sinks)
        started = time.thread_time()
        for _ in range(TICKS):
            now = step(made.scene, now, (), noise)
            for sock, data, to in sends:
                sock.sendto(data, to)
        floor = min(floor, time.thread_time() - started)
        started = time.thread_time()
        for _ in range(TICKS):
            now = step(made.scene, now, (), noise)
        steps = min(steps, time.thread_time() - started)
    gc.unfreeze()
    endpoint.close()
    ours, floor, steps = (one / TICKS * 1e6 for one in (ours, floor, steps))
    detail = f"{ours:.1f} us to {floor:.1f} us, of which the step is {steps:.1f} us; {len(sends)} messages a tick"
    name = "whole tick with all status messages, to `step` and a bare `sendto` of the same bytes"
    return Figure(name, ours / floor, "x", 1.5, at_most=True, detail=detail)


def _empty(sinks: list[socket.socket]) -> None:
    """Take what has come."""
    for sink in sinks:
        try:
            while True:
                sink.recv(65536)
        except BlockingIOError:
            continue
