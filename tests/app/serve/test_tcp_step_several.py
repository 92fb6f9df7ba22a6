"""Several clients step the run: who waits for whom, for how long, and what becomes of those that have gone."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from dorosim.endpoint.tcp_step.settings import StepLimits
from tests.app.program import until
from tests.app.serve.tcp_step_program import connecting, served, step_mode
from tests.system.step_client import GET_TIME, MANUAL, OK, SET_TIME, STEP, TIMEOUT, manual, request

STEPPER = """
import sys, struct
sys.path.insert(0, sys.argv[1])
from tests.system.step_client import SET_TIME, StepClient
client = StepClient(int(sys.argv[2]))
client.done(SET_TIME, struct.pack("<iff", 3, 10.0, 1.0))
client.step(5)
print("stepped", flush=True)
while True:
    if sys.stdin.readline().strip() == "step":
        client.step(5)
        print("stepped", flush=True)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with served(tmp_path_factory.mktemp("several"), clients=4) as program:
        yield program


@pytest.fixture
def connect(run):
    with connecting(run) as make:
        yield make


@pytest.fixture
def stepping(run):
    """Makes clients in processes of their own that step the run; after the test all are killed."""
    made: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        pipe, root = subprocess.PIPE, str(Path(__file__).parents[3])
        command = [sys.executable, "-c", STEPPER, root, str(run.port)]
        made.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=os.environ))
        assert made[-1].stdout.readline() == "stepped\n"
        return made[-1]

    try:
        yield start
    finally:
        for process in made:
            kill(process)


def test_clients_that_step_wait_for_each_other_and_not_for_who_has_gone(run, connect):
    one, two = connect(), connect()
    step_mode(one)
    one.step(3)
    assert run.now.time == 30_000_000
    second = two.send(STEP, struct.pack("<I", 5))
    until(lambda: len(run.program.current.loop.gate.clients) == 2)
    assert run.now.time == 30_000_000
    one.step(5)
    assert two.receive()[:2] == (STEP, second)
    assert run.now.time == 80_000_000
    waiting = one.send(STEP, struct.pack("<I", 5))
    one.sock.settimeout(0.3)
    with pytest.raises(TimeoutError):
        one.receive()
    one.sock.settimeout(60.0)
    two.close()
    assert one.receive()[:2] == (STEP, waiting)
    assert run.now.time == 130_000_000
    one.done(SET_TIME, struct.pack("<iff", 1, 0.0, 4.0))


def test_a_step_that_waits_is_answered_101_when_the_mode_ends(run, connect):
    one, two = connect(), connect()
    step_mode(one)
    one.step()
    two.step(0)
    two.sock.sendall(request(STEP, struct.pack("<I", 2), 5) + request(GET_TIME, b"", 6))
    until(lambda: len(run.program.current.loop.gate.clients) == 2)
    third = connect()
    third.done(SET_TIME, struct.pack("<iff", 1, 0.0, 4.0))
    number, request_id, data = two.receive()
    assert (number, request_id, struct.unpack("<II", data)) == (STEP, 5, (101, 101))
    assert two.receive()[:2] == (GET_TIME, 6)


@contextmanager
def impatient(run):
    """The server waits for a tick for a short time only."""
    server = run.service._server
    usual, server.limits = server.limits, StepLimits(clients=4, answer_s=0.2)
    try:
        yield
    finally:
        server.limits = usual


def test_a_step_that_another_client_holds_for_long_is_answered_201(run, connect):
    one, two = connect(), connect()
    step_mode(one)
    one.step()
    two.step(0)
    waits = request(STEP, struct.pack("<I", 2), 5)
    with impatient(run):
        two.sock.sendall(waits + request(GET_TIME, b"", 6))
        number, request_id, data = two.receive()
    assert (number, request_id, struct.unpack("<II", data)) == (STEP, 5, (TIMEOUT, TIMEOUT))
    assert two.receive()[:2] == (GET_TIME, 6), "and its connection goes on"
    before = run.now.time
    one.step(2)
    assert run.now.time == before + 20_000_000


def test_a_command_is_answered_201_where_there_is_no_tick(run, connect):
    one, held, free = connect(), threading.Event(), threading.Event()

    def hold(_):
        held.set()
        free.wait(60.0)

    holder = threading.Thread(target=run.program.current.gateway.between_ticks, args=(hold, 60.0))
    holder.start()
    try:
        assert held.wait(60.0)
        with impatient(run):
            assert one.ask(MANUAL, manual(0.1, 0.0, 0.0)) == (TIMEOUT, b"")
    finally:
        free.set()
        holder.join(60.0)
    with run.client() as other:
        assert other.ask(GET_TIME)[0] == OK


def kill(process: subprocess.Popen[str]) -> None:
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)


def test_a_stepper_that_is_killed_is_told_and_holds_no_other(run, connect, stepping):
    """As in the other synchronous modes: others go on at once, and a run that nobody steps says so."""
    loop = run.program.current.loop
    loop.gate.step_timeout = 60.0
    first, dying = connect(), stepping()
    other = first.send(STEP, struct.pack("<I", 5))
    first.sock.settimeout(0.5)
    with pytest.raises(TimeoutError):
        first.receive()
    kill(dying)
    first.sock.settimeout(60.0)
    assert first.receive()[:2] == (STEP, other), "a connection that ends is noticed at once"
    first.close()
    until(lambda: not loop.gate.clients)
    loop.standstill.timeout = 0.3
    lonely, before = stepping(), len(run.told)
    kill(lonely)
    until(lambda: any("time has stood for" in line for line in run.told[before:]))
    line = next(line for line in run.told[before:] if "time has stood for" in line)
    assert "the last was TCP 127.0.0.1:" in line
    assert "which has gone" in line
    assert "time mode 1 over TCP" in line
    last = connect()
    last.done(SET_TIME, struct.pack("<iff", 1, 0.0, 4.0))
