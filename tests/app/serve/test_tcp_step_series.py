"""Steps that come one after another are made in compiled code, and nothing of them differs from those that are not."""

import socket
import struct
from collections.abc import Iterator

import pytest

from dorosim.endpoint.tcp_step import info_sender, series
from dorosim.endpoint.tcp_step.info_kernel import SEND_INFOS
from dorosim.endpoint.tcp_step.series_kernel import AWAIT_STEP, Found
from dorosim.ground.linked_kernel import KernelLink
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import SelectCamera
from tests.app.program import until
from tests.app.serve.tcp_step_program import StepProgram, connecting, served, step_mode
from tests.system.step_client import GET_TIME, MANUAL, SAVE, STEP, StepClient, manual, request

STEPS = 60
FRAME = 10_000_000


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Iterator[StepProgram]:
    get_ready()
    for one in (AWAIT_STEP, SEND_INFOS):
        one.address()
    with served(tmp_path_factory.mktemp("series")) as program:
        yield program


@pytest.fixture
def connect(run):
    with connecting(run) as make:
        yield make


@pytest.fixture
def client(run, connect) -> Iterator[StepClient]:
    with run.client(info=True) as one:
        step_mode(one)
        while not one.no_vehicle():
            pass
        yield one


@pytest.fixture
def found(monkeypatch) -> list[int]:
    """What each call of compiled code has come upon."""
    results: list[int] = []
    kernel = series.await_step

    def await_step(*given) -> int:
        results.append(kernel(*given))
        return results[-1]

    monkeypatch.setattr(series, "await_step", await_step)
    return results


def play(run: StepProgram, client: StepClient) -> list[tuple[bytes, bytes]]:
    """Digest and Vehicle Info after each of some steps, of which some have commands before them."""
    seen = []
    for number in range(STEPS):
        if number % 12 == 3:
            client.done(MANUAL, manual(0.1 * (number % 7), 0.3 * (number > 40), 0.2))
        client.step()
        seen.append((run.now.digest(), client.info.recv(2000)))
        if number % 20 == 19:
            client.done(SAVE)
    return seen


def test_a_run_has_the_same_bits_and_messages_as_without_compiled_code(run, client, found, monkeypatch):
    compiled = play(run, client)
    assert found.count(Found.STEPPED) > STEPS // 2
    del found[:]
    monkeypatch.setattr(series.StepSeries, "run", lambda *_: -1)
    monkeypatch.setattr(info_sender.InfoSender, "send", lambda *_: None)
    step_mode(client)
    while not client.no_vehicle():
        pass
    assert play(run, client) == compiled
    assert len({digest for digest, _ in compiled}) == STEPS
    assert not found


def test_without_the_kernel_steps_are_made_by_python(run, client, found, monkeypatch):
    is_there = KernelLink.is_there
    monkeypatch.setattr(KernelLink, "is_there", lambda self: self is not AWAIT_STEP and is_there(self))
    with run.client() as fresh:  # what has been found once is kept by its connection
        client.close()
        fresh.step()
        for _ in range(5):
            fresh.step()
    assert not found
    assert run.now.time == 6 * FRAME


def test_steps_that_come_together_are_all_answered_in_their_order(run, client):
    for _ in range(3):
        client.step()
    client.sock.sendall(b"".join(request(STEP, struct.pack("<I", 1), number) for number in range(5)))
    assert [client.receive()[1] for _ in range(5)] == list(range(5))
    assert run.now.time == 8 * FRAME
    whole = request(STEP, struct.pack("<I", 1), 7)
    client.sock.sendall(whole[:11])
    client.sock.sendall(whole[11:])
    assert client.receive()[1] == 7
    assert run.now.time == 9 * FRAME


def test_a_step_of_several_ticks_between_single_ones(run, client):
    for steps in (1, 1, 4, 1, 0, 1):
        client.step(steps)
    assert run.now.time == 8 * FRAME


def test_what_another_interface_asks_for_is_done_before_the_next_step(run, client):
    for _ in range(5):
        client.step()
    outcome = run.program.current.gateway.do([SelectCamera(EGO)]).outcomes[0]
    assert not outcome.refusal
    before = run.now.tick
    client.step()
    assert run.now.tick == before + 1
    assert run.now.time == 6 * FRAME


def test_a_datagram_that_came_before_a_step_counts_in_it(run, client):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(1, 30):
            throttle = number / 32
            sender.sendto(struct.pack("<ddd", throttle, 0.0, 0.0), ("127.0.0.1", run.control))
            client.step()
            assert float(run.now.vehicle.target_accelerator[0]) == throttle


def test_a_client_that_goes_between_two_steps_holds_nobody(run, client, connect):
    for _ in range(4):
        client.step()
    client.close()
    other = connect()
    for _ in range(4):
        other.step()
    assert run.now.time == 8 * FRAME


def test_a_second_client_that_steps_is_waited_for(run, client, connect):
    for _ in range(4):
        client.step()
    other = connect()
    number = other.send(STEP, struct.pack("<I", 1))
    until(lambda: len(run.program.current.loop.gate.clients) == 2)
    client.step()
    assert other.receive()[1] == number
    assert run.now.time == 5 * FRAME
    number = client.send(STEP, struct.pack("<I", 1))
    other.step()
    assert client.receive()[1] == number
    assert run.now.time == 6 * FRAME


def test_requests_are_counted_and_told_as_ever(run, client):
    counts = run.service.counts
    before = counts["TCP FixedStep"], counts["TCP sent Vehicle Info"]
    for _ in range(10):
        client.step()
        client.vehicle()
    client.done(GET_TIME)  # what is counted after an answer has been counted by the next one
    counts = run.service.counts
    assert (counts["TCP FixedStep"], counts["TCP sent Vehicle Info"]) == (before[0] + 10, before[1] + 10)


def test_an_address_that_cannot_be_reached_is_reported_as_ever(run, client, monkeypatch):
    for _ in range(3):
        client.step()
        client.vehicle()
    errors = run.service.counts["TCP send error"]
    together = run.service._sender._together
    monkeypatch.setattr(together, "send", lambda *_: {0: "Network is unreachable"})
    client.step()
    assert run.service.counts["TCP send error"] == errors + 1
    assert any("Network is unreachable" in line for line in run.told)
