"""What pictures of a camera cost on their way into numpy arrays of another process, beside what rendering costs.

Server and client are processes of their own; the pictures of the server are made before. Counted is the processor time
of both beyond what each needs while nobody listens, beside that of copying the same bytes twice: out of the simulator
and into the program.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from subprocess import Popen
from unittest.mock import patch

import numpy as np

from dorosim.client import Client
from dorosim.client.shared_memory import SharedSlots
from tools.bench.figure import Figure, best_seconds
from tools.bench.peer import answer_of, line_of, started_module
from tools.bench.picture_host import HEIGHT, RATE, WIDTH

SECONDS, ROUNDS = 3.0, 3
"""How long pictures are read [s], and how often; the round that costs least counts."""
TARGET = 5.0
"""Share of a core for 30 pictures of 720p a second [%]."""


def figures() -> Iterator[Figure]:
    """The share of a core by shared memory, and by messages of gRPC."""
    with ExitStack() as stack:
        host = started_module(stack, "tools.bench.picture_host")
        address = f"127.0.0.1:{line_of(host).strip()}"
        copies = 2.0 * _copy_seconds()
        yield _figure(host, address, "shared memory", copies, TARGET)
        with patch.object(SharedSlots, "__init__", side_effect=OSError("not in this figure")):
            yield _figure(host, address, "messages of gRPC", copies, None)


def _figure(host: Popen[str], address: str, way: str, copies: float, target: float | None) -> Figure:
    idle = _idle(host)
    rounds = [_round(host, address) for _ in range(ROUNDS)]
    rate, client, server = min(rounds, key=lambda one: one[1] + one[2])
    server = max(server - idle, 0.0)
    share = (client + server) * RATE
    detail = (
        f"{rate:.1f} pictures/s; each {1e3 * client:.2f} ms of the client and {1e3 * server:.2f} ms of the server, "
        f"{(client + server) / copies:.1f} x two bare copies of {1e3 * copies:.2f} ms"
    )
    name = f"{RATE} pictures/s of {WIDTH}x{HEIGHT} into numpy by {way}"
    return Figure(name, 100.0 * share, "% of a core", target, at_most=True, detail=detail)


def _idle(host: Popen[str]) -> float:
    """Processor time of the server for a picture that nobody takes [s]."""
    before = answer_of(host)["busy"]
    time.sleep(SECONDS)
    return float(answer_of(host)["busy"] - before) / (SECONDS * RATE)


def _round(host: Popen[str], address: str) -> tuple[float, float, float]:
    """Pictures a second, and processor time of the client and the server for one [s]."""
    with Client(address) as client:
        feed = client.feed(("1",))
        for _ in range(RATE // 3):
            feed.take(SECONDS)
        before, begin, used = answer_of(host)["busy"], time.monotonic(), time.process_time()
        count = 0
        while time.monotonic() < begin + SECONDS:
            count += feed.take(SECONDS) is not None
        mine, seconds = time.process_time() - used, time.monotonic() - begin
        other = answer_of(host)["busy"] - before
        return count / seconds, mine / max(count, 1), other / max(count, 1)


def _copy_seconds() -> float:
    """Processor time of one copy of a picture to where nothing was before, as of both copies [s]."""
    source = np.random.default_rng(1).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    return best_seconds(source.copy, 50, time.thread_time)
