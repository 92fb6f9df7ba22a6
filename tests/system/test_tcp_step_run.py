"""The fixed step over TCP in the real program: its ports, and what banner and summary say of it."""

from __future__ import annotations

import socket
import time

import pytest

from tests.port import free_port, in_use_here
from tests.system.served_program import Program
from tests.system.step_client import GET_TIME, StepClient


def ready(port: int) -> StepClient:
    """A client, once the program listens."""
    deadline = time.monotonic() + 90.0
    while True:
        try:
            client = StepClient(port)
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        else:
            client.done(GET_TIME)
            return client


def test_an_address_that_is_taken_is_an_error(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        program = Program(tmp_path, "--tcp-step", str(port), address="off")
        _, told = program.end(ask=False)
    assert program.process.returncode == 2
    assert f"fixed step over TCP: 127.0.0.1:{port}: {in_use_here()}" in told
    assert "--tcp-step" in told


def test_it_is_off_unless_it_is_asked_for_and_moves_with_all_ports(tmp_path):
    port = free_port()
    program = Program(tmp_path, "--tcp-step", str(port - 7), "--port-offset", "7", address="off")
    client = ready(port)
    client.close()
    printed, told = program.end()
    assert f"fixed step over TCP at 127.0.0.1:{port}" in told
    assert "Vehicle Info goes to 127.0.0.1:9098, 127.0.0.1:9099" in told
    assert "fixed step by TCP: " in printed
    assert "GetTimeStatus 1" in printed
    program = Program(tmp_path, "--duration", "0.2", address="off")
    assert "fixed step" not in "".join(program.end(ask=False))


@pytest.mark.parametrize("text", ["70000", "here", "127.0.0.1:x", "-1"])
def test_an_address_that_is_none_is_an_error(tmp_path, text):
    program = Program(tmp_path, f"--tcp-step={text}", address="off")
    _, told = program.end(ask=False)
    assert program.process.returncode == 2
    assert "is not a valid address of the fixed step server" in told
    assert 'write it as "127.0.0.1:20000"' in told
