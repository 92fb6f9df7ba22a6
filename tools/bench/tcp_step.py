"""How long a client of the fixed step over TCP waits for a step, beside a bare TCP echo that makes a `step`.

The simulator is the real program, which sends nothing else; the client is the same for both servers, and they take
turns, so both see the same machine.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from tools.bench.figure import Figure
from tools.bench.peer import free_port, line_of, started, started_module
from tools.bench.tcp_step_host import ANSWER

ROUNDS, STEPS = 40, 50
"""Rounds, and steps of each server in a round; the least of the rounds counts, since where other programs run, a
process that is woken waits for them, or not, and the middle says more about that than about a server."""
_HEAD = "<BBIIIH"
SETTINGS = """
[tcp_step]
enabled = true
address = "127.0.0.1:0"
vehicle_info = [{info}]
collision = ""
control = []
"""
PEDALS = struct.pack("<I5sddd", 5, b"Car_1", 0.3, 0.0, 0.1)
"""Payload of a ManualControlById."""
NETWORK = "listen = []\nsend = []\n"


def figures() -> Iterator[Figure]:
    """A step and its answer, without Vehicle Info, with it, and after a command to the pedals."""
    with ExitStack() as stack:
        floor = _connected(stack, int(line_of(started_module(stack, "tools.bench.tcp_step_host"))))
        ours = _connected(stack, _program(stack, ""))
        info = _connected(stack, _program(stack, f'"127.0.0.1:{free_port()}"'))
        for client in (ours, info):
            _ask(client, 0x1102, struct.pack("<iff", 3, 10.0, 1.0), 36)
            _ask(client, 0x1302, PEDALS, ANSWER)
        times: list[list[float]] = [[], [], [], []]
        for _ in range(ROUNDS):
            for found, client in zip(times, (floor, ours, info), strict=False):
                found.append(_time_of_steps(client))
            times[-1].append(_time_of_steps(info, driven=True))
    least = [min(found) / STEPS * 1e6 for found in times]
    detail = f"{least[1]:.0f} us to {least[0]:.0f} us"
    yield Figure(
        "fixed step over TCP and its answer, to a bare echo and `step`", least[1] / least[0], "x", 1.5, True, detail
    )
    yield Figure("the same with Vehicle Info", least[2] / least[0], "x", None, True, f"{least[2]:.0f} us")
    name = "pedals, step and Vehicle Info, each answered"
    yield Figure(name, least[3] / least[0], "x", None, True, f"{least[3]:.0f} us")


def _program(stack: ExitStack, info: str) -> int:
    """Start a simulator; the port of its server."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    (folder / "dorosim.toml").write_text(SETTINGS.format(info=info))
    (folder / "net.toml").write_text(NETWORK)
    off = ("--no-view", "--grpc", "off", "--ros-server", "off", "--json")
    command: Sequence[str] = (sys.executable, "-m", "dorosim", "run", *off, "--data", str(folder))
    files = ("--config", str(folder / "dorosim.toml"), "--network", str(folder / "net.toml"))
    ready = json.loads(line_of(started(stack, (*command, *files))))
    return int(ready["interfaces"]["tcp_step"].rpartition(":")[2])


def _connected(stack: ExitStack, port: int) -> socket.socket:
    sock = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def _ask(sock: socket.socket, number: int, payload: bytes, answer: int) -> None:
    sock.sendall(struct.pack(_HEAD, 0x4D, 1, number, len(payload), 1, 0) + payload)
    while answer:
        answer -= len(sock.recv(answer))


def _time_of_steps(sock: socket.socket, *, driven: bool = False) -> float:
    """Wall time of some steps [s]; driven: with a command before each."""
    payload = struct.pack("<I", 1)
    started_at = time.perf_counter()
    for _ in range(STEPS):
        if driven:
            _ask(sock, 0x1302, PEDALS, ANSWER)
        _ask(sock, 0x1201, payload, ANSWER)
    return time.perf_counter() - started_at
