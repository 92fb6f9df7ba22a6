"""How quickly messages come over rosbridge: the embedded server beside a bare websocket, and the client.

A 1.2 MB cloud 10 times and a status 100 times a second, at the same time, over one connection. All peers are processes
of their own on this machine; the server and the bare websocket send the same bytes to the same program, in turns.
Latency is from the making of a message to its arrival as bytes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import IO

import numpy as np

from tools.bench.figure import Figure
from tools.bench.peer import ask, expect, line_of, started

ROUNDS, SECONDS = 4, 3.0
"""Rounds of both in turns, and time of each [s]."""
CLOUD_TARGET, LATE_MS = 1.5, 5.0
"""Of the cloud's p50 latency to that of a bare websocket; of the status' p95 latency [ms]."""
_PEER, _HOST = "tools.bench.websocket_peer", "tools.bench.ros_host"
Found = Mapping[str, list[float]]


def figures() -> Iterator[Figure]:
    """Latency of the embedded server, and of the client to another server."""
    with ExitStack() as stack:
        ours, bare = _measured(stack)
    mine, other = (np.percentile(one["cloud"], 50) * 1e3 for one in (ours, bare))
    detail = f"{mine:.2f} to {other:.2f} ms, {len(ours['cloud']):,} messages"
    name = "embedded rosbridge, 1.2 MB cloud as CBOR-raw, p50 latency to a bare websocket"
    yield Figure(name, float(mine / other), "x", CLOUD_TARGET, at_most=True, detail=detail)
    mine, other = (np.percentile(one["status"], 95) * 1e3 for one in (ours, bare))
    name = "embedded rosbridge, status under lidar load, p95"
    yield Figure(name, float(mine), "ms", LATE_MS, at_most=True, detail=f"bare websocket {other:.2f} ms")
    with ExitStack() as stack:
        late = np.percentile(_client(stack)["status"], 95) * 1e3
    name = "rosbridge client as JSON, status under lidar load, p95"
    yield Figure(name, float(late), "ms", LATE_MS, at_most=True, detail="to a server that does nothing with clouds")


def _measured(stack: ExitStack) -> tuple[Found, Found]:
    """Latencies of the embedded server and of the bare one, by kind of message [s]."""
    from tools.bench.ros_host import CLOUD, REGISTRY, STATUS, STATUS_BYTES, Stage

    lengths = {"status": STATUS_BYTES, "cloud": len(REGISTRY.encode(Stage("/status", "/cloud").cloud()))}
    asked = [
        {"op": "subscribe", "topic": f"/{part}", "type": kind, "compression": "cbor-raw"}
        for part, kind in (("status", STATUS), ("cloud", CLOUD))
    ]
    log = stack.enter_context(_log())
    hosts = [_started(stack, log, _HOST, "rosbridge", "", "/status", "/cloud"), _started(stack, log, _PEER, "bare")]
    ports = [line_of(one).strip() for one in hosts]
    listeners = [
        _started(stack, log, _PEER, "listen", f"ws://127.0.0.1:{port}", json.dumps(lengths), json.dumps(operations))
        for port, operations in zip(ports, (asked, []), strict=True)
    ]
    for one in (*listeners, *hosts):
        expect(one, "ready")
    for _ in range(ROUNDS):
        for one in hosts:
            ask(one, str(SECONDS))
            expect(one, "done")
    ours, bare = (_told(one) for one in listeners)
    return ours, bare


def _client(stack: ExitStack) -> Found:
    """Latencies of what the client publishes [s]."""
    log = stack.enter_context(_log())
    server = _started(stack, log, _PEER, "take")
    url = f"ws://127.0.0.1:{line_of(server).strip()}"
    host = _started(stack, log, _HOST, "rosbridge", url, "/status", "/cloud")
    expect(host, "ready")
    ask(host, str(SECONDS))
    expect(host, "done")
    return _told(server)


def _started(stack: ExitStack, log: IO[bytes], module: str, *arguments: str) -> subprocess.Popen[str]:
    return started(stack, [sys.executable, "-m", module, *arguments], os.environ, log)


@contextmanager
def _log() -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        yield file


def _told(listener: subprocess.Popen[str]) -> Found:
    ask(listener, "")
    found: dict[str, list[float]] = json.loads(line_of(listener))
    return found
