"""What pictures of a camera cost on their way into numpy arrays of another process, beside what rendering costs.

Server and client are processes of their own; the pictures of the server are made before. Counted is the processor time
of both beyond what each needs while nobody listens, beside that of copying the same bytes twice: out of the simulator
and into the program. The bare copies come at the same pace: 33 ms after the last picture no cache holds its memory, and
a copy takes several times as long as one of many in a row.
"""

from __future__ import annotations

import mmap
import time
from collections.abc import Iterator
from contextlib import ExitStack
from subprocess import Popen
from unittest.mock import patch

import numpy as np

from dorosim.client import Client
from dorosim.client.shared_memory import SharedSlots
from tools.bench.figure import Figure
from tools.bench.peer import answer_of, line_of, started_module
from tools.bench.picture_host import HEIGHT, RATE, WIDTH

SECONDS, ROUNDS = 3.0, 3
"""How long pictures are read [s], and how often; the round that costs least counts."""
PATIENCE_S = 60.0
"""Within which a picture comes [s]."""
TARGET = 5.0
"""Share of a core for 30 pictures of 720p a second [%]."""
RATIO = 1.5
"""Of it to the two bare copies at the same pace."""
_SLOTS, _COPIES = 4, 90


def figures() -> Iterator[Figure]:
    """The share of a core by shared memory, and by messages of gRPC."""
    with ExitStack() as stack:
        host = started_module(stack, "tools.bench.picture_host")
        address = f"127.0.0.1:{line_of(host).strip()}"
        copies = 2.0 * _copy_seconds()
        yield from _figures(host, address, "shared memory", copies, TARGET)
        with patch.object(SharedSlots, "__init__", side_effect=OSError("not in this figure")):
            yield from _figures(host, address, "messages of gRPC", copies, None)


def _figures(host: Popen[str], address: str, way: str, copies: float, target: float | None) -> Iterator[Figure]:
    idle = _idle(host)
    rounds = [_round(host, address, idle) for _ in range(ROUNDS)]
    rate, client, server = min(rounds, key=lambda one: one[1] + one[2])
    share = (client + server) * RATE
    each = f"{rate:.1f} pictures/s; each {1e3 * client:.2f} ms of the client and {1e3 * server:.2f} ms of the server"
    name = f"{RATE} pictures/s of {WIDTH}x{HEIGHT} into numpy by {way}"
    yield Figure(name, 100.0 * share, "% of a core", target, at_most=True, detail=each)
    bare = f"two bare copies at this pace take {1e3 * copies:.2f} ms, {100.0 * copies * RATE:.1f} % of a core"
    ratio, bound = (client + server) / copies, None if target is None else RATIO
    yield Figure(f"{name}, to two bare copies", ratio, "x", bound, at_most=True, detail=bare)


def _idle(host: Popen[str]) -> float:
    """Share of a core of the server while nobody takes pictures."""
    before, begin = answer_of(host)["busy"], time.monotonic()
    time.sleep(SECONDS)
    return float(answer_of(host)["busy"] - before) / (time.monotonic() - begin)


def _round(host: Popen[str], address: str, idle: float) -> tuple[float, float, float]:
    """Pictures a second, and processor time of the client and the server for one, beyond what is idle [s].

    It takes as many as there are in its time, which is longer on a machine that is busy.
    """
    with Client(address) as client:
        feed = client.feed(("1",))
        for _ in range(RATE // 3):
            feed.take(PATIENCE_S)
        before, begin, used = answer_of(host)["busy"], time.monotonic(), time.process_time()
        count = 0
        while count < SECONDS * RATE:
            if feed.take(PATIENCE_S) is None:
                raise TimeoutError(f"no picture came within {PATIENCE_S:g} s")
            count += 1
        mine, seconds = time.process_time() - used, time.monotonic() - begin
        other = answer_of(host)["busy"] - before
        return count / seconds, mine / count, max(other - idle * seconds, 0.0) / count


def _copy_seconds() -> float:
    """Mean processor time of one copy of a picture, as of those into and out of shared memory, at their pace [s]."""
    source = np.random.default_rng(1).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    shared = np.frombuffer(mmap.mmap(-1, _SLOTS * source.nbytes), np.uint8).reshape(_SLOTS, *source.shape)
    spent = 0.0
    for number in range(_COPIES):
        time.sleep(1.0 / RATE)
        slot, begun = shared[number % _SLOTS], time.thread_time()
        if number % 2:
            slot.copy()
        else:
            np.copyto(slot, source)
        spent += time.thread_time() - begun
    return spent / _COPIES
