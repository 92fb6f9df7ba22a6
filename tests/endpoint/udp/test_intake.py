"""Datagrams that are taken and read together come to what they come to one by one."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator

import pytest

from dorosim.bridge.udp.target import target_of
from dorosim.endpoint.journal import Journal, silent
from dorosim.endpoint.udp import datagram_batch, held
from dorosim.endpoint.udp import endpoint as udp
from dorosim.endpoint.udp.datagram_batch import SHORT, DatagramBatch
from dorosim.endpoint.udp.held import HeldDatagrams
from dorosim.endpoint.udp.receive_kernel import RECEIVE_DATAGRAMS
from dorosim.endpoint.udp.socket import Address
from dorosim.wire.run import get_ready
from dorosim.wire.udp.datagram import DatagramReader
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.inbox import CommandBatch, Inbox, InboxSlot
from tests.endpoint.udp.peer import HOST, served
from tests.packet import control, ghost, lamps
from tests.port import free_port

SIZES = (0, 1, 55, SHORT - 1, SHORT, SHORT + 1, 9_000, 60_000, 3)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    get_ready()
    datagram_batch.get_ready()


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, list[socket.socket]]]:
    """A socket that listens and does not block, and two that send to it."""
    socks = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)]
    try:
        socks[0].bind((HOST, 0))
        socks[0].setblocking(False)
        for one in socks[1:]:
            one.bind((HOST, 0))
        yield socks[0], socks[1:]
    finally:
        for one in socks:
            one.close()


def batch(together: bool) -> DatagramBatch:
    made = DatagramBatch(32, 65_536)
    if not together:
        made._functions = None
    return made


@pytest.mark.parametrize("together", [True, False])
def test_datagrams_of_any_size_are_taken_whole_and_in_order(pair, together):
    sock, senders = pair
    made, noise = batch(together), random.Random(1)
    for _ in range(2):
        sent = [noise.randbytes(size) for size in SIZES]
        for number, data in enumerate(sent):
            senders[number % 2].sendto(data, sock.getsockname())
        assert made.receive(sock, 32) == len(SIZES)
        assert [made.datagram(number) for number in range(len(SIZES))] == sent
        peers = [made.peer(number) for number in range(len(SIZES))]
        assert len(set(peers)) == 2
        assert peers[0] == peers[2] != peers[1]
        assert made.is_of_one_peer(2, 3)
        assert not made.is_of_one_peer(2, 4)
        assert made.receive(sock, 32) == 0
    if together:
        assert made._is_ready


@pytest.mark.parametrize("together", [True, False])
def test_no_more_are_taken_than_are_asked_for_and_an_error_is_raised(pair, together):
    sock, (sender, _) = pair
    made = batch(together)
    for _ in range(50):
        sender.sendto(b"one", sock.getsockname())
    assert [made.receive(sock, 10), made.receive(sock, 100), made.receive(sock, 100)] == [10, 32, 8]
    sock.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        made.receive(sock, 10)


def test_without_the_kernel_they_are_taken_one_by_one(pair, monkeypatch):
    sock, (sender, _) = pair
    monkeypatch.setattr(type(RECEIVE_DATAGRAMS), "is_there", lambda _: False)
    made = batch(together=True)
    sender.sendto(b"one", sock.getsockname())
    assert made.receive(sock, 10) == 1
    assert made.datagram(0) == b"one"
    assert made.peer(0) == sender.getsockname()


def flood(seed: int) -> list[bytes]:
    """Runs of good and bad datagrams of some kinds."""
    noise = random.Random(seed)
    kinds = [
        lambda: control(accel=noise.random(), steer=noise.uniform(-1.0, 1.0)),
        lambda: control(mode=noise.choice((1, 2, 16)), kind=noise.choice((1, 2, 3)), velocity_kmh=noise.random()),
        lambda: control(accel=noise.choice((2.0, float("nan"), -1.0))),
        lambda: control(accel=0.5)[: noise.randrange(56)],
        lambda: ghost(noise.random(), 0.0, 0.0, 0.0),
        lambda: lamps(noise.randrange(3), 0),
    ]
    found: list[bytes] = []
    while len(found) < 200:
        kind = noise.choice(kinds)
        found += [kind() for _ in range(noise.choice((1, 2, 5, 40)))]
    return found[:200]


def come_to(town, monkeypatch, seed: int, *, together: bool, at_once: int) -> tuple[object, ...]:
    """Commands, counts and lines after a flood."""
    port = free_port()
    with served(town, port) as run:
        run.endpoint._intake._max_at_once = at_once
        if not together:
            run.endpoint._receiver.runs = {}
            run.endpoint._intake._batch._functions = None
        sent = flood(seed)
        for data in sent:
            run.send(data, port)
        inbox = Inbox()
        for _ in range(3):
            run.endpoint.wait(0.0, inbox.slot("udp"), run.loop.now)
        batches = inbox.take()
        assert all(one.sender == "udp" for one in batches)
        commands = [command for one in batches for command in one.commands]
        unread = run.endpoint.unread()
        assert sum(run.journal.counts[kind] for kind in run.journal.counts if kind.startswith(("received", "bad"))) + (
            unread
        ) == len(sent)
        lines = [line.replace(str(port), "PORT") for line in run.lines]
        last = {name: message for name, (_, message) in run.endpoint.last_received.items()}
        return commands, dict(run.journal.counts), lines, last, unread


@pytest.mark.parametrize("at_once", [0, 2_000, 10**9])
@pytest.mark.parametrize("seed", range(4))
def test_a_flood_comes_to_the_same_together_and_one_by_one(town, monkeypatch, seed, at_once):
    monkeypatch.setattr(udp, "MAX_LATE_SHARE", 1e6)
    ours, wanted = (come_to(town, monkeypatch, seed, together=together, at_once=at_once) for together in (True, False))
    assert ours == wanted
    assert ours[0]


def test_what_looks_at_each_command_is_given_each(town):
    """The gatekeeper of a lockstep takes or drops them one by one."""
    port, seen = free_port(), []
    with served(town, port) as run:
        inbox = Inbox()

        def first_alone(one: CommandBatch, put) -> None:
            seen.append(one)
            if len(seen) == 1:
                put(one)

        inbox.gatekeeper = first_alone
        for _ in range(10):
            run.send(control(accel=0.5), port)
        run.endpoint.wait(0.0, InboxSlot(inbox, "udp"), run.loop.now)
        assert [len(one.commands) for one in seen] == [1] * 10
        assert len(inbox.take()) == 1


def test_those_of_an_ego_vehicle_that_is_not_there_are_refused_each(town):
    port = free_port()
    with served(town, port) as run:
        (sock,) = run.endpoint.sockets.values()
        run.endpoint._present.listening[sock] = (run.endpoint._present.listening[sock][0], 7)
        for _ in range(10):
            run.send(control(accel=0.5), port)
        run.run(0.03)
        assert run.journal.counts["refused"] == 10
        assert run.journal.counts["received EgoCtrlCmd"] == 10


@pytest.mark.parametrize("most", [4096, 3])
@pytest.mark.parametrize("counts", [(1, 1), (5, 0, 3), (64, 1, 2), (65, 65), (66,), (300, 1, 300), (10, 200)])
def test_a_run_waits_as_each_of_it_would(monkeypatch, counts, most):
    monkeypatch.setattr(held, "_MAX_HELD", most)
    reader = DatagramReader(DEFAULT_REVISION, "simulator")
    to, found = (Address(HOST, 9093), 1), []
    for together in (True, False):
        journal = Journal(silent)
        waiting = HeldDatagrams(target_of, journal)
        for part, count in enumerate(counts):
            datagrams = [control(accel=number / 1000, steer=part / 10) for number in range(count)]
            codec = reader.codec_of(control(), len(control()))
            if together and count:
                waiting.put_run(to, codec, datagrams.__getitem__, count, b"me")
            for data in () if together else datagrams:
                waiting.put(to, codec, data, b"me")
            waiting.put(to, codec, control(mode=1), b"me")
        rows = [[one.data for one in about] for about in iter(waiting.take, None)]
        found.append((rows, dict(journal.counts), waiting.forget(), waiting._before))
    assert found[0] == found[1]
