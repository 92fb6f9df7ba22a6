"""Status messages that are sent by one call: an error of one keeps no other back, and all are counted as ever."""

from __future__ import annotations

import errno
import os
import socket
import struct
from collections.abc import Iterator

import numpy as np
import pytest

from dorosim.bridge.udp import status_batch
from dorosim.endpoint.udp import status_sender
from dorosim.endpoint.udp.network import Publication
from dorosim.endpoint.udp.send_kernel import SEND_DATAGRAMS, SEND_ERROR, send_datagrams
from dorosim.endpoint.udp.socket import Address
from dorosim.endpoint.udp.status_call_kernel import SEND_STATUSES, send_statuses
from dorosim.endpoint.udp.status_sender import socket_address
from dorosim.endpoint.udp.system_call import system_functions
from dorosim.world.command import Source
from dorosim.world.ordinary.tick import get_ready
from tests.endpoint.udp.peer import HOST, Served, served
from tests.port import free_port
from tests.world.ordinary.both_ways import DRIVE

NAMES = ("EgoVehicleStatus", "CollisionData", "ObjectInfo")
TICKS = 24


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()
    status_batch.get_ready()
    SEND_DATAGRAMS.address()
    SEND_STATUSES.address()


@pytest.fixture
def sinks() -> Iterator[list[socket.socket]]:
    """A socket for each message, which blocks for no longer than a while."""
    made = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in NAMES]
    for sock in made:
        sock.bind((HOST, 0))
        sock.settimeout(10.0)
    try:
        yield made
    finally:
        for sock in made:
            sock.close()


def publications(sinks: list[socket.socket], rates: tuple[float, ...] = (100.0,) * 3) -> tuple[Publication, ...]:
    """One to each socket."""
    return tuple(
        Publication(name, Address(HOST, free_port()), Address(HOST, sink.getsockname()[1]), rate)
        for name, sink, rate in zip(NAMES, sinks, rates, strict=True)
    )


def turn(run: Served, ticks: int) -> None:
    run.loop.put(Source.PEER, DRIVE)
    for _ in range(ticks):
        run.loop.turn()


def received(sink: socket.socket, count: int) -> list[bytes]:
    """So many datagrams, of which there are no more."""
    found = [sink.recv(65536) for _ in range(count)]
    sink.setblocking(False)
    with pytest.raises(BlockingIOError):
        sink.recv(65536)
    return found


def sent_of(town, sinks: list[socket.socket], rates: tuple[float, ...]) -> list[list[bytes]]:
    with served(town, publications=publications(sinks, rates)) as run:
        turn(run, TICKS)
        counts = [run.endpoint.sent[name] for name in NAMES]
        found = [received(sink, count) for sink, count in zip(sinks, counts, strict=True)]
        assert [run.endpoint.last_sent[name] for name in NAMES] == [one[-1] for one in found]
        assert not run.journal.counts["send error"]
    for sink in sinks:
        sink.settimeout(10.0)
    return found


@pytest.mark.parametrize("rates", [(100.0, 100.0, 100.0), (100.0, 50.0, 25.0), (50.0, 100.0, 50.0)])
def test_together_and_one_by_one_the_same_is_sent(town, sinks, rates, monkeypatch):
    together = sent_of(town, sinks, rates)
    monkeypatch.setattr(status_batch.StatusBatch, "make", lambda *_: False)
    assert sent_of(town, sinks, rates) == together
    assert len(together[0]) in {TICKS, TICKS // 2 + 1}


def test_they_are_sent_together(town, sinks, monkeypatch):
    calls, at_once = [], []
    monkeypatch.setattr(
        status_sender, "send_datagrams", lambda rows, *more: calls.append(len(rows)) or send_datagrams(rows, *more)
    )
    monkeypatch.setattr(
        status_sender, "send_statuses", lambda *given: at_once.append(send_statuses(*given)) or at_once[-1]
    )
    with served(town, publications=publications(sinks)) as run:
        turn(run, TICKS)
    assert set(calls) == {len(NAMES)}
    assert at_once.count(0) > TICKS // 2
    # a call with arrays of another kind would compile a kernel while the run goes on
    assert [tuple(kinds) for kinds in send_statuses.signatures] == [SEND_STATUSES.kinds]


def test_without_the_system_call_they_are_sent_by_python(town, sinks, monkeypatch):
    monkeypatch.setattr(status_sender, "system_functions", lambda _: None)
    assert [len(one) for one in sent_of(town, sinks, (100.0,) * 3)] == [TICKS] * 3


@pytest.mark.parametrize("number", range(3))
def test_one_that_cannot_be_sent_is_reported_and_the_others_are_sent(town, sinks, number):
    wanted = list(publications(sinks))
    # a broadcast, which a socket may not send unless it asks for it
    one = wanted[number]
    wanted[number] = Publication(one.message, one.source, Address("255.255.255.255", 9), 100.0)
    with served(town, publications=tuple(wanted)) as run:
        turn(run, TICKS)
        assert run.endpoint.sent == {name: 0 if at == number else TICKS for at, name in enumerate(NAMES)}
        for at, sink in enumerate(sinks):
            received(sink, 0 if at == number else TICKS)
        assert run.journal.counts["send error"] == TICKS
        told = f"[Errno {errno.EACCES}] {os.strerror(errno.EACCES)}"
        assert run.lines[0] == f"send error: {NAMES[number]} to ('255.255.255.255', 9): {told}"


def test_a_socket_that_has_been_closed_is_not_mistaken_for_another_one(town, sinks):
    wanted = publications(sinks)
    with served(town, publications=wanted) as run, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        turn(run, TICKS)
        run.endpoint.sockets[wanted[1].source].close()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as same:  # the system gives it the least free number
            turn(run, 10)
            assert same.getsockname()[1] == 0, "something was sent from it, which binds it"
        assert other.getsockname()[1] == 0
        assert run.journal.counts["send error"] == 10
        assert run.endpoint.sent["EgoVehicleStatus"] == TICKS + 10


@pytest.mark.parametrize(("size", "error"), [(10, 0), (60_000, 0), (70_000, errno.EMSGSIZE)])
def test_the_error_is_that_of_the_system(sinks, size, error):
    functions = system_functions("sendto")
    if functions is None:
        pytest.skip("the system's functions are not known here")
    data = np.zeros(size, np.uint8)
    address = np.frombuffer(socket_address(*sinks[0].getsockname()), np.uint8)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        row = [sock.fileno(), data.ctypes.data, size, address.ctypes.data, len(address), 77]
        rows = np.array([row, [-1, *row[1:]]])
        assert send_datagrams(rows, *functions) == 1 + (error != 0)
    assert rows[:, SEND_ERROR].tolist() == [error, errno.EBADF]
    if not error:
        assert len(sinks[0].recv(65536)) == size


def test_an_address_is_laid_out_as_the_system_has_it():
    packed = socket_address("192.168.1.2", 9093)
    assert len(packed) == 16
    assert packed[2:8] == struct.pack("!H4B", 9093, 192, 168, 1, 2)
