"""Addresses of the UDP endpoint that change while a run goes on."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from dorosim.endpoint.udp.endpoint import UdpEndpoint
from dorosim.endpoint.udp.network import Publication, UdpNetwork
from dorosim.endpoint.udp.socket import Address, open_listener
from dorosim.ground.error import InputError
from tests.endpoint.udp.peer import HOST, served
from tests.packet import control
from tests.port import free_port

STATUS = "EgoVehicleStatus"


def network(*ports: int, to: int | None = None, message: str = STATUS) -> UdpNetwork:
    sent = () if to is None else (Publication(message, Address(HOST, 0), Address(HOST, to)),)
    return UdpNetwork(tuple(Address(HOST, port) for port in ports), sent)


def accelerator(run) -> float:
    return float(run.loop.now.vehicle.target_accelerator[0])


@pytest.fixture
def peer():
    """A client that is sent to."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.bind((HOST, 0))
        made.settimeout(5.0)
        yield made


def test_sockets_pass_over_to_other_addresses_and_nothing_that_came_is_lost(town, peer):
    before, both, after = free_port(), free_port(), free_port()
    with served(town, before, both) as run:
        run.run()
        kept = run.endpoint.sockets[Address(HOST, both)]
        run.endpoint.change(network(both, after, to=peer.getsockname()[1]))
        run.send(control(accel=0.25), before)
        run.send(control(accel=0.5), both)
        run.run()
        assert run.journal.counts["received EgoCtrlCmd"] == 2, "what came before the change, at either"
        assert [address.port for address in run.endpoint.network.listen] == [both, after]
        assert run.endpoint.sockets[Address(HOST, both)] is kept
        assert len(peer.recv(1000)) == 229
        run.send(control(accel=0.75), after)
        run.run()
        assert accelerator(run) == 0.75
        open_listener(Address(HOST, before)).close()  # it is free again
        run.send(control(accel=1.0), before)
        run.run()
        assert run.journal.counts["received EgoCtrlCmd"] == 3


def test_counts_of_what_was_sent_go_on(town, peer):
    port = free_port()
    with served(town, port, publications=network(to=peer.getsockname()[1]).publications) as run:
        run.run()
        first = run.endpoint.sent[STATUS]
        assert first > 0
        run.endpoint.change(network(port, to=peer.getsockname()[1]))
        run.run()
        assert run.endpoint.sent[STATUS] > first
        run.endpoint.change(network(port, to=peer.getsockname()[1], message="ObjectInfo"))
        run.run()
        assert set(run.endpoint.sent) == {"ObjectInfo"}


def test_an_address_that_cannot_be_used_changes_nothing(town):
    port, other, busy = free_port(), free_port(), free_port()
    with served(town, port) as run, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as theirs:
        theirs.bind((HOST, busy))
        with pytest.raises(InputError, match=f"{HOST}:{busy}.*in use"):
            run.endpoint.change(network(other, busy))
        run.send(control(accel=0.25), port)
        run.run()
        assert accelerator(run) == 0.25
        assert set(run.endpoint.sockets) == {Address(HOST, port)}
        open_listener(Address(HOST, other)).close()  # it was let go


def test_the_last_of_several_changes_counts_and_the_others_leave_no_socket(town):
    first, second, third = (free_port() for _ in range(3))
    with served(town, first) as run:
        for ports in ((second,), (second, third), (third,)):
            run.endpoint.change(network(*ports))
        open_listener(Address(HOST, second)).close()
        run.run()
        assert set(run.endpoint.sockets) == {Address(HOST, third)}
        run.send(control(accel=0.5), third)
        run.run()
        assert accelerator(run) == 0.5
        open_listener(Address(HOST, first)).close()
        run.endpoint.change(network(first))
    open_listener(Address(HOST, first)).close()  # a change that never came to be leaves none either


def test_the_next_run_opens_what_this_one_has_closed_since_it_lent_its_sockets(town):
    lent, other = free_port(), free_port()
    with served(town, lent) as run:
        run.run()
        after = UdpEndpoint(
            network(lent), run.endpoint._receiver, run.endpoint._publisher, run.journal, run.endpoint.sockets
        )
        run.endpoint.change(network(other))
        run.run()
        heard = []
        after.wait(0.0, lambda _, command: heard.append(command), run.loop.now)
        run.send(control(accel=0.5), lent)
        after.wait(0.2, lambda _, command: heard.append(command), run.loop.now)
        assert [command.accelerator for command in heard] == [0.5]
        after.close()
    assert not run.journal.counts["receive error"]


def test_changes_come_from_any_thread_while_a_run_goes_on(town):
    ports = [free_port() for _ in range(4)]
    with served(town, ports[0]) as run, ThreadPoolExecutor(4) as pool:
        done = [pool.submit(run.endpoint.change, network(ports[k % 4], ports[(k + 1) % 4])) for k in range(100)]
        while not all(one.done() for one in done):
            run.run(0.02)
        assert [one.result() for one in done] == [[]] * 100
        run.endpoint.change(network(ports[2]))
        run.run()
        run.send(control(accel=0.5), ports[2])
        run.run()
        assert accelerator(run) == 0.5
        assert set(run.endpoint.sockets) == {Address(HOST, ports[2])}
