"""How quickly the gRPC server answers, beside a bare echo of the same bytes, and how many states a second it sends.

Server and client are processes of their own on this machine; the client is the same for both servers, and they take
turns, so both see the same machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import grpc
import numpy as np

from dorosim.client.operation import Call, call
from dorosim.client.quantity import identity
from dorosim.client.states import States
from dorosim.ground.column import FloatArray
from tools.bench.figure import Figure
from tools.bench.grpc_host import VEHICLES
from tools.bench.peer import line_of, started_module

ROUNDS, CALLS = 60, 50
"""Rounds of a latency, and calls of each server in a round."""
BLOCKS = 6
"""Parts of them, each with a percentile of its own, of which the middle one counts: a disturbed second is one part."""
COMMANDS = 300
FLIGHT, FLIGHT_CALLS, FLIGHT_ROUNDS = 32, 1500, 5
"""Calls in flight, calls of a round, and rounds of both servers in turns, of which the middle one counts."""
TICK_MS = 10.0
READY_S = 60.0
"""Within which a server that has told its port is reached [s]."""
SECONDS = 3.0
"""How long states are read [s]."""
READS = ("Environment/GetWeather", "Actor/GetActorState", "Actor/GetVehicleSpec", "Infrastructure/GetTrafficLightInfo")
"""What is read: little, the state of one, a catalogue's row, a light."""
MOTION = ("id", "position", "rotation", "velocity", "acceleration", "yaw_rate")
"""The columns that have a target: where each actor is, and how it moves."""
_OPTIONS = (("grpc.max_receive_message_length", 64 << 20),)


def figures() -> Iterator[Figure]:
    """Latency and throughput to the echo, commands in a running world, states a second three ways."""
    with _host("run") as ours, _host("echo") as echo:
        yield from _latencies(ours, echo)
        yield _commands(ours)
    with _host("playback") as playback:
        yield _bulk(playback, MOTION, 2.0)
        yield _bulk(playback, (), None)
        yield from _messages(playback)


@contextmanager
def _host(what: str) -> Iterator[grpc.Channel]:
    """A channel to a process that serves."""
    with ExitStack() as stack:
        port = line_of(started_module(stack, "tools.bench.grpc_host", what)).strip()
        channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{port}", options=_OPTIONS))
        grpc.channel_ready_future(channel).result(READY_S)
        yield channel


def _read(name: str) -> Call:
    if name == "Infrastructure/GetTrafficLightInfo":
        return call(name, type="GET_TL_INFO_BY_TL_ID", value="TL000000")
    return call(name, **identity("Ego")) if name.startswith("Actor/") else call(name)


