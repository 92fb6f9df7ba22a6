"""Figures of the whole program, from outside: start and latency."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from dorosim.endpoint.udp.network import DEFAULT_LISTEN_PORTS
from tools.bench.figure import Figure
from tools.bench.peer import free_port

PERIOD = 0.02
STARTS, SAMPLES = 5, 300
SMALL_KERNEL = """
from numba import njit
@njit
def total(values):
    found = 0.0
    for value in values:
        found += max(value, 0.5) * value
    return found
import numpy
total(numpy.ones(9))
"""
FIRST_START_TIMEOUT = 600.0
FIRST_START_TARGET = 7.5
"""0.45 of 0.6.0's, whose start takes 22.1 s of processor time where that of the small kernel takes 1.3 s."""
ACCEL_OFFSET = 45
"""Offset of the accelerator in the 229-byte status (facts/udp-wire.md, section 3.3)."""


def figures() -> Iterator[Figure]:
    """First and warm start beside floors, and latency of a control command."""
    yield _first_start()
    yield from _start()
    yield _latency()


@contextmanager
def simulator(
    ports: dict[int, int], more: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[socket.socket, float]]:
    """A simulator in a process of its own on free ports; yields a socket that gets its status, and when it began.

    `more` is added to its environment.
    """
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    receiver.settimeout(60.0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.toml"
        path.write_text(_network(ports, receiver.getsockname()[1]))
        started = time.perf_counter()
        command = [sys.executable, "-m", "dorosim", "run", "--network", str(path), "--data", folder]
        with (Path(folder) / "log").open("wb") as log:
            # Python keeps what it has compiled, as in what pip installs; else each start compiles 580 modules anew
            kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
            process = subprocess.Popen(command, stdout=log, stderr=log, env=kept | dict(more))
        try:
            yield receiver, started
        finally:
            process.terminate()
            process.wait(20)
            receiver.close()


def _network(ports: dict[int, int], status_port: int) -> str:
    """All default endpoints, on ports that are free here."""
    lines = [f'[[listen]]\naddress = "127.0.0.1:{ports[port]}"\n' for port in DEFAULT_LISTEN_PORTS]
    names = ["EgoVehicleStatus", "ObjectInfo", "CollisionData", "GetTrafficLightStatus", "GetIntersectionStatus"]
    for name in [*names, "NpcVehicleCollisionData"]:
        to = status_port if name == "EgoVehicleStatus" else 9
        lines.append(f'[[send]]\nmessage = "{name}"\nto = "127.0.0.1:{to}"\n')
    return "\n".join(lines)


def _free_ports() -> dict[int, int]:
    return {port: free_port() for port in DEFAULT_LISTEN_PORTS}


def _first_start() -> Figure:
    """With no kernel compiled, beside Python that loads numba and compiles a small function."""
    with tempfile.TemporaryDirectory() as cache:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", SMALL_KERNEL], check=True)
        floor = time.perf_counter() - started
        with simulator(_free_ports(), {"XDG_CACHE_HOME": cache}) as (receiver, started):
            receiver.settimeout(FIRST_START_TIMEOUT)
            receiver.recv(65536)
            taken = time.perf_counter() - started
    detail = f"{taken:.1f} s with an empty cache; Python with numba and a small kernel takes {floor:.2f} s"
    name = "first start to the first status packet, over the compilation of a small kernel"
    return Figure(name, taken / floor, "x", FIRST_START_TARGET, at_most=True, detail=detail)


def _start() -> Iterator[Figure]:
    times = []
    for _ in range(STARTS + 1):
        with simulator(_free_ports()) as (receiver, started):
            receiver.recv(65536)
            times.append(time.perf_counter() - started)
    floor = []
    for _ in range(STARTS):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import numpy, numba"], check=True)
        floor.append(time.perf_counter() - started)
    median = sorted(times[1:])[STARTS // 2]
    detail = f"median of {STARTS}; starting Python with numpy and numba takes {sorted(floor)[STARTS // 2]:.2f} s of it"
    yield Figure("warm start to the first status packet", median, "s", 1.0, at_most=True, detail=detail)
    ratio = median / sorted(floor)[STARTS // 2]
    yield Figure("warm start, over Python with numpy and numba", ratio, "x", 1.5, at_most=True, detail=detail)


def _control(accel: float) -> bytes:
    payload = struct.pack("<3b5f", 2, 4, 1, 0.0, 0.0, accel, 0.0, 0.0)
    return b"#MoraiCtrlCmd$" + struct.pack("<i3i", len(payload), 0, 0, 0) + payload + b"\r\n"


def _latency() -> Figure:
    """From sending a control command to receiving the first status that shows its accelerator."""
    ports = _free_ports()
    waits = []
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with simulator(ports) as (receiver, _):
        for _ in range(100):
            receiver.recv(65536)
        for number in range(SAMPLES):
            accel = struct.unpack("<f", struct.pack("<f", 0.02 + 0.0001 * number))[0]
            time.sleep(0.0013 * (number % 16))
            sent = time.perf_counter()
            sender.sendto(_control(accel), ("127.0.0.1", ports[9093]))
            while struct.unpack_from("<f", receiver.recv(65536), ACCEL_OFFSET)[0] != accel:
                pass
            waits.append(time.perf_counter() - sent)
    sender.close()
    waits.sort()
    late = waits[int(len(waits) * 0.99)]
    detail = f"publishing period {PERIOD * 1e3:g} ms; median {waits[len(waits) // 2] * 1e3:.1f} ms, p99 of {SAMPLES}"
    return Figure("control to the first status that shows it, p99", late * 1e3, "ms", 21.0, at_most=True, detail=detail)
