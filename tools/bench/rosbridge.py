"""How quickly messages come over rosbridge: the embedded server beside a bare websocket, and the client.

A 1.2 MB cloud 10 times and a status 100 times a second, at the same time, over one connection. All peers are processes
of their own on this machine; the server and the bare websocket send the same bytes to the same program, in turns.
Latency is from the making of a message to its arrival as bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import numpy as np

from tools.bench.figure import Figure
from tools.bench.peer import answer_of, expect, line_of, play_in_turns, started_module

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
    ours = started_module(stack, _HOST, "rosbridge", "", "/status", "/cloud")
    hosts = [ours, started_module(stack, _PEER, "bare")]
    ports = [line_of(one).strip() for one in hosts]
    listeners = [
        started_module(stack, _PEER, "listen", f"ws://127.0.0.1:{port}", json.dumps(lengths), json.dumps(operations))
        for port, operations in zip(ports, (asked, []), strict=True)
    ]
    for one in (*listeners, *hosts):
        expect(one, "ready")
    play_in_turns(hosts, ROUNDS, SECONDS)
    return answer_of(listeners[0]), answer_of(listeners[1])


def _client(stack: ExitStack) -> Found:
    """Latencies of what the client publishes [s]."""
    server = started_module(stack, _PEER, "take")
    url = f"ws://127.0.0.1:{line_of(server).strip()}"
    host = started_module(stack, _HOST, "rosbridge", url, "/status", "/cloud")
    expect(host, "ready")
    play_in_turns((host,), 1, SECONDS)
    return answer_of(server)