def _latencies(ours: grpc.Channel, echo: grpc.Channel) -> Iterator[Figure]:
    teach = echo.unary_unary("/echo/teach")
    ratios: dict[int, list[float]] = {50: [], 99: []}
    details, flights, rates = [], [], []
    for name in READS:
        asked = _read(name)
        path, request = asked.method.path, asked.request.SerializeToString()
        mine, floor = ours.unary_unary(path), echo.unary_unary(path)
        try:
            answer = mine(request)
        except grpc.RpcError as error:
            details.append(f"{name} {error.code().name.lower()}")
            continue
        teach(path.encode() + b"\n" + answer)
        times = _paired(partial(mine, request), partial(floor, request))
        for share, found in ratios.items():
            blocks = [_percentiles(side, share) for side in times]
            found.append(float(np.median(blocks[0] / blocks[1])))
            a, b = map(np.median, blocks)
            details.append(f"{name.partition('/')[2]} p{share} {a:.0f} to {b:.0f} us")
        pairs = [(_throughput(mine, request), _throughput(floor, request)) for _ in range(FLIGHT_ROUNDS)]
        flights.append(sorted(a / b for a, b in pairs)[FLIGHT_ROUNDS // 2])
        rates.append(f"{name.partition('/')[2]} {max(a for a, _ in pairs):,.0f} to {max(b for _, b in pairs):,.0f}/s")
    detail = ", ".join(details)
    for share, found in ratios.items():
        worst = max(found) if found else None
        yield Figure(f"gRPC read, p{share} latency to a bare echo", worst, "x", 1.3, at_most=True, detail=detail)
        detail = "the slowest of the procedures above"
    least = min(flights) if flights else None
    name = f"gRPC reads a second with {FLIGHT} in flight, to a bare echo"
    yield Figure(name, least, "x", 0.7, detail=", ".join(rates) or "nothing could be read")


def _percentiles(times: list[float], share: int) -> FloatArray:
    """`(BLOCKS,)` of each part of times in seconds [us]."""
    parts = np.array_split(np.array(times), min(BLOCKS, len(times)))
    return np.array([np.percentile(part, share) * 1e6 for part in parts])


def _paired(mine: Callable[[], object], floor: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Times of calls of both, in turns [s]."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for times, work in zip(found, (mine, floor), strict=True):
            for _ in range(CALLS):
                started = time.perf_counter()
                work()
                times.append(time.perf_counter() - started)
    return found


def _throughput(stub: Any, request: bytes) -> float:
    """Calls a second, with several in flight."""
    started = time.perf_counter()
    flying = [stub.future(request) for _ in range(FLIGHT)]
    for number in range(FLIGHT_CALLS - FLIGHT):
        flying[number % FLIGHT].result()
        flying[number % FLIGHT] = stub.future(request)
    for one in flying:
        one.result()
    return FLIGHT_CALLS / (time.perf_counter() - started)


def _commands(ours: grpc.Channel) -> Figure:
    """A command is answered after the tick that applied it: at the longest a tick later, in a run in real time."""
    name = f"gRPC command in a world with a tick of {TICK_MS:g} ms, p99"
    asked = call("Actor/ControlVehicle", actor_info=identity("Ego"), long_cmd_type=1, throttle=0.1)
    stub, request = ours.unary_unary(asked.method.path), asked.request.SerializeToString()
    times = []
    try:
        for number in range(COMMANDS):
            time.sleep(number % 7 * 1e-3)
            started = time.perf_counter()
            stub(request)
            times.append(time.perf_counter() - started)
    except grpc.RpcError as error:
        return Figure(name, None, "ms", TICK_MS + 2.0, at_most=True, detail=error.details())
    p50, p99 = np.percentile(times, 50) * 1e3, np.percentile(times, 99) * 1e3
    return Figure(name, float(p99), "ms", TICK_MS + 2.0, at_most=True, detail=f"p50 {p50:.1f} ms")


def _bulk(playback: grpc.Channel, columns: Sequence[str], target: float | None) -> Figure:
    """All vehicles into numpy arrays, one stream."""
    asked = call("Bulk/StreamStates", columns=columns)
    method, rows, frames = asked.method, 0, 0
    stub = playback.unary_stream(method.path, method.request.SerializeToString, method.response.FromString)
    stream = stub(asked.request)
    first = next(stream)
    started, busy = time.perf_counter(), time.process_time()
    for frame in stream:
        states = States(frame)
        rows, frames = rows + states.rows, frames + 1
        if time.perf_counter() - started > SECONDS:
            break
    seconds, work = time.perf_counter() - started, time.process_time() - busy
    stream.cancel()
    detail = (
        f"{VEHICLES:,} vehicles, {len(states)} columns, {frames / seconds:,.0f} frames/s of {first.ByteSize() >> 10} "
        f"KiB, the reader needs {work / frames * 1e6:.0f} us each"
    )
    name = "vehicle states over dorosim.Bulk" if target else "  with all columns"
    return Figure(name, rows / seconds / 1e6, "M/s", target, detail=detail)


def _messages(playback: grpc.Channel) -> Iterator[Figure]:
    """The same as messages, one of each vehicle, of which positions and velocities are made arrays."""
    asked = call("Actor/GetAllActorsState", vehicle=True)
    method, rows = asked.method, 0
    stub = playback.unary_unary(method.path, method.request.SerializeToString, method.response.FromString)
    name, started = "  over GetAllActorsState of the Standard API", time.perf_counter()
    try:
        while time.perf_counter() - started < SECONDS:
            pairs = [(one.transform.location, one.velocity) for one in stub(asked.request).states]
            rows += len(np.array([(a.x, a.y, a.z, b.x, b.y, b.z) for a, b in pairs]))
        yield Figure(name, rows / (time.perf_counter() - started) / 1e6, "M/s")
    except grpc.RpcError as error:
        yield Figure(name, None, "M/s", detail=error.details())
    yield _connect(playback)


def _connect(playback: grpc.Channel) -> Figure:
    """Frames of further ego vehicles, as they come."""
    name = "  over Connect of the documented API"
    asked = call("MoraiService/Connect", service_name="/morai_msgs/MultiEgoState")
    method, rows = asked.method, 0
    stub = playback.stream_stream(method.path, method.request.SerializeToString, method.response.FromString)
    started = time.perf_counter()
    stream = stub(_asking(asked.request), timeout=SECONDS + 1.0)
    size = 0
    try:
        for frame in stream:
            rows += VEHICLES - 1 if "Multi" in frame.service_name else 0
            size = max(size, len(frame.msg))
            if time.perf_counter() - started > SECONDS:
                break
        stream.cancel()
    except grpc.RpcError as error:
        if not rows:
            return Figure(name, None, "M/s", detail=error.details())
    detail = f"text of {size >> 10} KiB a frame, not yet decoded"
    return Figure(name, rows / (time.perf_counter() - started) / 1e6, "M/s", detail=detail)


def _asking(request: Any) -> Iterator[Any]:
    """The request, and then silence: a stream lasts as long as its requests do."""
    yield request
    time.sleep(SECONDS)
